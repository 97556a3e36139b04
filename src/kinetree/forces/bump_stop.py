"""A stop at the end of the travel of a joint coordinate: a stiff spring beyond a value, which never
pulls.

s = x - at  (at - x for a lower stop),      F = max(0, k s + c s' min(s / fade, 1)) against s, where
            s > 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..annotations import CoordinateDamping, CoordinateStiffness, CoordinateValue, Reference
from ..checks import check_flags
from ..errors import ModelError, short
from ..frames import check
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from ..num.jit import inline, kernel
from ..num.vec3 import store3
from ..roads.contact import press
from .contract import Force, act_on


@dataclass(frozen=True)
class BumpStop(Force):
    """Stiffness (N m/rad or N/m) and damping beyond the value `at` of a coordinate;
    `lower_end=True` stops it from below.

    coordinate   of a joint, like "A.angle"
    at           where the stop begins (rad, m on a slide)
    stiffness    beyond it (N m/rad, N/m on a slide)
    damping      beyond it, against the motion inwards and outwards (N m s/rad, N s/m on a slide)
    lower_end    whether it holds from below
    fade         depth within which the damper comes in (rad, m on a slide)
    """

    coordinate: Reference
    at: CoordinateValue
    stiffness: CoordinateStiffness
    damping: CoordinateDamping = 0.0
    lower_end: bool = False
    fade: CoordinateValue = 0.01

    kind = "bump-stop"
    markers = (0, 0)
    readings = (("depth", "rad"), ("rate", "rad/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "BumpStop: coordinate")
        check(self, "at")
        check_flags(self, "lower_end")
        check(self, "stiffness", "fade", positive=True)
        check(self, "damping", at_least_zero=True)
        if not isinstance(self.lower_end, bool):
            raise ModelError(
                f"BumpStop: lower_end must be True or False, got {short(self.lower_end)}."
            )

    def counted(self, signs: Mapping[str, float]) -> BumpStop:
        return (
            self
            if signs[self.coordinate] > 0.0
            else replace(self, at=-self.at, lower_end=not self.lower_end)
        )

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """On a slide lengths and a force."""
        return (
            (("depth", "m"), ("rate", "m/s"), ("force", "N")) if units == ("m",) else self.readings
        )

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        return (("depth", 0.0),)

    def lower(self, row, to) -> None:
        row["rest"], row["sensor"], row["mode"] = (
            self.at,
            to.sensor(self.coordinate),
            -1 if self.lower_end else 1,
        )
        row["first"] = to.pool([self.stiffness, self.damping, self.fade])


@inline
def pressed(tables, work, force, q, v, x):
    """Depth in the stop, its rate, and the effort along the coordinate."""
    sensor, n, pool, side = (
        tables.sensors[force.sensor],
        force.first,
        tables.pool,
        float(force.mode),
    )
    depth = side * (sensor_value(tables, sensor, q, x, work.bodies) - force.rest)
    rate = side * sensor_rate(tables, sensor, v, work.bodies)
    return depth, rate, -side * press(depth, rate, pool[n], pool[n + 1], pool[n + 2])


@kernel
def apply(tables, work, force, t, q, v, x):
    act_on(tables, work, tables.sensors[force.sensor], pressed(tables, work, force, q, v, x)[2])


@kernel
def read(tables, work, force, t, q, v, x, out):
    store3(out, pressed(tables, work, force, q, v, x))


@kernel
def energy(tables, work, force, t, q, x):
    s = float(force.mode) * (
        sensor_value(tables, tables.sensors[force.sensor], q, x, work.bodies) - force.rest
    )
    return 0.5 * tables.pool[force.first] * max(s, 0.0) ** 2
