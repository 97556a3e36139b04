"""A force at a point and a torque on a body, with components in world or body axes that may depend
on time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check_inputs, row
from ...core.quantities import Push
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import rotate
from ...kernel.decorators import inline, kernel
from ..controllers.inputs import input_value
from .contract import ZERO, Force, frame, no_energy, point_motion, push

FRAMES = {"world": 0, "body": 1}


@dataclass(frozen=True)
class PointForce(Force):
    """Force (N) at a marker, in "world" axes or in those of the marker ("body").

    components   three, each a number, a time function or a controller's output by name, like
                 "pid.push" (N)
    frame        "world": they keep their direction; "body": they turn with the marker
    """

    components: Push
    frame: str = "world"

    kind = "point-force"
    markers = (1, 1)
    actuators = ("x", "y", "z")

    def __post_init__(self) -> None:
        if not isinstance(self.frame, str) or self.frame not in FRAMES:
            raise ModelError(
                f"{type(self).__name__}: frame {short(self.frame)} is not one of "
                f"{', '.join(FRAMES)}."
            )
        components = row(
            self.components, f"{type(self).__name__}: components", "three numbers or time functions"
        )
        if len(components) != 3:
            raise ModelError(
                f"{type(self).__name__}: three components are needed, got {short(self.components)}."
            )
        object.__setattr__(self, "components", components)
        check_inputs(self, "components")

    def idle(self) -> PointForce:
        return type(self)((0.0, 0.0, 0.0), self.frame)

    def lower(self, row, to) -> None:
        row["mode"] = FRAMES[self.frame]
        for k in range(3):
            row["input"][k] = to.input(
                self.components[k], f"{type(self).__name__}: component {'xyz'[k]}"
            )


@inline
def vector(tables, work, force, t):
    """The three components now, in world axes."""
    value = (
        input_value(tables, work, t, force.input[0]),
        input_value(tables, work, t, force.input[1]),
        input_value(tables, work, t, force.input[2]),
    )
    return rotate(frame(tables.markers[force.im], work.bodies), value) if force.mode == 1 else value


@kernel
def apply(tables, work, force, t, q, v, x):
    marker = tables.markers[force.im]
    push(
        marker,
        work.bodies,
        ZERO,
        vector(tables, work, force, t),
        point_motion(marker, work.bodies)[0],
    )


energy = no_energy
