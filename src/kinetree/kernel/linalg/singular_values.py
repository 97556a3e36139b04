"""Singular values of a matrix, with and without singular vectors.

With vectors, by plane rotations: one-sided Jacobi iteration on the rows.   [Golub2013, sec. 8.6.3;
Drmac2008]

    W X = S Z^T,   rows of Z^T orthonormal, W orthogonal

The rows of a triangular factor of QR with exchanged columns are nearly orthogonal, so few sweeps
are needed.

Without vectors, by reflections from both sides to bidiagonal form.   [Golub2013, secs. 5.4.8 and
8.6.1]  The tridiagonal matrix with a zero diagonal and  d_0, e_0, d_1, e_1, ..  beside it has the
singular values of the bidiagonal matrix and their negatives as eigenvalues.
"""

import math

from ..decorators import inline, kernel
from ..types import Matrix, Vector
from .reflections import make_reflection, reflect
from .sums import Stack, sum_of_products
from .symmetric import eigenvalues, row_reflection, smallest_first

SWEEPS = 60  # five to ten are usual
COSINE = 2.3e-16  # times sqrt(n), for rows of n numbers: rounding error of an inner product
# squared lengths below this one are zero; the largest entry of a matrix is scaled to about 1
TINY = 1e-290


@inline
def turn(a, b, s, half):
    """Rotate two rows by the angle phi, s = sin(phi), half = tan(phi / 2); this form keeps the
    lengths for small angles.
    """
    for k in range(a.shape[0]):
        a[k], b[k] = a[k] - s * (b[k] + half * a[k]), b[k] + s * (a[k] - half * b[k])


@inline
def tangent(aa, bb, ab):
    """Tangent of the smaller angle that makes two rows orthogonal, from their inner products."""
    zeta = (bb - aa) / (2.0 * ab)
    if abs(zeta) > 1e8:
        return 0.5 / zeta
    return math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))


@inline
def sweep(X, W, squares, bar):
    """Rotate all pairs of rows once; returns the number of rotations."""
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
    """X <- S Z^T, W <- rotations times W, s <- S, unsorted; False if it did not converge."""
    bar, done = COSINE * math.sqrt(X.shape[1]), False
    for _ in range(SWEEPS):
        if sweep(X, W, s, bar) == 0:
            done = True
            break
    for i in range(X.shape[0]):
        square = sum_of_products(X[i], X[i])
        s[i] = math.sqrt(square) if square > TINY else 0.0
    return done


@inline
def reflect_rows(A, k, tau):
    """A <- A H for the rows below k and the columns after k; v is row k."""
    n, v = A.shape[1], A[k, k + 1 :]
    for i in range(k + 1, A.shape[0]):
        along = tau * sum_of_products(A[i, k + 1 :], v)
        for j in range(k + 1, n):
            A[i, j] -= along * A[k, j]


@inline
def of_one(A, values, work):
    """values <- singular values and their negatives, increasing; False if they did not converge."""
    n, beside = A.shape[1], work[0]
    for k in range(n):
        tau = make_reflection(A, k)
        if tau != 0.0:
            reflect(A, k, n, tau, work[1])
        beside[2 * k], beside[2 * k + 1] = A[k, k], 0.0
        if k < n - 1:
            tau, beside[2 * k + 1] = row_reflection(A[k], k + 1)
            if tau != 0.0:
                reflect_rows(A, k, tau)
    for k in range(2 * n):
        values[k] = 0.0
    done = eigenvalues(values, beside, A, False)
    smallest_first(values, A, False)
    return done


@kernel
def singular_values_of(A: Stack, values: Matrix, work: Matrix):
    """`of_one` for each matrix of a stack, with no more columns than rows; overwrites A."""
    done = True
    for k in range(A.shape[0]):
        done = of_one(A[k], values[k], work) and done
    return done
