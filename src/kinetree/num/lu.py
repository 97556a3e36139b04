"""LU factors with row exchanges, in place: P A = L U [Golub2013, sec. 3.4]."""

from .jit import inline


@inline
def factorise_lu(A, rows):
    """A <- L U, `rows` the exchanges (as floating-point numbers, so that they fit among the vectors); False if singular."""
    n = A.shape[0]
    for k in range(n):
        best, most = k, abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[i, k]) > most:
                best, most = i, abs(A[i, k])
        if not most > 0.0:
            return False
        rows[k] = best
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                m = A[i, k] / A[k, k]
                A[i, k] = m
                for j in range(k + 1, n):
                    A[i, j] -= m * A[k, j]
    return True


@inline
def solve_lu(A, rows, x):
    """x <- A^-1 x."""
    n = A.shape[0]
    for k in range(n):
        best = int(rows[k])
        if best != k:
            x[k], x[best] = x[best], x[k]
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= A[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]
