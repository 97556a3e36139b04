"""Named joints and elements of a model, with their markers and start values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from ..elements.constraints.contract import Constraint
from ..elements.controllers.controller import Controller
from ..elements.forces.contract import Force
from ..elements.joints.contract import QUATERNION, Joint
from ..elements.shapes.contract import Placed, Shape
from ..errors import ModelError, no_such, short
from ..kernel.frames import number, numbers
from .body import Marker

Spec = TypeVar("Spec", bound=Constraint | Force | Controller, covariant=True)
AtMarkers = TypeVar("AtMarkers", bound=Constraint | Force)


@dataclass(frozen=True, slots=True)
class JointSpec:
    """A joint of the model: frame F on the parent, frame M on the child, and its start values."""

    name: str
    joint: Joint
    F: Marker
    M: Marker
    start: dict[str, float] = field(default_factory=dict)
    speed: dict[str, float] = field(default_factory=dict)
    at: np.ndarray | None = None  # a global point, and the markers given for parent and child
    places: tuple[Marker, Marker] | None = None
    inertia: dict[str, float] = field(default_factory=dict)  # of coordinates

    def __repr__(self) -> str:
        return f"<joint {self.name!r}: {self.joint.kind} from {self.F.body.name!r} to {self.M.body.name!r}>"


@dataclass(frozen=True)
class Element(Generic[Spec]):
    """A named force, constraint or controller with its markers."""

    name: str
    spec: Spec
    markers: tuple[Marker, ...]

    def __repr__(self) -> str:
        places = ", ".join(repr(m.body.name) for m in self.markers)
        return f"<{type(self.spec).__name__} {self.name!r}{' on ' if places else ''}{places}>"


def check_inertia(what: str, joint: Joint, inertia: object) -> dict[str, float]:
    """Checked copy of the inertias of coordinates."""
    if not isinstance(inertia, dict):
        raise ModelError(
            f"{what}: inertia must be a dict like {{'angle': 0.02}}, got {short(inertia)}."
        )
    for label in inertia:
        if label not in joint.speeds:
            raise no_such("velocity", label, joint.speeds, f" of {what}, a {joint.kind} joint")
    found = {
        label: number(value, f"{what}: inertia of {label!r}", at_least_zero=True)
        for label, value in inertia.items()
    }
    if joint.ball and len({found.get(label, 0.0) for label in ("wx", "wy", "wz")}) > 1:
        raise ModelError(
            f"{what}: the inertias of wx, wy and wz must be equal: others turn with the body, like "
            "those of the body itself."
        )
    return {label: value for label, value in found.items() if value > 0.0}


def check_start(
    what: str, joint: Joint, start: dict, speed: dict
) -> tuple[dict[str, float], dict[str, float]]:
    """Checked copies of given coordinates and speeds; "quaternion" becomes its four labels."""
    for given, kind in ((start, "start"), (speed, "speed")):
        if not isinstance(given, dict):
            raise ModelError(
                f"{what}: {kind} must be a dict like {{'angle': 0.3}}, got {short(given)}."
            )
    if not start and not speed:
        return {}, {}
    start, speed = dict(start), dict(speed)
    if "quaternion" in start and joint.plain() < joint.nv:
        q = numbers(start.pop("quaternion"), 4, f"{what}: quaternion")
        start.update(zip(QUATERNION, map(float, q)))
    for given, labels, kind in (
        (start, joint.labels, "coordinate"),
        (speed, joint.speeds, "speed"),
    ):
        for label, value in given.items():
            if label not in labels:
                raise no_such(kind, label, labels, f" at {what} ({joint.kind})")
            given[label] = number(value, f"{what}: {label}")
    joint.check_start(start, what)
    return start, speed


def placed_shape(value: object, what: str) -> Placed:
    """The shape with its place, or an error that says how to place one."""
    if isinstance(value, Placed):
        return value
    how = (
        f"say on which body it lies: {short(value)}.on(body)"
        if isinstance(value, Shape)
        else f"give a shape on a body such as kt.shapes.Ball(0.1).on(body), got {short(value)}"
    )
    raise ModelError(f"{what}: {how}.")
