"""One factorised matrix for positions, velocities and accelerations.  [Lee1994, sec. 6]

    [ M  G^T ] [ a   ]   [ r1 ]            M = L^T L,   W = L^-T G^T = Q R,   a = L^-1 y
    [ G   0  ] [ lam ] = [ r2 ]            y = b - Q (Q^T b - R^-T r2),  lam = R^-1 (Q^T b - R^-T r2),  b = L^-T r1

Only the active rows of G, an independent set found by pivoting, enter: redundant equations do no harm, and their
multipliers are zero. Orthogonalising twice keeps Q exact near singular positions, where normal equations lose digits.
"""

import math

from ..dynamics.mass_matrix import factorise_mass, solve_lower, solve_upper
from ..num.jit import inline, kernel
from ..num.status import Status

_OK, _MASS, _ROWS = int(Status.OK), int(Status.SINGULAR_MASS), int(Status.SINGULAR_CONSTRAINTS)
DEPENDENT = 1e-9  # a row this small against itself after orthogonalising is a combination of the others


@inline
def inner(a, b):
    total = 0.0
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


@inline
def orthogonalise(work, k, row):
    """Subtract from `row` its parts along Q[0..k), adding them to column k of R; answers what is left."""
    for j in range(k):
        work.R[j, k] = 0.0
    for _ in range(2):
        for j in range(k):
            s = inner(work.Q[j], row)
            work.R[j, k] += s
            for n in range(row.shape[0]):
                row[n] -= s * work.Q[j, n]
    return math.sqrt(inner(row, row))


@kernel
def factorise(tables, work):
    """Factors of the matrix at the present M and G (active rows).  Answers a Status; the culprit is report.index."""
    report = work.report[0]
    report.factorisations += 1
    bad = factorise_mass(tables.dof_parent, work.M, work.L)
    if bad >= 0:
        report.index = bad
        return _MASS
    for k in range(report.rank):
        row = work.Q[k]
        row[:] = work.G[work.active[k]]
        solve_upper(tables.dof_parent, work.L, row)
        size = math.sqrt(inner(row, row))
        left = orthogonalise(work, k, row)
        if not left > DEPENDENT * size:
            report.index = work.active[k]
            return _ROWS
        work.R[k, k] = left
        row /= left
    return _OK


@kernel
def solve(tables, work, r1, r2, lam):
    """r1 <- a and lam <- multipliers of the active rows, with the stored factors; r2 is used up."""
    rank = work.report[0].rank
    solve_upper(tables.dof_parent, work.L, r1)
    for k in range(rank):
        total = r2[k]
        for j in range(k):
            total -= work.R[j, k] * r2[j]
        r2[k] = total / work.R[k, k]
    for k in range(rank):
        r2[k] = inner(work.Q[k], r1) - r2[k]
    for k in range(rank):
        for n in range(r1.shape[0]):
            r1[n] -= r2[k] * work.Q[k, n]
    for k in range(rank - 1, -1, -1):
        total = r2[k]
        for j in range(k + 1, rank):
            total -= work.R[k, j] * lam[j]
        lam[k] = total / work.R[k, k]
    solve_lower(tables.dof_parent, work.L, r1)


@kernel
def select_rows(tables, work):
    """Choose an independent set of rows of G at the present position: pivoted orthogonalisation in the mass metric.

    Each row is measured against its own length, the largest remainder first and the earliest row on a tie, so the
    answer does not depend on units and the redundant equations are found in the last joint of a loop.
    """
    report = work.report[0]
    report.selections += 1
    report.rank = 0
    bad = factorise_mass(tables.dof_parent, work.M, work.L)
    if bad >= 0:
        report.index = bad
        return _MASS
    ng = work.G.shape[0]
    size = work.scratch[0]
    largest = 0.0
    for r in range(ng):
        row = work.Q[r]
        row[:] = work.G[r]
        solve_upper(tables.dof_parent, work.L, row)
        size[r] = math.sqrt(inner(row, row))
        work.active[r] = r
        largest = max(largest, size[r] / (tables.settings[0].length if tables.row_scale[r] == 0.0 else 1.0))
    for k in range(ng):
        best, most = -1, DEPENDENT
        for r in range(k, ng):
            own = size[work.active[r]]
            left = math.sqrt(inner(work.Q[r], work.Q[r]))
            if own > 1e-12 * largest and left / own > most * (1.0 + 1e-6):
                best, most = r, left / own
        if best < 0:
            break
        swap(work, k, best)
        row = work.Q[k]
        row /= math.sqrt(inner(row, row))
        for r in range(k + 1, ng):
            for _ in range(2):
                s = inner(row, work.Q[r])
                for n in range(row.shape[0]):
                    work.Q[r, n] -= s * row[n]
        report.rank = k + 1
    return _OK


@inline
def swap(work, a, b):
    work.active[a], work.active[b] = work.active[b], work.active[a]
    for n in range(work.Q.shape[1]):
        work.Q[a, n], work.Q[b, n] = work.Q[b, n], work.Q[a, n]
