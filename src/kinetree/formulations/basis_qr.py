"""Null-space basis by Householder QR of G^T: the last columns of the orthogonal factor.   [Kim1986, comparator of Kim1997]

    G^T = [Q1 Q2] [R; 0],    G Q2 = 0
"""

import math

from ..num.dense import add_scaled, copy, fill, inner
from ..num.jit import kernel


@kernel
def basis(tables, work):
    """N of the present G from reflections H_k = 1 - 2 u_k u_k^T; the rows of LU hold the u_k."""
    n, rank = work.N.shape[0], work.report[0].rank
    for k in range(rank):
        u = work.LU[k]
        copy(work.G[work.active[k]], u)
        for j in range(k):
            add_scaled(-2.0 * inner(work.LU[j], u), work.LU[j], u)
        for i in range(k):
            u[i] = 0.0
        size = math.sqrt(inner(u, u))
        u[k] += size if u[k] >= 0.0 else -size
        length = math.sqrt(inner(u, u))
        for i in range(n):
            u[i] /= length
    for k in range(n - rank):
        row = work.N[k]
        fill(row, 0.0)
        row[rank + k] = 1.0
        for j in range(rank - 1, -1, -1):
            add_scaled(-2.0 * inner(work.LU[j], row), work.LU[j], row)
    return 0
