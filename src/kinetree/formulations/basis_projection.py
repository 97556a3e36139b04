"""Null-space basis by projection: the previous basis multiplied by the present projector.   [Kim1997, eqs. (3.7), (4.7)]

    V <- P_N V,  then  V <- V (V^T V)^-1/2

No partitioning and no criterion when to refresh. As printed the second step is missing; the projector then shortens V
by the cosine of the turn of the tangent space in every step, which damps the motion (26 % of a pendulum's energy in
2 s at h = 0.02). The polar factor, by Newton-Schulz iteration, makes it a parallel transport.
"""

import math

from ..num.dense import add_scaled, copy, fill, inner, scale_by
from ..num.jit import inline, stage
from ..saddle.rowspace import project


@stage
def select_basis(work, rows):
    """A first basis: independent columns of P_N by pivoting, made orthonormal (the selector of eq. (3.7))."""
    n = work.N.shape[0]
    freedoms = n - work.report[0].rank
    for k in range(freedoms):
        best, most = 0, -1.0
        for j in range(n):
            candidate = work.K[0]
            unit_column(work, rows, j, k, candidate)
            size = inner(candidate, candidate)
            if size > most * (1.0 + 1e-9):
                best, most = j, size
        unit_column(work, rows, best, k, work.N[k])
        scale_by(1.0 / math.sqrt(inner(work.N[k], work.N[k])), work.N[k])


@inline
def unit_column(work, rows, j, k, out):
    """Column j of P_N less its parts along N[0..k)."""
    fill(out, 0.0)
    out[j] = 1.0
    project(rows, work.report[0].rank, out)
    for _ in range(2):
        for i in range(k):
            add_scaled(-inner(work.N[i], out), work.N[i], out)


@stage
def transport(work):
    """N <- polar factor of P_N V: the previous basis carried along without turning in itself."""
    freedoms = work.N.shape[0] - work.report[0].rank
    for k in range(freedoms):
        copy(work.V[k], work.N[k])
        project(work.Q, work.report[0].rank, work.N[k])
    for _ in range(20):
        defect = 0.0
        for k in range(freedoms):
            for j in range(freedoms):
                s = inner(work.N[k], work.N[j])
                work.K[k, j] = s
                defect = max(defect, abs(s - (1.0 if j == k else 0.0)))
        if defect < 1e-14:
            return
        if defect > 0.9:  # the tangent space turned too far for the iteration
            break
        polish(work, freedoms)
    select_basis(work, work.Q)


@inline
def polish(work, freedoms):
    """N <- (3 - N N^T) N / 2, one Newton-Schulz step; L serves as scratch."""
    for k in range(freedoms):
        row = work.L[k]
        copy(work.N[k], row)
        scale_by(1.5, row)
        for j in range(freedoms):
            add_scaled(-0.5 * work.K[k, j], work.N[j], row)
    for k in range(freedoms):
        copy(work.L[k], work.N[k])


@stage
def basis(tables, work):
    """N of the present G; V is the basis of the last accepted state."""
    if work.report[0].transported == 0:
        select_basis(work, work.Q)
    else:
        transport(work)
    return 0
