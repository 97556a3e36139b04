"""A force at a point and a torque on a body, with components in world or body axes that may depend on time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..control.inputs import input_value
from ..errors import ModelError
from ..num.jit import inline, kernel
from ..num.vec3 import rotate
from .contract import Force, end_frames, end_points, no_energy, push

_ZERO = (0.0, 0.0, 0.0)
FRAMES = {"world": 0, "body": 1}


@dataclass(frozen=True)
class PointForce(Force):
    """Force (N) at a marker, in "world" axes or in those of the marker ("body").

    Each of the three components is a number, a time function or a controller's output by name ("pid.push").
    """

    components: tuple[Any, Any, Any]
    frame: str = "world"

    kind = "point-force"
    markers = (1, 1)

    def __post_init__(self) -> None:
        if not isinstance(self.frame, str) or self.frame not in FRAMES:
            raise ModelError(f"{type(self).__name__}: frame {self.frame!r} is not one of {', '.join(FRAMES)}.")
        if not isinstance(self.components, (tuple, list, np.ndarray)) or len(self.components) != 3:
            raise ModelError(f"{type(self).__name__}: three components are needed, got {self.components!r}.")

    def lower(self, row, to) -> None:
        row["frame"] = FRAMES[self.frame]
        for k in range(3):
            row["signal"][k] = to.input(self.components[k], f"{type(self).__name__}: component {'xyz'[k]}")


@inline
def vector(force, t, tables, work):
    """The three components now, in world axes."""
    value = (input_value(tables, work, t, force.signal[0]), input_value(tables, work, t, force.signal[1]),
             input_value(tables, work, t, force.signal[2]))
    return rotate(end_frames(force, work.bodies)[1], value) if force.frame == 1 else value


@kernel
def apply(force, t, q, v, x, tables, work):
    _, _, p_j, _ = end_points(force, work.bodies)
    push(work.bodies[force.j], _ZERO, vector(force, t, tables, work), p_j)


energy = no_energy
