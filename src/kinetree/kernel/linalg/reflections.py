"""QR factors by Householder reflections, with or without exchanges of columns.   [Golub2013, secs.
5.1, 5.2 and 5.4]

    A P = Q R,   Q = H_0 H_1 ..,   H_k = 1 - tau_k v_k v_k^T

v_k = (0 .. 0, 1, x), where x is stored below the diagonal of column k.
"""

import math

from ..decorators import inline, kernel
from ..types import IntVector, Matrix, Vector

# squared lengths of columns above this part of the largest are treated as equal: the first is chosen
ALIKE = 1.0 - 1e-8
# squared lengths below this one are zero; the largest entry of a matrix is scaled to about 1
TINY = 1e-290


@inline
def reflect(A, k, last, tau, work):
    """A <- H_k A for the rows from k and the columns k + 1 .. last - 1."""
    m = A.shape[0]
    for j in range(k + 1, last):
        work[j] = A[k, j]
    for i in range(k + 1, m):
        v = A[i, k]
        for j in range(k + 1, last):
            work[j] += v * A[i, j]
    for j in range(k + 1, last):
        work[j] *= tau
        A[k, j] -= work[j]
    for i in range(k + 1, m):
        v = A[i, k]
        for j in range(k + 1, last):
            A[i, j] -= v * work[j]


@inline
def make_reflection(A, k):
    """Write v_k and the diagonal entry of R to column k; returns tau_k, zero if the column is zero
    below the diagonal.
    """
    below, m = 0.0, A.shape[0]
    for i in range(k + 1, m):
        below += A[i, k] * A[i, k]
    if not below > TINY:
        for i in range(k + 1, m):
            A[i, k] = 0.0
        return 0.0
    x = A[k, k]
    diagonal = -math.copysign(math.sqrt(x * x + below), x)
    for i in range(k + 1, m):
        A[i, k] /= x - diagonal
    A[k, k] = diagonal
    return (diagonal - x) / diagonal


@inline
def squared_length(A, first, j):
    total = 0.0
    for i in range(first, A.shape[0]):
        total += A[i, j] * A[i, j]
    return total


@inline
def exchange(A, k, j, columns):
    """Exchange columns k and j of A."""
    for i in range(A.shape[0]):
        A[i, k], A[i, j] = A[i, j], A[i, k]
    columns[k], columns[j] = columns[j], columns[k]


@inline
def longest(squares, k):
    """First of the columns from k on that is as long as the longest, up to `ALIKE`."""
    most = 0.0
    for j in range(k, squares.shape[0]):
        most = max(most, squares[j])
    for j in range(k, squares.shape[0]):
        if squares[j] >= ALIKE * most:
            return j
    return k


@inline
def shorten(A, k, squares, before):
    """Update the squared lengths to those below row k; compute them again where subtraction would
    lose too many digits.
    """
    for j in range(k + 1, squares.shape[0]):
        squares[j] -= A[k, j] * A[k, j]
        if not squares[j] > 1e-4 * before[j]:
            squares[j] = squared_length(A, k + 1, j)
            before[j] = squares[j]


@kernel
def factorise_qr(A: Matrix, tau: Vector, columns: IntVector, exchanges: bool, work: Matrix):
    """A <- R and, below it, the vectors v_k; columns <- P. `work` has three rows as long as those of
    A.
    """
    n = A.shape[1]
    squares, before = work[1], work[2]
    for j in range(n):
        columns[j] = j
        squares[j] = squared_length(A, 0, j)
        before[j] = squares[j]
    for k in range(tau.shape[0]):
        if exchanges:
            j = longest(squares, k)
            if j != k:
                exchange(A, k, j, columns)
                squares[j], before[j] = squares[k], before[k]
        tau[k] = make_reflection(A, k)
        if tau[k] != 0.0:
            reflect(A, k, n, tau[k], work[0])
        if exchanges:
            shorten(A, k, squares, before)


@kernel
def multiply_by_q(A: Matrix, tau: Vector, X: Matrix, work: Vector, transposed: bool):
    """X <- Q X or Q^T X, with A and tau of `factorise_qr`."""
    m, n, count = X.shape[0], X.shape[1], tau.shape[0]
    for number in range(count):
        k = number if transposed else count - 1 - number
        for j in range(n):
            work[j] = X[k, j]
        for i in range(k + 1, m):
            v = A[i, k]
            for j in range(n):
                work[j] += v * X[i, j]
        for j in range(n):
            work[j] *= tau[k]
            X[k, j] -= work[j]
        for i in range(k + 1, m):
            v = A[i, k]
            for j in range(n):
                X[i, j] -= v * work[j]
