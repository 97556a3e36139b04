"""Null-space basis by singular value decomposition.   [LeeJoo, eqs. (40)-(43)]

    G = U S [V1 V2]^T,   G V2 = 0

One-sided Jacobi iteration: plane rotations make the rows of G orthogonal to each other; they become
S V1^T, and V2 is the complement. The basis is arbitrary within the null space (signs and
rotations). For that reason the state contains velocities, not reduced rates.
"""

import math

from ...kernel.algebra.blas1 import copy, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .basis_projection import first

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)
SINGULAR = 1e-12  # ratio of the extreme singular values at which a position is singular


@inline
def rotate_rows(a, b, c, s):
    """Apply a plane rotation to two rows."""
    for n in range(a.shape[0]):
        a[n], b[n] = c * a[n] - s * b[n], s * a[n] + c * b[n]


@internal_kernel
def jacobi(A, rank):
    """Orthogonalize the first rows of A by rotations. Returns the largest remaining cosine."""
    for _ in range(30):
        worst = 0.0
        for i in range(rank):
            for j in range(i + 1, rank):
                a, b = A[i], A[j]
                aa, bb, ab = inner(a, a), inner(b, b), inner(a, b)
                worst = max(worst, abs(ab) / math.sqrt(aa * bb))
                if abs(ab) > 1e-16 * math.sqrt(aa * bb):
                    tau = (bb - aa) / (2.0 * ab)
                    t = (1.0 if tau >= 0.0 else -1.0) / (abs(tau) + math.sqrt(1.0 + tau * tau))
                    c = 1.0 / math.sqrt(1.0 + t * t)
                    rotate_rows(a, b, c, c * t)
        if worst < 1e-15:
            break
    return worst


@internal_kernel
def singular_rows(A, rank):
    """Replace the first rows of A by V1. Returns the smallest and the largest singular value."""
    jacobi(A, rank)
    least, most = math.inf, 0.0
    for k in range(rank):
        s = math.sqrt(inner(A[k], A[k]))
        least, most = min(least, s), max(most, s)
        scale_by(1.0 / s, A[k])
    return least, most


@internal_kernel
def basis(tables, work):
    """N <- V2, the complement of V1. Returns a Status."""
    report = work.report[0]
    for k in range(report.rank):
        copy(work.G[work.selected[k]], work.LU[k])
    least, most = singular_rows(work.LU, report.rank)
    report.decompositions += 1
    if report.rank > 0 and not least > SINGULAR * most:
        return _ROWS
    first(work, work.LU)
    return _OK
