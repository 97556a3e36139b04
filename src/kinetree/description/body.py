"""Bodies and the markers on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..errors import no_such
from ..kernel.frames import Pose, numbers, rotation_matrix
from .look import Outline
from .shapes import MassProperties

if TYPE_CHECKING:
    from .model import Model


@dataclass(frozen=True, slots=True)
class Marker:
    """A frame on a body: X_Bm in body axes."""

    body: Body
    X_Bm: Pose

    def __repr__(self) -> str:
        return "<marker on {!r} at ({:g}, {:g}, {:g})>".format(self.body.name, *self.X_Bm.p)


@dataclass(frozen=True, eq=False, slots=True)
class Body:
    """A rigid body: mass properties, reference pose and velocity (None where not given), named
    points.
    """

    name: str
    properties: MassProperties
    model: Model
    pose: Pose | None = None
    velocity: np.ndarray | None = None
    angular_velocity: np.ndarray | None = None
    points: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    look: tuple[Outline, ...] = ()  # instead of the outline of its shape
    placed: bool = True  # whether a position was given, not a rotation alone

    def at(self, x: float, y: float, z: float, rotation=None) -> Marker:
        """A marker at (x, y, z) in body axes."""
        what = f"body {self.name!r}: marker"
        return Marker(self, Pose(rotation_matrix(rotation, what), numbers((x, y, z), 3, what)))

    def end(self, which: str) -> Marker:
        """The "-" or "+" end of a rod or cylinder."""
        ends = self.properties.ends
        if not isinstance(which, str) or which not in ends:
            raise no_such("end", which, ends, f" on body {self.name!r}")
        return self.at(*ends[which])

    def point(self, name: str) -> Marker:
        """A named point."""
        if not isinstance(name, str) or name not in self.points:
            raise no_such("point", name, self.points, f" on body {self.name!r}")
        return self.at(*self.points[name])

    @property
    def is_ground(self) -> bool:
        return self.name == "ground"

    def __repr__(self) -> str:
        return f"<body {self.name!r}, {self.properties.mass:g} kg>"
