"""Coordinate partitioning: dependent coordinates u, independent coordinates v, |G_u| /= 0.
[Han1994, eq. (17); Wehage1982]

    G_u du + G_v dv = r    =>    du = G_u^-1 (r - G_v dv),         basis  N = [ -G_u^-1 G_v ; 1 ]

The dependent columns are the pivots of an elimination with full pivoting, or of a pivoted QR,
angles against travel in units of the machine. Errors of the independent coordinates come back N
times larger in the dependent ones. So the partition is chosen anew, at a settled state, where the
largest entry of N has doubled since the last choice.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, fill, inner
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)
WORN = 2.0  # growth of the largest entry of N at which the partition is chosen anew
LOST = 1e-8  # ratio of extreme pivots of G_u at which it must be, wherever that is


@inline
def natural(tables, j):
    """One unit of freedom j: a radian, or the size of the machine."""
    return 1.0 if tables.turns[j] > 0.0 else tables.settings[0].length


@inline
def numbered(columns):
    """All columns in their order; answers how many."""
    for j in range(columns.shape[0]):
        columns[j] = j
    return columns.shape[0]


@internal_kernel
def pivot_fully(A, rank, columns):
    """Full pivoting on the first rows of A: columns[:rank] become the dependent ones.  Answers a
    Status.
    """
    n = numbered(columns)
    for k in range(rank):
        row, column, most = k, k, 0.0
        for i in range(k, rank):
            for j in range(k, n):
                if abs(A[i, columns[j]]) > most * (1.0 + 1e-12):
                    row, column, most = i, j, abs(A[i, columns[j]])
        if most == 0.0:
            return _ROWS
        columns[k], columns[column] = columns[column], columns[k]
        exchange(A[k], A[row])
        for i in range(k + 1, rank):
            add_scaled(-A[i, columns[k]] / A[k, columns[k]], A[k], A[i])
    return _OK


@internal_kernel
def pivot_columns(A, rank, columns):
    """The same by column pivoting, A being its transpose: the one with the largest part outside
    those chosen comes next.
    """
    n = numbered(columns)
    for k in range(rank):
        best, most = k, 0.0
        for j in range(k, n):
            size = inner(A[columns[j]][:rank], A[columns[j]][:rank])
            if size > most * (1.0 + 1e-12):
                best, most = j, size
        if most == 0.0:
            return _ROWS
        columns[k], columns[best] = columns[best], columns[k]
        chosen = A[columns[k]][:rank]
        for j in range(k + 1, n):
            other = A[columns[j]][:rank]
            add_scaled(-inner(chosen, other) / most, chosen, other)
    return _OK


@inline
def choose_columns(tables, work, by_qr):
    """The dependent columns of the rows in use."""
    rank, n = work.report[0].rank, work.columns.shape[0]
    for j in range(n):
        for k in range(rank):
            r = work.active[k]
            entry = work.unit[r] * work.G[r, j] * natural(tables, j)
            if by_qr:
                work.N[j, k] = entry
            else:
                work.LU[k, j] = entry
    return (
        pivot_columns(work.N, rank, work.columns)
        if by_qr
        else pivot_fully(work.LU, rank, work.columns)
    )


@inline
def exchange(a, b):
    for n in range(a.shape[0]):
        a[n], b[n] = b[n], a[n]


@internal_kernel
def factor_square(LU, order, rank):
    """LU factors of G_u, which is in LU[:, :rank], with row pivoting in `order`; answers the ratio
    of extreme pivots.
    """
    for k in range(rank):
        order[k] = k
    least, most = math.inf, 0.0
    for k in range(rank):
        best = k
        for i in range(k + 1, rank):
            if abs(LU[i, k]) > abs(LU[best, k]):
                best = i
        exchange(LU[k], LU[best])
        order[k], order[best] = order[best], order[k]
        pivot = LU[k, k]
        least, most = min(least, abs(pivot)), max(most, abs(pivot))
        if pivot == 0.0:
            return 0.0
        for i in range(k + 1, rank):
            s = LU[i, k] / pivot
            for j in range(k + 1, rank):
                LU[i, j] -= s * LU[k, j]
            LU[i, k] = s
    return least / most if rank > 0 else 1.0


@inline
def factor_dependent(work):
    """Factors of G_u of the whole machine."""
    rank = work.report[0].rank
    for k in range(rank):
        for j in range(rank):
            work.LU[k, j] = work.G[work.active[k], work.columns[j]]
    return factor_square(work.LU, work.order, rank)


@inline
def solve_square(LU, order, rank, columns, u, r, out):
    """out[u] <- G_u^-1 r, out[v] <- 0; r (active rows) is left as it is, `u` is scratch."""
    for k in range(rank):
        total = r[order[k]]
        for j in range(k):
            total -= LU[k, j] * u[j]
        u[k] = total
    fill(out, 0.0)
    for k in range(rank - 1, -1, -1):
        total = u[k]
        for j in range(k + 1, rank):
            total -= LU[k, j] * out[columns[j]]
        out[columns[k]] = total / LU[k, k]


@inline
def solve_dependent(work, r, out):
    """The same with the factors of the whole machine."""
    solve_square(work.LU, work.order, work.report[0].rank, work.columns, work.scratch[0], r, out)


@internal_kernel
def partition(tables, work, by_qr):
    """Factor G_u; the partition is chosen at the first call, where it was given up, and where G_u
    has become singular.
    """
    report = work.report[0]
    report.factorisations += 1
    if report.partitions > 0 and report.pivot >= 0.0 and factor_dependent(work) > LOST:
        return _OK
    status = choose_columns(tables, work, by_qr)
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


@internal_kernel
def basis(tables, work):
    """Rows of N: one independent coordinate moves at unit rate, the dependent ones follow;
    report.spread is the most.
    """
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
            report.spread = max(
                report.spread, abs(work.N[k, u]) * natural(tables, j) / natural(tables, u)
            )
        work.N[k, j] = 1.0
    return _OK
