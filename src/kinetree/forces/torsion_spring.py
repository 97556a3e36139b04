"""Torsion spring, damper and motor on a joint coordinate (torsion bar; also a spring along a
slide).

tau = F(angle, rate) in the direction of the coordinate
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..annotations import (
    CoordinateDampingInput,
    CoordinateEffortInput,
    CoordinateStiffness,
    CoordinateValue,
    ForceLaw,
    Reference,
)
from ..checks import check, check_inputs
from ..joints.contract import check_coordinate
from ..joints.sensors import (
    ALONG,
    TURN_X,
    TURN_Z,
    axis_over,
    on_turn,
    round_of,
    sensor_rate,
    sensor_value,
    sensor_wrench,
    slide_at,
)
from ..num.jit import kernel
from ..num.spatial import add_to6, join, scale6
from ..num.vec3 import neg, store3
from ..signals.contract import negated
from ..tables.poses import END, START
from .contract import ZERO, Force, act_on
from .laws import law_energy, law_force, law_over, lower_law, reflected
from .spring_damper import SpringDamper


@dataclass(frozen=True)
class TorsionSpring(Force):
    """Stiffness (N m/rad), damping (N m s/rad, or a function of time) and motor `torque` on a
    coordinate like "A.angle".

    coordinate   of a joint; on a slide all is in metres and newtons
    stiffness    of the spring, positive resists (N m/rad, N/m on a slide)
    damping      torque per rate; a number, a time function or a controller's output (N m s/rad, N
                 s/m on a slide)
    angle        at which the spring is free (rad, m on a slide)
    torque       of the motor, along the coordinate; a number, a time function or a controller's
                 output (N m, N on a slide)
    law          instead of the stiffness: kt.Polynomial, kt.Characteristic, or a function law(t, x,
                 xdot)
    """

    coordinate: Reference
    stiffness: CoordinateStiffness = 0.0
    damping: CoordinateDampingInput = 0.0
    angle: CoordinateValue = 0.0
    torque: CoordinateEffortInput = 0.0
    law: ForceLaw = None

    kind = "torsion-spring"
    markers = (0, 0)
    actuators = ("",)
    readings = (("angle", "rad"), ("rate", "rad/s"), ("torque", "N m"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "TorsionSpring: coordinate")
        check(self, "stiffness", "angle")
        check_inputs(self, "damping", "torque")

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def counted(self, signs: Mapping[str, float]) -> TorsionSpring:
        if signs[self.coordinate] > 0.0:
            return self
        return replace(
            self,
            angle=-self.angle,
            torque=negated(self.torque, "TorsionSpring: torque"),
            law=reflected(self.law, "TorsionSpring: law"),
        )

    def idle(self) -> TorsionSpring:
        return TorsionSpring(self.coordinate)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """On a slide it shows what a spring does."""
        return SpringDamper.readings if units == ("m",) else self.readings

    def lower(self, row, to) -> None:
        lower_law(row, to, self.law, self.stiffness, self.damping, self.torque, "TorsionSpring")
        row["rest"], row["sensor"] = self.angle, to.sensor(self.coordinate)


@kernel
def apply(tables, work, force, t, q, v, x):
    sensor = tables.sensors[force.sensor]
    value = sensor_value(tables, sensor, q, x, work.bodies)
    tau = law_force(tables, work, force, t, value, sensor_rate(tables, sensor, v, work.bodies))
    act_on(tables, work, sensor, tau)


@kernel
def discrete(tables, work, force, t, h, x):
    """The mean torque over the step along the discrete derivative of the coordinate, in node
    coordinates.
    """
    sensor = tables.sensors[force.sensor]
    if TURN_X <= sensor.kind <= TURN_Z:
        before = x[sensor.ix]
        a, turn = axis_over(work, sensor)
        tau = law_over(tables, work, force, t, before, before + turn, before + 0.5 * turn, turn / h)
        F_i, F_j = join(neg(a), ZERO), join(a, ZERO)
    else:
        F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
        before, after = slide_at(tables, work, sensor, START), slide_at(tables, work, sensor, END)
        if sensor.kind == ALONG:
            before = x[sensor.ix]
            after = on_turn(after, round_of(tables, sensor), before)
        tau = law_over(
            tables, work, force, t, before, after, 0.5 * (before + after), (after - before) / h
        )
    add_to6(work.bodies[sensor.i].F, scale6(tau, F_i))
    add_to6(work.bodies[sensor.j].F, scale6(tau, F_j))


@kernel
def read(tables, work, force, t, q, v, x, out):
    sensor = tables.sensors[force.sensor]
    value, rate = (
        sensor_value(tables, sensor, q, x, work.bodies),
        sensor_rate(tables, sensor, v, work.bodies),
    )
    store3(out, (value, rate, law_force(tables, work, force, t, value, rate)))


@kernel
def energy(tables, work, force, t, q, x):
    return law_energy(
        force, tables.pool, sensor_value(tables, tables.sensors[force.sensor], q, x, work.bodies)
    )
