"""LU factors with the lists of `symbolic_factorization.py` and row exchanges inside nodes.

    P K = L U      P exchanges rows of one node only, so that the pattern stays the same

The reaction of a joint and its velocities form such a node. With the velocities fixed, the six rows
of the reaction may depend on other rows, as in a triangle of hinged bars; with them they never do.

Usage as of `factor_lu` (ldl.py), with two more arguments:

    nodes       (2 n,) first position of the node of each position, then the end of each node;
                a position whose row is never exchanged is a node of its own
    exchanges   (n,) position with which the row of each position was exchanged
"""

from ..decorators import inline, kernel
from ..types import IntVector, Vector
from .ldl import eliminate_lu


@inline
def entry(r, c, first, A, B):
    """Entry of row r and column c of one node."""
    if r == c:
        return A[c]
    return A[first[c] + r - c - 1] if r > c else B[first[r] + c - r - 1]


@inline
def store_entry(r, c, first, A, B, value):
    """Store the same entry."""
    if r == c:
        A[c] = value
    elif r > c:
        A[first[c] + r - c - 1] = value
    else:
        B[first[r] + c - r - 1] = value


@inline
def exchange_rows(k, p, begin, end, first, A, B):
    """Exchange rows k and p of the node begin .. end - 1."""
    for c in range(begin, end):
        one, other = entry(k, c, first, A, B), entry(p, c, first, A, B)
        store_entry(k, c, first, A, B, other)
        store_entry(p, c, first, A, B, one)
    one, other = first[k] + end - k - 1, first[p] + end - p - 1
    for i in range(first[k + 1] - one):
        B[one + i], B[other + i] = B[other + i], B[one + i]


@inline
def largest_row(k, end, first, A):
    """Row of the largest entry of column k on and below the diagonal, inside the node."""
    best, most = k, abs(A[k])
    for p in range(k + 1, end):
        size = abs(A[first[k] + p - k - 1])
        if size > most:
            best, most = p, size
    return best


@kernel
def factor_nodes(
    first: IntVector,
    row: IntVector,
    run_first: IntVector,
    run_at: IntVector,
    run_count: IntVector,
    nodes: IntVector,
    A: Vector,
    B: Vector,
    D: Vector,
    exchanges: Vector,
):
    """A <- L, B <- U, D <- inverse pivots; returns the position of a zero pivot, or -1."""
    n = first.shape[0] - 1
    for k in range(n):
        p = largest_row(k, nodes[n + k], first, A)
        exchanges[k] = p
        if p != k:
            exchange_rows(k, p, nodes[k], nodes[n + k], first, A, B)
        if A[k] == 0.0:
            return k
        eliminate_lu(k, first, row, run_first, run_at, run_count, A, B, D)
    return -1


@kernel
def solve_nodes(
    first: IntVector,
    row: IntVector,
    nodes: IntVector,
    A: Vector,
    B: Vector,
    D: Vector,
    exchanges: Vector,
    x: Vector,
):
    """x <- K^-1 x with the factors of `factor_nodes`."""
    n = first.shape[0] - 1
    for k in range(n):
        if nodes[k] == k:
            for m in range(k, nodes[n + k]):
                p = int(exchanges[m])
                x[m], x[p] = x[p], x[m]
        w = x[k]
        if w != 0.0:
            for a in range(first[k], first[k + 1]):
                x[row[a - n]] -= A[a] * w
    for k in range(n - 1, -1, -1):
        w = x[k]
        for a in range(first[k], first[k + 1]):
            w -= B[a] * x[row[a - n]]
        x[k] = w * D[k]
