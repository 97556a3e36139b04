"""Sensors of joint coordinates (from q for tree joints, from frames for cut joints) and of the
motion of bodies: position, velocity and angular velocity of a body or a named point.

The position of a body is measured like the displacement of a slide between two frames
(elements/joints/sensors.py), its velocity along the same axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...elements.controllers.controller import SPEED, SPIN, VALUE
from ...elements.joints.sensors import KINDS as SENSOR_KIND
from ...elements.joints.sensors import TREE
from ...errors import ModelError, no_such
from ...kernel.frames import Pose
from ...kernel.tables.records import SENSOR
from ..body import Body, Marker
from ..model import Model
from ..named import joint_and_label, refuse_other
from ..named import marker as placed

if TYPE_CHECKING:
    from .compiled import JointPlace
    from .lower import Lowering

MOTIONS = {"position": VALUE, "velocity": SPEED, "angular_velocity": SPIN}
_AXES = ("x", "y", "z")


class SensorTable:
    """The part of the lowering that registers sensors, each of them once."""

    model: Model
    places: dict[str, JointPlace]
    sensor_of: dict[str, int]
    rows: dict[str, list[np.void]]
    links: np.ndarray
    nx: int
    pool: Callable[[Sequence[float] | np.ndarray], int]

    def sensor(self, name: str) -> int:
        """Index of the sensor of a joint coordinate like "A.angle"."""
        if name not in self.sensor_of:
            spec, label = joint_and_label(self.model.joints, name, self.model.name, "coordinate")
            refuse_other(spec, label, spec.joint.scalars)
            self._new_sensor(self.places[spec.name], name, label)
        return self.sensor_of[name]

    def _new_sensor(self, place: JointPlace, name: str, label: str) -> None:
        labels = place.spec.joint.labels
        if place.direct is None:
            self.frame_sensor(place, label, place.spec.joint.sensors[labels.index(label)])
            return
        row = np.zeros(1, SENSOR)[0]
        at = place.direct[labels.index(label)]
        link = self.links[place.link]
        row["kind"], row["iq"], row["iv"] = TREE, link["iq"] + at, link["iv"] + at
        self._keep_sensor(name, row)

    def frame_sensor(self, place: JointPlace, label: str, kind: str) -> int:
        """Index of a sensor between the frames of a joint; a state x counts the turns of angles."""
        row = sensor_between(SENSOR_KIND[kind], place.i, place.X_iF, place.j, place.X_jM)
        if not kind.startswith("slide"):
            row["ix"] = place.turns[label] = self.nx
            self.nx += 1
        if kind == "along":
            row["first"] = self.pool(place.spec.joint.parameters)
        return self._keep_sensor(f"{place.spec.name}.{label}", row)

    def slide_between(self, name: str, kind: int, i: int, X_iF: Pose, j: int, X_jM: Pose) -> int:
        """Index of a sensor of the position of frame M on body j along an axis of frame F on body i."""
        return self._keep_sensor(name, sensor_between(kind, i, X_iF, j, X_jM))

    def _keep_sensor(self, name: str, row: np.void) -> int:
        self.sensor_of[name] = len(self.rows["sensors"])
        self.rows["sensors"].append(row)
        return self.sensor_of[name]


def sensor_between(kind: int, i: int, X_iF: Pose, j: int, X_jM: Pose) -> np.void:
    """Record of a sensor of a coordinate between frame F on body i and frame M on body j."""
    row = np.zeros(1, SENSOR)[0]
    row["kind"], row["i"], row["j"] = kind, i, j
    row["R_iF"], row["p_iF"] = X_iF.R.ravel(), X_iF.p
    row["R_jM"], row["p_jM"] = X_jM.R.ravel(), X_jM.p
    return row


def body_sensor(to: Lowering, name: str) -> tuple[int, int] | None:
    """Kind and sensor of an input like "hull.seat.velocity.x in hull"; None if the name is not that
    of a body.
    """
    motion, _, frame = name.partition(" in ")
    head, _, axis = motion.rpartition(".")
    head, _, what = head.rpartition(".")
    marker = placed(to.model.bodies, head)
    if marker is None or axis not in _AXES:
        return None
    if what.endswith("acceleration"):
        raise ModelError(
            f"input {name!r}: accelerations follow from the forces and are not known before them. "
            "Measure a velocity, or let a state follow it."
        )
    if what not in MOTIONS:
        raise no_such("motion", what, MOTIONS, f" of {head!r} to measure")
    return MOTIONS[what], _sensor(to, name, _frame(to, frame, name), marker, axis)


def _frame(to: Lowering, frame: str, name: str) -> Body:
    if not frame:
        return to.model.ground
    if frame not in to.model.bodies:
        raise no_such("body", frame, to.model.bodies, f" in whose axes to measure ({name!r})")
    return to.model.bodies[frame]


def _sensor(to: Lowering, name: str, frame: Body, marker: Marker, axis: str) -> int:
    """Index of the sensor, registered once."""
    if name in to.sensor_of:
        return to.sensor_of[name]
    (i, X_iF), (j, X_jM) = to.placed(frame.at(0.0, 0.0, 0.0)), to.placed(marker)
    return to.slide_between(name, SENSOR_KIND[f"slide_{axis}"], i, X_iF, j, X_jM)
