"""What controllers measure on bodies: position, velocity and angular velocity of a body or a named
point, in chosen axes.

A position is read as the travel of a slide between the frame and the point (elements/joints/sensors.py);
velocities along its axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...elements.controllers.controller import SPEED, SPIN, VALUE
from ...elements.joints.sensors import KINDS
from ...errors import ModelError, no_such
from ..body import Body, Marker
from ..named import marker as placed

if TYPE_CHECKING:
    from .lower import Lowering

KIND = {"position": VALUE, "velocity": SPEED, "angular_velocity": SPIN}
_AXES = ("x", "y", "z")


def on_body(to: Lowering, name: str) -> tuple[int, int] | None:
    """Kind and sensor of an input like "hull.seat.velocity.x in hull"; None where the name says
    nothing of a body.
    """
    said, _, frame = name.partition(" in ")
    head, _, axis = said.rpartition(".")
    head, _, what = head.rpartition(".")
    marker = placed(to.model.bodies, head)
    if marker is None or axis not in _AXES:
        return None
    if what.endswith("acceleration"):
        raise ModelError(
            f"input {name!r}: accelerations follow from the forces and are not known before them. "
            "Measure a "
            "velocity, or let a state follow it."
        )
    if what not in KIND:
        raise no_such("motion", what, KIND, f" of {head!r} to measure")
    return KIND[what], _sensor(to, name, _frame(to, frame, name), marker, axis)


def _frame(to: Lowering, frame: str, name: str) -> Body:
    if not frame:
        return to.model.ground
    if frame not in to.model.bodies:
        raise no_such("body", frame, to.model.bodies, f" in whose axes to measure ({name!r})")
    return to.model.bodies[frame]


def _sensor(to: Lowering, name: str, frame: Body, marker: Marker, axis: str) -> int:
    """The sensor, each once."""
    if name in to.sensor_of:
        return to.sensor_of[name]
    (i, X_iF), (j, X_jM) = to.placed(frame.at(0.0, 0.0, 0.0)), to.placed(marker)
    return to.slide_between(name, KINDS[f"slide_{axis}"], i, X_iF, j, X_jM)
