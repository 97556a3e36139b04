"""Sparse factors of saddle matrices, numerically: no search, no allocation, only the lists that
`kernel/algebra/symbolic_factorization.py` made.

    K = L D L^T   (symmetric: freedoms have positive pivots, rows of constraints negative ones)
                  factor, solve
    K = L U       (any values on the same, symmetric pattern, no exchange of rows)
                  factor_lu, solve_lu

How to use it:

    lists = analyse(Pattern(sizes, kinds, pairs))   once, in Python: nodes of unknowns and which of
                                                    them share entries
    A, L, D = zeros(lists.size), ...                A has lists.size numbers, L as many, D one per
                                                    unknown
    A[lists.entry(i, j)] += value                   set A to zero first; keep the places, they never
                                                    change
    factor(kind, first, row, run_first, run_at, run_count, use, pad, A, L, D, own)      A is used up
    x[place[i]] = right side of unknown i
    solve(first, row, L, D, x)                      x[place[i]] is unknown i

`use[k]` = 0 leaves out position k: its column is taken for zero, and so is its part of the
solution. A freedom whose pivot is
far below `pad[k]` gets so much more: `factor` answers how many did, and the solution needs
refinement against the true matrix. `own[k]` becomes what the freedoms before it took from the
diagonal of position k: the squared size of a row in the metric of M, to be compared with what is
left of its pivot, -1 / D[k].

For `factor_lu` the upper half has a vector of its own: B[e] is the entry right of the diagonal
where A[e] is the one below it, and after it U; the unit lower factor stays in A and D holds the
inverse pivots. It answers the position of a vanished pivot, or
-1. [Davis2006, ch. 4; Duff1983]
"""

from __future__ import annotations

from ..decorators import inline, kernel
from ..types import IntVector, Vector

# of what inertia is usual, that a light freedom gets: rounding e grows to e / PAD, padding is taken
# back PAD by PAD
PAD = 1e-3
LIGHT = 1e-3  # pivot, of the pad, below which a freedom is light


@inline
def eliminate(k, d, first, row, run_first, run_at, run_count, A, L):
    """Column k divided by its pivot d, and taken from the columns behind it."""
    n = first.shape[0] - 1
    inverse = 1.0 / d
    for a in range(first[k], first[k + 1]):
        L[a] = A[a] * inverse
    for a in range(first[k], first[k + 1]):
        w, e = A[a], a - n
        A[row[e]] -= w * L[a]
        b = a + 1
        for r in range(run_first[e], run_first[e + 1]):
            at, count = run_at[r], run_count[r]
            for i in range(count):
                A[at + i] -= w * L[b + i]
            b += count


@inline
def leave_out(k, first, L, D):
    """Position k takes no part."""
    D[k] = 0.0
    for a in range(first[k], first[k + 1]):
        L[a] = 0.0


@inline
def feel(k, padded, first, row, A, L, own):
    """What freedom k takes from the diagonals behind it; a padded one as if it were not light."""
    n, part = first.shape[0] - 1, PAD if padded else 1.0
    for a in range(first[k], first[k + 1]):
        own[row[a - n]] += part * A[a] * L[a]


@kernel
def factor(kind, first, row, run_first, run_at, run_count, use, pad, A, L, D, own):
    """L and D of the matrix in A, which is used up; answers how many pivots were padded."""
    padded = 0
    for k in range(kind.shape[0]):
        own[k] = 0.0
    for k in range(kind.shape[0]):
        if use[k] == 0:
            leave_out(k, first, L, D)
            continue
        d, light = A[k], kind[k] > 0 and not A[k] >= LIGHT * pad[k]
        if light:
            d += pad[k]
            padded += 1
        D[k] = 1.0 / d
        eliminate(k, d, first, row, run_first, run_at, run_count, A, L)
        if kind[k] > 0:
            feel(k, light, first, row, A, L, own)
    return padded


@kernel
def solve(first, row, L, D, x):
    """x <- K^-1 x, in the order of the elimination."""
    n = D.shape[0]
    for k in range(n):
        w = x[k]
        if w != 0.0:
            for a in range(first[k], first[k + 1]):
                x[row[a - n]] -= L[a] * w
        x[k] = w * D[k]
    for k in range(n - 1, -1, -1):
        w = x[k]
        for a in range(first[k], first[k + 1]):
            w -= L[a] * x[row[a - n]]
        x[k] = w


@kernel
def factor_lu(
    first: IntVector,
    row: IntVector,
    run_first: IntVector,
    run_at: IntVector,
    run_count: IntVector,
    A: Vector,
    B: Vector,
    D: Vector,
):
    """K = L U with the pivots on the diagonal: A <- L, B <- U, D <- inverse pivots; answers a
    position without pivot, or -1.
    """
    n = first.shape[0] - 1
    for k in range(n):
        if A[k] == 0.0:
            return k
        D[k] = 1.0 / A[k]
        for a in range(first[k], first[k + 1]):
            A[a] *= D[k]
        for a in range(first[k], first[k + 1]):
            below, right, e = A[a], B[a], a - n
            if below == 0.0 and right == 0.0:  # planar machines in space have many
                continue
            A[row[e]] -= below * right
            b = a + 1
            for r in range(run_first[e], run_first[e + 1]):
                at, count = run_at[r], run_count[r]
                for i in range(count):
                    A[at + i] -= A[b + i] * right
                    B[at + i] -= below * B[b + i]
                b += count
    return -1


@kernel
def solve_lu(first: IntVector, row: IntVector, A: Vector, B: Vector, D: Vector, x: Vector):
    """x <- K^-1 x with the factors of `factor_lu`."""
    n = D.shape[0]
    for k in range(n):
        w = x[k]
        for a in range(first[k], first[k + 1]):
            x[row[a - n]] -= A[a] * w
    for k in range(n - 1, -1, -1):
        w = x[k]
        for a in range(first[k], first[k + 1]):
            w -= B[a] * x[row[a - n]]
        x[k] = w * D[k]
