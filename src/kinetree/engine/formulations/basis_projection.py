"""Null-space basis by projection: the previous basis multiplied by the present projector.

    V <- P_N V,  then  V <- V (V^T V)^-1/2

Source: [Kim1997, eqs. (3.7), (4.7)]. There is no partition and no criterion for its renewal. As
printed the second step is missing: the projector then shortens V in every step by the cosine of the
rotation of the tangent space, which damps the motion (26 % of the energy of a pendulum in 2 s at
h = 0.02). The polar factor, by Newton-Schulz iteration, makes it a parallel transport.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ..kkt.row_space import remove_row_space


@internal_kernel
def select_basis(rows, rank, N, n_free, left):
    """Initial basis: independent columns of P_N by pivoting, orthonormalized.  [Kim1997, eq. (3.7)]

    `left` starts as the squared norms of the columns of the projector, which are its diagonal, and
    is reduced by the columns already taken.
    """
    for j in range(rows.shape[1]):
        left[j] = 1.0
        for i in range(rank):
            left[j] -= rows[i, j] * rows[i, j]
    for k in range(n_free):
        best, most = 0, -1.0
        for j in range(rows.shape[1]):
            if left[j] > most * (1.0 + 1e-9):
                best, most = j, left[j]
        unit_column(rows, rank, N, best, k, N[k])
        scale_by(1.0 / math.sqrt(inner(N[k], N[k])), N[k])
        for j in range(rows.shape[1]):
            left[j] -= N[k, j] * N[k, j]


@inline
def unit_column(rows, rank, N, j, k, out):
    """out <- column j of P_N without its components along N[0..k)."""
    fill(out, 0.0)
    out[j] = 1.0
    remove_row_space(rows, rank, out)
    for _ in range(2):
        for i in range(k):
            add_scaled(-inner(N[i], out), N[i], out)


@internal_kernel
def transport(rows, rank, V, N, n_free, K, turned):
    """N <- polar factor of P_N V: the previous basis, transported without rotation in itself.

    K and `turned` are work matrices.
    """
    for k in range(n_free):
        copy(V[k], N[k])
        remove_row_space(rows, rank, N[k])
    for _ in range(20):
        defect = 0.0
        for k in range(n_free):
            for j in range(n_free):
                s = inner(N[k], N[j])
                K[k, j] = s
                defect = max(defect, abs(s - (1.0 if j == k else 0.0)))
        if defect < 1e-14:
            return
        if defect > 0.9:  # the tangent space rotated too far for the iteration
            break
        polish(N, n_free, K, turned)
    select_basis(rows, rank, N, n_free, turned[0])


@inline
def polish(N, n_free, K, turned):
    """N <- (3 - N N^T) N / 2, one Newton-Schulz step."""
    for k in range(n_free):
        row = turned[k]
        copy(N[k], row)
        scale_by(1.5, row)
        for j in range(n_free):
            add_scaled(-0.5 * K[k, j], N[j], row)
    for k in range(n_free):
        copy(turned[k], N[k])


@inline
def first(work, rows):
    """N of the whole model; the given rows span its row space."""
    select_basis(
        rows, work.report[0].rank, work.N, work.N.shape[0] - work.report[0].rank, work.K[0]
    )


@inline
def transported_basis(work):
    """N of the whole model from V, the basis of the last accepted state."""
    rank = work.report[0].rank
    transport(work.Q, rank, work.V, work.N, work.N.shape[0] - rank, work.K, work.L)


@internal_kernel
def basis(tables, work):
    """N of the present G."""
    if work.report[0].has_previous_basis == 0:
        first(work, work.Q)
    else:
        transported_basis(work)
    return 0
