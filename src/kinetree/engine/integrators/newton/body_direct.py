"""The constrained equations of a step (direct_equations.py), evaluated body by body.

    h_k . Phi_i  =  tau_k              Phi_i: wrench of the joint of body i, with the reactions G^T lam
    sum of F_ri . V_i  =  nu_r

Neither M nor G is formed: in a long closed chain both would couple all bodies. The unknowns are
those of body_equations.py. The wrenches Phi balance each body exactly, so that only the rows of the
joint velocities have a residual.
"""

from ....elements.constraints.catalogue import pair
from ....elements.joints.sensors import TREE, sensor_wrench
from ....kernel.algebra.blas1 import copy, fill
from ....kernel.algebra.convergence import all_finite
from ....kernel.algebra.spatial import add_to6, add_to21, apply, dot6, load6, load21, store6
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ...dynamics.constraint import constraint_velocities
from ...dynamics.kinematics import kinematics
from ...dynamics.loads import loads
from ...equations.interface import equations, rates
from ...kkt.range_space import refactor
from ..methods.bdf_formulas import SLOPE
from ..stepping import INTERRUPTED, NOT_FINITE, OK, checked_status, count_evaluation
from .body_equations import joint_wrenches, kept_wrenches, store_bodies
from .body_rows import add_reactions
from .matrix import INERTIA, PAD, first_speed, loops, unknowns


@internal_kernel
def evaluate_by_bodies(tables, work, run, t, y):
    """Evaluate velocities, loads and nu at a state; returns a Status.

    Writes  row SLOPE, the rates without the accelerations
    """
    memory, report, slope = run.memory[0], work.report[0], run.vectors[SLOPE]
    if not count_evaluation(memory, report):
        return INTERRUPTED
    report.evaluations += 1
    q, v, x = parts(tables, y)
    kinematics(tables, work, q, v)
    loads(tables, work, t, q, v, x)
    constraint_velocities(tables, work, t)
    rates(tables, work, q, v, y, slope)
    copy(work.zeros, parts(tables, slope)[1])
    return checked_status(
        work, OK if all_finite(slope) and all_finite(work.f) else NOT_FINITE, t, y
    )


@inline
def row_rate(tables, work, p, k, v):
    """Row k of a primitive times the velocities."""
    if p.sensors == 0:
        F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
        return dot6(F_i, load6(work.bodies[p.i].V)) + dot6(F_j, load6(work.bodies[p.j].V))
    total = 0.0
    for m in range(p.term, p.term + p.sensors):
        sensor, ratio = tables.sensors[tables.terms[m].sensor], tables.terms[m].ratio
        if sensor.kind == TREE:
            total += ratio * v[sensor.iv]
        else:
            F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
            V_i, V_j = load6(work.bodies[sensor.i].V), load6(work.bodies[sensor.j].V)
            total += ratio * (dot6(F_i, V_i) + dot6(F_j, V_j))
    return total


@internal_kernel
def residual_by_bodies(tables, work, run, y, accelerations, lam, out):
    """Residuals of the joint velocities, the states and the constraints, in the order of the unknowns.

    Belongs to the last evaluated state, once per evaluation: it adds the reactions to the loads.
    """
    links, dofs, v = tables.links, work.dofs, parts(tables, y)[1]
    free, own, speeds = unknowns(run.lists)[0], loops(run.lists), first_speed(run.lists)
    xdot = parts(tables, run.vectors[SLOPE])[2]
    add_reactions(tables, work, lam)
    joint_wrenches(tables, work, run, accelerations)
    Phi = kept_wrenches(tables, run)[0]
    fill(out, 0.0)
    for i in range(1, links.shape[0]):
        wrench = load6(Phi[6 * i - 6 : 6 * i])
        for k in range(links[i].iv, links[i].iv + links[i].nv):
            out[speeds + k] = dot6(load6(dofs[k].h), wrench) - work.f[k]
    for k in range(tables.settings[0].nx):
        out[free + k] = -xdot[k]
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            out[own + p.ig + k] = row_rate(tables, work, p, k, v) - work.nu[p.ig + k]


@internal_kernel
def generalized_reactions(tables, work, lam, out):
    """out <- -G^T lam. Overwrites the loads."""
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    for i in range(bodies.shape[0]):
        store6(bodies[i].F, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    fill(work.f, 0.0)
    add_reactions(tables, work, lam)
    for i in range(links.shape[0] - 1, 0, -1):
        link, F = links[i], load6(bodies[i].F)
        for k in range(link.iv, link.iv + link.nv):
            out[k] = work.f[k] + dot6(load6(dofs[k].h), F)
        if link.parent > 0:
            add_to6(bodies[link.parent].F, F)


@internal_kernel
def store_present_bodies(tables, work, run, y):
    """P at the last evaluated state, and the diagonal of M in row INERTIA."""
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    free, nx, _ = unknowns(run.lists)
    inertia, least = run.unknowns[INERTIA], run.unknowns[PAD][free + nx :]
    store_bodies(tables, work, run)
    for i in range(links.shape[0] - 1, 0, -1):
        link, I = links[i], load21(bodies[i].I)
        for k in range(link.iv, link.iv + link.nv):
            h = load6(dofs[k].h)
            inertia[k] = max(dot6(h, apply(I, h)), least[k])
        if link.parent > 0:
            add_to21(bodies[link.parent].I, I)
    q, v, _ = parts(tables, y)
    kinematics(tables, work, q, v)  # the inertias of single bodies again


@internal_kernel
def factorize_projection_anew(tables, work, t, y):
    """Factorize the matrix of the projection, which needs M and G; returns a Status."""
    q, v, x = parts(tables, y)
    equations(tables, work, t, q, v, x)
    status = refactor(tables, work)
    kinematics(tables, work, q, v)  # the inertias and loads of single bodies again
    loads(tables, work, t, q, v, x)
    return status
