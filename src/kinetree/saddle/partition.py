"""Coordinate partitioning: dependent coordinates u, independent coordinates v, |G_u| /= 0.   [Han1994, eq. (17); Wehage1982]

    G_u du + G_v dv = r    =>    du = G_u^-1 (r - G_v dv),         basis  N = [ -G_u^-1 G_v ; 1 ]

The dependent columns are the pivots of an elimination with full pivoting, or of a pivoted QR, angles against travel in
units of the machine. Errors of the independent coordinates come back N times larger in the dependent ones. So the partition
is chosen anew, at a settled state, where the largest entry of N has doubled since the last choice.
"""

import math

from ..num.dense import add_scaled, fill, inner
from ..num.jit import inline, stage
from ..num.status import Status

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)
WORN = 2.0  # growth of the largest entry of N at which the partition is chosen anew
LOST = 1e-8  # ratio of extreme pivots of G_u at which it must be, wherever that is


@inline
def natural(tables, j):
    """One unit of freedom j: a radian, or the size of the machine."""
    return 1.0 if tables.turns[j] > 0.0 else tables.settings[0].length


@stage
def choose_by_elimination(tables, work):
    """Full pivoting on the active rows: columns[:rank] become the dependent ones."""
    rank, n = work.report[0].rank, work.columns.shape[0]
    for j in range(n):
        work.columns[j] = j
        for k in range(rank):
            r = work.active[k]
            work.LU[k, j] = work.unit[r] * work.G[r, j] * natural(tables, j)
    for k in range(rank):
        row, column, most = k, k, 0.0
        for i in range(k, rank):
            for j in range(k, n):
                if abs(work.LU[i, work.columns[j]]) > most * (1.0 + 1e-12):
                    row, column, most = i, j, abs(work.LU[i, work.columns[j]])
        if most == 0.0:
            return _ROWS
        work.columns[k], work.columns[column] = work.columns[column], work.columns[k]
        exchange(work.LU[k], work.LU[row])
        for i in range(k + 1, rank):
            add_scaled(-work.LU[i, work.columns[k]] / work.LU[k, work.columns[k]], work.LU[k], work.LU[i])
    return _OK


@stage
def choose_by_qr(tables, work):
    """Column pivoting: the column with the largest part outside those already chosen comes next."""
    rank, n = work.report[0].rank, work.columns.shape[0]
    for j in range(n):
        work.columns[j] = j
        for k in range(rank):
            r = work.active[k]
            work.N[j, k] = work.unit[r] * work.G[r, j] * natural(tables, j)
    for k in range(rank):
        best, most = k, 0.0
        for j in range(k, n):
            size = inner(work.N[work.columns[j]][:rank], work.N[work.columns[j]][:rank])
            if size > most * (1.0 + 1e-12):
                best, most = j, size
        if most == 0.0:
            return _ROWS
        work.columns[k], work.columns[best] = work.columns[best], work.columns[k]
        chosen = work.N[work.columns[k]][:rank]
        for j in range(k + 1, n):
            other = work.N[work.columns[j]][:rank]
            add_scaled(-inner(chosen, other) / most, chosen, other)
    return _OK


@inline
def exchange(a, b):
    for n in range(a.shape[0]):
        a[n], b[n] = b[n], a[n]


@stage
def factor_dependent(work):
    """LU factors of G_u with row pivoting (in LU[:, :rank], rows in `order`); answers the ratio of extreme pivots."""
    rank = work.report[0].rank
    for k in range(rank):
        work.order[k] = k
        for j in range(rank):
            work.LU[k, j] = work.G[work.active[k], work.columns[j]]
    least, most = math.inf, 0.0
    for k in range(rank):
        best = k
        for i in range(k + 1, rank):
            if abs(work.LU[i, k]) > abs(work.LU[best, k]):
                best = i
        exchange(work.LU[k], work.LU[best])
        work.order[k], work.order[best] = work.order[best], work.order[k]
        pivot = work.LU[k, k]
        least, most = min(least, abs(pivot)), max(most, abs(pivot))
        if pivot == 0.0:
            return 0.0
        for i in range(k + 1, rank):
            s = work.LU[i, k] / pivot
            for j in range(k + 1, rank):
                work.LU[i, j] -= s * work.LU[k, j]
            work.LU[i, k] = s
    return least / most if rank > 0 else 1.0


@inline
def solve_dependent(work, r, out):
    """out[u] <- G_u^-1 r, out[v] <- 0; r (active rows) is left as it is."""
    rank = work.report[0].rank
    u = work.scratch[0]
    for k in range(rank):
        total = r[work.order[k]]
        for j in range(k):
            total -= work.LU[k, j] * u[j]
        u[k] = total
    fill(out, 0.0)
    for k in range(rank - 1, -1, -1):
        total = u[k]
        for j in range(k + 1, rank):
            total -= work.LU[k, j] * out[work.columns[j]]
        out[work.columns[k]] = total / work.LU[k, k]


@stage
def partition(tables, work, by_qr):
    """Factor G_u; the partition is chosen at the first call, where it was given up, and where G_u has become singular."""
    report = work.report[0]
    report.factorisations += 1
    if report.partitions > 0 and report.pivot >= 0.0 and factor_dependent(work) > LOST:
        return _OK
    status = choose_by_qr(tables, work) if by_qr else choose_by_elimination(tables, work)
    if status != _OK:
        return status
    report.partitions += 1
    if not factor_dependent(work) > 1e-12:
        report.index = work.active[report.rank - 1]
        return _ROWS
    basis(tables, work)
    report.pivot = report.spread
    return _OK


@inline
def give_up(report):
    """Choose the partition anew at the next call."""
    report.pivot = -1.0


@inline
def worn(report):
    """Should the partition be chosen anew?"""
    return report.spread > WORN * max(report.pivot, 1.0)


@stage
def basis(tables, work):
    """Rows of N: one independent coordinate moves at unit rate, the dependent ones follow; report.spread is the most."""
    report, rank, n = work.report[0], work.report[0].rank, work.columns.shape[0]
    r = work.scratch[1]
    report.spread = 0.0
    for k in range(n - rank):
        j = work.columns[rank + k]
        for i in range(rank):
            r[i] = -work.G[work.active[i], j]
        solve_dependent(work, r, work.N[k])
        for i in range(rank):
            u = work.columns[i]
            report.spread = max(report.spread, abs(work.N[k, u]) * natural(tables, j) / natural(tables, u))
        work.N[k, j] = 1.0
    return _OK
