"""M, G and the derivatives of the equations, for the matrix of a step (matrix.py).

    C = -f_v,   K = (M a + G^T lam - f)_q
    rows of velocities:  (G v)_q,       rows of accelerations:  (G a - gamma)_q and (G a - gamma)_v

C and K are difference quotients, for groups of columns that share no row (pattern.py). They serve
many steps.
"""

import math

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ....kernel.tables.workspace import is_packed
from ...dynamics.kinematics import kinematics
from ...equations.interface import shift
from ..methods.adams_formulas import NEXT, WEIGHT
from ..methods.bdf_formulas import START
from ..stepping import EPS, OK
from .body_equations import body_residual, evaluate_bodies
from .direct_equations import TWISTS, VELOCITIES, evaluate_equations, residual
from .full_jacobian import increment
from .matrix import (
    BASE,
    BY_POSITION,
    BY_VELOCITY,
    INERTIA,
    LAM,
    MOVED,
    OTHER,
    PAD,
    PRESENT,
    RIGHT,
    A,
    columns,
    first_speed,
    groups,
    unknowns,
)

TURN = 10.0 * math.sqrt(EPS)  # increment of a position (rad, or lengths of the model)


@inline
def perturb_group(tables, work, run, members, by_velocity, sizes, y):
    """Change the velocities and states, or the positions, of the members of a group."""
    nv, speeds, free = tables.settings[0].nv, first_speed(run.lists), unknowns(run.lists)[0]
    q, v, x = parts(tables, y)
    turn = run.unknowns[MOVED][:nv]
    fill(turn, 0.0)
    for j in members:
        if j >= free:
            x[j - free] += sizes[j] if by_velocity else 0.0
        elif j >= speeds and by_velocity:
            v[j - speeds] += sizes[j]
        elif j >= speeds:
            turn[j - speeds] = sizes[j]
    if not by_velocity:
        shift(tables, work, q, turn)


@inline
def store_group(run, members, into, level, sizes, before, after):
    """Store the difference quotients of the residuals at the rows of each member.

    Rows of velocities are multiplied by c like those of accelerations.
    """
    free, nx, _ = unknowns(run.lists)
    first, row, _ = columns(run.lists)
    for j in members:
        for e in range(first[j], first[j + 1]):
            d = (after[row[e]] - before[row[e]]) / sizes[j]
            if row[e] < free + nx or level != VELOCITIES:
                run.entries[into, e] = d
            elif into == BY_POSITION:
                run.entries[BY_VELOCITY, e], run.entries[BY_POSITION, e] = d, 0.0


@inline
def increments(tables, lists, by_velocity, vectors, y, out):
    """Increments of velocities and states, from the tolerances, or of positions and bodies.

    The latter are in lengths of the model and rad.
    """
    nq, nv, nx = tables.settings[0].nq, tables.settings[0].nv, tables.settings[0].nx
    length = tables.settings[0].length
    speeds = first_speed(lists)
    for j in range(speeds):
        out[j] = TURN * (1.0 if j % 6 < 3 else length)
    for j in range(nv + nx):
        if by_velocity or j >= nv:
            out[speeds + j] = increment(y[nq + j], 1.0, vectors[WEIGHT, nq + j], 0.0)
        else:
            out[speeds + j] = TURN * (1.0 if tables.turns[j] > 0.0 else length)


@inline
def evaluate_perturbed(tables, work, run, t, level, members, by_velocity, sizes):
    """Evaluate the equations with a group perturbed; returns a Status.

    If that fails, the group is perturbed in the other direction.
    """
    vectors, status = run.vectors, OK
    y, trial = vectors[NEXT], vectors[START]
    for _ in range(2):
        copy(y, trial)
        perturb_group(tables, work, run, members, by_velocity, sizes, trial)
        if level == TWISTS:
            kinematics(tables, work, parts(tables, y)[0], parts(tables, y)[1])
            status = evaluate_bodies(tables, work, run, t, trial, members, by_velocity, sizes)
        else:
            status = evaluate_equations(tables, work, run.memory[0], t, trial, vectors, level)
        if status == OK:
            break
        for j in members:
            sizes[j] = -sizes[j]
    return status


@internal_kernel
def difference_equations(tables, work, t, run, level):
    """Compute all derivatives at the state in NEXT; returns a Status.

    Reads  row BASE, the residual at that state, where the equations were evaluated last
    """
    memory, vectors = run.memory[0], run.vectors
    nv, sizes, after = tables.settings[0].nv, run.unknowns[RIGHT], run.unknowns[OTHER]
    group_first, group = groups(run.lists)
    memory.jacobians, memory.jacobian_age, memory.c = memory.jacobians + 1, 0, 0.0
    for by_velocity in range(2):
        increments(tables, run.lists, by_velocity, vectors, vectors[NEXT], sizes)
        for g in range(group_first.shape[0] - 1):
            members = group[group_first[g] : group_first[g + 1]]
            status = evaluate_perturbed(tables, work, run, t, level, members, by_velocity, sizes)
            if status != OK:
                return status
            if level == TWISTS:
                body_residual(tables, work, run, after)
            else:
                residual(
                    tables,
                    work,
                    vectors[START],
                    run.unknowns[A][:nv],
                    run.unknowns[LAM],
                    vectors,
                    level,
                    after,
                )
            store_group(run, members, by_velocity, level, sizes, run.unknowns[BASE], after)
    return OK


@internal_kernel
def store_present(tables, work, run):
    """M, 1 and G of the last evaluated state, into P, and the diagonal of M."""
    nv, nx, _ = unknowns(run.lists)
    inertia, pad = run.unknowns[INERTIA], run.unknowns[PAD]
    first, row, source = columns(run.lists)
    P, packed = run.entries[PRESENT], is_packed(work)
    for j in range(nv + nx):
        for e in range(first[j], first[j + 1]):
            r, at = row[e], source[e]
            if j >= nv or nv <= r < nv + nx:
                P[e] = 1.0 if r == j else 0.0
            elif packed:
                P[e] = 0.0 if at < 0 else work.M_packed[at] if r < nv else work.G_packed[at]
            else:
                P[e] = work.M[r, j] if r < nv else work.G[r - nv - nx, j]
            if r == j:
                inertia[j] = max(P[e], pad[j])
