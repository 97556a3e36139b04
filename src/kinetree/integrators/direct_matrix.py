"""The matrix of the constrained equations: its derivatives by differences, its factors, solves with them.

    [ M + c C + c^2 K    -c f_x       G^T ]        C = -f_v,   K = (M a + G^T lam - f)_q
    [  ...            1 - c xdot_x     0  ]
    [ G + c (G v)_q        0           0  ]

Nowhere is M inverted, so what is sparse stays sparse. C and K come from differences, columns that share no row at once
(`direct_pattern.py`), and are kept over many steps. M and G are taken anew in every step: they are at hand, and where G is old
nothing closes.
"""

import math

from ..num.dense import copy, fill
from ..num.jit import inline, stage
from ..num.ldl import factor_lu
from ..num.ldl import solve_lu as solve_sparse
from ..num.lu import factorise_lu, solve_lu
from ..plants.contract import shift
from ..tables.state import parts
from ..tables.work import is_packed
from .adams_differences import NEXT, WEIGHT
from .bdf_differences import START
from .direct_equations import ask, residual
from .newton import ANY_RATE, increment
from .stepping import EPS, OK

RIGHT, BASE, OTHER, A, LAM, KEPT, W, INVERSE, MOVED, PAD = range(10)  # rows of `run.unknowns`
_TURN = 10.0 * math.sqrt(EPS)  # change of a position (rad, or sizes of the machine)


@inline
def groups(lists):
    """Where each group of columns begins, and its members."""
    return lists[lists[0] : lists[1]], lists[lists[1] : lists[2]]


@inline
def columns(lists):
    """Where the entries of each column begin, their rows, and where M and G have them when they are packed."""
    return lists[lists[2] : lists[3]], lists[lists[3] : lists[4]], lists[lists[4] : lists[5]]


@inline
def places(lists):
    """Where entries lie in the factors, where their mirror images do, and the position of each unknown; none in full ones."""
    return lists[lists[5] : lists[6]], lists[lists[6] : lists[7]], lists[lists[7] : lists[8]]


@inline
def elimination(lists):
    """What the sparse factors are computed with."""
    return (lists[lists[8] : lists[9]], lists[lists[9] : lists[10]], lists[lists[10] : lists[11]], lists[lists[11] : lists[12]],
            lists[lists[12] : lists[13]])


@inline
def unknowns(tables):
    s = tables.settings[0]
    return s.nv, s.nx, s.nv + s.nx + s.ng


@inline
def change_group(tables, work, run, members, by_velocity, sizes, y):
    """Change the members of a group, by velocities and states or by positions along the freedoms."""
    nv, _, _ = unknowns(tables)
    q, v, x = parts(tables, y)
    turn = run.unknowns[MOVED][:nv]
    fill(turn, 0.0)
    for j in members:
        if j >= nv:
            x[j - nv] += sizes[j] if by_velocity else 0.0
        elif by_velocity:
            v[j] += sizes[j]
        else:
            turn[j] = sizes[j]
    if not by_velocity:
        shift(tables, work, q, turn)


@inline
def store_group(run, members, into, sizes, before, after):
    """Differences of the residuals at the rows of each member."""
    first, row, _ = columns(run.lists)
    values = run.entries[into]
    for j in members:
        for e in range(first[j], first[j + 1]):
            values[e] = (after[row[e]] - before[row[e]]) / sizes[j]


@inline
def increments(tables, by_velocity, vectors, y, out):
    """Changes of velocities and states, as the tolerance wants them; of positions at the size of the machine."""
    nv, nx, _ = unknowns(tables)
    nq = tables.settings[0].nq
    for j in range(nv + nx):
        if by_velocity or j >= nv:
            out[j] = increment(y[nq + j], 1.0, vectors[WEIGHT, nq + j], 0.0)
        else:
            out[j] = _TURN * (1.0 if tables.turns[j] > 0.0 else tables.settings[0].length)


@stage
def take_differences(tables, work, t, run):
    """All derivatives at the predicted state, where the equations were asked for last and the residual is in BASE."""
    memory, vectors = run.memory[0], run.vectors
    nv = tables.settings[0].nv
    y, sizes, trial = vectors[NEXT], run.unknowns[RIGHT], vectors[START]
    before, after = run.unknowns[BASE], run.unknowns[OTHER]
    group_first, group = groups(run.lists)
    memory.jacobians, memory.age, memory.c = memory.jacobians + 1, 0, 0.0
    for by_velocity in range(2):
        increments(tables, by_velocity, vectors, y, sizes)
        for g in range(group_first.shape[0] - 1):
            members = group[group_first[g] : group_first[g + 1]]
            copy(y, trial)
            change_group(tables, work, run, members, by_velocity, sizes, trial)
            status = ask(tables, work, memory, t, trial, vectors)
            if status != OK:
                return status
            residual(tables, work, trial, run.unknowns[A][:nv], run.unknowns[LAM], vectors, after)
            store_group(run, members, by_velocity, sizes, before, after)
    return OK


@inline
def present(work, r, j, nv, nx, at):
    """M or G at row r and column j, packed at `at`; zero where only elements couple."""
    if is_packed(work):
        return 0.0 if at < 0 else work.M_packed[at] if r < nv else work.G_packed[at]
    return work.M[r, j] if r < nv else work.G[r - nv - nx, j]


@inline
def entry(r, j, c, nv, nx, now, by_position, by_velocity):
    """The entry of row r and column j: what stands in the matrix above, with `now` of M or G."""
    if r < nv:
        return now + c * (by_velocity + c * by_position) if j < nv else c * by_velocity
    if r < nv + nx:
        return -c * (by_velocity + c * by_position) if j < nv else (1.0 if r == j else 0.0) - c * by_velocity
    return now + c * by_position if j < nv else 0.0


@inline
def fill_dense(tables, work, run, c, matrix):
    """The matrix as a full one; a row that is not in use stands alone."""
    nv, nx, size = unknowns(tables)
    first, row, source = columns(run.lists)
    K, C = run.entries[0], run.entries[1]
    for i in range(size):
        fill(matrix[i], 0.0)
    for k in range(work.report[0].rank, size - nv - nx):
        r = nv + nx + work.active[k]
        matrix[r, r] = 1.0
    for j in range(nv + nx):
        for e in range(first[j], first[j + 1]):
            r, held = row[e], j < nv and (row[e] < nv or row[e] >= nv + nx)
            now = present(work, r, j, nv, nx, source[e]) if held else 0.0
            matrix[r, j] = entry(r, j, c, nv, nx, now, K[e], C[e])
            if r >= nv + nx:
                matrix[j, r] = now
    for k in range(work.report[0].rank, size - nv - nx):
        r = nv + nx + work.active[k]
        for j in range(nv):
            matrix[r, j] = matrix[j, r] = 0.0


@inline
def fill_sparse(tables, work, run, c, used, both):
    """The same behind the lists: below the diagonal, then right of it; `used` tells which rows are in use.

    There is no exchange of rows, so a freedom without inertia of its own, which constraints hold, gets a little: what that does
    to the multipliers vanishes with the corrections.
    """
    nv, nx, size = unknowns(tables)
    pad = run.unknowns[PAD]
    first, row, source = columns(run.lists)
    at, across, place = places(run.lists)
    K, C = run.entries[0], run.entries[1]
    fill(both, 0.0)
    fill(used, 1.0)
    for k in range(work.report[0].rank, size - nv - nx):
        r = nv + nx + work.active[k]
        used[r], both[place[r]] = 0.0, 1.0
    for j in range(nv + nx):
        for e in range(first[j], first[j + 1]):
            r, held = row[e], j < nv and (row[e] < nv or row[e] >= nv + nx)
            if used[r] != 0.0:
                now = present(work, r, j, nv, nx, source[e]) if held else 0.0
                both[at[e]] = entry(r, j, c, nv, nx, now, K[e], C[e]) + (pad[j] if r == j else 0.0)
                if r >= nv + nx:
                    both[across[e]] = now


@stage
def factorise(tables, work, run, c):
    """Factors with M and G at the predicted state, where the equations were asked for last; False if a pivot is missing."""
    memory, size = run.memory[0], unknowns(tables)[2]
    space = run.factors
    memory.c, memory.rate, memory.factors = c, ANY_RATE, memory.factors + 1
    if places(run.lists)[2].shape[0] == 0:
        matrix = space[: size * size].reshape((size, size))
        fill_dense(tables, work, run, c, matrix)
        return factorise_lu(matrix, run.unknowns[INVERSE])
    fill_sparse(tables, work, run, c, run.unknowns[MOVED], space)
    half = space.shape[0] // 2
    begin, below, run_first, run_at, run_count = elimination(run.lists)
    return factor_lu(begin, below, run_first, run_at, run_count, space[:half], space[half:], run.unknowns[INVERSE]) < 0


@stage
def solve_matrix(tables, work, run, x):
    """x <- matrix^-1 x, in the order of the unknowns."""
    size = x.shape[0]
    space, inverse, place = run.factors, run.unknowns[INVERSE], places(run.lists)[2]
    if place.shape[0] == 0:
        solve_lu(space[: size * size].reshape((size, size)), inverse, x)
        return
    moved, half = run.unknowns[MOVED], space.shape[0] // 2
    for i in range(size):
        moved[place[i]] = x[i]
    begin, below = elimination(run.lists)[:2]
    solve_sparse(begin, below, space[:half], space[half:], inverse, moved)
    for i in range(size):
        x[i] = moved[place[i]]
