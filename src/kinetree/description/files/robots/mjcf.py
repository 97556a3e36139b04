"""Read MJCF, the robot description of MuJoCo, through the compiler of the package `mujoco`.

The compiled model has defaults, included files, and inertias from shapes resolved. A body with n
joints becomes n links, of which the first n - 1 have no mass. MuJoCo measures a joint coordinate
from `ref`; here it is zero in the reference pose:  x = qpos - qpos0.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ....errors import ModelError
from ....kernel.frames import IDENTITY, Pose, quaternion_matrix
from .mjcf_elements import actuators, equalities, left_out, lifts
from .mjcf_pictures import pictures
from .robot import Lump, Robot, RobotJoint, RobotLink

KINDS = ("floating", "ball", "prismatic", "revolute")  # in the order of mjtJoint
GROUND = "world"


def read_mjcf(path: Path, meshes: bool = True) -> Robot:
    """The robot of an MJCF file, compiled by MuJoCo."""
    mj, warnings = compiled(path)
    robot = robot_of(mj, path.stem, meshes)
    robot.notes += [f"warning of MuJoCo: {text}" for text in warnings]
    if not any(j.kind != "fixed" for j in robot.joints):
        raise ModelError(f"{os.fspath(path)}: the model has no joints, so that nothing moves.")
    return robot


def compiled(path: Path) -> tuple[Any, list[str]]:
    """The MjModel of a file, and the warnings of its compiler."""
    name = os.fspath(path)
    try:
        import mujoco
    except ImportError:
        raise ModelError(
            f"{name}: MJCF files are compiled by the package mujoco, which is not installed. "
            "Install it with: pip install 'kinetree[robots]'."
        ) from None
    if not path.is_file():
        raise ModelError(f"{name}: there is no such file.")
    warnings: list[str] = []
    handler = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(warnings.append)  # it writes a log file into the folder otherwise
    try:
        return mujoco.MjModel.from_xml_path(name), warnings
    except ValueError as error:
        reason = " ".join(str(error).split()).removeprefix("XML Error: ").removeprefix("Error: ")
        raise ModelError(f"{name}: MuJoCo cannot compile the file: {reason}") from None
    finally:
        mujoco.set_mju_user_warning(handler)


def robot_of(mj: Any, name: str, meshes: bool = True) -> Robot:
    """The robot of an MjModel."""
    robot = Robot(name, {}, [], ground=GROUND, gravity=_gravity(mj))
    names = Names(mj)
    robot.links[GROUND] = RobotLink(GROUND, None, pictures(mj, 0, meshes))
    for b in range(1, mj.nbody):
        _body(mj, names, b, robot, meshes)
    equalities(mj, names, robot)
    lifts(mj, names, robot)
    actuators(mj, names, robot)
    robot.notes += left_out(mj)
    return robot


class Names:
    """Names of the objects of an MjModel, with numbers for those without."""

    def __init__(self, mj: Any) -> None:
        self._mj = mj

    def body(self, k: int) -> str:
        return GROUND if k == 0 else self._mj.body(k).name or f"body {k}"

    def joint(self, k: int) -> str:
        return self._mj.joint(k).name or f"joint {k}"

    def actuator(self, k: int) -> str:
        return self._mj.actuator(k).name or f"actuator {k}"

    def equality(self, k: int) -> str:
        return self._mj.equality(k).name or f"equality {k}"


def pose(p: np.ndarray, q: np.ndarray) -> Pose:
    """Pose from position and quaternion (w, x, y, z)."""
    return Pose(quaternion_matrix(np.array(q)), np.array(p))


def scalar(values: Any) -> float:
    """The first of the coefficients that a version of MuJoCo has for a quantity."""
    return float(np.ravel(values)[0])


def _gravity(mj: Any) -> tuple[float, float, float]:
    import mujoco

    if mj.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY:
        return (0.0, 0.0, 0.0)
    x, y, z = map(float, mj.opt.gravity)
    return x, y, z


def _body(mj: Any, names: Names, b: int, robot: Robot, meshes: bool) -> None:
    """The links of one body, and the joints that carry them."""
    name, parent = names.body(b), names.body(int(mj.body_parentid[b]))
    turned = quaternion_matrix(mj.body_iquat[b])
    own = Lump.of(float(mj.body_mass[b]), np.zeros(3), np.diag(mj.body_inertia[b]))
    lump = own.seen_from(Pose(turned, np.array(mj.body_ipos[b])))
    X_PB = pose(mj.body_pos[b], mj.body_quat[b])
    count, first = int(mj.body_jntnum[b]), int(mj.body_jntadr[b])
    if count == 0:
        robot.joints.append(RobotJoint(f"{name} mount", "fixed", parent, name, X_PB))
    for k in range(first, first + count):
        last = k == first + count - 1
        link = name if last else f"{name} before {names.joint(k + 1)}"
        robot.joints.append(_joint(mj, names.joint(k), k, parent, link, X_PB))
        if not last:
            robot.links[link] = RobotLink(link, None)
        parent, X_PB = link, IDENTITY
    heavy = lump if lump.mass > 0.0 else None
    robot.links[name] = RobotLink(name, heavy, pictures(mj, b, meshes))


def _joint(mj: Any, name: str, k: int, parent: str, child: str, X_PB: Pose) -> RobotJoint:
    kind, dof, at = KINDS[int(mj.jnt_type[k])], int(mj.jnt_dofadr[k]), int(mj.jnt_qposadr[k])
    here = Pose(IDENTITY.R, np.array(mj.jnt_pos[k]))
    scales = kind in ("prismatic", "revolute")
    zero = float(mj.qpos0[at]) if scales else 0.0
    x, y, z = map(float, mj.jnt_axis[k])
    joint = RobotJoint(
        name,
        kind,
        parent,
        child,
        X_PB @ here,
        (x, y, z) if scales else (0.0, 0.0, 1.0),
        damping=scalar(mj.dof_damping[dof]),
        friction=float(mj.dof_frictionloss[dof]),
        armature=float(mj.dof_armature[dof]),
        stiffness=scalar(mj.jnt_stiffness[k]),
        X_CM=here,
    )
    if mj.jnt_limited[k] and scales:
        joint.lower, joint.upper = (float(end) - zero for end in mj.jnt_range[k])
    if scales:
        joint.rest = float(mj.qpos_spring[at]) - zero
    if kind == "floating":  # its position and quaternion are those of the body in the world
        joint.X_PF = joint.X_CM = IDENTITY
        p, q = mj.qpos0[at : at + 3], mj.qpos0[at + 3 : at + 7]
        joint.start = dict(zip("xyz", map(float, p))) | {"quaternion": list(map(float, q))}
    return joint
