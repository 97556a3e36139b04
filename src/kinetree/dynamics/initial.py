"""The initial position as drawn: joint coordinates from what the user gave, before any loop is closed.

Per tree joint, in this order: the coordinates given with the joint; the pose given with the child body; zero. Free
lengths and offsets left open (None) are then read off this position.
"""

from __future__ import annotations

import numpy as np

from ..compile.compiled import CompiledModel, JointPlace
from ..compile.tables import Work
from ..constraints.catalogue import RELATION
from ..frames import Pose, quaternion_matrix
from ..joints.catalogue import JOINTS, KIND
from ..joints.free import Free
from .constraint import constraint_values
from .kinematics import place_body, positions
from .measure import joint_coordinates


def drawn_position(compiled: CompiledModel, work: Work, poses: dict[str, Pose] | None = None) -> np.ndarray:
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
    start = place.spec.start if place is not None and use_start else {}
    q[span] = [1.0 if label == "qw" else 0.0 for label in joint.labels]
    if pose is not None:
        P = work.bodies[link["parent"]]
        X_WF = Pose(P["R"].reshape(3, 3), P["p"]) @ Pose(link["R_PF"].reshape(3, 3), link["p_PF"])
        X_FM = X_WF.inverse @ pose @ compiled.X_BK[i]
        q[span] = measure(X_FM.R, X_FM.p)
        if joint.kind == "screw" and link["pitch"]:
            q[span] += 2 * np.pi * np.round((X_FM.p[2] / link["pitch"] - q[span]) / (2 * np.pi))
    if start:
        q[span] = _from_labels(place, start, q[span], measure)


def _from_labels(place: JointPlace, start: dict[str, float], q: np.ndarray, measure) -> np.ndarray:
    """Coordinates of a tree joint from the user's labels, also when the tree runs against the user's direction."""
    labels = place.spec.joint.labels
    if place.direct is not None:
        for label, value in start.items():
            q[place.direct[labels.index(label)]] = value
        return q
    forward = {"qw": 1.0, **start}
    values = [forward.get(label, 0.0) for label in labels]
    X_MF = _pose_of(place.spec.joint.kind, values).inverse
    return np.array(measure(X_MF.R, X_MF.p))


def _pose_of(kind: str, q: list[float]) -> Pose:
    """X_FM of the joints whose coordinates do not simply carry over to the reversed direction."""
    if kind == "planar":
        c, s = np.cos(q[2]), np.sin(q[2])
        return Pose(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]), np.array([q[0], q[1], 0.0]))
    if kind == "spherical":
        return Pose(quaternion_matrix(q), np.zeros(3))
    return Pose(quaternion_matrix(q[3:]), np.array(q[:3]))


def initial_states(compiled: CompiledModel, work: Work) -> np.ndarray:
    """States x: what elements and controllers start with; angles of cut joints as they are, with the turns the user gave."""
    x = np.zeros(compiled.size["nx"])
    for place in compiled.states.values():
        x[place.ix] = place.state.initial
    for place in compiled.joints.values():
        if place.turns:
            values = joint_coordinates(place, work)
            for label, ix in place.turns.items():
                raw = values[place.spec.joint.labels.index(label)]
                wanted = place.spec.start.get(label, raw)
                x[ix] = raw + 2 * np.pi * np.round((wanted - raw) / (2 * np.pi))
    return x


def settle_pending(compiled: CompiledModel, work: Work, q: np.ndarray, x: np.ndarray) -> None:
    """Fill in the free lengths and offsets that were left to the initial position."""
    tables = compiled.tables
    positions(tables.links, q, work.bodies, work.dofs)
    for what, k in compiled.pending:
        row = tables.forces[k] if what == "rest" else tables.primitives[k]
        if what == "offset":
            constraint_values(tables, work, 0.0, q, x)
            assert row["kind"] == RELATION
            row["offset"] += work.g[row["ig"]]
        else:
            ends = ("p_iF", "p_jM") if what == "rest" else ("p_i", "p_j")
            points = [work.bodies[row[b]]["R"].reshape(3, 3) @ row[p] + work.bodies[row[b]]["p"] for b, p in zip("ij", ends)]
            distance = float(np.linalg.norm(points[1] - points[0]))
            row["rest" if what == "rest" else "length"] = distance or 1.0
            if what == "length":
                tables.signals[row["signal"]]["a"] = distance
