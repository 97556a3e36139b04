"""The drawn position: joint coordinates from the user's start values, before loops are closed.

The coordinates of a tree joint are, in this order of priority, those given with the joint, those
from the pose given with the child body, or zero. Lengths and offsets that the user did not give
(None) are then measured at this position.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import numpy as np

from ..description.lowering.compiled import CompiledModel, JointPlace, LoweredModel, Unresolved
from ..description.lowering.resolve import resolve
from ..elements.joints.catalogue import FLOATING
from ..elements.joints.contract import Joint
from ..elements.signals.catalogue import sampled
from ..engine.dynamics.constraint import constraint_values
from ..engine.dynamics.kinematics import place_body, positions
from ..errors import AssemblyError
from ..kernel.frames import Pose
from ..kernel.linalg import product
from ..kernel.tables.workspace import Work
from .measure import joint_coordinates, joint_map
from .system import System

# relative to the model size: points closer than this have no direction between them
COINCIDE = 1e-9


def drawn_position(
    compiled: LoweredModel,
    work: Work,
    poses: dict[str, Pose] | None = None,
    modes: Mapping[str, float] | None = None,
) -> np.ndarray:
    """q as drawn; `poses` of bodies, by name, override those of the model. `modes` are values of
    modal coordinates, which poses do not give.
    """
    q = np.zeros(compiled.size["nq"])
    declared = poses or {
        b.name: b.pose for b in compiled.model.bodies.values() if b.pose is not None
    }
    by_link = {p.link: p for p in compiled.joints.values() if p.link}
    for i in range(1, len(compiled.bodies)):
        _start_joint(
            compiled,
            work,
            i,
            by_link.get(i),
            declared.get(compiled.bodies[i]),
            q,
            use_start=poses is None,
        )
        _set_modes(by_link.get(i), compiled.tables.links[i], modes or {}, q)
        place_body(compiled.tables, work, i, q)
    return q


def _set_modes(place: JointPlace | None, link, modes: Mapping[str, float], q) -> None:
    if place is not None and place.spec.joint.inner:
        for k, label in enumerate(place.spec.joint.labels):
            q[link["iq"] + k] = modes.get(f"{place.spec.name}.{label}", q[link["iq"] + k])


def _start_joint(
    compiled, work, i, place: JointPlace | None, pose: Pose | None, q, use_start: bool
) -> None:
    link = compiled.tables.links[i]
    joint = FLOATING() if place is None else place.spec.joint
    span = slice(link["iq"], link["iq"] + joint.nq)
    if pose is None or joint.inner:
        q[span] = [0.0] * joint.plain() + [1.0, 0.0, 0.0, 0.0] * joint.ball
    else:
        P = work.bodies[link["parent"]]
        X_WF = Pose(P["R"].reshape(3, 3), P["p"]) @ Pose(link["R_PF"].reshape(3, 3), link["p_PF"])
        X_FM = X_WF.inverse @ pose @ compiled.X_BK[i]
        q[span] = joint.measure(X_FM.R, X_FM.p)
    if place is not None and use_start and place.spec.start:
        q[span] = _from_labels(place, place.spec.start, q[span])


def _from_labels(place: JointPlace, start: dict[str, float], q: np.ndarray) -> np.ndarray:
    """Coordinates of a tree joint from the user's labels, also if the tree reverses the joint."""
    joint = place.spec.joint
    at = place.direct
    if at is None:  # convert to the user's coordinates, set the given ones, and convert back
        q = _reversed_coordinates(joint, q)
    for label, value in start.items():
        k = joint.labels.index(label)
        q[k if at is None else at[k]] = value
    return q if at is not None else _reversed_coordinates(joint, q)


def _reversed_coordinates(joint: Joint, q: np.ndarray) -> np.ndarray:
    """Coordinates of the same position with the two frames exchanged (see `Reversal`)."""
    flip = joint.seen_from_child.rotation
    return np.array(joint.measure(*(flip.inverse @ joint_map(joint, q)[0].inverse @ flip)))


def initial_states(compiled: LoweredModel, work: Work) -> np.ndarray:
    """Initial states x: those of elements and controllers, and angles of cut joints on the turn
    that the user gave.
    """
    x = np.zeros(compiled.size["nx"])
    for own in compiled.states.values():
        x[own.ix] = own.state.initial
    for place in compiled.joints.values():
        if place.turns:
            values = joint_coordinates(place, work)
            for label, ix in place.turns.items():
                raw = values[place.spec.joint.labels.index(label)]
                wanted = place.spec.start.get(label, raw)
                x[ix] = place.spec.joint.on_turn(label, raw, wanted)
    return x


def measure_unresolved(
    description: LoweredModel, work: Work, q: np.ndarray, x: np.ndarray, t: float = 0.0
) -> dict[str, float]:
    """Unresolved values at a position, by name (see `resolve`); lengths prescribed as functions of
    time are taken at t.
    """
    trial = resolve(description, {one.name: one.trial for one in description.unresolved})
    positions(trial.tables, work, q)
    check_lengths(trial, work, t, {one.row for one in description.unresolved})
    constraint_values(trial.tables, work, t, q, x)
    return {one.name: _value(description, work, one) for one in description.unresolved}


def _value(description: LoweredModel, work: Work, one: Unresolved) -> float:
    """The free length of a force is the distance of its markers; constraints compute their own
    values.
    """
    if one.table == "forces":
        return path_length(description, work, description.tables.forces[one.row])
    row, spec = (
        description.tables.primitives[one.row],
        description.model.constraints[one.owner].spec,
    )
    return spec.found(one.what, span(work, row), float(work.g[row["ig"]]))


_AXES = (("i", "a_i"), ("j", "a_j"))  # bodies and directions of a primitive


def check_lengths(
    compiled: CompiledModel, work: Work, t: float, unknown: Container[int] = ()
) -> None:
    """Let every constraint between two markers check its length at time t; positions must be up to
    date.

    `unknown` are the rows of primitives whose length is that of the drawing.
    """
    nothing = COINCIDE * float(compiled.tables.settings[0]["length"])
    for n, row in enumerate(compiled.tables.primitives):
        owner = compiled.row_owner[row["ig"]]
        element = compiled.model.constraints.get(owner)
        if element is None or len(element.markers) != 2:
            continue
        drawn, f = span(work, row), np.zeros((1, 3))
        if row["signal"] >= 0:
            sampled(compiled.tables, int(row["signal"]), np.array([t]), f)
            length = float(f[0, 0])
        else:
            length = drawn if n in unknown else float(row["length"])
        try:
            element.spec.check_length(length, t, drawn, nothing)
            element.spec.check_axes(
                *(product(work.bodies[row[on]]["R"].reshape(3, 3), row[a]) for on, a in _AXES)
            )
        except AssemblyError as error:
            raise AssemblyError(f"constraint {owner!r}: {error}") from None


def check_starts(system: System) -> None:
    """Let every force check the poses of its markers and its length at the start; positions must be
    up to date.
    """
    compiled = system.compiled
    for row, element in zip(compiled.tables.forces, compiled.model.forces.values()):
        try:
            element.spec.check_place(_poses(system, row))
            if len(element.markers) > 1:
                element.spec.check_start(
                    path_length(compiled, system.work, row), COINCIDE * system.length
                )
        except AssemblyError as error:
            raise AssemblyError(f"force {element.name!r}: {error}") from None


def _poses(system: System, force) -> list[Pose]:
    """World poses of the markers of a force."""
    found = []
    for marker in system.compiled.tables.markers[force["im"] : force["im"] + force["nm"]]:
        body = system.work.bodies[marker["body"]]
        found.append(
            Pose(body["R"].reshape(3, 3), body["p"]) @ Pose(marker["R"].reshape(3, 3), marker["p"])
        )
    return found


def span(work: Work, row: np.void) -> float:
    """Distance between the two points of a primitive at the present position."""
    return distance(work, (row["i"], row["p_i"]), (row["j"], row["p_j"]))


def distance(work: Work, *points: tuple[int, np.ndarray]) -> float:
    """Length of the path through points fixed on bodies (body, position) at the present position."""
    path = np.array(
        [product(work.bodies[i]["R"].reshape(3, 3), p) + work.bodies[i]["p"] for i, p in points]
    )
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def path_length(compiled: LoweredModel, work: Work, force: np.void) -> float:
    """Length of the path through the markers of a force at the present position."""
    markers = compiled.tables.markers[force["im"] : force["im"] + force["nm"]]
    return distance(work, *((int(m["body"]), m["p"]) for m in markers))
