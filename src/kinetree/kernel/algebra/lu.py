"""LU factors with row exchanges, in place: P A = L U [Golub2013, secs. 3.4 and 3.2.11].

Columns are factorized in panels, and the rest of the matrix is updated once for all columns of a
panel: the matrix is read from memory an eighth as often.
"""

from ..decorators import inline

WIDTH = 8  # columns of a panel


@inline
def factorise_panel(A, rows, first, last):
    """Factorize columns first .. last with row exchanges; False if singular."""
    n = A.shape[0]
    for k in range(first, last):
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
                for j in range(k + 1, last):
                    A[i, j] -= m * A[k, j]
    return True


@inline
def change_rest(A, k):
    """Update the matrix right of and below a panel of full width, which starts at k."""
    n, right = A.shape[0], k + WIDTH
    for a in range(k, right):
        for i in range(a + 1, right):
            m = A[i, a]
            for j in range(right, n):
                A[i, j] -= m * A[a, j]
    for i in range(right, n):
        a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
        e, f, g, h = A[i, k + 4], A[i, k + 5], A[i, k + 6], A[i, k + 7]
        for j in range(right, n):
            A[i, j] -= (
                a * A[k, j]
                + b * A[k + 1, j]
                + c * A[k + 2, j]
                + d * A[k + 3, j]
                + e * A[k + 4, j]
                + f * A[k + 5, j]
                + g * A[k + 6, j]
                + h * A[k + 7, j]
            )


@inline
def factorise_lu(A, rows):
    """A <- L U, rows <- row exchanges (as floating-point numbers); False if singular."""
    n = A.shape[0]
    for first in range(0, n, WIDTH):
        if not factorise_panel(A, rows, first, min(first + WIDTH, n)):
            return False
        if first + WIDTH < n:
            change_rest(A, first)
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
