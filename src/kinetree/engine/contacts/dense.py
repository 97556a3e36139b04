"""Inverse of a small square matrix, or its pseudo-inverse by singular values if it is singular.

    A = U S V^T,     A^+ = V S^+ U^T

The singular values are found by one-sided rotations [Hestenes1958].
"""

import math

from ...kernel.decorators import inline, internal_kernel

CUT = 1e-9  # of the largest: smaller pivots and singular values are rounding
SWEEPS = 60
TINY = 1e-24  # of the sum of squares: columns that are rounding


@internal_kernel
def invert(A, n, inverse, rotations):
    """Write the inverse or pseudo-inverse of A[:n, :n]; returns 1 if A is regular."""
    if eliminated(A, n, inverse, rotations[0]):
        return 1
    pseudo_invert(A, n, inverse, rotations[0], rotations[1])
    return 0


@inline
def eliminated(A, n, X, B):
    """Gauss and Jordan with row pivots; False if a pivot is rounding."""
    largest = 0.0
    for i in range(n):
        for j in range(n):
            B[i, j], X[i, j] = A[i, j], 1.0 if i == j else 0.0
            largest = max(largest, abs(A[i, j]))
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(B[i, k]) > abs(B[best, k]):
                best = i
        if not abs(B[best, k]) > CUT * largest:
            return False
        for j in range(n):
            B[k, j], B[best, j] = B[best, j], B[k, j]
            X[k, j], X[best, j] = X[best, j], X[k, j]
        pivot = 1.0 / B[k, k]
        for j in range(n):
            B[k, j] *= pivot
            X[k, j] *= pivot
        for i in range(n):
            factor = B[i, k] if i != k else 0.0
            if factor != 0.0:
                for j in range(n):
                    B[i, j] -= factor * B[k, j]
                    X[i, j] -= factor * X[k, j]
    return True


@internal_kernel
def pseudo_invert(A, n, X, B, V):
    """A^+ of the module; B and V are overwritten by U S and V."""
    for i in range(n):
        for j in range(n):
            B[i, j], V[i, j] = A[i, j], 1.0 if i == j else 0.0
    scale = 0.0
    for j in range(n):
        scale += column_product(B, n, j, j)
    for _ in range(SWEEPS):
        if rotate_columns(B, V, n, scale) <= 1e-14:
            break
    largest = 0.0
    for j in range(n):
        largest = max(largest, column_product(B, n, j, j))
    for i in range(n):
        for k in range(n):
            X[i, k] = 0.0
    for j in range(n):
        square = column_product(B, n, j, j)
        if square > CUT * CUT * largest:
            for i in range(n):
                for k in range(n):
                    X[i, k] += V[i, j] * B[k, j] / square


@inline
def column_product(B, n, a, b):
    total = 0.0
    for i in range(n):
        total += B[i, a] * B[i, b]
    return total


@inline
def rotate_columns(B, V, n, scale):
    """One sweep over columns that are not rounding of `scale`; returns the largest cosine between two columns before it."""
    worst = 0.0
    for a in range(n - 1):
        for b in range(a + 1, n):
            p, q, r = (
                column_product(B, n, a, a),
                column_product(B, n, b, b),
                column_product(B, n, a, b),
            )
            if min(p, q) <= TINY * scale or abs(r) <= 1e-16 * math.sqrt(p * q):
                continue
            worst = max(worst, abs(r) / math.sqrt(p * q))
            z = (q - p) / (2.0 * r)
            t = math.copysign(1.0, z) / (abs(z) + math.sqrt(1.0 + z * z))
            c = 1.0 / math.sqrt(1.0 + t * t)
            s = c * t
            for i in range(n):
                B[i, a], B[i, b] = c * B[i, a] - s * B[i, b], s * B[i, a] + c * B[i, b]
                V[i, a], V[i, b] = c * V[i, a] - s * V[i, b], s * V[i, a] + c * V[i, b]
    return worst
