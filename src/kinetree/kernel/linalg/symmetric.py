"""Eigenvalues of symmetric matrices: tridiagonal form by reflections, then implicit QL steps.
[Golub2013, sec. 8.3]

    A = Z diag(d) Z^T

Rows and columns of A are equal, and eigenvectors are stored as rows: all inner loops run along
rows.
"""

import math

from ..decorators import inline, kernel
from ..types import Matrix
from .sums import Stack, sum_of_products

EPS = 2.220446049250313e-16
STEPS, PATIENCE = 60, 10  # per eigenvalue; two are usual
# lengths and squared lengths below this one are zero; the largest entry of a matrix is scaled to
# about 1
TINY = 1e-290


@inline
def row_reflection(row, first):
    """row[first:] <- v (with v[first] = 1), so that H row = (beta, 0, ..); returns tau and beta."""
    below, x = 0.0, row[first]
    for j in range(first + 1, row.shape[0]):
        below += row[j] * row[j]
    if not below > TINY:
        return 0.0, x
    beta = -math.copysign(math.sqrt(x * x + below), x)
    for j in range(first + 1, row.shape[0]):
        row[j] /= x - beta
    row[first] = 1.0
    return (beta - x) / beta, beta


@inline
def both_sides(A, v, tau, first, p):
    """A <- H A H for the rows and columns from `first` on.

    H A H = A - v w^T - w v^T,   w = p - (tau / 2) (p . v) v,   p = tau A v
    """
    n = A.shape[0]
    for j in range(first, n):
        p[j] = 0.0
    for i in range(first, n):
        for j in range(first, n):
            p[j] += v[i] * A[i, j]
    along = 0.0
    for j in range(first, n):
        p[j] *= tau
        along += p[j] * v[j]
    for j in range(first, n):
        p[j] -= 0.5 * tau * along * v[j]
    for i in range(first, n):
        a, b = v[i], p[i]
        for j in range(first, n):
            A[i, j] -= a * p[j] + b * v[j]


@inline
def tridiagonal(A, d, e, taus):
    """d <- diagonal, e <- off-diagonal (e[k] between k and k + 1); rows of A store the reflections
    right of the diagonal.
    """
    n = A.shape[0]
    for k in range(n - 1):
        d[k] = A[k, k]
        taus[k], e[k] = row_reflection(A[k], k + 1)
        if taus[k] != 0.0:
            both_sides(A, A[k], taus[k], k + 1, d)  # d is free after k
    d[n - 1], e[n - 1] = A[n - 1, n - 1], 0.0


@inline
def vectors_of_reflections(A, taus, Z):
    """Z <- .. H_1 H_0; the QL steps transform its rows into eigenvectors."""
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            Z[i, j] = 1.0 if i == j else 0.0
    for k in range(n - 2, -1, -1):
        if taus[k] != 0.0:
            for i in range(k + 1, n):  # rows up to k are those of the unit matrix
                along = taus[k] * sum_of_products(Z[i, k + 1 :], A[k, k + 1 :])
                for j in range(k + 1, n):
                    Z[i, j] -= along * A[k, j]


@inline
def turn(a, b, c, s):
    """Rotate two rows by the angle with cosine c and sine s."""
    for k in range(a.shape[0]):
        a[k], b[k] = c * a[k] - s * b[k], s * a[k] + c * b[k]


@inline
def ql_step(d, e, Z, first, last, vectors):
    """One implicit QL step with Wilkinson's shift on the unreduced part first .. last."""
    half = 0.5 * (d[first + 1] - d[first]) / e[first]
    g = d[last] - d[first] + e[first] / (half + math.copysign(math.sqrt(1.0 + half * half), half))
    s, c, p, at = 1.0, 1.0, 0.0, last - 1
    while at >= first:
        f, b = s * e[at], c * e[at]
        # not sqrt(f^2 + g^2): squares of entries below 1e-154 have no digits left
        r = math.hypot(f, g)
        e[at + 1] = r
        if r <= TINY:
            d[at + 1] -= p
            e[last] = 0.0
            return
        s, c = f / r, g / r
        g = d[at + 1] - p
        r = (d[at] - g) * s + 2.0 * c * b
        p = s * r
        d[at + 1] = g + p
        g = c * r - b
        if vectors:
            turn(Z[at], Z[at + 1], c, s)
        at -= 1
    d[first] -= p
    e[first] = g
    e[last] = 0.0


@inline
def neglected(d, e, k, floor):
    return abs(e[k]) <= max(EPS * (abs(d[k]) + abs(d[k + 1])), floor)


@inline
def eigenvalues(d, e, Z, vectors):
    """d <- the eigenvalues of the tridiagonal matrix, unsorted; False if one did not converge.

    Off-diagonal entries are neglected relative to their neighbors, so that small eigenvalues of
    graded matrices keep their digits; after many steps relative to the whole matrix, since the
    neighbors are then rounding errors themselves.
    """
    n, size = d.shape[0], 0.0
    for k in range(n):
        size = max(size, abs(d[k]) + abs(e[k]))
    for first in range(n):
        for step in range(STEPS + 1):
            last, floor = first, EPS * size if step > PATIENCE else 0.0
            while last < n - 1 and not neglected(d, e, last, floor):
                last += 1
            if last == first:
                break
            if step == STEPS:
                return False
            ql_step(d, e, Z, first, last, vectors)
    return True


@inline
def smallest_first(d, Z, vectors):
    """Sort the eigenvalues in increasing order; equal ones keep their order."""
    n = d.shape[0]
    for k in range(n):
        least = k
        for j in range(k + 1, n):
            if d[j] < d[least]:
                least = j
        for j in range(least, k, -1):
            d[j], d[j - 1] = d[j - 1], d[j]
            if vectors:
                for i in range(n):
                    Z[j, i], Z[j - 1, i] = Z[j - 1, i], Z[j, i]


@kernel
def symmetric_eigen(A: Stack, values: Matrix, vectors: Stack, wanted: bool, work: Matrix):
    """Eigenvalues of each matrix of a stack and, if `wanted`, its eigenvectors as rows; overwrites A.
    False if one did not converge.
    """
    done = True
    for k in range(A.shape[0]):
        if A.shape[1] > 0:
            d, Z = values[k], vectors[k if wanted else 0]
            tridiagonal(A[k], d, work[0], work[1])
            if wanted:
                vectors_of_reflections(A[k], work[1], Z)
            done = eigenvalues(d, work[0], Z, wanted) and done
            smallest_first(d, Z, wanted)
    return done
