"""Selection of independent rows of G: as many as are independent, those that are furthest apart.

Redundant equations are combinations of the others only *on* the constraints. At a state that
violates the constraints by s they look independent by up to 100 s (Bennett's linkage), and no
threshold separates that from a change point. Therefore

* the number of selected rows is determined once, at a projected state (by the assembly, or else by
  the first selection), and kept;
* the selected rows are the pivots of a pivoted orthogonalization, largest pivot first;
* rows are selected again, at a projected state, when the pivot margin has fallen to RESELECT of
  its reference.

The pivot of a row r is what the rows before it leave of it, relative to the largest row of its
joint:  left(r) / largest(joint).  Rows that are angles count by the arm of the joint. The pivot
margin is the smallest pivot of the selected rows. If it is small right after a selection, the
position is close to a change point (`engine/kkt/singular_steps.py`).

`pivot_rows` selects in the rows of a dense matrix: all rows of a small model (here) or the rows of
one front (`front_rows.py`). Sparse factors give Schur complements instead of rows, so
`sparse_row_selection.py` pivots in Gram matrices by the same rules.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .mass_factor import solve_upper
from .mass_norm import factorize_metric

_OK, _MASS, _ROWS = int(Status.OK), int(Status.SINGULAR_MASS), int(Status.SINGULAR_CONSTRAINTS)
DEPENDENT = 1e-9  # pivot of a row that is, at a projected state, a combination of the others
LOST = 1e-12  # pivot of a selected row that has become one: the position is singular
NOTHING = 1e-11  # part of the size of a row without cancellation that is rounding
MOST_OF_IT = 0.7  # part of a row that remains if it is orthogonal to the others up to rounding
RESELECT = 0.3  # fall of the margin at which rows are selected again


@inline
def orthogonalize(Q, R, k, row, size):
    """Subtract from `row` its components along Q[0..k) and store them in column k of R.

    `size` is the norm of the row. Returns the norm that is left. A second pass follows if less
    than MOST_OF_IT is left, because the rounding errors of the first are then significant.
    """
    if k == 0:
        return size
    for j in range(k):
        R[j, k] = inner(Q[j], row)
    for j in range(k):
        add_scaled(-R[j, k], Q[j], row)
    left = math.sqrt(inner(row, row))
    if left > MOST_OF_IT * size:
        return left
    for j in range(k):
        s = inner(Q[j], row)
        R[j, k] += s
        add_scaled(-s, Q[j], row)
    return math.sqrt(inner(row, row))


@inline
def usual_size(tables, work, weighted):
    """Norm of a row of a length constraint without cancellation: the scale of rounding errors."""
    most = 0.0
    for k in range(tables.turns.shape[0]):
        arm = tables.settings[0].length if tables.turns[k] > 0.0 else 1.0
        if not weighted:
            most = max(most, arm)
        elif work.M[k, k] > tables.floor[k]:
            most = max(most, arm / math.sqrt(work.M[k, k]))
    return most


@inline
def joint_arm(tables, travel, turn):
    """Arm of a joint from the squares of its largest displacement and rotation by one velocity."""
    return math.sqrt(travel / turn) if turn > 0.0 and travel > 0.0 else tables.settings[0].length


@internal_kernel
def set_row_units(tables, work):
    """row_unit[r] makes row r a length: angles are multiplied by the arm of their joint.

    arm = (largest displacement) / (largest rotation) by one velocity, in the norm of diag(M)
    """
    ng = work.G.shape[0]
    for first in range(ng):
        if work.row_owner[first] != first:
            continue
        travel, turn = 0.0, 0.0
        for k in range(work.M.shape[0]):
            reach, held = 0.0, work.M[k, k] > tables.floor[k]
            for r in range(first, ng):
                if work.row_owner[r] == first and tables.row_scale[r] > 0.0:
                    reach = max(reach, abs(work.G[r, k]))
            if held and reach > 0.0:
                travel = max(travel, reach * reach / work.M[k, k])
                turn = max(turn, tables.turns[k] / work.M[k, k])
        arm = joint_arm(tables, travel, turn)
        for r in range(first, ng):
            if work.row_owner[r] == first:
                work.row_unit[r] = 1.0 if tables.row_scale[r] > 0.0 else arm


@inline
def note_size(work, r, size):
    """Raise the size of the largest row of an owner to that of its row r."""
    owner = work.row_owner[r]
    work.owner_size[owner] = max(work.owner_size[owner], work.row_unit[r] * size)


# Factor on the pivots of rows of velocities alone: a row with a g that depends on them is selected
# first, because positions are projected onto the selected rows.
RATES_LAST = 1e-6


@inline
def pivot_size(tables, work, r, left, bar, usual):
    """Pivot of row r, of which `left` is left; zero if the row must not be selected."""
    own, most, unit = work.row_size[r], work.owner_size[work.row_owner[r]], work.row_unit[r]
    natural = 1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length
    if not own * natural > NOTHING * usual:
        return 0.0
    if not (left > bar * own and unit * left > bar * most):
        return 0.0
    late = RATES_LAST if tables.row_scale[r] > 1.0 or tables.row_scale[r] < 0.0 else 1.0
    return late * unit * left / most


@inline
def pivot_rows(tables, work, A, order, wanted, bar, usual, row_of, n):
    """Select rows of A by pivoted orthogonalization, largest pivot first. Returns their number.

    On a tie the earliest row is selected. `order` lists the rows of A: the selected ones come
    first; `row_of(tables, n, i)` is the row of G in A[i].
    """
    count = order.shape[0]
    for k in range(wanted):
        best, most = -1, 0.0
        for i in range(k, count):
            row = A[order[i]]
            left = math.sqrt(inner(row, row))
            pivot = pivot_size(tables, work, row_of(tables, n, order[i]), left, bar, usual)
            if pivot > most * (1.0 + 1e-6):
                best, most = i, pivot
        if best < 0:
            return k
        order[k], order[best] = order[best], order[k]
        row = A[order[k]]
        scale_by(1.0 / math.sqrt(inner(row, row)), row)
        for i in range(k + 1, count):
            other = A[order[i]]
            for _ in range(2):
                add_scaled(-inner(row, other), row, other)
    return wanted


@inline
def record_margin(report, margin, reference):
    """Record the pivot margin and the margin that it is compared with."""
    report.pivot_margin = margin
    report.best_margin = max(report.best_margin, margin)
    report.reference_margin = reference


@inline
def needs_reselection(report):
    """Whether rows should be selected again."""
    return report.selections == 0 or report.pivot_margin < RESELECT * report.reference_margin


@inline
def load_rows(tables, work, weighted):
    """Copy G into Q, in the mass norm if `weighted`, and the norms of its rows into row_size.

    Returns the index of a degree of freedom without inertia, or -1.
    """
    for r in range(work.G.shape[0]):
        work.selected[r] = r
    bad = factorize_metric(tables, work, work.G.shape[0]) if weighted else -1
    if bad < 0:
        fill(work.owner_size, 0.0)
        for r in range(work.G.shape[0]):
            copy(work.G[r], work.Q[r])
            if weighted:
                solve_upper(work.mass_pattern, work.L, work.Q[r])
            work.row_size[r] = math.sqrt(inner(work.Q[r], work.Q[r]))
            note_size(work, r, work.row_size[r])
    return bad


@inline
def same_row(tables, n, i):
    """The row of G in row i of the whole matrix."""
    return i


@internal_kernel
def select_rows(tables, work, weighted):
    """Select rows of the whole G; report.rank is their number. Returns a Status."""
    report = work.report[0]
    wanted = report.rank if report.selections > 0 else tables.settings[0].rows
    known = wanted >= 0
    report.selections += 1
    report.rank = 0
    set_row_units(tables, work)
    bad = load_rows(tables, work, weighted)
    if bad >= 0:
        report.index = bad
        return _MASS
    usual = usual_size(tables, work, weighted)
    most, bar = wanted if known else work.G.shape[0], LOST if known else DEPENDENT
    report.rank = pivot_rows(tables, work, work.Q, work.selected, most, bar, usual, same_row, 0)
    return _ROWS if known and report.rank < wanted else _OK


@inline
def keep_margin(work):
    """Record the margin of the rows just factorized, and the weakest of them."""
    report, least = work.report[0], math.inf
    for k in range(report.rank):
        r = work.selected[k]
        pivot = work.row_unit[r] * work.R[k, k] / work.owner_size[work.row_owner[r]]
        if pivot < least:
            least, report.weakest = pivot, r
    margin = least if report.rank > 0 else 1.0
    record_margin(report, margin, max(report.reference_margin, margin))


@internal_kernel
def factor_rows(tables, work, weighted):
    """Q and R of the selected rows. Returns a Status, and the row or velocity in report.index."""
    report = work.report[0]
    report.factorisations += 1
    bad = factorize_metric(tables, work, report.rank) if weighted else -1
    if bad >= 0:
        report.index = bad
        return _MASS
    fill(work.owner_size, 0.0)
    for k in range(report.rank):
        r, row = work.selected[k], work.Q[k]
        copy(work.G[r], row)
        if weighted:
            solve_upper(work.mass_pattern, work.L, row)
        size = math.sqrt(inner(row, row))
        note_size(work, r, size)
        left = orthogonalize(work.Q, work.R, k, row, size)
        if not left > LOST * size:
            report.index = r
            return _ROWS
        work.R[k, k] = left
        scale_by(1.0 / left, row)
    keep_margin(work)
    return _OK


@internal_kernel
def reselect_rows(tables, work, weighted):
    """Select as many rows at the present M and G and factorize; keep the old ones if better."""
    report = work.report[0]
    before, rank, first = report.pivot_margin, report.rank, report.selections == 0
    copy(work.selected, work.row_order)
    report.reference_margin = 0.0
    status = select_rows(tables, work, weighted)
    if status == _OK:
        status = factor_rows(tables, work, weighted)
    if not first and (status != _OK or report.pivot_margin < before):
        report.rank, report.reference_margin = rank, 0.0
        copy(work.row_order, work.selected)
        status = factor_rows(tables, work, weighted)
    return status


@internal_kernel
def refactor_rows(tables, work, weighted):
    """Factorize the selected rows at the present M and G. Returns a Status.

    Rows are selected at the first call and when a selected row has become dependent.
    """
    status = factor_rows(tables, work, weighted) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].pivot_margin = 0.0
        status = reselect_rows(tables, work, weighted)
    return status
