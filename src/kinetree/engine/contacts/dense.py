"""Inverse of a small square matrix, or its pseudo-inverse if it is singular.

    A = Q^T R,     R = T Z,     A^+ = Z^T T^-1 Q          [Golub2013, sec. 5.4.7]

The rows of Q (rank, n) and of Z (rank, n) are orthonormal, and T is lower triangular. Both are found
by orthogonalization in the order of Gram and Schmidt, Q with the largest column first.
"""

import math

from ...kernel.decorators import inline, internal_kernel

CUT = 1e-9  # of the largest: smaller pivots and columns are rounding


@internal_kernel
def invert(A, n, inverse, space):
    """Write the inverse or pseudo-inverse of A[:n, :n]; returns 1 if A is regular."""
    if eliminated(A, n, inverse, space[0]):
        return 1
    pseudo_invert(A, n, inverse, space[0], space[1])
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
def pseudo_invert(A, n, X, B, Z):
    """A^+ of the module; B and Z are overwritten."""
    for i in range(n):
        for j in range(n):
            B[i, j] = A[i, j]
    rank = orthonormal_columns(B, n, X, Z)
    orthonormal_rows(Z, X, n, rank)
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(rank):
                total += Z[k, i] * X[k, j]
            B[i, j] = total
    for i in range(n):
        for j in range(n):
            X[i, j] = B[i, j]


@inline
def orthonormal_columns(B, n, Q, R):
    """B = Q^T R with the rows of Q orthonormal; returns their number. B becomes the rounding.

    The next row of Q is along the largest rest of a column.
    """
    first = 0.0
    for k in range(n):
        best, size = 0, 0.0
        for j in range(n):
            square = 0.0
            for i in range(n):
                square += B[i, j] * B[i, j]
            if square > size:
                best, size = j, square
        first = max(first, size)
        if not size > CUT * CUT * first:
            return k
        for i in range(n):
            Q[k, i] = B[i, best]
        take_parts(Q, R, n, k, best)
        size = math.sqrt(row_product(Q, Q, n, k, k))
        for i in range(n):
            Q[k, i] /= size
        for j in range(n):
            total = 0.0
            for i in range(n):
                total += Q[k, i] * B[i, j]
            R[k, j] = total
            for i in range(n):
                B[i, j] = B[i, j] - total * Q[k, i] if j != best else 0.0
    return n


@inline
def take_parts(Q, R, n, k, column):
    """Remove from row k of Q the rounding along the rows before it, and add it to R."""
    for m in range(k):
        part = row_product(Q, Q, n, k, m)
        R[m, column] += part
        for i in range(n):
            Q[k, i] -= part * Q[m, i]


@inline
def orthonormal_rows(Z, Y, n, rank):
    """Make the rows of Z orthonormal, and the same combinations of the rows of Y."""
    for k in range(rank):
        for m in range(2 * k):  # twice, against rounding
            part = row_product(Z, Z, n, k, m % k)
            for i in range(n):
                Z[k, i] -= part * Z[m % k, i]
                Y[k, i] -= part * Y[m % k, i]
        size = math.sqrt(row_product(Z, Z, n, k, k))
        for i in range(n):
            Z[k, i] /= size
            Y[k, i] /= size


@inline
def row_product(A, B, n, a, b):
    total = 0.0
    for i in range(n):
        total += A[a, i] * B[b, i]
    return total
