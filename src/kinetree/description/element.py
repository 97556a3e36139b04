"""Named parts of a model and the markers they act at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from ..elements.constraints.contract import Constraint
from ..elements.controllers.controller import Controller
from ..elements.forces.contract import Force
from ..elements.joints.contract import Joint
from .body import Marker

Spec = TypeVar("Spec", bound=Constraint | Force | Controller, covariant=True)
AtMarkers = TypeVar("AtMarkers", bound=Constraint | Force)


@dataclass(frozen=True, slots=True)
class JointSpec:
    """A joint of the model: frame F on the parent, frame M on the child, and how it starts."""

    name: str
    joint: Joint
    F: Marker
    M: Marker
    start: dict[str, float] = field(default_factory=dict)
    speed: dict[str, float] = field(default_factory=dict)
    at: np.ndarray | None = (
        None  # as it was said: a global point, and the places given for parent and child
    )
    places: tuple[Marker, Marker] | None = None

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
