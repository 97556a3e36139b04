"""Sparse LU of a matrix of small dense blocks: six unknowns per node, and the rows of each joint.

    for each pivot k:    D_k = P L U,     U_kj <- D_k^-1 U_kj
                         A_ij <- A_ij - L_ik U_kj   for later neighbors i, j

Rows are exchanged only inside a diagonal block. A joint is eliminated after its nodes: its own
block is zero, and its pivot -G K^-1 G^T appears after them. A chain that is eliminated from its
ends has no fill: this is then the block-tridiagonal LU. The order, the fill and the position of
every update are found once (layout.py). A pivot is compared with the largest entry of its own
column before the elimination, because forces and moments have different units, and slender beams
different sizes of both.

The factorization by single columns (kernel/algebra/ldl.py) has the same order and fill, but no
exchange of rows, and takes 1.7 times as long for beams of 200 and of 2000 elements.
"""

from ...kernel.decorators import inline, kernel

SINGULAR = 1e-15  # least pivot, relative to the largest entry of its column


@inline
def factor_block(A, o, n, exchanges, largest, row):
    """LU in place of the n x n block at A[o:], with inverse pivots on the diagonal.

    Returns the least |pivot|, relative to its column.
    """
    least = 1e300
    for k in range(n):
        largest[row + k] = 0.0
        for i in range(n):
            largest[row + k] = max(largest[row + k], abs(A[o + n * i + k]))
    for k in range(n):
        p, big = k, abs(A[o + n * k + k])
        for i in range(k + 1, n):
            z = abs(A[o + n * i + k])
            if z > big:
                p, big = i, z
        exchanges[row + k] = p
        if not big > 0.0:
            return 0.0
        least = min(least, big / largest[row + k])
        if p != k:
            for j in range(n):
                A[o + n * k + j], A[o + n * p + j] = A[o + n * p + j], A[o + n * k + j]
        d = 1.0 / A[o + n * k + k]
        A[o + n * k + k] = d
        for i in range(k + 1, n):
            m = A[o + n * i + k] * d
            A[o + n * i + k] = m
            for j in range(k + 1, n):
                A[o + n * i + j] -= m * A[o + n * k + j]
    return least


@inline
def solve_block(A, o, n, exchanges, row, X, x, m):
    """X[x:], n x m by rows, <- D^-1 X."""
    for k in range(n):
        p = exchanges[row + k]
        if p != k:
            for j in range(m):
                X[x + m * k + j], X[x + m * p + j] = X[x + m * p + j], X[x + m * k + j]
    for k in range(1, n):
        for i in range(k):
            a = A[o + n * k + i]
            for j in range(m):
                X[x + m * k + j] -= a * X[x + m * i + j]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            a = A[o + n * k + i]
            for j in range(m):
                X[x + m * k + j] -= a * X[x + m * i + j]
        d = A[o + n * k + k]
        for j in range(m):
            X[x + m * k + j] *= d


@inline
def subtract_product(A, c, a, b, n, l, m):
    """C (n x m) -= A (n x l) B (l x m), blocks at c, a, b."""
    for i in range(n):
        for k in range(l):
            z = A[a + l * i + k]
            for j in range(m):
                A[c + m * i + j] -= z * A[b + m * k + j]


# The same for blocks of six, with rows in registers. Twice as fast, because the compiler cannot
# prove that blocks do not overlap.


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


@inline
def solve_six(A, o, exchanges, row, x):
    """A[x:], a 6 x 6 block, <- D^-1 A[x:]."""
    for k in range(6):
        p = exchanges[row + k]
        if p != k:
            u, v = row6(A, x + 6 * k), row6(A, x + 6 * p)
            put6(A, x + 6 * k, v)
            put6(A, x + 6 * p, u)
    for k in range(1, 6):
        y = row6(A, x + 6 * k)
        for i in range(k):
            y = less6(y, A[o + 6 * k + i], row6(A, x + 6 * i))
        put6(A, x + 6 * k, y)
    for k in range(5, -1, -1):
        y, d = row6(A, x + 6 * k), A[o + 7 * k]
        for i in range(k + 1, 6):
            y = less6(y, A[o + 6 * k + i], row6(A, x + 6 * i))
        put6(A, x + 6 * k, (d * y[0], d * y[1], d * y[2], d * y[3], d * y[4], d * y[5]))


@inline
def subtract_six(A, c, a, b):
    """C -= A B of 6 x 6 blocks at c, a, b."""
    for i in range(6):
        x = row6(A, c + 6 * i)
        for k in range(6):
            x = less6(x, A[a + 6 * i + k], row6(A, b + 6 * k))
        put6(A, c + 6 * i, x)


@kernel
def factor_any(A, o, n, exchanges, largest, row):
    """`factor_block` of another size than six and three, whose loops have no constant length."""
    return factor_block(A, o, n, exchanges, largest, row)


@kernel
def solve_any(A, o, n, exchanges, row, X, x, m):
    """`solve_block` of any size."""
    solve_block(A, o, n, exchanges, row, X, x, m)


@kernel
def subtract_any(A, c, a, b, n, l, m):
    """`subtract_product` of any size."""
    subtract_product(A, c, a, b, n, l, m)


@kernel
def factorise(tables, work):
    """Factorize the matrix in place: -1, or the first unknown of a singular block.

    Blocks of six and three have their own branches, so that the compiler unrolls their loops.
    """
    A, nbr, exchanges, targets = work.matrix, tables.neighbours, work.exchanges, tables.targets
    for s in range(tables.pivots.shape[0]):
        pivot = tables.pivots[s]
        n, o, row, t = pivot.count, pivot.at, pivot.row, pivot.target
        if n == 6:
            good = factor_block(A, o, 6, exchanges, work.largest, row)
        elif n == 3:
            good = factor_block(A, o, 3, exchanges, work.largest, row)
        else:
            good = factor_any(A, o, n, exchanges, work.largest, row)
        if not good > SINGULAR:
            return row
        for q in range(pivot.first, pivot.last):
            m = nbr[q, 1]
            if n == 6 and m == 6:
                solve_six(A, o, exchanges, row, nbr[q, 2])
            elif n == 3 and m == 3:
                solve_block(A, o, 3, exchanges, row, A, nbr[q, 2], 3)
            else:
                solve_any(A, o, n, exchanges, row, A, nbr[q, 2], m)
        for p in range(pivot.first, pivot.last):
            l = nbr[p, 1]
            for q in range(pivot.first, pivot.last):
                m = nbr[q, 1]
                if n == 6 and m == 6 and l == 6:
                    subtract_six(A, targets[t], nbr[p, 3], nbr[q, 2])
                elif n == 3 and m == 3 and l == 3:
                    subtract_product(A, targets[t], nbr[p, 3], nbr[q, 2], 3, 3, 3)
                else:
                    subtract_any(A, targets[t], nbr[p, 3], nbr[q, 2], l, n, m)
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
    """x <- A^-1 x with the present factors."""
    A, nbr = work.matrix, tables.neighbours
    for s in range(tables.pivots.shape[0]):
        pivot = tables.pivots[s]
        n, r = pivot.count, pivot.row
        if n == 6:
            solve_block(A, pivot.at, 6, work.exchanges, r, x, r, 1)
        elif n == 3:
            solve_block(A, pivot.at, 3, work.exchanges, r, x, r, 1)
        else:
            solve_block(A, pivot.at, n, work.exchanges, r, x, r, 1)
        for p in range(pivot.first, pivot.last):
            if n == 6 and nbr[p, 1] == 6:
                forward(A, nbr[p, 3], 6, 6, x, r, nbr[p, 0])
            elif n == 3 and nbr[p, 1] == 3:
                forward(A, nbr[p, 3], 3, 3, x, r, nbr[p, 0])
            else:
                forward(A, nbr[p, 3], n, nbr[p, 1], x, r, nbr[p, 0])
    for s in range(tables.pivots.shape[0] - 1, -1, -1):
        pivot = tables.pivots[s]
        n, r = pivot.count, pivot.row
        for p in range(pivot.first, pivot.last):
            if n == 6 and nbr[p, 1] == 6:
                forward(A, nbr[p, 2], 6, 6, x, nbr[p, 0], r)
            elif n == 3 and nbr[p, 1] == 3:
                forward(A, nbr[p, 2], 3, 3, x, nbr[p, 0], r)
            else:
                forward(A, nbr[p, 2], nbr[p, 1], n, x, nbr[p, 0], r)
