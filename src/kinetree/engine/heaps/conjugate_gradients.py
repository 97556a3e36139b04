"""Conjugate gradients with a symmetric Gauss-Seidel preconditioner, in Eisenstat's form.

With A = L + D + L^T the preconditioner is (D + L) D^-1 (D + L^T). The iteration for the matrix
(D + L)^-1 A (D + L)^-T needs one sweep forward and one back, and no product with A:

    t = (D + L)^-T p,       q = t + (D + L)^-1 (p - D t),       x <- x + a t,   r <- r - a q

with the directions p = D r + b p. Every block of A is read twice per iteration. The sweeps also give
D t and D q, so that D r is carried along. [Eisenstat1981]
"""

from ...kernel.decorators import internal_kernel
from .factor import factorize, multiply_block, plain_product, transposed_product
from .records import DQ, DR, DT, STEP, P, Q, R, T

MOST = 60  # iterations
ENOUGH = 1e-2  # of the squared residual


@internal_kernel
def forward(run, x, y):
    """x <- (D + L)^-1 x, y <- D x."""
    D, B, spare = run.heap_pivots, run.heap_below, run.heap_small
    for k in range(run.heap[0].active):
        column = run.heap_columns[k]
        for i in range(column.x, column.x + column.m):
            y[i] = x[i]
        multiply_block(D, column.pivot, column.m, x, column.x, spare)
        for q in range(column.first, run.heap_columns[k + 1].first):
            entry = run.heap_entries[q]
            transposed_product(B, entry.at, column.m, entry.m, x, column.x, entry.x)


@internal_kernel
def backward(run, x, y):
    """x <- (D + L)^-T x, y <- D x."""
    D, B, spare = run.heap_pivots, run.heap_below, run.heap_small
    for k in range(run.heap[0].active - 1, -1, -1):
        column = run.heap_columns[k]
        for q in range(column.first, run.heap_columns[k + 1].first):
            entry = run.heap_entries[q]
            plain_product(B, entry.at, column.m, entry.m, x, entry.x, column.x)
        for i in range(column.x, column.x + column.m):
            y[i] = x[i]
        multiply_block(D, column.pivot, column.m, x, column.x, spare)


@internal_kernel
def solve_by_gradients(run):
    """Replace the right-hand side in row STEP by the solution; False if a pivot is lost."""
    heap, vectors = run.heap[0], run.heap_x
    if not factorize(run):
        return False
    x, r, dr, p = vectors[STEP], vectors[R], vectors[DR], vectors[P]
    t, dt, q = vectors[T], vectors[DT], vectors[Q]
    n, rho = x.shape[0], 0.0
    for i in range(n):
        r[i], x[i], dr[i], dt[i] = x[i], 0.0, 0.0, 0.0
    forward(run, r, dr)
    for i in range(n):
        p[i] = dr[i]
        rho += r[i] * dr[i]
    first = rho
    for _ in range(MOST):
        if not rho > 0.0:
            break
        for i in range(n):
            t[i] = p[i]
        backward(run, t, dt)
        for i in range(n):
            q[i] = p[i] - dt[i]
        forward(run, q, vectors[DQ])
        across = 0.0
        for i in range(n):
            q[i] += t[i]
            across += p[i] * q[i]
        alpha, new, dq = rho / across, 0.0, vectors[DQ]
        heap.products += 1
        for i in range(n):
            x[i] += alpha * t[i]
            r[i] -= alpha * q[i]
            dr[i] -= alpha * (dt[i] + dq[i])
            new += r[i] * dr[i]
        if new < ENOUGH * first:
            break
        beta, rho = new / rho, new
        for i in range(n):
            p[i] = dr[i] + beta * p[i]
    return True
