"""Passes over local bases (engine/sparsity/fronts.py): each front takes coordinates T and gives z, those
that its rows leave free.

    x_T = Y y + N z                    up: from y and the z that are left to the freedoms
    a_y = Y^T a_T,  a_z = N^T a_T      down: forces and rows, from the freedoms to y and the z that
                    are left

A row of a front is y_k plus its parts `fill` along the y of the fronts it passes, because G_c Y =
1. So G a = r is solved front
by front downwards, and G^T lam = a upwards; with all z zero, and N orthonormal to Y, the solution
is the least one.
"""

import math

from ...kernel.algebra.blas1 import copy, fill, inner
from ...kernel.algebra.ldl import eliminate
from ...kernel.algebra.ldl import solve as solve_factors
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status

_OK, _MASS = int(Status.OK), int(Status.SINGULAR_MASS)
FLAT = 1e-14  # pivot of the reduced mass matrix, of its diagonal, that is rounding


@internal_kernel
def down(tables, work, bases, a):
    """The force a: along the y of every front into `across`, along what is left into `along`."""
    w, y, nest = work.along, work.across, tables.nest
    copy(a, w[: a.shape[0]])
    for n in range(tables.fronts.shape[0]):
        front = tables.fronts[n]
        for k in range(front.wide):
            at, total = front.basis + k * front.wide, 0.0
            for j in range(front.wide):
                total += bases[at + j] * w[nest[front.ins + j]]
            if k < front.rank:
                y[front.active + k] = total
            else:
                w[front.out + k - front.rank] = total


@internal_kernel
def up(tables, work, with_y, out):
    """out <- the freedoms of the z in `along` and, if asked for, the y in `across`."""
    w, y, nest, bases = work.along, work.across, tables.nest, work.bases
    for n in range(tables.fronts.shape[0] - 1, -1, -1):
        front = tables.fronts[n]
        for j in range(front.wide):
            total, at = 0.0, front.basis + j
            if with_y:
                for k in range(front.rank):
                    total += bases[at + k * front.wide] * y[front.active + k]
            for k in range(front.rank, front.wide):
                total += bases[at + k * front.wide] * w[front.out + k - front.rank]
            w[nest[front.ins + j]] = total
    copy(w, out)


@internal_kernel
def solve_rows(tables, work, r, out):
    """out <- a solution of G out = r (rows in use) with all z zero."""
    y, nest = work.across, tables.nest
    for n in range(tables.fronts.shape[0]):
        front = tables.fronts[n]
        for k in range(front.rank):
            total, at = r[front.active + k], front.parts + k * front.filled
            for f in range(front.reaches):
                passed = tables.fronts[nest[front.reach + f]]
                for i in range(passed.rank):
                    total -= work.fill[at] * y[passed.active + i]
                    at += 1
            y[front.active + k] = total
    fill(work.along, 0.0)
    up(tables, work, True, out)


@internal_kernel
def solve_forces(tables, work, a, lam):
    """lam <- the multipliers (rows in use) with  Y^T (G^T lam - a) = 0."""
    y, nest = work.across, tables.nest
    down(tables, work, work.bases, a)
    for n in range(tables.fronts.shape[0] - 1, -1, -1):
        front = tables.fronts[n]
        for k in range(front.rank):
            push, at = y[front.active + k], front.parts + k * front.filled
            lam[front.active + k] = push
            for f in range(front.reaches):
                passed = tables.fronts[nest[front.reach + f]]
                for i in range(passed.rank):
                    y[passed.active + i] -= work.fill[at] * push
                    at += 1


@internal_kernel
def carry_row(tables, work, n, r, k, out):
    """Row r over the coordinates of front n; its parts along the y it passes become those of row k
    of the front.
    """
    front, w, nest = tables.fronts[n], work.along, tables.nest
    for f in range(front.reaches):
        passed = tables.fronts[nest[front.reach + f]]
        for j in range(passed.wide):
            w[nest[passed.ins + j]] = 0.0
    for j in range(front.wide):
        w[nest[front.ins + j]] = 0.0
    c = tables.row_group[r]
    first, at = tables.support_first[c], tables.g_first[r]
    for j in range(tables.support_first[c + 1] - first):
        w[tables.support[first + j]] = work.G_packed[at + j]
    at = front.parts + k * front.filled
    for f in range(front.reaches):
        passed = tables.fronts[nest[front.reach + f]]
        for i in range(passed.wide):
            total, base = 0.0, passed.basis + i * passed.wide
            for j in range(passed.wide):
                total += work.bases[base + j] * w[nest[passed.ins + j]]
            if i < passed.rank:
                work.fill[at] = total
                at += 1
            else:
                w[passed.out + i - passed.rank] = total
    for j in range(front.wide):
        out[j] = w[nest[front.ins + j]]


@inline
def size_of_row(tables, work, r):
    """|G_r|."""
    return math.sqrt(
        inner(
            work.G_packed[tables.g_first[r] : tables.g_first[r + 1]],
            work.G_packed[tables.g_first[r] : tables.g_first[r + 1]],
        )
    )


@inline
def gather_mass(tables, work, n, M, sides):
    """M among the coordinates that a front takes, and with the others."""
    front, nest, at = tables.fronts[n], tables.nest, 0
    for a in range(front.wide):
        for b in range(a + 1):
            e = nest[front.pairs + at]
            M[a, b] = M[b, a] = work.reduced[e] if e >= 0 else 0.0
            at += 1
    for a in range(front.wide * front.others):
        e = nest[front.sides + a]
        sides[a] = work.reduced[e] if e >= 0 else 0.0


@internal_kernel
def reduce_mass(tables, work):
    """M of all coordinates, front by front."""
    copy(work.M_packed, work.reduced[: work.M_packed.shape[0]])
    for n in range(tables.fronts.shape[0]):
        front = tables.fronts[n]
        size, free, e = front.wide, front.wide - front.rank, front.written
        M, sides, row = (
            work.local[0][: size * size].reshape(size, size),
            work.local[1],
            work.local[2][:size],
        )
        N = work.bases[front.basis + front.rank * size : front.basis + size * size].reshape(
            free, size
        )
        gather_mass(tables, work, n, M, sides)
        for a in range(free):
            for j in range(size):
                row[j] = inner(N[a], M[j])
            for b in range(a + 1):
                work.reduced[e] = inner(row, N[b])
                e += 1
        for a in range(free):
            for b in range(front.others):
                total = 0.0
                for j in range(size):
                    total += N[a, j] * sides[j * front.others + b]
                work.reduced[e] = total
                e += 1


@internal_kernel
def factor_reduced(tables, work):
    """L D L^T = N^T M N.  Answers a Status."""
    A, n = work.z_matrix, work.z_pivots.shape[0]
    reduce_mass(tables, work)
    fill(A, 0.0)
    for k in range(tables.z_at.shape[0]):
        A[tables.z_at[k]] = work.reduced[tables.z_from[k]]
    copy(A, work.z)
    for k in range(n):
        d = A[k]
        if not d > FLAT * work.z[k]:
            return _MASS
        work.z_pivots[k] = 1.0 / d
        eliminate(
            k,
            d,
            tables.z_first,
            tables.z_row,
            tables.z_run_first,
            tables.z_run_at,
            tables.z_run_count,
            A,
            work.z_lower,
        )
    return _OK


@internal_kernel
def solve_reduced(tables, work):
    """z <- (N^T M N)^-1 z of the coordinates that are left, in `along`; all others are zero after
    it.
    """
    for k in range(work.z.shape[0]):
        work.z[tables.z_place[k]] = work.along[tables.z_ids[k]]
    solve_factors(tables.z_first, tables.z_row, work.z_lower, work.z_pivots, work.z)
    fill(work.along, 0.0)
    for k in range(work.z.shape[0]):
        work.along[tables.z_ids[k]] = work.z[tables.z_place[k]]
