"""Solving with triangular factors: of LU with exchanges of rows, and of QR."""

from ..algebra.lu import factorise_lu
from ..decorators import inline, kernel
from ..types import Matrix, Vector


@inline
def subtract_row(X, i, s, k):
    """Row i of X less s times row k."""
    for j in range(X.shape[1]):
        X[i, j] -= s * X[k, j]


@inline
def divide_row(X, i, s):
    for j in range(X.shape[1]):
        X[i, j] /= s


@kernel
def solve_columns(A: Matrix, rows: Vector, X: Matrix):
    """X <- A^-1 X; A is used up. False if A is singular."""
    n = A.shape[0]
    if not factorise_lu(A, rows):
        return False
    for i in range(n):
        best = int(rows[i])
        if best != i:
            for j in range(X.shape[1]):
                X[i, j], X[best, j] = X[best, j], X[i, j]
    for i in range(n):
        for k in range(i):
            subtract_row(X, i, A[i, k], k)
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            subtract_row(X, i, A[i, k], k)
        divide_row(X, i, A[i, i])
    return True


@kernel
def solve_transposed(R: Matrix, X: Matrix):
    """X <- R^-T X for an upper triangular R."""
    for i in range(X.shape[0]):
        for k in range(i):
            subtract_row(X, i, R[k, i], k)
        divide_row(X, i, R[i, i])
