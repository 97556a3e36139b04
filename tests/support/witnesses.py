"""The accelerations of an open tree by two independent programs, Pinocchio and MuJoCo, written from
the user's model.

Both read the markers, masses and joint coordinates as the user gave them and know nothing of our
tables. A joint with several freedoms is a chain of simple ones. Conventions that differ:

    Pinocchio   quaternions (x, y, z, w); the velocity of a free flyer is in the moving frame, ours
                in F
    MuJoCo      quaternions (w, x, y, z); a ball turns with the angular velocity in the child, like
                ours
"""

from __future__ import annotations

import numpy as np

from kinetree.description.model import JointSpec, Model
from kinetree.kernel.frames import IDENTITY, Pose, matrix_quaternion, quaternion_matrix

from .machine import Machine


def _inboard(model: Model) -> list[tuple[str, JointSpec]]:
    """(body, joint that carries it), parents first; every joint must be given from the parent to
    the child.
    """
    return [(spec.M.body.name, spec) for spec in model.joints.values()]


def _joint_state(state: Machine, spec: JointSpec) -> tuple[np.ndarray, slice]:
    """Coordinates of a joint and the slice of its velocities in ours."""
    link = state.tables.links[state.compiled.joints[spec.name].link]
    iq, iv = int(link["iq"]), int(link["iv"])
    return state.q[iq : iq + spec.joint.nq], slice(iv, iv + spec.joint.nv)


# --- Pinocchio
# ----------------------------------------------------------------------------------------------------


def _pinocchio_chain(pin, joint) -> list:
    return {
        "revolute": lambda: [pin.JointModelRZ()],
        "translational": lambda: [pin.JointModelPZ()],
        "cylindrical": lambda: [pin.JointModelPZ(), pin.JointModelRZ()],
        "universal": lambda: [pin.JointModelRX(), pin.JointModelRY()],
        "spherical": lambda: [pin.JointModelSpherical()],
        "planar": lambda: [pin.JointModelPX(), pin.JointModelPY(), pin.JointModelRZ()],
        "planar-translational": lambda: [pin.JointModelPX(), pin.JointModelPY()],
        "spatial-translational": lambda: [
            pin.JointModelPX(),
            pin.JointModelPY(),
            pin.JointModelPZ(),
        ],
        "screw": lambda: [pin.JointModelHZ(joint.advance)],
        "free": lambda: [pin.JointModelFreeFlyer()],
        "fixed": lambda: [],
    }[joint.kind]()


PINOCCHIO = (
    "revolute",
    "translational",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "screw",
    "free",
    "fixed",
    "planar-translational",
    "spatial-translational",
)


def pinocchio_acceleration(state: Machine) -> np.ndarray:
    """vdot in our order, by `pinocchio.aba`."""
    import pinocchio as pin

    theirs = pin.Model()
    theirs.gravity.linear = np.array(state.compiled.model.gravity)
    carried = {
        "ground": (0, IDENTITY)
    }  # joint that carries a body, and the body's frame in that joint's frame
    q, v, slices = [], [], []
    for body, spec in _inboard(state.compiled.model):
        parent, X_JB = carried[spec.F.body.name]
        X = X_JB @ spec.F.X_Bm
        for k, simple in enumerate(_pinocchio_chain(pin, spec.joint)):
            parent = theirs.addJoint(parent, simple, pin.SE3(X.R, X.p), f"{spec.name}.{k}")
            X = IDENTITY
        X = X @ spec.M.X_Bm.inverse
        mass = spec.M.body.properties
        theirs.appendBodyToJoint(
            parent, pin.Inertia(mass.mass, mass.com, mass.inertia), pin.SE3(X.R, X.p)
        )
        carried[body] = parent, X
        coordinates, at = _joint_state(state, spec)
        slices.append((spec, coordinates, at))
        q += list(
            coordinates if spec.joint.labels[-1:] != ("qz",) else np.roll(coordinates[-4:], -1)
        )
        if spec.joint.kind == "free":
            q[-4:-4] = coordinates[:3]
            v += [*(quaternion_matrix(coordinates[3:]).T @ state.v[at][:3]), *state.v[at][3:]]
        else:
            v += list(state.v[at])
    a = pin.aba(theirs, theirs.createData(), np.array(q), np.array(v), np.zeros(theirs.nv))
    vdot, first, v = np.zeros(state.nv), 0, np.array(v)
    for spec, coordinates, at in slices:
        here = slice(first, first + spec.joint.nv)
        vdot[at] = a[here]
        if spec.joint.kind == "free":
            vdot[at][:3] = quaternion_matrix(coordinates[3:]) @ (
                a[here][:3] + np.cross(v[here][3:], v[here][:3])
            )
        first += spec.joint.nv
    return vdot


# --- MuJoCo
# -------------------------------------------------------------------------------------------------------

_MUJOCO = {
    "revolute": ("hinge z",),
    "translational": ("slide z",),
    "cylindrical": ("slide z", "hinge z"),
    "universal": ("hinge x", "hinge y"),
    "spherical": ("ball",),
    "planar": ("slide x", "slide y", "hinge z"),
    "free": ("slide x", "slide y", "slide z", "ball"),
    "fixed": (),
    "planar-translational": ("slide x", "slide y"),
    "spatial-translational": ("slide x", "slide y", "slide z"),
}
MUJOCO = tuple(_MUJOCO)
_AXIS = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}


def _text(values) -> str:
    return " ".join(repr(float(v)) for v in values)


def _mujoco_body(model: Model, body: str, spec: JointSpec, X_parent: Pose) -> str:
    """The element of a body and all it carries; its frame is the joint frame M, X_parent is the
    parent's in its M.
    """
    X = X_parent @ spec.F.X_Bm
    X_MB, mass = spec.M.X_Bm.inverse, spec.M.body.properties
    I = X_MB.R @ mass.inertia @ X_MB.R.T
    joints = ""
    for k, simple in enumerate(_MUJOCO[spec.joint.kind]):
        kind, _, letter = simple.partition(" ")
        if (
            spec.joint.kind == "free"
            and spec.F.body.name == "ground"
            and np.array_equal(X.R, np.eye(3))
        ):
            joints = f'<freejoint name="{spec.name}.0"/>'
            break
        axis = f'axis="{_AXIS[letter]}"' if letter else ""
        joints += f'<joint name="{spec.name}.{k}" type="{kind}" {axis}/>'
    inertial = (
        f'<inertial pos="{_text(X_MB.R @ mass.com + X_MB.p)}" mass="{mass.mass!r}" '
        f'fullinertia="{_text([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}"/>'
    )
    children = "".join(
        _mujoco_body(model, b, s, X_MB) for b, s in _inboard(model) if s.F.body.name == body
    )
    return (
        f'<body name="{body}" pos="{_text(X.p)}" quat="{_text(matrix_quaternion(X.R))}">{joints}{inertial}'
        f"{children}</body>"
    )


def mujoco_acceleration(state: Machine) -> np.ndarray:
    """vdot in our order, by `mj_forward`."""
    import mujoco

    model = state.compiled.model
    bodies = "".join(
        _mujoco_body(model, b, s, IDENTITY) for b, s in _inboard(model) if s.F.body.name == "ground"
    )
    theirs = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian" balanceinertia="false"/><option gravity="{_text(model.gravity)}">'
        f'<flag contact="disable" constraint="disable"/></option><worldbody>{bodies}</worldbody></mujoco>'
    )
    data, places = mujoco.MjData(theirs), []
    for _, spec in _inboard(model):
        coordinates, at = _joint_state(state, spec)
        if spec.joint.nv:
            first = mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_JOINT, f"{spec.name}.0")
            iq, iv = theirs.jnt_qposadr[first], theirs.jnt_dofadr[first]
            data.qpos[iq : iq + len(coordinates)] = coordinates
            data.qvel[iv : iv + spec.joint.nv] = state.v[at]
            places.append((at, slice(iv, iv + spec.joint.nv)))
    mujoco.mj_forward(theirs, data)
    vdot = np.zeros(state.nv)
    for at, here in places:
        vdot[at] = data.qacc[here]
    return vdot
