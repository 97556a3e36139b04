"""Joint reactions: the wrench of each joint on its child, at the joint point (origin of M), in W.

    W_i = I (A - g) + V x* (I V) - F_i + sum over children W_j      tree joints, tips to root
    W   = -sum lam F_j  over its own rows                           cut joints, from
                                                                    M vdot = f - G^T lam

F_i holds the applied wrenches and -lam F of every constraint row. Loads along the coordinate of a
joint (a driver, a gear, a torsion spring) are part of its reaction, in the tree and at a cut alike:
a sensor in the tree is the hinge itself, and the wrench on a sensor at frames is added to the joint
it measures.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...elements.constraints.catalogue import pair
from ...elements.constraints.contract import ZERO
from ...elements.constraints.teeth import has_teeth, tooth_force
from ...elements.constraints.user_relation import find_ratios, ratio
from ...elements.joints.sensors import TREE, sensor_wrench
from ...kernel.algebra.spatial import add6, add_to6, angular, join, linear, load6, scale6, store6
from ...kernel.algebra.spatial import wrench as wrench_of
from ...kernel.algebra.vec3 import add, cross, load3, load9, neg, rotate, sub
from ...kernel.array_block import all_are_like, block
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Matrix, Vector
from .bias import bias_forces


@block
class JointFrames(NamedTuple):
    """Frames of the joints, one row per joint of the compiled model, and the owner of each row."""

    link: np.ndarray  # the body whose tree joint it is; 0 if cut
    sign: np.ndarray  # -1 where the tree runs against the user's direction
    child: np.ndarray  # body of M
    point: np.ndarray  # (nj, 3) origin of M in the kernel frame of the child
    of_primitive: np.ndarray  # joint of each constraint primitive, or -1
    of_sensor: np.ndarray  # joint of each sensor that an element reads, or -1


all_are_like(
    JointFrames,
    lambda: JointFrames(
        *(
            np.zeros((0, 3))
            if name == "point"
            else np.zeros(0, float if name == "sign" else np.int64)
            for name in JointFrames._fields
        )
    ),
)


@inline
def moved(W, r):
    """A wrench about O, converted to the point at r from O."""
    f = linear(W)
    return join(sub(angular(W), cross(r, f)), f)


@inline
def relation_wrench(tables, work, joint_frames, n, factor, wrench):
    """Add factor times the wrench pair of sensor n to the bodies and to its joint."""
    sensor = tables.sensors[n]
    if sensor.kind == TREE or factor == 0.0:
        return
    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
    add_to6(work.bodies[sensor.i].F, scale6(factor, F_i))
    add_to6(work.bodies[sensor.j].F, scale6(factor, F_j))
    if joint_frames.of_sensor[n] >= 0:
        add_to6(wrench[joint_frames.of_sensor[n]], scale6(factor, F_j))


@inline
def constraint_wrenches(tables, work, joint_frames, lam, wrench):
    """Add -lam F of every row to the bodies, and for cut joints to `wrench`, about O of the
    child.
    """
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            if p.aim >= 0:
                find_ratios(tables, work, p)
            for m in range(p.term, p.term + p.sensors):
                relation_wrench(
                    tables,
                    work,
                    joint_frames,
                    tables.terms[m].sensor,
                    -lam[p.ig] * ratio(tables, work, p, m),
                    wrench,
                )
            continue
        for k in range(p.ng):
            F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
            add_to6(work.bodies[p.i].F, scale6(-lam[p.ig + k], F_i))
            add_to6(work.bodies[p.j].F, scale6(-lam[p.ig + k], F_j))
            if joint_frames.of_primitive[n] >= 0:
                add_to6(wrench[joint_frames.of_primitive[n]], scale6(-lam[p.ig + k], F_j))


@inline
def wrenches_at_joints(bodies, joint_frames, wrench):
    """Wrench of each joint on its child at the joint point, from its rows and its tree joint."""
    for n in range(joint_frames.link.shape[0]):
        child, link = bodies[joint_frames.child[n]], bodies[joint_frames.link[n]]
        point = add(load3(child.p), rotate(load9(child.R), load3(joint_frames.point[n])))
        W = moved(load6(wrench[n]), sub(point, load3(child.O)))
        if joint_frames.link[n] > 0:
            W = add6(
                W, scale6(joint_frames.sign[n], moved(load6(link.bias), sub(point, load3(link.O))))
            )
        store6(wrench[n], W)


@inline
def teeth_on_bearings(tables, work, joint_frames, lam, wrench):
    """Forces of teeth on the joints of their wheels: the joint gets what the teeth do not give."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if not has_teeth(p):
            continue
        P, F = tooth_force(tables, work, p, -lam[p.ig])
        for k in range(2):
            joint = joint_frames.of_sensor[tables.terms[p.term + k].sensor]
            child = work.bodies[joint_frames.child[joint]]
            arm = rotate(load9(child.R), load3(joint_frames.point[joint]))
            load = F if k == 0 else neg(F)
            point = add(load3(child.p), arm)
            add_to6(wrench[joint], scale6(-1.0, wrench_of(ZERO, load, sub(P, point))))


@internal_kernel
def reactions(tables, work, joint_frames, lam, wrench):
    """Wrench (nj, 6) = (torque, force) on the child of each joint.

    Reads bodies (I rigid, A, F applied, bias = gyroscopic wrench); `wrench` holds the loads of
    springs on cut joints. Writes wrench; overwrites bodies (F, bias) and f.
    """
    constraint_wrenches(tables, work, joint_frames, lam, wrench)
    bias_forces(tables, work)
    wrenches_at_joints(work.bodies, joint_frames, wrench)
    teeth_on_bearings(tables, work, joint_frames, lam, wrench)


@kernel
def self_stress(tables: Tables, work: Work, joint_frames: JointFrames, lam: Vector, wrench: Matrix):
    """Wrenches on the joints of a massless model by multipliers lam with G^T lam = 0.

    Needs positions.
    """
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(work.bodies.shape[0]):
        body = work.bodies[i]
        for k in range(21):
            body.I[k] = 0.0
        store6(body.F, nothing)
        store6(body.bias, nothing)
    for n in range(wrench.shape[0]):
        store6(wrench[n], nothing)
    reactions(tables, work, joint_frames, lam, wrench)
