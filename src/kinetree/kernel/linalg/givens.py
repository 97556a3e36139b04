"""Singular values by plane rotations: one-sided Jacobi iteration on the rows of a matrix.
[Golub2013, sec. 8.6.3; Drmac2008]

    W X = S Z^T,   rows of Z^T orthonormal, W orthogonal

Rows of a triangular factor of QR with exchanged columns are nearly orthogonal already, so that few
sweeps are needed.
"""

import math

from ..decorators import inline, kernel
from ..types import Matrix, Vector
from .sums import sum_of_products

SWEEPS = 60  # five to ten are usual
COSINE = 2.3e-16  # times the root of the length of a row: rounding of an inner product
# squared lengths below this one are zero; the largest entry of a matrix is scaled to about 1
TINY = 1e-290


@inline
def turn(a, b, s, half):
    """Two rows turned by an angle of the sine s, `half` the tangent of its half: small angles leave
    the lengths as they are.
    """
    for k in range(a.shape[0]):
        a[k], b[k] = a[k] - s * (b[k] + half * a[k]), b[k] + s * (a[k] - half * b[k])


@inline
def tangent(aa, bb, ab):
    """Of the smaller angle that makes two rows orthogonal, from their inner products."""
    zeta = (bb - aa) / (2.0 * ab)
    if abs(zeta) > 1e8:
        return 0.5 / zeta
    return math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))


@inline
def sweep(X, W, squares, bar):
    """Once over all pairs of rows; returns how many were turned."""
    count, turned = X.shape[0], 0
    for i in range(count):
        squares[i] = sum_of_products(X[i], X[i])
    for i in range(count):
        for j in range(i + 1, count):
            aa, bb = squares[i], squares[j]
            if not (aa > TINY and bb > TINY):
                continue
            ab = sum_of_products(X[i], X[j])
            if abs(ab) <= bar * math.sqrt(aa) * math.sqrt(bb):
                continue
            turned += 1
            t = tangent(aa, bb, ab)
            c = 1.0 / math.sqrt(1.0 + t * t)
            turn(X[i], X[j], c * t, c * t / (1.0 + c))
            turn(W[i], W[j], c * t, c * t / (1.0 + c))
            squares[i] = sum_of_products(X[i], X[i])
            squares[j] = sum_of_products(X[j], X[j])
    return turned


@kernel
def orthogonal_rows(X: Matrix, W: Matrix, s: Vector):
    """X <- S Z^T, W <- the rotations times W, s <- S, unsorted; False if the sweeps did not
    suffice.
    """
    bar, done = COSINE * math.sqrt(X.shape[1]), False
    for _ in range(SWEEPS):
        if sweep(X, W, s, bar) == 0:
            done = True
            break
    for i in range(X.shape[0]):
        square = sum_of_products(X[i], X[i])
        s[i] = math.sqrt(square) if square > TINY else 0.0
    return done
