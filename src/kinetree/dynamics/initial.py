"""The initial position as drawn: joint coordinates from what the user gave, before any loop is closed.

Per tree joint, in this order: the coordinates given with the joint; the pose given with the child body; zero. Free
lengths and offsets left open (None) are then read off this position.
"""

from __future__ import annotations

import numpy as np

from ..compile.compiled import Description, JointPlace, Open
from ..compile.resolve import resolve
from ..errors import AssemblyError
from ..frames import Pose
from ..joints.catalogue import JOINTS, KIND
from ..joints.contract import Joint
from ..joints.free import Free
from ..tables.records import Work
from .constraint import constraint_values
from .kinematics import place_body, positions
from .measure import joint_coordinates, joint_map

COINCIDE = 1e-9  # of the machine's size: points this near have no direction between them


def drawn_position(compiled: Description, work: Work, poses: dict[str, Pose] | None = None) -> np.ndarray:
    """q as drawn; `poses` (of bodies, by name) override what the model says."""
    q = np.zeros(compiled.size["nq"])
    declared = poses or {b.name: b.pose for b in compiled.model.bodies.values() if b.pose is not None}
    by_link = {p.link: p for p in compiled.joints.values() if p.link}
    for i in range(1, len(compiled.bodies)):
        _start_joint(compiled, work, i, by_link.get(i), declared.get(compiled.bodies[i]), q, use_start=poses is None)
        place_body(i, compiled.tables.links, q, work.bodies, work.dofs)
    return q


def _start_joint(compiled, work, i, place: JointPlace | None, pose: Pose | None, q, use_start: bool) -> None:
    link = compiled.tables.links[i]
    joint = Free if place is None else type(place.spec.joint)
    measure, span = JOINTS[KIND[joint.kind]].measure, slice(link["iq"], link["iq"] + joint.nq)
    q[span] = [1.0 if label == "qw" else 0.0 for label in joint.labels]
    if pose is not None:
        P = work.bodies[link["parent"]]
        X_WF = Pose(P["R"].reshape(3, 3), P["p"]) @ Pose(link["R_PF"].reshape(3, 3), link["p_PF"])
        X_FM = X_WF.inverse @ pose @ compiled.X_BK[i]
        q[span] = measure(X_FM.R, X_FM.p)
        if joint.kind == "screw" and link["pitch"]:
            q[span] += 2 * np.pi * np.round((X_FM.p[2] / link["pitch"] - q[span]) / (2 * np.pi))
    if place is not None and use_start and place.spec.start:
        q[span] = _from_labels(place, place.spec.start, q[span], measure)


def _from_labels(place: JointPlace, start: dict[str, float], q: np.ndarray, measure) -> np.ndarray:
    """Coordinates of a tree joint from the user's labels, also when the tree runs against the user's direction."""
    joint = place.spec.joint
    at = place.direct
    if at is None:  # the user's coordinates at this position, what was given among them, and back
        q = np.array(measure(*_seen_from_the_other_side(joint, q)))
    for label, value in start.items():
        k = joint.labels.index(label)
        q[k if at is None else at[k]] = value
    return q if at is not None else np.array(measure(*_seen_from_the_other_side(joint, q)))


def _seen_from_the_other_side(joint: Joint, q: np.ndarray) -> Pose:
    """X_FM of the same position with the frames exchanged (see `Reversal`)."""
    flip = joint.seen_from_child.rotation
    return flip.inverse @ joint_map(joint, q)[0].inverse @ flip


def initial_states(compiled: Description, work: Work) -> np.ndarray:
    """States x: what elements and controllers start with; angles of cut joints as they are, with the turns the user gave."""
    x = np.zeros(compiled.size["nx"])
    for own in compiled.states.values():
        x[own.ix] = own.state.initial
    for place in compiled.joints.values():
        if place.turns:
            values = joint_coordinates(place, work)
            for label, ix in place.turns.items():
                raw = values[place.spec.joint.labels.index(label)]
                wanted = place.spec.start.get(label, raw)
                x[ix] = raw + 2 * np.pi * np.round((wanted - raw) / (2 * np.pi))
    return x


def read_off(description: Description, work: Work, q: np.ndarray, x: np.ndarray) -> dict[str, float]:
    """The open values at a position, by name (see `resolve`)."""
    trial = resolve(description, {one.name: 0.0 if one.what == "offset" else 1.0 for one in description.open})
    positions(trial.tables, work, q)
    constraint_values(trial.tables, work, 0.0, q, x)
    return {one.name: _value(description, work, one) for one in description.open}


def _value(description: Description, work: Work, one: Open) -> float:
    """A free length is the distance of the markers, also if that is nothing; a rod must have one."""
    if one.what == "rest":
        return marker_distance(work, description.tables.forces[one.row], "p_iF", "p_jM")
    row = description.tables.primitives[one.row]
    g = float(work.g[row["ig"]])
    if one.what == "offset":
        return g
    length = marker_distance(work, row, "p_i", "p_j")
    if one.what == "scale":  # the length prescribed at t = 0, from g = (d.d - l^2) / 2 of the trial
        length = float(np.sqrt(max(length * length - 2.0 * g, 0.0)))
    if not length > COINCIDE * float(description.tables.settings[0]["length"]):
        raise AssemblyError(f"constraint {one.owner!r}: its markers coincide at the start, and a rod of no length has no "
                            "direction. Give its length, draw the points apart, or join them with kt.Spherical().")
    return length


def marker_distance(work: Work, row: np.void, p_i: str, p_j: str) -> float:
    """Distance of the two points of a row at the present position."""
    a, b = (work.bodies[row[k]]["R"].reshape(3, 3) @ row[p] + work.bodies[row[k]]["p"] for k, p in (("i", p_i), ("j", p_j)))
    return float(np.linalg.norm(b - a))
