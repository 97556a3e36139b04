"""Which rows of every front are in use: as many as it has, the widest apart, exchanged in time (see
`rows.py`).
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .fronts import carry_row, size_of_row
from .row_selection import LOST, NOTHING
from .row_slots import arm_of

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)


@internal_kernel
def arms_of_rows(tables, work):
    """unit[r] makes row r a length (`rows.arms`); answers the size a row has if nothing cancels."""
    usual = 0.0
    for c in range(tables.group_first.shape[0] - 1):
        arm = arm_of(tables, work, c)
        for r in range(tables.group_first[c], tables.group_first[c + 1]):
            work.unit[r] = 1.0 if tables.row_scale[r] > 0.0 else arm
    for k in range(tables.u_turns.shape[0]):
        usual = max(usual, tables.settings[0].length if tables.u_turns[k] > 0.0 else 1.0)
    return usual


@inline
def stands_out(tables, work, r, left, usual):
    """How far what is left of row r stands out, or zero where it is none that may be taken."""
    own, most, unit = work.scratch[0][r], work.most[work.group[r]], work.unit[r]
    natural = 1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length
    if not own * natural > NOTHING * usual:
        return 0.0
    return unit * left / most if left > LOST * own and unit * left > LOST * most else 0.0


@inline
def list_rows(tables, work, n):
    """Rows of a front by `picked`: those in use, and behind them the others."""
    front = tables.fronts[n]
    for k in range(front.count):
        at = front.active + k if k < front.rank else front.spare + k - front.rank
        work.active[at] = tables.nest[front.rows + work.picked[0, k]]


@internal_kernel
def choose_rows(tables, work, n, usual):
    """Rows of a front by pivoted orthogonalisation, greatest first, the earliest on a tie.  Answers
    a Status.
    """
    front, picked, nest = tables.fronts[n], work.picked[0], tables.nest
    for k in range(front.count):
        picked[k] = k
    if front.count > front.rank:
        A = work.local[0][: front.count * front.wide].reshape(front.count, front.wide)
        for k in range(front.count):
            work.most[work.group[nest[front.rows + k]]] = 0.0
        for k in range(front.count):
            r = nest[front.rows + k]
            carry_row(tables, work, n, r, k, A[k])
            work.scratch[0][r] = size_of_row(tables, work, r)
            work.most[work.group[r]] = max(
                work.most[work.group[r]], work.unit[r] * work.scratch[0][r]
            )
        for k in range(front.rank):
            best, most = -1, 0.0
            for i in range(k, front.count):
                left = math.sqrt(inner(A[picked[i]], A[picked[i]]))
                out = stands_out(tables, work, nest[front.rows + picked[i]], left, usual)
                if out > most * (1.0 + 1e-6):
                    best, most = i, out
            if best < 0:
                work.report[0].index = nest[front.rows + picked[k]]
                return _ROWS
            picked[k], picked[best] = picked[best], picked[k]
            row = A[picked[k]]
            scale_by(1.0 / math.sqrt(inner(row, row)), row)
            for i in range(k + 1, front.count):
                for _ in range(2):
                    add_scaled(-inner(row, A[picked[i]]), row, A[picked[i]])
    list_rows(tables, work, n)
    return _OK


@internal_kernel
def factor_front(tables, work, n):
    """A, Q and R of the rows of a front in use, in local[0], [1] and [2]; answers its smallest
    margin and how far it has worn.

    A row that is lost is report.index, and the margin zero.
    """
    front, report, least, worst = tables.fronts[n], work.report[0], math.inf, 1.0
    size, rank = front.wide, front.rank
    A, Q = (
        work.local[0][: rank * size].reshape(rank, size),
        work.local[1][: rank * size].reshape(rank, size),
    )
    R = work.local[2][: rank * rank].reshape(rank, rank)
    for k in range(rank):
        work.most[work.group[work.active[front.active + k]]] = 0.0
    for k in range(rank):
        r = work.active[front.active + k]
        carry_row(tables, work, n, r, k, A[k])
        work.scratch[0][r] = size_of_row(tables, work, r)
        work.most[work.group[r]] = max(work.most[work.group[r]], work.unit[r] * work.scratch[0][r])
    for k in range(rank):
        r, row = work.active[front.active + k], Q[k]
        copy(A[k], row)
        left = orthogonalise(Q, R, k, row)
        if not left > LOST * work.scratch[0][r]:
            report.index = r
            return 0.0, 0.0
        R[k, k] = left
        scale_by(1.0 / left, row)
        out = work.unit[r] * left / work.most[work.group[r]]
        work.apart[front.active + k] = max(work.apart[front.active + k], out)
        worst = min(worst, out / work.apart[front.active + k])
        if out < least:
            least = out
            if out < report.margin:
                report.margin, report.weakest = out, r
    return least, worst


@inline
def orthogonalise(Q, R, k, row):
    """Subtract from `row` its parts along Q[0..k), adding them to column k of R; answers what is
    left.
    """
    for j in range(k):
        R[j, k] = 0.0
    for _ in range(2):
        for j in range(k):
            s = inner(Q[j], row)
            R[j, k] += s
            add_scaled(-s, Q[j], row)
    return math.sqrt(inner(row, row))


@internal_kernel
def rows_of_no_front(tables, work):
    """Those that are never in use come last."""
    count, last = 0, tables.nest.shape[0]
    for n in range(tables.fronts.shape[0]):
        count += tables.fronts[n].count
    never = work.active.shape[0] - count
    for k in range(never):
        work.active[count + k] = tables.nest[last - never + k]
    fill(work.apart, 0.0)
