"""Equality constraints, drives and weights of an MJCF file, and what has no counterpart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import counted
from ....kernel.frames import IDENTITY, Pose, quaternion_matrix
from .robot import Actuator, Mimic, Robot, RobotJoint

if TYPE_CHECKING:
    from .mjcf import Names


def equalities(mj: Any, names: Names, robot: Robot) -> None:
    """Loops of `connect` and `weld`, and couplings of `joint`, exact instead of compliant."""
    import mujoco

    kinds, objects = mujoco.mjtEq, mujoco.mjtObj
    for e in range(mj.neq):
        kind, data, name = int(mj.eq_type[e]), mj.eq_data[e], names.equality(e)
        a, b = int(mj.eq_obj1id[e]), int(mj.eq_obj2id[e])
        if not mj.eq_active0[e]:
            robot.notes.append(f"left out: equality {name!r}, which is not active")
        elif kind in (kinds.mjEQ_CONNECT, kinds.mjEQ_WELD):
            ends = _sites if int(mj.eq_objtype[e]) == objects.mjOBJ_SITE else _bodies
            if max(mj.body_mocapid[_body(mj, int(mj.eq_objtype[e]), k)] for k in (a, b)) >= 0:
                robot.notes.append(f"left out: equality {name!r} with a mocap body")
                continue
            (parent, X), (child, Y) = ends(mj, a, b, data, kind == kinds.mjEQ_WELD)
            joint = "weld" if kind == kinds.mjEQ_WELD else "ball"
            robot.joints.append(
                RobotJoint(name, joint, names.body(parent), names.body(child), X, X_CM=Y)
            )
        elif kind == kinds.mjEQ_JOINT and _follows(mj, names, robot, a, b, data):
            continue
        else:
            robot.notes.append(
                f"left out: equality {name!r} of kind {kinds(kind).name[5:].lower()}"
            )


def _body(mj: Any, objtype: int, k: int) -> int:
    """The body of a site, or the body itself."""
    import mujoco

    return int(mj.site_bodyid[k]) if objtype == mujoco.mjtObj.mjOBJ_SITE else k


def _bodies(mj: Any, a: int, b: int, data: np.ndarray, weld: bool) -> list[tuple[int, Pose]]:
    """Frames on two bodies that coincide: anchors of `connect`, the relative pose of `weld`."""
    if not weld:
        return [(a, Pose(IDENTITY.R, data[0:3].copy())), (b, Pose(IDENTITY.R, data[3:6].copy()))]
    return [(a, Pose(quaternion_matrix(data[6:10]), data[3:6].copy())), (b, IDENTITY)]


def _sites(mj: Any, a: int, b: int, data: np.ndarray, weld: bool) -> list[tuple[int, Pose]]:
    return [
        (int(mj.site_bodyid[k]), Pose(quaternion_matrix(mj.site_quat[k]), mj.site_pos[k].copy()))
        for k in (a, b)
    ]


def _follows(mj: Any, names: Names, robot: Robot, a: int, b: int, data: np.ndarray) -> bool:
    """Couple joint a to joint b:  x_a = data_0 + data_1 x_b; higher powers are left out."""
    joint = next(j for j in robot.joints if j.name == names.joint(a))
    if np.any(data[2:5]) or joint.mimic is not None or joint.kind not in ("revolute", "prismatic"):
        return False
    leader = names.joint(b) if b >= 0 else ""
    joint.mimic = Mimic(leader, float(data[1]) if b >= 0 else 0.0, float(data[0]))
    return True


def lifts(mj: Any, names: Names, robot: Robot) -> None:
    """Gravity compensation: constant forces at the centers of mass."""
    g = np.array(robot.gravity)
    for b in np.flatnonzero(mj.body_gravcomp):
        x, y, z = map(float, -mj.body_gravcomp[b] * mj.body_mass[b] * g)
        if (x, y, z) != (0.0, 0.0, 0.0):
            robot.lift[names.body(int(b))] = (x, y, z)


def actuators(mj: Any, names: Names, robot: Robot) -> None:
    """Drives of single joint coordinates with a constant gain and an affine bias."""
    import mujoco

    others = 0
    for k in range(mj.nu):
        joint, bias = int(mj.actuator_trnid[k, 0]), int(mj.actuator_biastype[k])
        affine = bias == mujoco.mjtBias.mjBIAS_AFFINE
        simple = (
            mj.actuator_trntype[k] == mujoco.mjtTrn.mjTRN_JOINT
            and mj.actuator_gaintype[k] == mujoco.mjtGain.mjGAIN_FIXED
            and (affine or bias == mujoco.mjtBias.mjBIAS_NONE)
            and mj.actuator_dyntype[k] == mujoco.mjtDyn.mjDYN_NONE
            and mj.jnt_type[joint]
            >= int(mujoco.mjtJoint.mjJNT_SLIDE)  # or a hinge, which is the last
        )
        if not simple:
            others += 1
            continue
        gear, zero = float(mj.actuator_gear[k, 0]), float(mj.qpos0[mj.jnt_qposadr[joint]])
        b0, b1, b2 = map(float, mj.actuator_biasprm[k, :3]) if affine else (0.0, 0.0, 0.0)
        force = gear * (b0 + b1 * gear * zero), gear * gear * b1, gear * gear * b2
        limits = mj.actuator_ctrlrange[k] if mj.actuator_ctrllimited[k] else None
        robot.actuators[names.actuator(k)] = Actuator(
            names.joint(joint),
            gear * float(mj.actuator_gainprm[k, 0]),
            force,
            None if limits is None else (float(limits[0]), float(limits[1])),
        )
    if others:
        robot.notes.append(
            f"left out: {counted(others, 'actuator')} of other kinds than motors, "
            "position and velocity servos of joints"
        )


def left_out(mj: Any) -> list[str]:
    """Notes on what the model does not have."""
    touching = int(((mj.geom_contype > 0) | (mj.geom_conaffinity > 0)).sum())
    bodies = "flexible body", "flexible bodies"
    counts = [
        f"contacts of {counted(touching, 'shape')}" if touching else "",
        *(counted(int(getattr(mj, f"n{what}")), what) for what in ("tendon", "plugin", "sensor")),
        counted(mj.nkey, "keyframe"),
        counted(mj.nflex, *bodies),
    ]
    notes = [f"left out: {what}" for what in counts if what and not what.startswith("0 ")]
    if mj.opt.density > 0.0 or mj.opt.viscosity > 0.0:
        notes.append("left out: forces of the surrounding fluid")
    laws = ("dof_dampingpoly", "jnt_stiffnesspoly")  # of newer versions
    if any(np.any(getattr(mj, name, 0.0)) for name in laws):
        notes.append("left out: springs and dampers that are not linear, beyond their linear part")
    return notes
