"""Null-space basis by Householder QR of G^T: the last columns of the orthogonal factor.   [Kim1986,
comparator of Kim1997]

G^T = [Q1 Q2] [R; 0],    G Q2 = 0
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import inline, internal_kernel


@inline
def reflect(A, rank, N, freedoms):
    """N from reflections H_k = 1 - 2 u_k u_k^T of the first rows of A, which become the u_k."""
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
    for k in range(freedoms):
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
        copy(work.G[work.active[k]], work.LU[k])
    reflect(work.LU, rank, work.N, work.N.shape[0] - rank)
    return 0
