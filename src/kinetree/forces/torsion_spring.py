"""Torsion spring, damper and motor on a joint coordinate (torsion bar; also a spring along a slide).

    tau = F(angle, rate) in the direction of the coordinate
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..frames import number
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from ..num.jit import kernel
from ..num.vec3 import store3
from .contract import Force, act_on
from .laws import law_energy, law_force, lower_law
from .spring_damper import SpringDamper


@dataclass(frozen=True)
class TorsionSpring(Force):
    """Stiffness (N m/rad), damping (N m s/rad, or a function of time) and motor `torque` on a coordinate like "A.angle".

    The motor is a number, a time function or a controller's output by name ("pid.torque").
    """

    coordinate: str
    stiffness: float = 0.0
    damping: Any = 0.0
    angle: float = 0.0
    torque: Any = 0.0
    law: Any = None

    kind = "torsion-spring"
    markers = (0, 0)
    actuators = ("",)
    readings = (("angle", "rad"), ("rate", "rad/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "TorsionSpring: coordinate")
        number(self.stiffness, "TorsionSpring: stiffness")
        number(self.angle, "TorsionSpring: angle")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def idle(self) -> TorsionSpring:
        return TorsionSpring(self.coordinate)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """On a slide it shows what a spring does."""
        return SpringDamper.readings if units == ("m",) else self.readings

    def lower(self, row, to) -> None:
        lower_law(row, to, self.law, self.stiffness, self.damping, self.torque, "TorsionSpring")
        row["rest"], row["sensor"] = self.angle, to.sensor(self.coordinate)


@kernel
def apply(force, t, q, v, x, tables, work):
    sensor = tables.sensors[force.sensor]
    value = sensor_value(sensor, q, x, work.bodies)
    tau = law_force(force, tables, work, t, value, sensor_rate(sensor, v, work.bodies))
    act_on(sensor, tau, work)


@kernel
def read(force, t, q, v, x, tables, work, out):
    sensor = tables.sensors[force.sensor]
    value, rate = sensor_value(sensor, q, x, work.bodies), sensor_rate(sensor, v, work.bodies)
    store3(out, (value, rate, law_force(force, tables, work, t, value, rate)))


@kernel
def energy(force, t, q, x, tables, work):
    return law_energy(force, tables.pool, sensor_value(tables.sensors[force.sensor], q, x, work.bodies))
