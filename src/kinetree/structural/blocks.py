"""Sparse LU of a matrix of small dense blocks: nodes of six unknowns, joints and constraints of as many as they have rows.

    for each pivot k:    D_k = P L U,     U_kj <- D_k^-1 U_kj,     A_ij <- A_ij - L_ik U_kj   for later neighbours i, j

Rows are exchanged inside a diagonal block only. A joint comes after all its nodes: its own block is zero, and its pivot
-G K^-1 G^T appears when they are gone. A chain taken from its ends has no fill: this is then the block-tridiagonal LU.
Which blocks there are, their order and where every update goes is found once (layout.py).
"""

from ..num.jit import inline, kernel

SINGULAR = 1e-15  # pivots of a block, least to largest


@inline
def factor_block(A, o, n, exchanges, row):
    """LU in place of the n x n block at A[o:], with the inverse pivots on the diagonal; least |pivot| over the largest."""
    least, most = 1e300, 0.0
    for k in range(n):
        p, big = k, abs(A[o + n * k + k])
        for i in range(k + 1, n):
            z = abs(A[o + n * i + k])
            if z > big:
                p, big = i, z
        exchanges[row + k] = p
        least, most = min(least, big), max(most, big)
        if not big > 0.0:
            return 0.0
        if p != k:
            for j in range(k, n):  # multipliers stay put, so that a solve exchanges and eliminates in turn
                A[o + n * k + j], A[o + n * p + j] = A[o + n * p + j], A[o + n * k + j]
        d = 1.0 / A[o + n * k + k]
        A[o + n * k + k] = d
        for i in range(k + 1, n):
            m = A[o + n * i + k] * d
            A[o + n * i + k] = m
            for j in range(k + 1, n):
                A[o + n * i + j] -= m * A[o + n * k + j]
    return least / most


@inline
def solve_block(A, o, n, exchanges, row, X, x, m):
    """X[x:], n x m row by row, <- D^-1 X."""
    for k in range(n):
        p = exchanges[row + k]
        if p != k:
            for j in range(m):
                X[x + m * k + j], X[x + m * p + j] = X[x + m * p + j], X[x + m * k + j]
        for i in range(k + 1, n):
            a = A[o + n * i + k]
            for j in range(m):
                X[x + m * i + j] -= a * X[x + m * k + j]
    for k in range(n - 1, -1, -1):
        d = A[o + n * k + k]
        for j in range(m):
            X[x + m * k + j] *= d
        for i in range(k):
            a = A[o + n * i + k]
            for j in range(m):
                X[x + m * i + j] -= a * X[x + m * k + j]


@inline
def subtract_product(A, c, a, b, n, l, m):
    """C (n x m) -= A (n x l) B (l x m), blocks at c, a, b."""
    for i in range(n):
        for k in range(l):
            z = A[a + l * i + k]
            for j in range(m):
                A[c + m * i + j] -= z * A[b + m * k + j]


@kernel
def factorise(tables, work):
    """-1, or the first unknown of the block that is singular. Sizes of six, which most have, are known to the compiler."""
    A, nbr = work.matrix, tables.neighbours
    for s in range(tables.pivots.shape[0]):
        pivot = tables.pivots[s]
        n, o, row, t = pivot.count, pivot.at, pivot.row, pivot.target
        good = factor_block(A, o, 6, work.exchanges, row) if n == 6 else factor_block(A, o, n, work.exchanges, row)
        if not good > SINGULAR:
            return row
        for q in range(pivot.first, pivot.last):
            m = nbr[q, 1]
            if n == 6 and m == 6:
                solve_block(A, o, 6, work.exchanges, row, A, nbr[q, 2], 6)
            else:
                solve_block(A, o, n, work.exchanges, row, A, nbr[q, 2], m)
        for p in range(pivot.first, pivot.last):
            l = nbr[p, 1]
            for q in range(pivot.first, pivot.last):
                m = nbr[q, 1]
                if n == 6 and m == 6 and l == 6:
                    subtract_product(A, tables.targets[t], nbr[p, 3], nbr[q, 2], 6, 6, 6)
                else:
                    subtract_product(A, tables.targets[t], nbr[p, 3], nbr[q, 2], l, n, m)
                t += 1
    return -1


@inline
def forward(A, lo, n, m, x, r, j):
    """x_j -= L x_r, with an m x n block."""
    for i in range(m):
        z = 0.0
        for q in range(n):
            z += A[lo + n * i + q] * x[r + q]
        x[j + i] -= z


@kernel
def solve_blocks(tables, work, x):
    """x <- A^-1 x with the factors at hand."""
    A, nbr = work.matrix, tables.neighbours
    for s in range(tables.pivots.shape[0]):
        pivot = tables.pivots[s]
        n, r = pivot.count, pivot.row
        if n == 6:
            solve_block(A, pivot.at, 6, work.exchanges, r, x, r, 1)
        else:
            solve_block(A, pivot.at, n, work.exchanges, r, x, r, 1)
        for p in range(pivot.first, pivot.last):
            if n == 6 and nbr[p, 1] == 6:
                forward(A, nbr[p, 3], 6, 6, x, r, nbr[p, 0])
            else:
                forward(A, nbr[p, 3], n, nbr[p, 1], x, r, nbr[p, 0])
    for s in range(tables.pivots.shape[0] - 1, -1, -1):
        pivot = tables.pivots[s]
        n, r = pivot.count, pivot.row
        for p in range(pivot.first, pivot.last):
            if n == 6 and nbr[p, 1] == 6:
                forward(A, nbr[p, 2], 6, 6, x, nbr[p, 0], r)
            else:
                forward(A, nbr[p, 2], nbr[p, 1], n, x, nbr[p, 0], r)
