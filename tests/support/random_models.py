"""Random machines: trees with every joint, random frames and physical inertias; and loops that are
closed exactly.

Structure (bodies, parents, joint kinds, directions) is drawn by Hypothesis and so shrinks; numbers
come from a seeded generator.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.elements.joints.contract import ONE_WAY, Joint
from kinetree.kernel.frames import Pose

from .machine import Machine, machine

KINDS = tuple(entry.joint.kind for entry in JOINTS)
CLASS = {entry.joint.kind: entry.joint for entry in JOINTS}
CLOSING = tuple(kind for kind in KINDS if CLASS[kind].cut and kind != "fixed")


def random_rotation(rng) -> np.ndarray:
    return Rotation.random(rng=rng).as_matrix()


def random_direction(rng) -> tuple[float, ...]:
    u = rng.normal(size=3)
    return tuple(u / np.linalg.norm(u))


def random_mass(rng, mass: float) -> kt.model.shapes.MassProperties:
    """A physical inertia I = tr(S) 1 - S: mass spread by 0.2 to 0.6 m along random axes, its centre
    off the origin.
    """
    R = random_rotation(rng)
    S = mass * R @ np.diag(rng.uniform(0.2, 0.6, 3) ** 2) @ R.T
    I = np.trace(S) * np.eye(3) - S
    return kt.mass(mass, 0.5 * (I + I.T), rng.uniform(-0.3, 0.3, 3))


def random_joint(kind: str, rng) -> Joint:
    """One of the examples that the class gives of itself, with random axes."""
    examples = CLASS[kind].examples()
    joint = examples[rng.integers(len(examples))]
    if hasattr(joint, "axis1"):
        R = random_rotation(rng)
        return replace(joint, axis1=tuple(R[:, 0]), axis2=tuple(R[:, 1]))
    return joint.with_axis(random_direction(rng)) if hasattr(joint, "axis") else joint


def random_marker(rng, body):
    return body.at(*rng.uniform(-0.5, 0.5, 3), rotation=random_rotation(rng))


def random_coordinates(joint: type[Joint] | Joint, rng) -> list[float]:
    """Coordinates of one joint: unit quaternions where the labels say so, else numbers between -1
    and 1.
    """
    q, quaternion = [], []
    for label in joint.labels:
        if label in ("qw", "qx", "qy", "qz"):
            quaternion = quaternion or list(Rotation.random(rng=rng).as_quat(scalar_first=True))
            q.append(quaternion["wxyz".index(label[1])])
        else:
            q.append(rng.uniform(-1.0, 1.0))
    return q


def random_position(model: kt.Model, rng, coordinates: str = "relative") -> Machine:
    """The model at a random position with random velocities (not yet consistent with constraints)."""
    still = machine(model, coordinates)
    joints = [still.compiled.joint_class(i) for i in range(1, len(still.compiled.bodies))]
    q = [c for joint in joints for c in random_coordinates(joint, rng)]
    return machine(model, coordinates, q, rng.normal(size=still.nv))


def random_tree(
    rng, kinds, parents=None, mass_ratio: float = 1e2, swapped=None, gravity=(1.0, -2.0, -9.0)
) -> kt.Model:
    """Body k hangs by a joint of kinds[k] on body parents[k] (-1: ground); `swapped` joints are
    given child first if they can.
    """
    n = len(kinds)
    parents = [k - 1 for k in range(n)] if parents is None else parents
    swapped = [False] * n if swapped is None else swapped
    model = kt.Model("random tree", gravity=gravity)
    bodies = [
        model.body(f"b{k}", random_mass(rng, mass_ratio ** rng.uniform(-0.5, 0.5)))
        for k in range(n)
    ]
    for k, kind in enumerate(kinds):
        outer = random_marker(rng, bodies[k])
        inner = random_marker(rng, model.ground if parents[k] < 0 else bodies[parents[k]])
        ends = (
            (outer, inner) if swapped[k] and CLASS[kind].reversal is not ONE_WAY else (inner, outer)
        )
        model.joint(f"j{k}", random_joint(kind, rng), *ends)
    return model


def joint_pose(joint: Joint, q) -> Pose:
    """X_FM of a joint at coordinates q, by moving one body."""
    model = kt.Model("one joint")
    R = joint.frame().T  # markers such that F and M are the world and the body
    model.joint(
        "j", joint, model.ground.at(0, 0, 0, R), model.body("b", kt.sphere(1.0, 1.0)).at(0, 0, 0, R)
    )
    return machine(model, q=q).pose("b")


def add_joint_here(
    model: kt.Model, state: Machine, name: str, joint: Joint, a: str, b: str, rng
) -> None:
    """Add a cut joint between bodies a and b whose frames coincide, up to its own motion, at the
    state.
    """
    body = {"ground": model.ground, **model.bodies}
    poses = {n: Pose(np.eye(3), np.zeros(3)) if n == "ground" else state.pose(n) for n in (a, b)}
    middle = 0.5 * (poses[a].p + poses[b].p) + rng.uniform(-0.5, 0.5, 3)
    X_WF = Pose(random_rotation(rng), middle)
    X_WM = X_WF @ joint_pose(joint, random_coordinates(joint, rng))
    frame = Pose(joint.frame().T, np.zeros(3))
    F, M = poses[a].inverse @ X_WF @ frame, poses[b].inverse @ X_WM @ frame
    model.joint(name, joint, body[a].at(*F.p, rotation=F.R), body[b].at(*M.p, rotation=M.R))
    model.cut(name)


def random_loops(rng, kinds, parents, closures, mass_ratio: float = 1e2, swapped=None) -> Machine:
    """A tree closed by extra joints [(kind, body, body), ...] (-1: the ground), with consistent
    velocities.
    """
    model = random_tree(rng, kinds, parents, mass_ratio, swapped)
    state = random_position(model, rng)
    for k, (kind, a, b) in enumerate(closures):
        names = ["ground" if n < 0 else f"b{n}" for n in (a, b)]
        add_joint_here(model, state, f"c{k}", random_joint(kind, rng), *names, rng)
    closed = machine(model, q=state.q)
    return closed.at(v=closed.consistent(rng.normal(size=closed.nv)))


# --- Hypothesis
# ---------------------------------------------------------------------------------------------------


@st.composite
def structures(draw, kinds=KINDS, most: int = 30, swap: bool = True):
    """(rng, kinds, parents, swapped) of a tree."""
    n = draw(st.integers(1, most))  # drawn first, so that large trees are as likely as small ones
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=n, max_size=n))
    parents = [draw(st.integers(-1, k - 1)) for k in range(n)]
    swapped = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if swap else [False] * n
    return np.random.default_rng(draw(st.integers(0, 2**32 - 1))), chosen, parents, swapped


@st.composite
def trees(draw, kinds=KINDS, most: int = 30, mass_ratio: float = 1e2, swap: bool = True) -> Machine:
    """A random tree at a random state."""
    rng, chosen, parents, swapped = draw(structures(kinds, most, swap))
    return random_position(random_tree(rng, chosen, parents, mass_ratio, swapped), rng)


@st.composite
def mechanisms(draw, most: int = 12, closures: int = 6, mass_ratio: float = 1e2) -> Machine:
    """A random tree with one to six loops, at a consistent state."""
    rng, chosen, parents, swapped = draw(structures(KINDS, most))
    ends = st.integers(-1, len(chosen) - 1)
    pairs = st.tuples(st.sampled_from(CLOSING), ends, ends).filter(lambda c: c[1] != c[2])
    return random_loops(
        rng,
        chosen,
        parents,
        draw(st.lists(pairs, min_size=1, max_size=closures)),
        mass_ratio,
        swapped,
    )
