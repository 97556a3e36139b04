"""Derivatives of the force elements alone, for the matrix of a step (matrix.py).

    C = -f_v,   K = -f_q        f: generalized forces of the elements, without inertia and gravity

Elements are what is stiff in most machines. The other terms of K, of M a + G^T lam and of the rows,
slow the iteration by the rotation over a step. Fewer columns share a row here than in the whole
equations, and positions, velocities and loads are all that is evaluated. Where the iteration
converges too slowly without the other terms, the run continues with all of them
(direct_differences.py).
"""

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.algebra.convergence import all_finite
from ....kernel.algebra.spatial import add_to6, dot6, load6
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ...dynamics.kinematics import kinematic_rates, kinematics
from ...dynamics.loads import loads
from ..memory import OF_ALL
from ..methods.adams_formulas import NEXT
from ..methods.bdf_formulas import SLOPE, START
from ..stepping import INTERRUPTED, NOT_FINITE, OK, checked_status, count_evaluation
from .direct_differences import increments, perturb_group
from .matrix import (
    BASE,
    BY_POSITION,
    BY_VELOCITY,
    OTHER,
    RIGHT,
    columns,
    load_entries,
    load_groups,
)


@inline
def loads_suffice(run):
    """Whether the derivatives of loads are available, and did not fail in this run."""
    return run.memory[0].derivatives != OF_ALL and load_groups(run.lists)[0].shape[0] > 0


@internal_kernel
def generalized_loads(tables, work, t, y, rates, out):
    """out <- the generalized forces of all elements at a state, and the rates of counted angles.

    Writes also `rates`, those of the state. Returns a Status.
    """
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    q, v, x = parts(tables, y)
    kinematics(tables, work, q, v)
    loads(tables, work, t, q, v, x)
    for i in range(links.shape[0] - 1, 0, -1):
        link, F = links[i], load6(bodies[i].F)
        for k in range(link.iv, link.iv + link.nv):
            work.f[k] += dot6(load6(dofs[k].h), F)
        if link.parent > 0:
            add_to6(bodies[link.parent].F, F)
    kinematic_rates(tables, work, q, v, y, rates)
    copy(work.f, out[: work.f.shape[0]])
    for k in range(tables.settings[0].nx):
        out[work.f.shape[0] + k] = parts(tables, rates)[2][k]
    return checked_status(work, OK if all_finite(work.f) else NOT_FINITE, t, y)


@inline
def perturbed_loads(tables, work, run, t, members, by_velocity, sizes):
    """The same with a group perturbed, in the other direction if one fails."""
    status, trial = OK, run.vectors[START]
    for _ in range(2):
        copy(run.vectors[NEXT], trial)
        perturb_group(tables, work, run, members, by_velocity, sizes, trial)
        status = generalized_loads(tables, work, t, trial, run.vectors[SLOPE], run.unknowns[OTHER])
        if status == OK:
            break
        for j in members:
            sizes[j] = -sizes[j]
    return status


@internal_kernel
def linearize_loads(tables, work, run, t):
    """Compute C and K of the force elements at the state in NEXT; returns a Status."""
    memory, y, report = run.memory[0], run.vectors[NEXT], work.report[0]
    before, after, sizes = run.unknowns[BASE], run.unknowns[OTHER], run.unknowns[RIGHT]
    group_first, group = load_groups(run.lists)
    (first, row, _), found = columns(run.lists), load_entries(run.lists)
    if not count_evaluation(memory, report):
        return INTERRUPTED
    report.evaluations += 1
    memory.jacobians, memory.jacobian_age, memory.c = memory.jacobians + 1, 0, 0.0
    fill(run.entries[BY_POSITION], 0.0)
    fill(run.entries[BY_VELOCITY], 0.0)
    status = generalized_loads(tables, work, t, y, run.vectors[SLOPE], before)
    for by_velocity in range(2):
        increments(tables, run.lists, by_velocity, run.vectors, y, sizes)
        for g in range(group_first.shape[0] - 1):
            members = group[group_first[g] : group_first[g + 1]]
            if status == OK:
                status = perturbed_loads(tables, work, run, t, members, by_velocity, sizes)
            if status != OK:
                return status
            for j in members:
                for e in range(first[j], first[j + 1]):
                    if found[e] == 1:
                        run.entries[by_velocity, e] = (before[row[e]] - after[row[e]]) / sizes[j]
    return status
