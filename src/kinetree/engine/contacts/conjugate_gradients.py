"""Conjugate gradients with a symmetric Gauss-Seidel preconditioner, in Eisenstat's form.

With A = L + D + L^T the preconditioner is (D + L) D^-1 (D + L^T). The iteration for the matrix
(D + L)^-1 A (D + L)^-T needs one sweep forward and one back, and no product with A:

    t = (D + L)^-T p,       q = t + (D + L)^-1 (p - D t),       x <- x + a t,   r <- r - a q

with the directions p = D r + b p. Every block of A is read twice per iteration. [Eisenstat1981]
"""

from ...kernel.decorators import internal_kernel
from .factor import factorize, multiply_block, plain_product, put6, row6, transposed_product
from .records import RHS, STEP, P, Q, R, S

MOST = 60  # iterations
ENOUGH = 1e-2  # of the squared residual


@internal_kernel
def forward(run, x):
    """x <- (D + L)^-1 x."""
    D, B, spare = run.heap_pivots, run.heap_below, run.heap_small
    for k in range(run.heap[0].active):
        block = run.heap_blocks[run.heap_order[k]]
        multiply_block(D, block.at, block.m, x, block.row, spare)
        for q in range(run.heap_first[k], run.heap_first[k + 1]):
            entry = run.heap_entries[q]
            other = run.heap_blocks[run.heap_order[entry.row]]
            transposed_product(B, entry.at, block.m, other.m, x, block.row, other.row)


@internal_kernel
def backward(run, x):
    """x <- (D + L)^-T x."""
    D, B, spare = run.heap_pivots, run.heap_below, run.heap_small
    for k in range(run.heap[0].active - 1, -1, -1):
        block = run.heap_blocks[run.heap_order[k]]
        for q in range(run.heap_first[k], run.heap_first[k + 1]):
            entry = run.heap_entries[q]
            other = run.heap_blocks[run.heap_order[entry.row]]
            plain_product(B, entry.at, block.m, other.m, x, other.row, block.row)
        multiply_block(D, block.at, block.m, x, block.row, spare)


@internal_kernel
def diagonal_times(run, x, y):
    """y <- D x with the blocks of A, which `heap_factor` keeps."""
    for k in range(run.heap[0].active):
        block = run.heap_blocks[run.heap_order[k]]
        for i in range(block.row, block.row + block.m):
            y[i] = x[i]
        multiply_block(run.heap_factor, block.at, block.m, y, block.row, run.heap_small)


@internal_kernel
def solve_by_gradients(run):
    """Replace the right-hand side in row STEP by the solution; False if a pivot is lost."""
    heap, x = run.heap[0], run.heap_x
    for k in range(heap.active):
        block = run.heap_blocks[run.heap_order[k]]
        for i in range(block.m * block.m):
            run.heap_factor[block.at + i] = run.heap_pivots[block.at + i]
    if not factorize(run):
        return False
    solution, r, p, q, t = x[STEP], x[R], x[P], x[Q], x[S]
    n = r.shape[0]
    for i in range(n):
        r[i], solution[i] = solution[i], 0.0
    forward(run, r)
    diagonal_times(run, r, p)
    rho = inner_active(run, r, p)
    first = rho
    for _ in range(MOST):
        if not rho > 0.0:
            break
        for i in range(n):
            t[i] = p[i]
        backward(run, t)
        diagonal_times(run, t, q)
        for i in range(n):
            q[i] = p[i] - q[i]
        forward(run, q)
        for i in range(n):
            q[i] += t[i]
        alpha = rho / inner_active(run, p, q)
        heap.products += 1
        for i in range(n):
            solution[i] += alpha * t[i]
            r[i] -= alpha * q[i]
        diagonal_times(run, r, q)
        new = inner_active(run, r, q)
        if new < ENOUGH * first:
            break
        beta, rho = new / rho, new
        for i in range(n):
            p[i] = q[i] + beta * p[i]
    return True


@internal_kernel
def inner_active(run, a, b):
    """a . b over the unknowns of the blocks that touch."""
    total = 0.0
    for k in range(run.heap[0].active):
        block = run.heap_blocks[run.heap_order[k]]
        for i in range(block.row, block.row + block.m):
            total += a[i] * b[i]
    return total
