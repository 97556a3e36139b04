"""Sparse LDL^T factorization of the KKT matrix and solves with it.  [Lee1994, sec. 6]

    [ M  G^T ] [ a   ]   [ r1 ]
    [ G   0  ] [ lam ] = [ r2 ]         selected rows only

Most rows are eliminated after the unknowns in them (kernel/algebra/elimination_order.py). Then the
pivot of a row is its squared norm in the mass norm less the part that the rows before it account for. At a distance
d from a change point this loses eps / d of the accelerations and eps / d^2 of the multipliers. One
step of iterative refinement recovers what the rounded matrix allows and satisfies the rows to
rounding; a second step did not change the result. An unknown without inertia of its own, held by
constraints alone, is padded, and refinement removes the effect of the padding. Rows that are
eliminated early (kernel/algebra/early_rows.py) are always selected, and padded in the same way
where their pivots are weak; their pivots do not count in the margin.
"""

import math

from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.ldl import factor
from ...kernel.algebra.ldl import solve as solve_factors
from ...kernel.algebra.symbolic_factorization import EARLY
from ...kernel.decorators import inline, kernel
from ...kernel.tables.sparse import has_anchors, tree_forces_to_unknowns, unknowns_to_tree
from ...kernel.tables.status import Status
from .row_selection import record_margin

_OK, _MASS, _ROWS = int(Status.OK), int(Status.SINGULAR_MASS), int(Status.SINGULAR_CONSTRAINTS)
GONE = 1e-14  # ratio of a pivot to the squared norm of its row that is rounding: singular position
FOLD = 1e-2  # margin below which one refinement follows
MOST = 8  # refinements if unknowns are padded
_EXACT = 1e-14  # relative size of a correction that is rounding
# ratio of successive corrections above which the padding cannot be removed: an unknown has no
# inertia and no constraint holds it
_SHRINKS = 0.5


@inline
def slots_of_rows(tables):
    """Number of slots for rows of constraints; the slots after them hold the joints of anchors."""
    return tables.slot_first[tables.slot_first.shape[0] - 1]


@inline
def assemble_matrix(tables, work):
    """A <- M and the rows in the slots."""
    A = work.A
    fill(A, 0.0)
    for n in range(tables.m_at.shape[0]):
        A[tables.m_at[n]] = work.M_packed[n]
    for s in range(tables.slot_place.shape[0]):
        first, at = tables.at_first[s], tables.g_first[work.slot_row[s]]
        for n in range(tables.at_first[s + 1] - first):
            A[tables.g_at[first + n]] = work.G_packed[at + n]
        if tables.kind[tables.slot_place[s]] == EARLY:
            work.pad[tables.slot_place[s]] = squared_length(tables, work, work.slot_row[s])


@inline
def squared_length(tables, work, r):
    """Squared length of row r with W = 1 / diag(M)."""
    c, at, total = tables.row_group[r], tables.g_first[r], 0.0
    first = tables.support_first[c]
    for n in range(tables.support_first[c + 1] - first):
        k = tables.support[first + n]
        g, inertia = work.G_packed[at + n], max(work.inertia[k], tables.pad[tables.u_place[k]])
        total += g * g / inertia
    return total


@inline
def has_margin(tables, work, k):
    """Whether position k is a selected row whose pivot measures its independence."""
    return work.in_use[k] == 1 and tables.kind[k] != EARLY


@inline
def keep_margin(tables, work):
    """Record the margin of the selected rows and the weakest one; return a dependent row, or -1.

    The fall of each pivot is measured against its own largest value, because next to a light body
    another row may be weaker all the time. The reference margin, which decides when to select
    again, is the margin that would result if no pivot had fallen.
    """
    report, least, worst, slots = work.report[0], math.inf, 1.0, slots_of_rows(tables)
    fill(work.owner_size, 0.0)
    if report.reference_margin == 0.0:  # rows were selected again
        fill(work.best_pivot, 0.0)
    for s in range(slots):
        k, r = tables.slot_place[s], work.slot_row[s]
        if has_margin(tables, work, k):
            owner = work.row_owner[r]
            size = work.row_unit[r] * work.row_unit[r] * work.squared_size[k]
            work.owner_size[owner] = max(work.owner_size[owner], size)
    for s in range(slots):
        k, r = tables.slot_place[s], work.slot_row[s]
        if has_margin(tables, work, k):
            left = -1.0 / work.pivots[k]
            if not left > GONE * work.squared_size[k]:
                return r
            pivot = work.row_unit[r] * work.row_unit[r] * left / work.owner_size[work.row_owner[r]]
            if pivot < least:
                least, report.weakest = pivot, r
            work.best_pivot[s] = max(work.best_pivot[s], pivot)
            worst = min(worst, pivot / work.best_pivot[s])
    margin = math.sqrt(least) if least < math.inf else 1.0
    record_margin(report, margin, margin / math.sqrt(worst))
    return -1


@kernel
def factor_packed(tables, work):
    """Factorize the selected rows at the present M and G.

    Returns a Status; report.index is a dependent row.
    """
    report = work.report[0]
    report.factorisations += 1
    assemble_matrix(tables, work)
    report.padded = factor(
        tables.kind,
        tables.first,
        tables.row,
        tables.run_first,
        tables.run_at,
        tables.run_count,
        work.in_use,
        work.pad,
        work.A,
        work.lower,
        work.pivots,
        work.squared_size,
    )
    lost = keep_margin(tables, work)
    if lost >= 0:
        report.index = lost
        return _ROWS
    return _OK


@inline
def scatter_rhs(tables, work, r1, r2, x):
    """x <- right-hand sides by position, r1 over the unknowns and r2 over the selected rows."""
    fill(x, 0.0)
    for k in range(tables.u_place.shape[0]):
        x[tables.u_place[k]] = r1[k]
    n = 0
    for s in range(slots_of_rows(tables)):
        if work.in_use[tables.slot_place[s]] == 1:
            x[tables.slot_place[s]] = r2[n]
            n += 1


@inline
def subtract_product(tables, work, x, out):
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
    for s in range(work.slot_row.shape[0]):
        p, r = tables.slot_place[s], work.slot_row[s]
        if work.in_use[p] == 1:
            c = tables.row_group[r]
            first, at = tables.support_first[c], tables.g_first[r]
            for n in range(tables.support_first[c + 1] - first):
                place, g = tables.u_place[tables.support[first + n]], work.G_packed[at + n]
                out[p] -= g * x[place]
                out[place] -= g * x[p]


@inline
def refinements(report):
    """Number of refinement steps."""
    if report.padded > 0:
        return MOST
    return 1 if report.pivot_margin < FOLD else 0


@inline
def mass_norm2(tables, work, x):
    """Squared norm of the accelerations in a solution, with diag(M)."""
    total = 0.0
    for k in range(tables.u_place.shape[0]):
        total += work.inertia[k] * x[tables.u_place[k]] * x[tables.u_place[k]]
    return total


@kernel
def solve_packed(tables, work, r1, r2, lam):
    """r1 <- a and lam <- multipliers of the selected rows, with the stored factors."""
    x, dx, before = work.solution, work.residual, math.inf
    u = work.u_force if has_anchors(tables) else r1
    if has_anchors(tables):
        tree_forces_to_unknowns(tables, work, r1, u)
    scatter_rhs(tables, work, u, r2, x)
    solve_factors(tables.first, tables.row, work.lower, work.pivots, x)
    for _ in range(refinements(work.report[0])):
        scatter_rhs(tables, work, u, r2, dx)
        subtract_product(tables, work, x, dx)
        solve_factors(tables.first, tables.row, work.lower, work.pivots, dx)
        change = mass_norm2(tables, work, dx)
        if not change <= before:
            break
        for k in range(x.shape[0]):
            x[k] += dx[k]
        before = _SHRINKS * _SHRINKS * change
        if change <= _EXACT * _EXACT * mass_norm2(tables, work, x):
            break
    for k in range(tables.u_place.shape[0]):
        u[k] = x[tables.u_place[k]]
    if has_anchors(tables):
        unknowns_to_tree(tables, work, u, r1)
    n = 0
    for s in range(slots_of_rows(tables)):
        if work.in_use[tables.slot_place[s]] == 1:
            lam[n] = x[tables.slot_place[s]]
            n += 1
