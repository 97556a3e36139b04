"""Dry and viscous friction along a joint coordinate, with a Stribeck curve between sticking and
sliding.

    F = -(Fc + (Fs - Fc) exp(-(v / vs)^2)) tanh(v / v0) - c v

The jump of dry friction at rest is a steep slope: a joint that sticks creeps at a small part of v0
instead. The smaller v0, the nearer to sticking and the stiffer the equations (slope Fs / v0): bdf
takes it, adams takes small steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..annotations import CoordinateDamping, CoordinateEffort, CoordinateSpeed, Reference
from ..checks import check
from ..errors import ModelError
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate
from ..num.jit import inline, kernel
from .contract import Force, act_on


@dataclass(frozen=True)
class JointFriction(Force):
    """Dry and viscous friction on a coordinate like "A.angle", against its motion.

    coordinate   of a joint
    coulomb      friction while it slides (N m, N on a slide)
    static       friction where it begins to slide; by default the same (N m, N on a slide)
    stribeck     speed over which one becomes the other (rad/s, m/s on a slide)
    viscous      friction per speed (N m s/rad, N s/m on a slide)
    transition   speed v0 below which it counts as sticking (rad/s, m/s on a slide)
    """

    coordinate: Reference
    coulomb: CoordinateEffort
    static: CoordinateEffort | None = None
    stribeck: CoordinateSpeed = 0.1
    viscous: CoordinateDamping = 0.0
    transition: CoordinateSpeed = 1e-3

    kind = "joint-friction"
    markers = (0, 0)
    readings = (("rate", "rad/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "JointFriction: coordinate")
        check(self, "coulomb", "viscous", at_least_zero=True)
        check(self, "stribeck", "transition", positive=True)
        check(self, "static", optional=True)
        if self.static is not None and self.static < self.coulomb:
            raise ModelError(
                f"JointFriction: static {self.static!r} must not be less than coulomb "
                f"{self.coulomb!r}; what sticks "
                "holds more than what slides."
            )

    def counted(self, signs: Mapping[str, float]) -> JointFriction:
        return self  # the same both ways

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """On a slide a speed and a force."""
        return (("rate", "m/s"), ("force", "N")) if units == ("m",) else self.readings

    def lower(self, row, to) -> None:
        static = self.coulomb if self.static is None else self.static
        row["sensor"] = to.sensor(self.coordinate)
        row["first"] = to.pool(
            [self.coulomb, static - self.coulomb, self.stribeck, self.viscous, self.transition]
        )


@inline
def rubbed(tables, work, force, v):
    """The rate of the coordinate, and the effort along it."""
    rate, n, pool = (
        sensor_rate(tables, tables.sensors[force.sensor], v, work.bodies),
        force.first,
        tables.pool,
    )
    dry = pool[n] + pool[n + 1] * math.exp(-((rate / pool[n + 2]) ** 2))
    return rate, -dry * math.tanh(rate / pool[n + 4]) - pool[n + 3] * rate


@kernel
def apply(tables, work, force, t, q, v, x):
    act_on(tables, work, tables.sensors[force.sensor], rubbed(tables, work, force, v)[1])


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0], out[1] = rubbed(tables, work, force, v)


@kernel
def energy(tables, work, force, t, q, x):
    return 0.0
