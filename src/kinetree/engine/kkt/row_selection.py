"""Which rows of G are in use: as many as are independent, the widest apart, exchanged in time.

Equations that are redundant are combinations of the others only *on* the constraints. At a state
that is off them by s they look independent by up to 100 s (Bennett's loop), and no threshold tells
that from a change point. So

    how many     is decided once, at a settled state (by the assembly, else by the first choice),
                 and kept
    which        those that stand out furthest from the rows before them, greatest first
    how long     until the margin has fallen to WORN of what it was; then, at a settled state, they
                 are chosen anew

A row r is measured by what the rows before it leave of it, against the largest row of its joint,
angles taken at the arm
of the joint:  left(r) / most(joint).  The margin is the smallest such number of the rows in use;
where it is small even
though the rows were chosen anew, the position is next to a change point (`engine/kkt/singular_steps.py`).
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .mass_factor import solve_upper
from .mass_norm import factorise_metric

_OK, _MASS, _ROWS = int(Status.OK), int(Status.SINGULAR_MASS), int(Status.SINGULAR_CONSTRAINTS)
# a row this small after orthogonalising is, at a settled state, a combination of the others
DEPENDENT = 1e-9
LOST = 1e-12  # a row in use that is this small has become one: the position is singular
NOTHING = 1e-11  # of the size a row has if nothing cancels: rounding
MOST_OF_IT = 0.7  # of a row: what is left is orthogonal up to rounding
WORN = 0.3  # fall of the margin at which rows are chosen anew


@inline
def orthogonalise(work, k, row, size):
    """Subtract from `row`, of that size, its parts along Q[0..k), adding them to column k of R;
    answers what is left.

    Once more, one after the other, where less than MOST_OF_IT is left, for then the rounding of
    what was taken shows.
    """
    if k == 0:
        return size
    for j in range(k):
        work.R[j, k] = inner(work.Q[j], row)
    for j in range(k):
        add_scaled(-work.R[j, k], work.Q[j], row)
    left = math.sqrt(inner(row, row))
    if left > MOST_OF_IT * size:
        return left
    for j in range(k):
        s = inner(work.Q[j], row)
        work.R[j, k] += s
        add_scaled(-s, work.Q[j], row)
    return math.sqrt(inner(row, row))


@inline
def usual_size(tables, work, weighted):
    """Size a row of a length constraint has if nothing cancels: what rounding is measured against."""
    most = 0.0
    for k in range(work.M.shape[0]):
        arm = tables.settings[0].length if tables.turns[k] > 0.0 else 1.0
        if not weighted:
            most = max(most, arm)
        elif work.M[k, k] > tables.floor[k]:
            most = max(most, arm / math.sqrt(work.M[k, k]))
    return most


@internal_kernel
def arms(tables, work):
    """unit[r] makes row r a length: angles are taken at the arm of their joint, or at the size of
    the machine.

    arm = (largest travel) / (largest turn) that a freedom gives the joint, both in the metric of
    the diagonal of M
    """
    ng = work.G.shape[0]
    for first in range(ng):
        if work.group[first] != first:
            continue
        travel, turn = 0.0, 0.0
        for k in range(work.M.shape[0]):
            reach, held = 0.0, work.M[k, k] > tables.floor[k]
            for r in range(first, ng):
                if work.group[r] == first and tables.row_scale[r] > 0.0:
                    reach = max(reach, abs(work.G[r, k]))
            if held and reach > 0.0:
                travel = max(travel, reach * reach / work.M[k, k])
                turn = max(turn, tables.turns[k] / work.M[k, k])
        arm = math.sqrt(travel / turn) if turn > 0.0 and travel > 0.0 else tables.settings[0].length
        for r in range(first, ng):
            if work.group[r] == first:
                work.unit[r] = 1.0 if tables.row_scale[r] > 0.0 else arm


@inline
def load_rows(tables, work, weighted):
    """All rows of G into Q, in the mass metric if `weighted`, sizes into scratch[0]; answers a
    freedom without inertia, or -1.
    """
    size = work.scratch[0]
    for r in range(work.G.shape[0]):
        work.active[r] = r
    bad = factorise_metric(tables, work, work.G.shape[0]) if weighted else -1
    if bad < 0:
        fill(work.most, 0.0)
        for r in range(work.G.shape[0]):
            copy(work.G[r], work.Q[r])
            if weighted:
                solve_upper(work.pattern, work.L, work.Q[r])
            size[r] = math.sqrt(inner(work.Q[r], work.Q[r]))
            work.most[work.group[r]] = max(work.most[work.group[r]], work.unit[r] * size[r])
    return bad


@inline
def stands_out(tables, work, r, usual, known):
    """How far the row in Q[r] stands out from the rows taken, or zero where it is none that may be
    taken.
    """
    row, left = work.active[r], math.sqrt(inner(work.Q[r], work.Q[r]))
    own, most = work.scratch[0][row], work.most[work.group[row]]
    natural = 1.0 if tables.row_scale[row] > 0.0 else tables.settings[0].length
    if not own * natural > NOTHING * usual:
        return 0.0
    bar = LOST if known else DEPENDENT
    return (
        work.unit[row] * left / most
        if left > bar * own and work.unit[row] * left > bar * most
        else 0.0
    )


@internal_kernel
def select_rows(tables, work, weighted):
    """Choose rows by pivoted orthogonalisation, greatest first, the earliest on a tie; report.rank
    tells how many.
    """
    report, ng = work.report[0], work.G.shape[0]
    wanted = report.rank if report.selections > 0 else tables.settings[0].rows
    known = wanted >= 0
    report.selections += 1
    report.rank = 0
    arms(tables, work)
    bad = load_rows(tables, work, weighted)
    if bad >= 0:
        report.index = bad
        return _MASS
    usual = usual_size(tables, work, weighted)
    for k in range(wanted if known else ng):
        best, most = -1, 0.0
        for r in range(k, ng):
            out = stands_out(tables, work, r, usual, known)
            if out > most * (1.0 + 1e-6):
                best, most = r, out
        if best < 0:
            break
        swap(work, k, best)
        row = work.Q[k]
        scale_by(1.0 / math.sqrt(inner(row, row)), row)
        for r in range(k + 1, ng):
            for _ in range(2):
                add_scaled(-inner(row, work.Q[r]), row, work.Q[r])
        report.rank = k + 1
    return _ROWS if known and report.rank < wanted else _OK


@inline
def swap(work, a, b):
    work.active[a], work.active[b] = work.active[b], work.active[a]
    for n in range(work.Q.shape[1]):
        work.Q[a, n], work.Q[b, n] = work.Q[b, n], work.Q[a, n]


@inline
def keep_margin(work):
    """Margin of the rows just factored, and the weakest of them."""
    report, least = work.report[0], math.inf
    for k in range(report.rank):
        r = work.active[k]
        out = work.unit[r] * work.R[k, k] / work.most[work.group[r]]
        if out < least:
            least, report.weakest = out, r
    report.margin = least if report.rank > 0 else 1.0
    report.widest = max(report.widest, report.margin)
    report.reference = max(report.reference, report.margin)


@internal_kernel
def factor_rows(tables, work, weighted):
    """Q and R of the rows in use; the culprit of a Status that is not OK is report.index."""
    report = work.report[0]
    report.factorisations += 1
    bad = factorise_metric(tables, work, report.rank) if weighted else -1
    if bad >= 0:
        report.index = bad
        return _MASS
    fill(work.most, 0.0)
    for k in range(report.rank):
        r, row = work.active[k], work.Q[k]
        copy(work.G[r], row)
        if weighted:
            solve_upper(work.pattern, work.L, row)
        size = math.sqrt(inner(row, row))
        work.most[work.group[r]] = max(work.most[work.group[r]], work.unit[r] * size)
        left = orthogonalise(work, k, row, size)
        if not left > LOST * size:
            report.index = r
            return _ROWS
        work.R[k, k] = left
        scale_by(1.0 / left, row)
    keep_margin(work)
    return _OK


@inline
def worn(report):
    """Should the rows be chosen anew?"""
    return report.selections == 0 or report.margin < WORN * report.reference


@internal_kernel
def exchange_rows(tables, work, weighted):
    """Choose as many rows anew at the present M and G and factor them; rows that were better stay."""
    report = work.report[0]
    before, rank, first = report.margin, report.rank, report.selections == 0
    for r in range(work.active.shape[0]):
        work.order[r] = work.active[r]
    report.reference = 0.0
    status = select_rows(tables, work, weighted)
    if status == _OK:
        status = factor_rows(tables, work, weighted)
    if not first and (status != _OK or report.margin < before):
        report.rank, report.reference = rank, 0.0
        for r in range(work.active.shape[0]):
            work.active[r] = work.order[r]
        status = factor_rows(tables, work, weighted)
    return status


@internal_kernel
def renew_rows(tables, work, weighted):
    """Factors of the rows in use at the present M and G; chosen anew at the first call and where
    one of them is lost.
    """
    status = factor_rows(tables, work, weighted) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].margin = 0.0
        status = exchange_rows(tables, work, weighted)
    return status
