"""The sparse factors of the matrix, and solves with them: LDL^T over the structure of M and G.
[Lee1994, sec. 6]

    [ M  G^T ] [ a   ]   [ r1 ]
    [ G   0  ] [ lam ] = [ r2 ]         each row after the freedoms in it (kernel/algebra/elimination_order.py), only the
          rows in use

What is left of a row, its pivot, is its squared size in the mass metric less what the rows before
it account for. At a distance d from a change point that loses eps / d of the accelerations and eps
/ d^2 of the multipliers. One refinement gives back what the matrix, rounded as it is, allows, and
makes the rows hold to rounding; a second one was not seen to change anything. A freedom without
inertia of its own, held by constraints alone, is padded, and refinement takes the padding back.
"""

import math

from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.ldl import factor
from ...kernel.algebra.ldl import solve as solve_factors
from ...kernel.decorators import inline, kernel
from ...kernel.tables.sparse import anchored, lift, read_off
from ...kernel.tables.status import Status

_OK, _MASS, _ROWS = int(Status.OK), int(Status.SINGULAR_MASS), int(Status.SINGULAR_CONSTRAINTS)
GONE = 1e-14  # squared size, of its own, that is rounding: the position is singular
FOLD = 1e-2  # margin below which a refinement is due
MOST = 8  # refinements where freedoms are padded
_EXACT = 1e-14  # of the solution: a correction that is rounding
# a correction, of the one before, at which padding is not taken back: there is no inertia, and
# nothing holds
_SHRINKS = 0.5


@inline
def slots_of_rows(tables):
    """How many slots hold rows of constraints; those behind them hold the rows of the joints of
    anchors.
    """
    return tables.slot_first[tables.slot_first.shape[0] - 1]


@inline
def load(tables, work):
    """The matrix: M and the rows in the slots."""
    A = work.A
    fill(A, 0.0)
    for n in range(tables.m_at.shape[0]):
        A[tables.m_at[n]] = work.M_packed[n]
    for s in range(tables.slot_place.shape[0]):
        first, at = tables.at_first[s], tables.g_first[work.chosen[s]]
        for n in range(tables.at_first[s + 1] - first):
            A[tables.g_at[first + n]] = work.G_packed[at + n]


@inline
def keep_margin(tables, work):
    """Margin of the rows in use, and the weakest of them; answers a row that is lost, or -1.

    A row wears by itself: next to a light body another one may be weaker all the time. So the
    reference of the margin, which tells when to choose anew, is what it would be had no row come
    closer to the others than it was at best.
    """
    report, least, worst, slots = work.report[0], math.inf, 1.0, slots_of_rows(tables)
    fill(work.most, 0.0)
    if report.reference == 0.0:  # rows have been chosen
        fill(work.apart, 0.0)
    for s in range(slots):
        k, r = tables.slot_place[s], work.chosen[s]
        if work.use[k] == 1:
            work.most[work.group[r]] = max(
                work.most[work.group[r]], work.unit[r] * work.unit[r] * work.own[k]
            )
    for s in range(slots):
        k, r = tables.slot_place[s], work.chosen[s]
        if work.use[k] == 1:
            left = -1.0 / work.pivots[k]
            if not left > GONE * work.own[k]:
                return r
            out = work.unit[r] * work.unit[r] * left / work.most[work.group[r]]
            if out < least:
                least, report.weakest = out, r
            work.apart[s] = max(work.apart[s], out)
            worst = min(worst, out / work.apart[s])
    report.margin = math.sqrt(least) if report.rank > 0 else 1.0
    report.widest = max(report.widest, report.margin)
    report.reference = report.margin / math.sqrt(worst)
    return -1


@kernel
def factor_packed(tables, work):
    """Factors of the rows in use at the present M and G; the culprit of a Status that is not OK is
    report.index.
    """
    report = work.report[0]
    report.factorisations += 1
    load(tables, work)
    report.padded = factor(
        tables.kind,
        tables.first,
        tables.row,
        tables.run_first,
        tables.run_at,
        tables.run_count,
        work.use,
        tables.pad,
        work.A,
        work.lower,
        work.pivots,
        work.own,
    )
    lost = keep_margin(tables, work)
    if lost >= 0:
        report.index = lost
        return _ROWS
    return _OK


@inline
def put(tables, work, r1, r2, x):
    """Right sides by position, r1 over the unknowns; rows not in use and those of the joints of
    anchors have none.
    """
    fill(x, 0.0)
    for k in range(tables.u_place.shape[0]):
        x[tables.u_place[k]] = r1[k]
    n = 0
    for s in range(slots_of_rows(tables)):
        if work.use[tables.slot_place[s]] == 1:
            x[tables.slot_place[s]] = r2[n]
            n += 1


@inline
def misfit(tables, work, x, out):
    """out -= K x, by position."""
    for k in range(tables.u_place.shape[0]):
        pk, at, l = tables.u_place[k], tables.m_first[k], tables.u_up[k]
        total = work.M_packed[at] * x[pk]
        while l >= 0:
            at += 1
            pl = tables.u_place[l]
            total += work.M_packed[at] * x[pl]
            out[pl] -= work.M_packed[at] * x[pk]
            l = tables.u_up[l]
        out[pk] -= total
    for s in range(work.chosen.shape[0]):
        p, r = tables.slot_place[s], work.chosen[s]
        if work.use[p] == 1:
            c = tables.row_group[r]
            first, at = tables.support_first[c], tables.g_first[r]
            for n in range(tables.support_first[c + 1] - first):
                place, g = tables.u_place[tables.support[first + n]], work.G_packed[at + n]
                out[p] -= g * x[place]
                out[place] -= g * x[p]


@inline
def refinements(report):
    """How many are due."""
    if report.padded > 0:
        return MOST
    return 1 if report.margin < FOLD else 0


@inline
def squared(tables, work, x):
    """Size of the accelerations in a solution."""
    total = 0.0
    for k in range(tables.u_place.shape[0]):
        total += work.inertia[k] * x[tables.u_place[k]] * x[tables.u_place[k]]
    return total


@kernel
def solve_packed(tables, work, r1, r2, lam):
    """r1 <- a and lam <- multipliers of the active rows, with the stored factors."""
    x, dx, before = work.solution, work.residual, math.inf
    u = work.pushes if anchored(tables) else r1
    if anchored(tables):
        lift(tables, work, r1, u)
    put(tables, work, u, r2, x)
    solve_factors(tables.first, tables.row, work.lower, work.pivots, x)
    for _ in range(refinements(work.report[0])):
        put(tables, work, u, r2, dx)
        misfit(tables, work, x, dx)
        solve_factors(tables.first, tables.row, work.lower, work.pivots, dx)
        change = squared(tables, work, dx)
        if not change <= before:
            break
        for k in range(x.shape[0]):
            x[k] += dx[k]
        before = _SHRINKS * _SHRINKS * change
        if change <= _EXACT * _EXACT * squared(tables, work, x):
            break
    for k in range(tables.u_place.shape[0]):
        u[k] = x[tables.u_place[k]]
    if anchored(tables):
        read_off(tables, work, u, r1)
    n = 0
    for s in range(slots_of_rows(tables)):
        if work.use[tables.slot_place[s]] == 1:
            lam[n] = x[tables.slot_place[s]]
            n += 1
