"""Null-space basis by projection: the previous basis multiplied by the present projector.
[Kim1997, eqs. (3.7), (4.7)]

    V <- P_N V,  then  V <- V (V^T V)^-1/2

No partitioning and no criterion when to refresh. As printed the second step is missing; the
projector then shortens V by the cosine of the turn of the tangent space in every step, which damps
the motion (26 % of a pendulum's energy in
2 s at h = 0.02). The polar factor, by Newton-Schulz iteration, makes it a parallel transport.
"""

import math

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ..kkt.row_space import remove_row_space


@internal_kernel
def select_basis(rows, rank, N, freedoms, left):
    """A first basis: independent columns of P_N by pivoting, made orthonormal (the selector of eq.
    (3.7)).

    The squared size of column j of a projector is its diagonal; `left` is that, less what the
    columns taken account for.
    """
    for j in range(rows.shape[1]):
        left[j] = 1.0
        for i in range(rank):
            left[j] -= rows[i, j] * rows[i, j]
    for k in range(freedoms):
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
    """Column j of P_N less its parts along N[0..k)."""
    fill(out, 0.0)
    out[j] = 1.0
    remove_row_space(rows, rank, out)
    for _ in range(2):
        for i in range(k):
            add_scaled(-inner(N[i], out), N[i], out)


@internal_kernel
def transport(rows, rank, V, N, freedoms, K, turned):
    """N <- polar factor of P_N V: the previous basis carried along without turning in itself; K and
    `turned` are scratch.
    """
    for k in range(freedoms):
        copy(V[k], N[k])
        remove_row_space(rows, rank, N[k])
    for _ in range(20):
        defect = 0.0
        for k in range(freedoms):
            for j in range(freedoms):
                s = inner(N[k], N[j])
                K[k, j] = s
                defect = max(defect, abs(s - (1.0 if j == k else 0.0)))
        if defect < 1e-14:
            return
        if defect > 0.9:  # the tangent space turned too far for the iteration
            break
        polish(N, freedoms, K, turned)
    select_basis(rows, rank, N, freedoms, turned[0])


@inline
def polish(N, freedoms, K, turned):
    """N <- (3 - N N^T) N / 2, one Newton-Schulz step."""
    for k in range(freedoms):
        row = turned[k]
        copy(N[k], row)
        scale_by(1.5, row)
        for j in range(freedoms):
            add_scaled(-0.5 * K[k, j], N[j], row)
    for k in range(freedoms):
        copy(turned[k], N[k])


@inline
def first(work, rows):
    """N of the whole machine, whose row space the given rows span."""
    select_basis(
        rows, work.report[0].rank, work.N, work.N.shape[0] - work.report[0].rank, work.K[0]
    )


@inline
def carried(work):
    """N of the whole machine from V, the basis of the last accepted state."""
    rank = work.report[0].rank
    transport(work.Q, rank, work.V, work.N, work.N.shape[0] - rank, work.K, work.L)


@internal_kernel
def basis(tables, work):
    """N of the present G."""
    if work.report[0].transported == 0:
        first(work, work.Q)
    else:
        carried(work)
    return 0
