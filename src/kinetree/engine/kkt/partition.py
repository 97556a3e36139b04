"""Coordinate partitioning: dependent coordinates u, independent coordinates v, |G_u| /= 0.

    G_u du + G_v dv = r    =>    du = G_u^-1 (r - G_v dv),         basis  N = [ -G_u^-1 G_v ; 1 ]

Source: [Han1994, eq. (17); Wehage1982]. The dependent columns are the pivots of an elimination with
full pivoting, or of a pivoted QR factorization; displacements count in lengths of the model. Errors
of the independent coordinates appear N times larger in the dependent ones. Another partition is
therefore chosen, at a projected state, when the largest entry of N has doubled.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, fill, inner
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)
RENEW = 2.0  # growth of the largest entry of N at which another partition is chosen
LOST = 1e-8  # ratio of the extreme pivots of G_u at which one is chosen at any state


@inline
def natural(tables, j):
    """Unit of velocity j: one radian, or the length of the model."""
    return 1.0 if tables.turns[j] > 0.0 else tables.settings[0].length


@inline
def numbered(columns):
    """Number the columns in their order; return their number."""
    for j in range(columns.shape[0]):
        columns[j] = j
    return columns.shape[0]


@internal_kernel
def pivot_fully(A, rank, columns):
    """Full pivoting on the first rows of A; columns[:rank] are the dependent ones.

    Returns a Status.
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
        swap_entries(A[k], A[row])
        for i in range(k + 1, rank):
            add_scaled(-A[i, columns[k]] / A[k, columns[k]], A[k], A[i])
    return _OK


@internal_kernel
def pivot_columns(A, rank, columns):
    """The same by column pivoting on the transpose A, largest remaining column first."""
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
        pivot = A[columns[k]][:rank]
        for j in range(k + 1, n):
            other = A[columns[j]][:rank]
            add_scaled(-inner(pivot, other) / most, pivot, other)
    return _OK


@inline
def choose_columns(tables, work, by_qr):
    """Choose the dependent columns of the selected rows. Returns a Status."""
    rank, n = work.report[0].rank, work.columns.shape[0]
    for j in range(n):
        for k in range(rank):
            r = work.selected[k]
            entry = work.row_unit[r] * work.G[r, j] * natural(tables, j)
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
def swap_entries(a, b):
    """Exchange two vectors."""
    for n in range(a.shape[0]):
        a[n], b[n] = b[n], a[n]


@internal_kernel
def factor_square(LU, order, rank):
    """LU factors of G_u in LU[:, :rank] with row pivoting in `order`.

    Returns the ratio of the extreme pivots.
    """
    for k in range(rank):
        order[k] = k
    least, most = math.inf, 0.0
    for k in range(rank):
        best = k
        for i in range(k + 1, rank):
            if abs(LU[i, k]) > abs(LU[best, k]):
                best = i
        swap_entries(LU[k], LU[best])
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
    """LU factors of G_u of the whole model."""
    rank = work.report[0].rank
    for k in range(rank):
        for j in range(rank):
            work.LU[k, j] = work.G[work.selected[k], work.columns[j]]
    return factor_square(work.LU, work.row_order, rank)


@inline
def solve_square(LU, order, rank, columns, u, r, out):
    """out[u] <- G_u^-1 r, out[v] <- 0; r (selected rows) is unchanged, `u` is a work vector."""
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
    """The same with the factors of the whole model."""
    solve_square(work.LU, work.row_order, work.report[0].rank, work.columns, work.column, r, out)


@internal_kernel
def partition(tables, work, by_qr):
    """Factorize G_u. Returns a Status.

    A partition is chosen at the first call, after `discard_partition`, and if G_u is singular.
    """
    report = work.report[0]
    report.factorisations += 1
    if report.partitions > 0 and report.chosen_growth >= 0.0 and factor_dependent(work) > LOST:
        return _OK
    status = choose_columns(tables, work, by_qr)
    if status != _OK:
        return status
    report.partitions += 1
    if not factor_dependent(work) > 1e-12:
        report.index = work.selected[report.rank - 1]
        return _ROWS
    basis(tables, work)
    report.chosen_growth = report.basis_growth
    return _OK


@inline
def discard_partition(report):
    """Make the next call of `partition` choose another partition."""
    report.chosen_growth = -1.0


@inline
def has_grown(report):
    """Whether N has grown so far that another partition should be chosen."""
    return report.basis_growth > RENEW * max(report.chosen_growth, 1.0)


@internal_kernel
def basis(tables, work):
    """Rows of N: one independent velocity is 1, the dependent ones follow.

    report.basis_growth is the largest entry.
    """
    report, rank, n = work.report[0], work.report[0].rank, work.columns.shape[0]
    r = work.row_rhs
    report.basis_growth = 0.0
    for k in range(n - rank):
        j = work.columns[rank + k]
        for i in range(rank):
            r[i] = -work.G[work.selected[i], j]
        solve_dependent(work, r, work.N[k])
        for i in range(rank):
            u = work.columns[i]
            report.basis_growth = max(
                report.basis_growth, abs(work.N[k, u]) * natural(tables, j) / natural(tables, u)
            )
        work.N[k, j] = 1.0
    return _OK
