"""Torsion spring, damper and motor on a joint coordinate (torsion bar; also a spring along a
slide).

    tau = F(angle, rate) in the direction of the coordinate
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...core.checks import check, check_inputs
from ...core.quantities import (
    CoordinateDampingInput,
    CoordinateEffortInput,
    CoordinateStiffness,
    CoordinateValue,
    ForceLaw,
    Reference,
)
from ...kernel.algebra.spatial import add_to6, join, scale6
from ...kernel.algebra.vec3 import neg, store3
from ...kernel.decorators import kernel
from ...kernel.tables.poses import END, START
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
from ..signals.contract import negated
from .contract import ZERO, Force, act_on
from .laws import law_energy, law_force, law_over, lower_law, reflected
from .spring_damper import SpringDamper


@dataclass(frozen=True)
class TorsionSpring(Force):
    r"""Spring, damper and motor on a joint coordinate.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle" or "slide.displacement".
    stiffness : float, default 0.0
        Stiffness of the spring (N m/rad, or N/m for a displacement).
    damping : float, time function or str, default 0.0
        Damping coefficient (N m s/rad, or N s/m for a displacement): a number, a time function, or
        the output of a controller by name.
    angle : float, default 0.0
        Value of the coordinate at which the spring is free (rad, or m for a displacement).
    torque : float, time function or str, default 0.0
        Torque of the motor in the direction of the coordinate (N m, or N for a displacement): a
        number, a time function, or the output of a controller by name, such as "pid.torque".
    law : Polynomial, Characteristic or callable, optional
        Spring law instead of `stiffness`, or a function law(t, x, xdot) of time, coordinate and
        rate that returns the torque of spring and damper in the direction of the coordinate.

    See Also
    --------
    kt.SpringDamper : Spring between two markers.
    kt.BumpStop : Stop at the end of the range.
    kt.Driver : Prescribes the coordinate.

    Notes
    -----
    .. math::
        T = -k\,(x - x_0) - c\,\dot x + \tau

    :math:`x` is the coordinate (rad, or m), :math:`k` the `stiffness`, :math:`x_0` the free
    `angle`, :math:`c` the `damping` and :math:`\tau` the `torque` of the motor. T acts on the
    child (N m, or N), and with the opposite sign on the parent. It is positive in the direction of
    the coordinate. On a displacement the element is a spring, damper and linear motor: its channels
    are then `length`, `rate` and `force`.

    Examples
    --------
    A torsion bar is twisted by 0.1 rad.

    >>> import kinetree as kt
    >>> model = kt.Model("bar", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel, start={"angle": 0.1})
    >>> bar = model.force("bar", kt.TorsionSpring("A.angle", stiffness=200.0))
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['bar.torque'][0]:.1f} N m")
    -20.0 N m
    """

    coordinate: Reference
    stiffness: CoordinateStiffness = 0.0
    damping: CoordinateDampingInput = 0.0
    angle: CoordinateValue = 0.0
    torque: CoordinateEffortInput = 0.0
    law: ForceLaw | None = None

    kind = "torsion-spring"
    markers = (0, 0)
    meanings = {
        "angle": "value x of the joint coordinate",
        "length": "value x of the joint coordinate, a displacement",
        "rate": "time derivative of the joint coordinate",
        "torque": "spring, damper and motor together, on the child in the direction of the coordinate",
        "force": "spring, damper and motor together, on the child in the direction of the displacement",
    }
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
        """The readings of a spring where the coordinate is a displacement."""
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
    """Mean torque over the step along the discrete derivative of the coordinate, in node
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
