"""From the names of channels to the outputs of an image.

Every reading is compared with the channel in a short run before it is used (build.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...description.lowering.compiled import JointPlace
from ...description.lowering.sensors import sensor_between
from ...elements.joints.sensors import KINDS
from ...engine.dynamics.observe import ACCELERATION as ACCELERATIONS
from ...engine.dynamics.observe import ELEMENTS, FIELDS, MOTION, WRENCH, Record
from ...errors import ModelError
from ...kernel.decorators import table
from ...kernel.tables.records import SENSOR
from ...results.channels import find
from ...results.observe import _shapes
from ...results.solution import Solution
from ...results.sources import points_of, units_of
from .outputs import (
    ACCELERATION,
    COORDINATE,
    OF_LAM,
    OF_RECORD,
    OF_STATE,
    OF_VDOT,
    OUTPUT,
    QUATERNION,
    RATE,
    SECOND,
    SUM,
    TERM,
    VELOCITY,
    Outputs,
)

_XYZ, _WXYZ = "xyz", "wxyz"
_MOTION = {"position": 0, "velocity": VELOCITY, "acceleration": ACCELERATION}
_PARTS = {
    VELOCITY: MOTION,
    ACCELERATION: MOTION | ACCELERATIONS,
    QUATERNION: MOTION,
    SECOND: ACCELERATIONS,
}
_PART_OF = {name: part for part, names in FIELDS.items() for name in names}
_OF_BODY = (*_MOTION, "angular_velocity", "angular_acceleration")


class Reading(NamedTuple):
    """One output: its name, its unit, and how it is computed."""

    name: str
    unit: str
    kind: int = SUM
    terms: tuple[tuple[int, int, float], ...] = ()
    body: int = 0
    component: int = 0
    p: tuple[float, ...] = (0.0, 0.0, 0.0)
    sensor: Any = None
    turn: int = -1
    parts: int = 0  # of the record that it reads


class Readings:
    """Finds the readings of a model; `sol` is a short run of it."""

    def __init__(self, sol: Solution) -> None:
        self.sol, self.compiled = sol, sol.compiled
        self._shapes = {name: (1, *s) for name, s in _shapes(self.compiled).items()}
        sizes = [math.prod(self._shapes[name]) for name in Record._fields]
        self._first = dict(zip(Record._fields, np.cumsum([0, *sizes[:-1]]).tolist()))

    def of(self, names: Sequence[str]) -> list[Reading]:
        """The readings of channels; a vector has one for each component."""
        found = []
        for name in names:
            channel, component = find(self.sol.channels, name, self.sol.model.name)
            if channel.at_steps:
                raise ModelError(
                    f"channel {name!r} has values at steps, which other programs do not have. "
                    "Choose another output."
                )
            whole = component is None and channel.components
            for full in [f"{name}.{c}" for c in channel.components] if whole else [name]:
                reading = self._reading(full)
                if reading is None:
                    raise ModelError(
                        f"channel {full!r} cannot be an output of an exported model. Outputs are "
                        "coordinates of joints with their derivatives, reactions, motions of bodies "
                        "and points, readings of force elements, forces of constraints, states, "
                        "outputs of controllers, energies and momenta."
                    )
                found.append(reading._replace(unit=channel.unit, parts=self._parts(reading)))
        return found

    def _parts(self, reading: Reading) -> int:
        """The parts of the record that a reading needs."""
        parts = _PARTS.get(reading.kind, 0)
        for source, at, _ in reading.terms:
            if source == OF_RECORD:
                # fields without numbers begin where the next one does
                name = [one for one in Record._fields if self._first[one] <= at][-1]
                parts |= _PART_OF[name]
        return parts | (ELEMENTS if parts & WRENCH else 0)

    def _reading(self, name: str) -> Reading | None:
        for find_one in (self._state, self._whole, self._joint, self._body, self._force):
            if (found := find_one(name)) is not None:
                return Reading(name, "1")._replace(**found)
        return self._constraint(name)

    def number(self, field: str, *index: int) -> tuple[int, int, float]:
        """A number of the record as a term."""
        at = np.ravel_multi_index((0, *index), self._shapes[field]) if index else 0
        return OF_RECORD, self._first[field] + int(at), 1.0

    def _state(self, name: str) -> dict[str, Any] | None:
        compiled, size = self.compiled, self.compiled.size
        if name in compiled.states:
            return _sum((OF_STATE, size["nq"] + size["nv"] + compiled.states[name].ix, 1.0))
        if name in compiled.outputs:
            return _sum(self.number("output", compiled.outputs[name]))
        return None

    def _whole(self, name: str) -> dict[str, Any] | None:
        """Energies and momenta."""
        if self.sol.model.generated is not None:
            return None
        owner, _, what = name.partition(".")
        stored = [self.number("stored", k) for k in range(len(self.compiled.tables.forces))]
        kinetic, potential = self.number("kinetic"), [self.number("potential"), *stored]
        if owner == "energy":
            terms = {"kinetic": [kinetic], "potential": potential, "total": [kinetic, *potential]}
            return _sum(*terms[what]) if what in terms else None
        what, _, axis = what.partition(".")
        if owner == "momentum" and axis in _XYZ:
            return _sum(self.number("momentum", _XYZ.index(axis) + 3 * (what == "linear")))
        return None

    def _joint(self, name: str) -> dict[str, Any] | None:
        owner, tail = self._owner(name, self.compiled.joints)
        if owner is None:
            return None
        place = self.compiled.joints[owner]
        head, _, axis = tail.rpartition(".")
        if head in ("force", "torque") and axis in _XYZ:
            n = list(self.compiled.joints).index(owner)
            return _sum(self.number("wrench", n, _XYZ.index(axis) + 3 * (head == "force")))
        return self._coordinate(place, f"q{axis}" if head == "quaternion" else tail)

    def _coordinate(self, place: JointPlace, tail: str) -> dict[str, Any] | None:
        joint, speeds = place.spec.joint, place.spec.joint.speeds
        if tail in joint.labels:
            label, kind = tail, COORDINATE
        else:
            head, _, last = tail.rpartition(".")
            kind = {"rate": RATE, "acceleration": SECOND}.get(last, -1)
            label = head or (speeds[0] if len(speeds) == 1 else "")
            if tail in speeds:  # a velocity without a coordinate
                label, kind = tail, RATE
            elif label in speeds and label not in joint.labels:
                kind = SECOND if last == "rate" else -1
            if kind < 0 or label not in speeds:
                return None
        if place.direct is not None:
            return self._of_tree(place, label, kind)
        return self._of_cut(place, label, kind)

    def _of_tree(self, place: JointPlace, label: str, kind: int) -> dict[str, Any]:
        joint, link, size = (
            place.spec.joint,
            self.compiled.tables.links[place.link],
            self.compiled.size,
        )
        if kind == COORDINATE:
            at = place.direct[joint.labels.index(label)]  # type: ignore[index]
            return _sum((OF_STATE, int(link["iq"]) + at, 1.0))
        at = joint.speeds.index(label)
        iv = int(link["iv"]) + (place.direct[at] if place.reversed else at)  # type: ignore[index]
        return _sum((OF_STATE, size["nq"] + iv, 1.0) if kind == RATE else (OF_VDOT, iv, 1.0))

    def _of_cut(self, place: JointPlace, label: str, kind: int) -> dict[str, Any] | None:
        joint, size = place.spec.joint, self.compiled.size
        if label not in joint.scalars:
            return None
        gauge = joint.sensors[joint.labels.index(label)]
        if gauge not in KINDS or gauge == "along":
            return None
        turn = place.turns.get(label, -1)
        return {
            "kind": kind,
            "sensor": sensor_between(KINDS[gauge], place.i, place.X_iF, place.j, place.X_jM),
            "turn": turn if turn < 0 else size["nq"] + size["nv"] + turn,
        }

    def _body(self, name: str) -> dict[str, Any] | None:
        owner, tail = self._owner(name, self.compiled.bodies[1:])
        if owner is None:
            return None
        index, body = self.compiled.bodies.index(owner), self.sol.model.bodies[owner]
        head, _, axis = tail.rpartition(".")
        if head == "quaternion" and axis in _WXYZ:
            return {"kind": QUATERNION, "body": index, "component": _WXYZ.index(axis)}
        if axis not in _XYZ:
            return None
        k = _XYZ.index(axis)
        if head in _OF_BODY:
            return _sum(self.number(head, index, k))
        point, _, what = head.rpartition(".")
        p = points_of(body).get(point)
        if p is None or what not in _MOTION:
            return None
        if what == "position":
            turned = [self.number("rotation", index, 3 * k + m) for m in range(3)]
            terms = [(source, at, float(p[m])) for m, (source, at, _) in enumerate(turned)]
            return _sum(self.number("position", index, k), *terms)
        return {"kind": _MOTION[what], "body": index, "component": k, "p": tuple(map(float, p))}

    def _force(self, name: str) -> dict[str, Any] | None:
        owner, tail = self._owner(name, self.sol.model.forces)
        if owner is None:
            return None
        n, spec = list(self.sol.model.forces).index(owner), self.sol.model.forces[owner].spec
        if tail in ("energy", "power"):
            return _sum(self.number({"energy": "stored"}.get(tail, tail), n))
        labels = [label for label, _ in spec.readings_on(units_of(self.sol, spec))]
        if tail in labels:
            return _sum(self.number("element", n, labels.index(tail)))
        sums = spec.sums(owner, self.sol.model.forces)
        if tail in sums:
            parts = [self._reading(part) for part in sums[tail][2]]
            if all(part is not None and part.kind == SUM for part in parts):
                return _sum(*(term for part in parts if part for term in part.terms))
        head, _, axis = tail.rpartition(".")
        if not spec.readings and head in ("force", "torque") and axis in _XYZ:
            return _sum(self.number("load", n, _XYZ.index(axis) + 3 * (head == "force")))
        return None

    def _constraint(self, name: str) -> Reading | None:
        owner, tail = self._owner(name, self.sol.model.constraints)
        if owner is None:
            return None
        spec, row = self.sol.model.constraints[owner].spec, self.compiled.row_owner.index(owner)
        label, _, axis = tail.rpartition(".")
        for load in spec.loads(owner):
            if tail == load.label or (label == load.label and load.width > 1):
                k = 0 if load.width == 1 else _XYZ.index(axis)
                terms = _sum((OF_LAM, row + load.first + k, -1.0))
                return Reading(name, "1")._replace(**terms)
        effort = spec.effort(owner, units_of(self.sol, spec))
        if effort is None or effort.stretched or tail not in ("force", effort.opposite):
            return None
        sign = 1.0 if tail == "force" else -1.0
        return Reading(name, "1")._replace(**_sum((OF_LAM, row, sign * effort.factor)))

    def _owner(self, name: str, owners: Iterable[str]) -> tuple[str | None, str]:
        """The element of a channel, and the rest of its name."""
        known = set(owners)
        places = [k for k, letter in enumerate(name) if letter == "."]
        for k in reversed(places):
            if name[:k] in known:
                return name[:k], name[k + 1 :]
        return None, ""


def _sum(*terms: tuple[int, int, float]) -> dict[str, Any]:
    return {"kind": SUM, "terms": terms}


def outputs_of(readings: Sequence[Reading], record: Record) -> Outputs:
    """The block of outputs of an image."""
    rows, terms = table(OUTPUT, len(readings)), [t for r in readings for t in r.terms]
    sensors = [reading.sensor for reading in readings if reading.sensor is not None]
    found, first, sensor = table(TERM, len(terms)), 0, 0
    for k, term in enumerate(terms):
        found[k] = term
    for row, reading in zip(rows, readings):
        row["kind"], row["body"], row["component"] = reading.kind, reading.body, reading.component
        row["first"], row["count"], row["turn"] = first, len(reading.terms), reading.turn
        row["p"] = reading.p
        first += len(reading.terms)
        if reading.sensor is not None:
            row["first"], sensor = sensor, sensor + 1
    lowered = table(SENSOR, len(sensors))
    for k, one in enumerate(sensors):
        lowered[k] = one
    flat = record.position
    while isinstance(flat.base, np.ndarray) and flat.base.dtype == np.float64:
        flat = flat.base
    return Outputs(rows, found, lowered, flat, np.zeros(len(readings)))
