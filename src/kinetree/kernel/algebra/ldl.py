"""Numeric factorization of sparse saddle matrices, with the lists of a symbolic factorization
(`symbolic_factorization.py`): no search, no allocation.

    K = L D L^T   symmetric: degrees of freedom have positive pivots, constraint rows negative ones
                  (factor, solve)
    K = L U       any values on the same, symmetric pattern, without row exchanges
                  (factor_lu, solve_lu, solve_lu_twice)               [Davis2006, ch. 4; Duff1983]

Usage:

    lists = analyse(Pattern(sizes, kinds, pairs))   once, in Python: nodes of unknowns, and the
                                                    pairs of them that share entries
    A, L, D = zeros(lists.size), ...                A and L have lists.size numbers, D one per
                                                    unknown
    A[lists.entry(i, j)] += value                   after A was set to zero; the indices never
                                                    change
    factor(kind, first, row, run_first, run_at, run_count, use, pad, A, L, D, own)   overwrites A
    x[place[i]] = right-hand side of unknown i
    solve(first, row, L, D, x)                      x[place[i]] is unknown i

Position k is skipped if `use[k]` = 0: its column and its part of the solution are zero. The pivot
of a degree of freedom that is far below `pad[k]` is increased by `pad[k]`. For a row that is
eliminated before all its degrees of freedom (kind EARLY), `pad[k]` is the squared length of the
whole row; its pivot is weak if it is far below `own[k]`, which is the part of the degrees of freedom
before it, or very far below the whole. `factor` returns the number of padded and weak
pivots, and the solution then needs refinement with the true matrix. `own[k]` is the
sum of what the degrees of freedom before it subtracted from the diagonal of position k: the squared
length of a row in the metric of M, for comparison with the remaining pivot, -1 / D[k].

`factor_lu` has a separate vector for the upper half: B[e] is the entry right of the diagonal where
A[e] is the entry below it, and later U; the unit lower factor is in A, and D has the inverse
pivots. It returns the position of a zero pivot, or -1.
"""

from __future__ import annotations

from ..decorators import inline, kernel
from ..types import IntVector, Vector
from .symbolic_factorization import EARLY

# part of the usual inertia that is added to a light degree of freedom: a rounding error e grows to
# e / PAD, and each refinement reduces the effect of the padding by PAD
PAD = 1e-3
LIGHT = 1e-3  # a degree of freedom is light if its pivot is below this part of the pad
# the pivot of an early row is weak below WEAK of its squared length over the degrees of freedom
# before it, or ROW_PAD of that over all, which costs six digits before the refinement
WEAK, ROW_PAD = 1e-4, 1e-6
NOTHING = 1e-14  # part of the squared length over all that is rounding


@inline
def eliminate(k, d, first, row, run_first, run_at, run_count, A, L):
    """Divide column k by its pivot d and subtract its products from the later columns."""
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
    """Skip position k."""
    D[k] = 0.0
    for a in range(first[k], first[k + 1]):
        L[a] = 0.0


@inline
def feel(k, padded, first, row, A, L, own):
    """Add what degree of freedom k subtracts from the later diagonals; a padded one as if it were
    not light.
    """
    n, part = first.shape[0] - 1, PAD if padded else 1.0
    for a in range(first[k], first[k + 1]):
        own[row[a - n]] += part * A[a] * L[a]


@inline
def padded_pivot(k, kind, pad, own, A):
    """The pivot of position k with its padding, and whether the solution needs refinement."""
    d = A[k]
    if kind[k] > 0 and not d >= LIGHT * pad[k]:
        return d + pad[k], True
    if kind[k] == EARLY:
        if -d >= WEAK * own[k] and -d > NOTHING * pad[k]:
            return d, not -d >= ROW_PAD * pad[k]
        return (d if -d >= ROW_PAD * pad[k] else d - ROW_PAD * pad[k]), True
    return d, False


@kernel
def factor(kind, first, row, run_first, run_at, run_count, use, pad, A, L, D, own):
    """L and D of the matrix in A, which is overwritten; returns the number of padded or weak
    pivots.
    """
    padded = 0
    for k in range(kind.shape[0]):
        own[k] = 0.0
    for k in range(kind.shape[0]):
        if use[k] == 0:
            leave_out(k, first, L, D)
            continue
        d, light = padded_pivot(k, kind, pad, own, A)
        padded += 1 if light else 0
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


@inline
def eliminate_lu(k, first, row, run_first, run_at, run_count, A, B, D):
    """Divide column k by its pivot and subtract its products with the row from the later ones."""
    n = first.shape[0] - 1
    D[k] = 1.0 / A[k]
    for a in range(first[k], first[k + 1]):
        A[a] *= D[k]
    for a in range(first[k], first[k + 1]):
        below, right, e = A[a], B[a], a - n
        if below == 0.0 and right == 0.0:  # frequent in planar mechanisms
            continue
        A[row[e]] -= below * right
        b = a + 1
        for r in range(run_first[e], run_first[e + 1]):
            at, count = run_at[r], run_count[r]
            for i in range(count):
                A[at + i] -= A[b + i] * right
                B[at + i] -= below * B[b + i]
            b += count


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
    """K = L U with the pivots on the diagonal: A <- L, B <- U, D <- inverse pivots; returns the
    position of a zero pivot, or -1.
    """
    for k in range(first.shape[0] - 1):
        if A[k] == 0.0:
            return k
        eliminate_lu(k, first, row, run_first, run_at, run_count, A, B, D)
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


@kernel
def solve_lu_twice(
    first: IntVector, row: IntVector, A: Vector, B: Vector, D: Vector, x: Vector, y: Vector
):
    """x <- K^-1 x and y <- K^-1 y in one pass over the factors of `factor_lu`."""
    n = D.shape[0]
    for k in range(n):
        w, u = x[k], y[k]
        if w == 0.0 and u == 0.0:
            continue
        for a in range(first[k], first[k + 1]):
            below, r = A[a], row[a - n]
            x[r] -= below * w
            y[r] -= below * u
    for k in range(n - 1, -1, -1):
        w, u = x[k], y[k]
        for a in range(first[k], first[k + 1]):
            right, r = B[a], row[a - n]
            w -= right * x[r]
            u -= right * y[r]
        x[k], y[k] = w * D[k], u * D[k]
