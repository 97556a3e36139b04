"""Root to tips: poses, hinge columns, inertias, velocities and bias accelerations of all bodies.

    X_WM = X_WP X_PF X_FM(q),     V = V_P + sum h v,     c = (V_P + sum' h v) x (sum h v) + bias,
                                                         gyro = V x* (I V)

The sum' is over the leading columns, which are fixed in the parent; they also move the others. The
bias of a joint is the contribution of columns that depend on q; it is zero for most joints.

Spatial vectors are about O, the current origin of the root body of each tree, in world axes: no
digits are lost when a vehicle drives far away, and inertias add without transformation.
[Lee1994, eqs. (1)-(10) in recursive form]
"""

from __future__ import annotations

from ...elements.joints.catalogue import HINGE, bias, hinge, move, turn_hinge
from ...elements.joints.sensors import TURN_X, sensor_rate
from ...kernel.algebra.blas1 import copy
from ...kernel.algebra.quaternion import quat_rate, quat_turn
from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    apply_rigid,
    cross_force,
    cross_motion,
    load6,
    rigid_inertia,
    scale6,
    store6,
    store21,
)
from ...kernel.algebra.vec3 import (
    add,
    load3,
    load9,
    matmul,
    rotate,
    store3,
    store9,
    sub,
    turned_z,
)
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from .energy import drive_power
from .modal_body import modal_bodies
from .turns import turn_joint, turn_joints


@inline
def parent_frame(link, P):
    """World rotation and origin of frame F of a joint, on its parent body P."""
    R_WP = load9(P.R)
    return matmul(R_WP, load9(link.R_PF)), add(load3(P.p), rotate(R_WP, load3(link.p_PF)))


@inline
def store_pose(i, link, body, P, R, p):
    """Write the pose of a body and the origin O of its tree; returns O."""
    O = p if link.root == i else load3(P.O)
    store9(body.R, R)
    store3(body.p, p)
    store3(body.O, O)
    return O


@internal_kernel
def place_by_joint(tables, work, i, q):
    """Pose and hinge columns of body i, whatever its joint is."""
    link, body, P = tables.links[i], work.bodies[i], work.bodies[tables.links[i].parent]
    R_WF, p_WF = parent_frame(link, P)
    R, p = move(link.kind, tables, link, q, R_WF, p_WF)
    O = store_pose(i, link, body, P, R, p)
    hinge(link.kind, tables, link, q, R_WF, R, sub(p_WF, O), sub(p, O), work.dofs)


@inline
def place(tables, work, i, q):
    """Pose and hinge columns of body i; returns its rotation and its origin from O.

    Most joints are revolute; `turn_joints` has computed the cosine and the sine.
    """
    link, body, P = tables.links[i], work.bodies[i], work.bodies[tables.links[i].parent]
    if link.kind == HINGE:
        R_WF, p = parent_frame(link, P)
        R = turned_z(R_WF, work.angles[1, i], work.angles[2, i])
        r = sub(p, store_pose(i, link, body, P, R, p))
        turn_hinge(tables, link, q, R_WF, R, r, r, work.dofs)
        return R, r
    place_by_joint(tables, work, i, q)
    return load9(body.R), sub(load3(body.p), load3(body.O))


@inline
def store_velocity(body, V_P, Hv):
    """Velocity and velocity-dependent acceleration of a body without leading columns."""
    V = add6(V_P, Hv)
    store6(body.V, V)
    store6(body.c, cross_motion(V_P, Hv))
    return V


@inline
def drive(i, links, v, bodies, dofs):
    """Velocity and velocity-dependent acceleration of body i."""
    link, body, P = links[i], bodies[i], bodies[links[i].parent]
    if link.nv == 1 and link.leading == 0:
        return store_velocity(body, load6(P.V), scale6(v[link.iv], load6(dofs[link.iv].h)))
    V_P, lead = load6(P.V), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(link.iv, link.iv + link.leading):
        lead = add6(lead, scale6(v[k], load6(dofs[k].h)))
    Hv = lead
    for k in range(link.iv + link.leading, link.iv + link.nv):
        Hv = add6(Hv, scale6(v[k], load6(dofs[k].h)))
    V = add6(V_P, Hv)
    store6(body.V, V)
    store6(body.c, cross_motion(add6(V_P, lead), Hv))
    return V


@inline
def drive_marker(i, links, v, bodies, dofs):
    """The same of a body at a marker on a flexible part, whose modes move it."""
    link, body, V_P = links[i], bodies[i], load6(bodies[links[i].parent].V)
    Hv = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(link.modes):
        Hv = add6(Hv, scale6(v[link.mode_iv + k], load6(dofs[link.column + k].h)))
    return store_velocity(body, V_P, Hv)


@kernel
def add_biases(tables, work, q, v):
    """Add to the accelerations c what joints give whose hinge columns depend on q."""
    for i in range(1, tables.links.shape[0]):
        link, body = tables.links[i], work.bodies[i]
        if link.varying == 0:
            continue
        R_WF, p_WF = parent_frame(link, work.bodies[link.parent])
        O = load3(body.O)
        r_F, r_M = sub(p_WF, O), sub(load3(body.p), O)
        add_to6(body.c, bias(link.kind, tables, link, q, v, R_WF, load9(body.R), r_F, r_M))


@kernel
def place_body(tables: Tables, work: Work, i: int, q: Vector):
    """Pose and hinge columns of one body; the bodies inboard of it must be placed."""
    turn_joint(work, tables.links[i], i, q)
    place(tables, work, i, q)


@kernel
def positions(tables, work, q):
    """Poses and hinge columns. Writes bodies (R, p, O) and dofs (h)."""
    copy(q, work.q_seen)
    turn_joints(tables, work, q)
    for i in range(1, tables.links.shape[0]):
        place(tables, work, i, q)


@internal_kernel
def kinematics_of_parts(tables, work, q, v):
    """`kinematics` of a model with flexible parts; also their part of `work.modal`."""
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        R, r = place(tables, work, i, q)
        I = rigid_inertia(link.mass, add(r, rotate(R, load3(link.com))), R, load6(link.I_com))
        if link.modes > 0:
            V = drive_marker(i, links, v, bodies, dofs)
        else:
            V = drive(i, links, v, bodies, dofs)
        store21(body.I, I)
        store6(body.bias, cross_force(V, apply_rigid(I, V)))
    add_biases(tables, work, q, v)
    modal_bodies(tables, work, q, v)


@kernel
def kinematics(tables, work, q, v):
    """All kinematic quantities of a dynamics sweep.

    Writes bodies (R, p, O, V, c, I, bias = gyroscopic wrench) and dofs (h).
    """
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    copy(q, work.q_seen)
    copy(v, work.v_seen)
    turn_joints(tables, work, q)
    if tables.flexible.shape[0] > 0:
        kinematics_of_parts(tables, work, q, v)
        return
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        R, r = place(tables, work, i, q)
        I = rigid_inertia(link.mass, add(r, rotate(R, load3(link.com))), R, load6(link.I_com))
        V = drive(i, links, v, bodies, dofs)
        store21(body.I, I)
        store6(body.bias, cross_force(V, apply_rigid(I, V)))
    if tables.settings[0].varying > 0:
        add_biases(tables, work, q, v)


@kernel
def bias_accelerations(tables, work):
    """Accelerations of the bodies at vdot = 0, Bdot qdot of [Lee1994, eq. (12)]:  A = A_P + c."""
    bodies = work.bodies
    for i in range(1, tables.links.shape[0]):
        store6(bodies[i].A, add6(load6(bodies[tables.links[i].parent].A), load6(bodies[i].c)))


@kernel
def coordinate_rates(tables, q, v, qdot):
    """qdot = N(q) v: the velocities themselves, then the rate of a quaternion."""
    for i in range(1, tables.links.shape[0]):
        link = tables.links[i]
        iq, iv = link.iq + link.plain, link.iv + link.plain
        for k in range(link.plain):
            qdot[link.iq + k] = v[link.iv + k]
        if link.plain < link.nv:
            quat_rate(q, iq, v[iv], v[iv + 1], v[iv + 2], qdot)


@kernel
def shift_coordinates(tables, q, delta):
    """q <- q (+) delta, a finite step in velocity coordinates; quaternions stay normalized."""
    for i in range(1, tables.links.shape[0]):
        link = tables.links[i]
        iq, iv = link.iq + link.plain, link.iv + link.plain
        for k in range(link.plain):
            q[link.iq + k] += delta[link.iv + k]
        if link.plain < link.nv:
            quat_turn(q, iq, delta[iv], delta[iv + 1], delta[iv + 2])


@kernel
def kinematic_rates(tables, work, q, v, y, ydot):
    """Rates of a state y = (q, v, x), except the accelerations.

    Writes qdot = N v, the rates xdot that `loads` left, and the rate of every angle whose turns are
    counted. A run with an energy balance appends to x the work of every force element and of the
    drivers; their rates are the powers, and nothing depends on them.
    """
    qdot, _, xdot = parts(tables, ydot)
    coordinate_rates(tables, q, v, qdot)
    copy(work.xdot, xdot)
    for k in range(tables.sensors.shape[0]):
        sensor = tables.sensors[k]
        if sensor.kind >= TURN_X:
            xdot[sensor.ix] = sensor_rate(tables, sensor, v, work.bodies)
    drive = tables.settings[0].nx + tables.forces.shape[0]
    if xdot.shape[0] > drive:
        xdot[drive] = drive_power(work, work.lam)
