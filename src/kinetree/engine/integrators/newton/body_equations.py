"""Equations of a tree body by body, for implicit steps of models with deep trees.

    I_i A_i + V_i x* I_i V_i - F_i  =  Phi_i - sum of Phi over the children of i
    h_k . Phi_i  =  tau_k              for the degrees of freedom k of the joint of i
    V_i  =  V_P + sum h_k v_k

Phi_i is the wrench that the joint of body i transmits. The unknowns besides the joint velocities
are the twists of bodies, about their own origins, and Phi. Each equation contains a body, its
parent and the bodies that elements connect to it, however deep the tree is. Eliminated from the
tips, these are articulated bodies with stiffness. Poses and twists are perturbed body by body in
difference quotients. The rotation of the columns h with the velocities is left out, an error of the
Newton matrix of the size of the rotation over a step. Vectors are about O
(engine/dynamics/kinematics.py), rows and unknowns about the origins of the bodies.
"""

from ....elements.joints.catalogue import hinge
from ....kernel.algebra.blas1 import fill
from ....kernel.algebra.convergence import all_finite
from ....kernel.algebra.spatial import (
    add6,
    angular,
    apply_rigid,
    cross_force,
    dot6,
    load6,
    rigid_inertia,
    scale6,
    store6,
    sub6,
)
from ....kernel.algebra.vec3 import add, cross, load3, load9, rotate, store3, sub
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.state import parts
from ...dynamics.anchors import about_itself, about_origin, arm
from ...dynamics.kinematics import parent_frame
from ...dynamics.loads import loads
from ...equations.interface import rates
from ..methods.bdf_formulas import SLOPE
from ..stepping import INTERRUPTED, NOT_FINITE, OK, checked_status, count_evaluation
from .body_rows import add_reactions, store_rows
from .matrix import LAM, MOVED, PRESENT, A, W, columns, first_speed, loops, unknowns

_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def inertia(link, body, r):
    """Inertia of a body about the point from which its origin is r."""
    R = load9(body.R)
    return rigid_inertia(link.mass, add(r, rotate(R, load3(link.com))), R, load6(link.I_com))


@inline
def unbalanced(link, body):
    """I A + V x* I V - F of a body."""
    I, V = inertia(link, body, arm(body)), load6(body.V)
    return sub6(
        add6(apply_rigid(I, load6(body.A)), cross_force(V, apply_rigid(I, V))), load6(body.F)
    )


@inline
def kept_wrenches(tables, run):
    """The wrenches of the joints, in row A after the accelerations; in row W origins of bodies."""
    nv = tables.settings[0].nv
    return run.unknowns[A][nv:], run.unknowns[W][nv:]


@internal_kernel
def joint_wrenches(tables, work, run, accelerations):
    """Accelerations of the bodies relative to free fall, and the wrenches of the joints.

    Writes  the wrenches Phi and the origins of the bodies (`kept_wrenches`)
    """
    links, bodies, dofs, gravity = tables.links, work.bodies, work.dofs, tables.settings[0].gravity
    Phi, origin = kept_wrenches(tables, run)
    store6(bodies[0].A, (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        A = add6(load6(bodies[link.parent].A), load6(body.c))
        for k in range(link.iv, link.iv + link.nv):
            A = add6(A, scale6(accelerations[k], load6(dofs[k].h)))
        store6(body.A, A)
        store6(Phi[6 * i - 6 : 6 * i], unbalanced(link, body))
        store3(origin[3 * i - 3 : 3 * i], arm(body))
    for i in range(links.shape[0] - 1, 0, -1):
        up = links[i].parent
        if up > 0:
            store6(
                Phi[6 * up - 6 : 6 * up],
                add6(load6(Phi[6 * up - 6 : 6 * up]), load6(Phi[6 * i - 6 : 6 * i])),
            )
    store6(bodies[0].A, _NOTHING)


@inline
def unit(d, r):
    """Twist of a body along one of its six unknowns, about O; its origin is r from O."""
    x, y, z = r
    if d == 0:
        return (1.0, 0.0, 0.0, 0.0, z, -y)
    if d == 1:
        return (0.0, 1.0, 0.0, -z, 0.0, x)
    if d == 2:
        return (0.0, 0.0, 1.0, y, -x, 0.0)
    return (0.0, 0.0, 0.0, 1.0 if d == 3 else 0.0, 1.0 if d == 4 else 0.0, 1.0 if d == 5 else 0.0)


@inline
def perturb_body(body, d, by_velocity, size):
    """Change the twist of a body, or its pose, along one of its unknowns."""
    if by_velocity:
        store6(body.V, add6(load6(body.V), scale6(size, unit(d, arm(body)))))
    elif d >= 3:
        body.p[d - 3] += size
    else:
        w = angular(unit(d, (0.0, 0.0, 0.0)))
        for c in range(3):
            column = (body.R[c], body.R[3 + c], body.R[6 + c])
            turned = cross(w, column)
            for k in range(3):
                body.R[3 * k + c] += size * turned[k]


@inline
def turn_columns(tables, work, i, q):
    """Hinge columns of body i at its present pose and that of its parent."""
    link, body = tables.links[i], work.bodies[i]
    R_WF, p_WF = parent_frame(link, work.bodies[link.parent])
    r_F = sub(p_WF, load3(body.O))
    hinge(link.kind, tables, link, q, R_WF, load9(body.R), r_F, arm(body), work.dofs)


@internal_kernel
def evaluate_bodies(tables, work, run, t, y, members, by_velocity, sizes):
    """Evaluate loads and reactions with the bodies among the members perturbed; returns a Status.

    Writes  row SLOPE, the rates of the states
    """
    report, memory, links, bodies = work.report[0], run.memory[0], tables.links, work.bodies
    moved, n_twists = run.unknowns[MOVED], first_speed(run.lists)
    if not count_evaluation(memory, report):
        return INTERRUPTED
    report.evaluations += 1
    q, v, x = parts(tables, y)
    for i in range(links.shape[0]):
        moved[i] = 0.0
    for j in members:
        if j < n_twists:
            moved[j // 6 + 1] = 1.0
            perturb_body(bodies[j // 6 + 1], j % 6, by_velocity, sizes[j])
    for i in range(1, links.shape[0]):
        if not by_velocity and (moved[i] != 0.0 or moved[links[i].parent] != 0.0):
            turn_columns(tables, work, i, q)
    loads(tables, work, t, q, v, x)
    add_reactions(tables, work, run.unknowns[LAM])
    rates(tables, work, q, v, y, run.vectors[SLOPE])
    return checked_status(
        work, OK if all_finite(work.f) and all_finite(work.xdot) else NOT_FINITE, t, y
    )


@internal_kernel
def body_residual(tables, work, run, out):
    """[unbalanced wrenches on bodies; h . Phi - tau; -xdot] at the last evaluated state."""
    links, bodies, dofs, nx = tables.links, work.bodies, work.dofs, tables.settings[0].nx
    (Phi, origin), speeds = kept_wrenches(tables, run), first_speed(run.lists)
    free = unknowns(run.lists)[0]
    for i in range(1, links.shape[0]):
        link, wrench = links[i], load6(Phi[6 * i - 6 : 6 * i])
        store6(
            out[6 * i - 6 : 6 * i],
            about_origin(unbalanced(link, bodies[i]), load3(origin[3 * i - 3 : 3 * i])),
        )
        for k in range(link.iv, link.iv + link.nv):
            out[speeds + k] = dot6(load6(dofs[k].h), wrench) - work.f[k]
    xdot = parts(tables, run.vectors[SLOPE])[2]
    for k in range(nx):
        out[free + k] = -xdot[k]
    fill(out[free + nx :], 0.0)


@inline
def joint_column(i, r, r_P, column, speeds, dofs):
    """Column of the rows V_i - V_P - sum h v of the joint of body i."""
    if column >= speeds:
        return scale6(-1.0, about_itself(load6(dofs[column - speeds].h), r))
    if column // 6 + 1 == i:
        return about_itself(unit(column % 6, r), r)
    return scale6(-1.0, about_itself(unit(column % 6, r_P), r))


@internal_kernel
def store_bodies(tables, work, run):
    """Inertias, 1, and the rows of joints and constraints at the last evaluated state, into P."""
    links, bodies, dofs, P = tables.links, work.bodies, work.dofs, run.entries[PRESENT]
    first, row, _ = columns(run.lists)
    free, nx, _ = unknowns(run.lists)
    speeds, own = first_speed(run.lists), loops(run.lists)
    for j in range(free + nx):
        b = j // 6 + 1
        column, seen = _NOTHING, 0
        if j < speeds:
            column = apply_rigid(
                inertia(links[b], bodies[b], (0.0, 0.0, 0.0)), unit(j % 6, (0.0, 0.0, 0.0))
            )
        for e in range(first[j], first[j + 1]):
            r = row[e]
            if r < free + nx:
                same = r // 6 == j // 6 if j < speeds else r == j and j >= free
                P[e] = (
                    (column[r % 6] if j < speeds else 1.0)
                    if same and (r < speeds or j >= free)
                    else 0.0
                )
                continue
            if r >= own:
                break
            i = (r - free - nx) // 6 + 1
            if i != seen:
                seen = i
                column = joint_column(
                    i, arm(bodies[i]), arm(bodies[links[i].parent]), j, speeds, dofs
                )
            P[e] = column[(r - free - nx) % 6]
    store_rows(tables, work, run)


@internal_kernel
def twists_of_speeds(tables, work, r):
    """Twists that belong to joint velocities, in the order of the unknowns of r."""
    links, dofs, last = tables.links, work.dofs, 6 * (tables.links.shape[0] - 1)
    for i in range(1, links.shape[0]):
        link = links[i]
        V = load6(r[6 * link.parent - 6 : 6 * link.parent]) if link.parent > 0 else _NOTHING
        for k in range(link.iv, link.iv + link.nv):
            V = add6(V, scale6(r[last + k], load6(dofs[k].h)))
        store6(r[6 * i - 6 : 6 * i], V)
    for i in range(1, links.shape[0]):
        store6(r[6 * i - 6 : 6 * i], about_itself(load6(r[6 * i - 6 : 6 * i]), arm(work.bodies[i])))
