"""Products and solves with null-space bases by fronts (engine/sparsity/fronts.py).

    x_T = Y y + N z                    expand: from y and the remaining z to the velocities
    a_y = Y^T a_T,  a_z = N^T a_T      reduce: forces and rows, from the velocities to y and z

A front takes the coordinates T and leaves z, which its rows do not restrict. A row of a front is
y_k plus its components `row_fill` along the y of the fronts it passes, because G_c Y = 1.
Therefore G a = r is solved by a reducing pass and G^T lam = a by an expanding one. With z = 0 and
N orthonormal to Y the solution is the one of least norm.
"""

from ...kernel.algebra.blas1 import copy, fill, inner
from ...kernel.algebra.ldl import eliminate
from ...kernel.algebra.ldl import solve as solve_factors
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status

_OK, _MASS = int(Status.OK), int(Status.SINGULAR_MASS)
FLAT = 1e-14  # ratio of a pivot of the reduced mass matrix to its diagonal that is rounding


@internal_kernel
def reduce(tables, work, bases, a):
    """Reduce the force a: components along the y of every front into work.y, the others into
    work.coordinates.
    """
    w, y, front_lists = work.coordinates, work.y, tables.front_lists
    copy(a, w[: a.shape[0]])
    for n in range(tables.fronts.shape[0]):
        front = tables.fronts[n]
        for k in range(front.width):
            at, total = front.basis + k * front.width, 0.0
            for j in range(front.width):
                total += bases[at + j] * w[front_lists[front.taken + j]]
            if k < front.rank:
                y[front.selected + k] = total
            else:
                w[front.given + k - front.rank] = total


@internal_kernel
def expand(tables, work, with_y, out):
    """out <- the velocities of the z in `coordinates` and, if `with_y`, of work.y."""
    w, y, front_lists, bases = work.coordinates, work.y, tables.front_lists, work.bases
    for n in range(tables.fronts.shape[0] - 1, -1, -1):
        front = tables.fronts[n]
        for j in range(front.width):
            total, at = 0.0, front.basis + j
            if with_y:
                for k in range(front.rank):
                    total += bases[at + k * front.width] * y[front.selected + k]
            for k in range(front.rank, front.width):
                total += bases[at + k * front.width] * w[front.given + k - front.rank]
            w[front_lists[front.taken + j]] = total
    copy(w, out)


@internal_kernel
def solve_rows(tables, work, r, out):
    """out <- a solution of G out = r (selected rows) with z = 0."""
    y, front_lists = work.y, tables.front_lists
    for n in range(tables.fronts.shape[0]):
        front = tables.fronts[n]
        for k in range(front.rank):
            total, at = r[front.selected + k], front.first_fill + k * front.n_fill
            for f in range(front.n_passed):
                passed = tables.fronts[front_lists[front.passed + f]]
                for i in range(passed.rank):
                    total -= work.row_fill[at] * y[passed.selected + i]
                    at += 1
            y[front.selected + k] = total
    fill(work.coordinates, 0.0)
    expand(tables, work, True, out)


@internal_kernel
def solve_forces(tables, work, a, lam):
    """lam <- the multipliers of the selected rows with  Y^T (G^T lam - a) = 0."""
    y, front_lists = work.y, tables.front_lists
    reduce(tables, work, work.bases, a)
    for n in range(tables.fronts.shape[0] - 1, -1, -1):
        front = tables.fronts[n]
        for k in range(front.rank):
            push, at = y[front.selected + k], front.first_fill + k * front.n_fill
            lam[front.selected + k] = push
            for f in range(front.n_passed):
                passed = tables.fronts[front_lists[front.passed + f]]
                for i in range(passed.rank):
                    y[passed.selected + i] -= work.row_fill[at] * push
                    at += 1


@internal_kernel
def reduce_row(tables, work, n, r, k, out):
    """out <- row r over the coordinates of front n.

    Its components along the y of the passed fronts become the fill of row k of the front.
    """
    front, w, front_lists = tables.fronts[n], work.coordinates, tables.front_lists
    for f in range(front.n_passed):
        passed = tables.fronts[front_lists[front.passed + f]]
        for j in range(passed.width):
            w[front_lists[passed.taken + j]] = 0.0
    for j in range(front.width):
        w[front_lists[front.taken + j]] = 0.0
    c = tables.row_group[r]
    first, at = tables.support_first[c], tables.g_first[r]
    for j in range(tables.support_first[c + 1] - first):
        w[tables.support[first + j]] = work.G_packed[at + j]
    at = front.first_fill + k * front.n_fill
    for f in range(front.n_passed):
        passed = tables.fronts[front_lists[front.passed + f]]
        for i in range(passed.width):
            total, base = 0.0, passed.basis + i * passed.width
            for j in range(passed.width):
                total += work.bases[base + j] * w[front_lists[passed.taken + j]]
            if i < passed.rank:
                work.row_fill[at] = total
                at += 1
            else:
                w[passed.given + i - passed.rank] = total
    for j in range(front.width):
        out[j] = w[front_lists[front.taken + j]]


@inline
def gather_mass(tables, work, n, M, sides):
    """Copy M of the coordinates T of a front into M, and M between T and the others into sides."""
    front, front_lists, at = tables.fronts[n], tables.front_lists, 0
    for a in range(front.width):
        for b in range(a + 1):
            e = front_lists[front.pairs + at]
            M[a, b] = M[b, a] = work.reduced[e] if e >= 0 else 0.0
            at += 1
    for a in range(front.width * front.others):
        e = front_lists[front.sides + a]
        sides[a] = work.reduced[e] if e >= 0 else 0.0


@internal_kernel
def reduce_mass(tables, work):
    """M_zz = N^T M_TT N and M_zO = N^T M_TO, front by front."""
    copy(work.M_packed, work.reduced[: work.M_packed.shape[0]])
    for n in range(tables.fronts.shape[0]):
        front = tables.fronts[n]
        size, free, e = front.width, front.width - front.rank, front.written
        M = work.front_matrices[0][: size * size].reshape(size, size)
        sides, row = work.front_matrices[1], work.front_matrices[2][:size]
        first = front.basis + front.rank * size
        N = work.bases[first : first + free * size].reshape(free, size)
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
    """L D L^T = N^T M N. Returns a Status."""
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
    """Replace the remaining z in `coordinates` by (N^T M N)^-1 z; all other coordinates are 0."""
    for k in range(work.z.shape[0]):
        work.z[tables.z_place[k]] = work.coordinates[tables.z_ids[k]]
    solve_factors(tables.z_first, tables.z_row, work.z_lower, work.z_pivots, work.z)
    fill(work.coordinates, 0.0)
    for k in range(work.z.shape[0]):
        work.coordinates[tables.z_ids[k]] = work.z[tables.z_place[k]]
