"""Null-space basis by Householder QR of G^T, and its update by an inverse.   [Kim1986]

    G^T = [Q1 Q2] [R; 0],    G Q2 = 0

The update is the alternative to a new decomposition that LeeJoo cites:

    [ G   ]       [ 0 ]
    [ V^T ] N  =  [ 1 ],        N = P_N V (V^T P_N V)^-1

V are the null vectors of the last decomposition. V^T v are then the reduced rates at every later
position, and their directions do not change. As the null space rotates away from V the vectors of N
grow; at 45 degrees it is decomposed again. The inverse, a matrix of the size of the degrees of
freedom, makes an update as expensive as a decomposition for small matrices.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import inline, internal_kernel
from ..kkt.mass_factor import factorize_mass, solve_lower, solve_upper
from ..kkt.row_space import remove_row_space

# smallest pivot of V^T P_N V, the square of a cosine, at which the null space is decomposed again
ROTATED = 0.5


@inline
def reflect(A, rank, N, n_free):
    """N from the reflections H_k = 1 - 2 u_k u_k^T of the first rows of A, which become the u_k."""
    n = A.shape[1]
    for k in range(rank):
        u = A[k]
        for j in range(k):
            add_scaled(-2.0 * inner(A[j], u), A[j], u)
        for i in range(k):
            u[i] = 0.0
        size = math.sqrt(inner(u, u))
        u[k] += size if u[k] >= 0.0 else -size
        length = math.sqrt(inner(u, u))
        for i in range(n):
            u[i] /= length
    for k in range(n_free):
        row = N[k]
        fill(row, 0.0)
        row[rank + k] = 1.0
        for j in range(rank - 1, -1, -1):
            add_scaled(-2.0 * inner(A[j], row), A[j], row)


@internal_kernel
def basis(tables, work):
    """N of the present G."""
    rank = work.report[0].rank
    work.report[0].decompositions += 1
    for k in range(rank):
        copy(work.G[work.selected[k]], work.LU[k])
    reflect(work.LU, rank, work.N, work.N.shape[0] - rank)
    return 0


@internal_kernel
def update_basis(work):
    """N from V at the present G; report.basis_overlap is the smallest pivot.

    Returns False if the null space has rotated by a right angle.
    """
    report, nv = work.report[0], work.f.shape[0]
    n_free = nv - report.rank
    report.basis_overlap = 1.0
    for k in range(n_free):
        copy(work.V[k], work.N[k])
        remove_row_space(work.Q, report.rank, work.N[k])
        for j in range(k + 1):
            work.K[k, j] = inner(work.N[k], work.V[j])
    if factorize_mass(work.full_pattern, work.zeros, work.K[:n_free], work.L) >= 0:
        report.basis_overlap = 0.0
        return False
    column = work.column[:n_free]
    for j in range(nv):
        for k in range(n_free):
            column[k] = work.N[k, j]
        solve_upper(work.full_pattern, work.L, column)
        solve_lower(work.full_pattern, work.L, column)
        for k in range(n_free):
            work.N[k, j] = column[k]
    for k in range(n_free):
        # L has reciprocals there
        report.basis_overlap = min(report.basis_overlap, 1.0 / work.L[k, k] ** 2)
    return True


@inline
def has_turned(report):
    """Whether the null space has rotated too far from V."""
    return report.basis_overlap < ROTATED
