"""Block LDL^T over the pattern of ordering.py, and its use as a preconditioner.

    D_k <- D_k - ...,   W_ki = D_k^-1 B_ki,   B_ij <- B_ij - B_ki^T W_kj        (complete)

B_ki is the block between k and a later i, k's unknowns by rows. Without fill the same solver is a
symmetric Gauss-Seidel sweep; its pivots are those of the matrix and always positive.
"""

import math

from ...kernel.decorators import inline, internal_kernel


@inline
def row6(A, o):
    """Six numbers of A from position o."""
    return A[o], A[o + 1], A[o + 2], A[o + 3], A[o + 4], A[o + 5]


@inline
def put6(A, o, x):
    """Store six numbers in A from position o."""
    A[o], A[o + 1], A[o + 2], A[o + 3], A[o + 4], A[o + 5] = x


@inline
def less6(x, s, y):
    """x - s y."""
    return (
        x[0] - s * y[0],
        x[1] - s * y[1],
        x[2] - s * y[2],
        x[3] - s * y[3],
        x[4] - s * y[4],
        x[5] - s * y[5],
    )


@internal_kernel
def invert_six(A, o, L):
    """`inverse` of a block of six, unrolled by the compiler."""
    return inverse(A, o, L, 6)


@internal_kernel
def invert_any(A, o, L, n):
    """`inverse` of a block of any size."""
    return inverse(A, o, L, n)


@inline
def inverse(A, o, L, n):
    """A[o:], a symmetric positive n x n matrix, <- its inverse; False if a pivot is not positive."""
    for j in range(n):
        s = A[o + n * j + j]
        for k in range(j):
            s -= L[n * j + k] * L[n * j + k]
        if not s > 1e-15 * A[o + n * j + j]:
            return False
        r = 1.0 / math.sqrt(s)
        L[n * j + j] = r
        for i in range(j + 1, n):
            s = A[o + n * i + j]
            for k in range(j):
                s -= L[n * i + k] * L[n * j + k]
            L[n * i + j] = s * r
    for j in range(n):
        for i in range(j + 1, n):
            s = L[n * i + j] * L[n * j + j]
            for k in range(j + 1, i):
                s += L[n * i + k] * L[n * k + j]
            L[n * i + j] = -s * L[n * i + i]
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(i, n):
                s += L[n * k + i] * L[n * k + j]
            A[o + n * i + j] = s
            A[o + n * j + i] = s
    return True


@inline
def product_six(A, a, B, b, C, c):
    """C <- A B, blocks of six."""
    for r in range(6):
        x = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for m in range(6):
            x = less6(x, -A[a + 6 * r + m], row6(B, b + 6 * m))
        put6(C, c + 6 * r, x)


@inline
def subtract_six(C, c, A, a, B, b):
    """C <- C - A^T B, blocks of six."""
    for r in range(6):
        x = row6(C, c + 6 * r)
        for m in range(6):
            x = less6(x, A[a + 6 * m + r], row6(B, b + 6 * m))
        put6(C, c + 6 * r, x)


@inline
def product(A, a, B, b, C, c, n, m):
    """C (n x m) <- A (n x n) B."""
    for r in range(n):
        for s in range(m):
            C[c + m * r + s] = 0.0
        for k in range(n):
            f = A[a + n * r + k]
            for s in range(m):
                C[c + m * r + s] += f * B[b + m * k + s]


@inline
def subtract(C, c, A, a, B, b, n, ni, nj):
    """C (ni x nj) <- C - A^T B, A (n x ni), B (n x nj)."""
    for k in range(n):
        for r in range(ni):
            f = A[a + ni * k + r]
            for s in range(nj):
                C[c + nj * r + s] -= f * B[b + nj * k + s]


@internal_kernel
def factorize(run):
    """Inverse pivots into `heap_pivots`, D^-1 B into `heap_factor`; False if a pivot is lost."""
    D, B, W = run.heap_pivots, run.heap_below, run.heap_factor
    complete = run.heap[0].direct == 1
    for k in range(run.heap[0].active):
        column = run.heap_columns[k]
        n, d = column.m, column.pivot
        ok = invert_six(D, d, run.heap_small) if n == 6 else invert_any(D, d, run.heap_small, n)
        if not ok:
            return False
        if not complete:
            continue
        for q in range(column.first, run.heap_columns[k + 1].first):
            entry = run.heap_entries[q]
            m, other = entry.m, run.heap_columns[entry.row].pivot
            if n == 6 and m == 6:
                product_six(D, d, B, entry.at, W, entry.at)
                subtract_six(D, other, B, entry.at, W, entry.at)
            else:
                product(D, d, B, entry.at, W, entry.at, n, m)
                subtract(D, other, B, entry.at, W, entry.at, n, m, m)
        for u in range(run.heap_update_first[k], run.heap_update_first[k + 1]):
            update = run.heap_updates[u]
            jk, ik = run.heap_entries[update.jk], run.heap_entries[update.ik]
            ij = run.heap_entries[update.ij].at
            if n == 6 and jk.m == 6 and ik.m == 6:
                subtract_six(B, ij, B, jk.at, W, ik.at)
            else:
                subtract(B, ij, B, jk.at, W, ik.at, n, jk.m, ik.m)
    return True


@internal_kernel
def solve_factors(run, x):
    """x <- (L D L^T)^-1 x by the complete factors; x is by unknowns."""
    D, W, spare = run.heap_pivots, run.heap_factor, run.heap_small
    for k in range(run.heap[0].active):
        column = run.heap_columns[k]
        for q in range(column.first, run.heap_columns[k + 1].first):
            entry = run.heap_entries[q]
            transposed_product(W, entry.at, column.m, entry.m, x, column.x, entry.x)
    for k in range(run.heap[0].active - 1, -1, -1):
        column = run.heap_columns[k]
        multiply_block(D, column.pivot, column.m, x, column.x, spare)
        for q in range(column.first, run.heap_columns[k + 1].first):
            entry = run.heap_entries[q]
            plain_product(W, entry.at, column.m, entry.m, x, entry.x, column.x)


@inline
def transposed_product(W, w, n, m, x, a, b):
    """x[b:] <- x[b:] - W^T x[a:], W (n x m)."""
    if n == 6 and m == 6:
        y = row6(x, b)
        for k in range(6):
            y = less6(y, x[a + k], row6(W, w + 6 * k))
        put6(x, b, y)
    else:
        for k in range(n):
            f = x[a + k]
            for s in range(m):
                x[b + s] -= f * W[w + m * k + s]


@inline
def plain_product(W, w, n, m, x, b, a):
    """x[a:] <- x[a:] - W x[b:], W (n x m)."""
    if n == 6 and m == 6:
        y = row6(x, b)
        for k in range(6):
            z = row6(W, w + 6 * k)
            x[a + k] -= (z[0] * y[0] + z[1] * y[1] + z[2] * y[2]) + (
                z[3] * y[3] + z[4] * y[4] + z[5] * y[5]
            )
    else:
        for k in range(n):
            f = 0.0
            for s in range(m):
                f += W[w + m * k + s] * x[b + s]
            x[a + k] -= f


@inline
def multiply_block(D, d, n, x, a, spare):
    """x[a:] <- D x[a:] for a symmetric block."""
    if n == 6:
        z = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for k in range(6):
            z = less6(z, -x[a + k], row6(D, d + 6 * k))
        put6(x, a, z)
    else:
        for k in range(n):
            spare[k] = x[a + k]
        for k in range(n):
            f = 0.0
            for s in range(n):
                f += D[d + n * k + s] * spare[s]
            x[a + k] = f
