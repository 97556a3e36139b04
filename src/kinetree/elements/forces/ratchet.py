"""Ratchet: a joint coordinate that cannot go back behind the last tooth of a wheel.

    s - p floor(s_max / p) >= 0,      p the pitch, s_max the largest value so far

The last tooth that has passed the pawl is a state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...core.checks import check, check_flags
from ...core.quantities import CoordinateSpeed, CoordinateValue, Plain, Reference
from ...kernel.decorators import inline, kernel
from ..controllers.contract import State
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from .contract import Force, act_on
from .joint_stop import coordinate_load, lower_on_coordinate, write_coordinate
from .rigid_contact import check_impact
from .unilateral import APART, limit_step, meaning_of_state, mode_of, states_of

TOOTH = 1  # place of the state after the mode
SHORT = 1e-3  # of the pitch: the way that a step may pass beyond half of the gap


@dataclass(frozen=True)
class Ratchet(Force):
    r"""Ratchet wheel with a pawl on a joint coordinate.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle".
    pitch : float
        Distance of the teeth (rad, or m for a displacement), such as ``2 * math.pi / 24``.
    first : float, default 0.0
        Value at which a tooth meets the pawl.
    backward : bool, default False
        Whether the coordinate can only decrease, instead of only increase.
    restitution : float, default 0.0
        Ratio of the rates after and before an impact of the pawl, from 0 to 1.
    rest_speed : float, default 1e-05
        Rate of impact (rad/s, or m/s) below which the pawl stays in contact.

    See Also
    --------
    kt.OneWayClutch : Locks at any position.
    kt.JointStop : Stops at fixed values.

    Notes
    -----
    .. math::
        s \ge s_0 + p \left\lfloor \frac{s_{max} - s_0}{p} \right\rfloor

    :math:`s` is the coordinate, :math:`s_{max}` its largest value so far, :math:`p` the `pitch` and
    :math:`s_0` the value `first`. The pawl has no mass. The channel `gap` is the distance of the
    tooth from the pawl (rad, or m), `load` the effort on the coordinate (N m, or N), positive in its
    direction, and `closed` is 1 while a tooth is in contact. The state `tooth` counts the teeth.

    Examples
    --------
    A wheel with 12 teeth swings forward and is held at a tooth on its way back.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("winch", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel, speed={"angle": 2.0})
    >>> spring = model.force("spring", kt.TorsionSpring("A.angle", stiffness=1.0))
    >>> pawl = model.force("pawl", kt.Ratchet("A.angle", pitch=math.pi / 6))
    >>> sol = kt.simulate(model, until=4.0)
    >>> print(f"{sol['A.angle'].max():.3f} rad, then {math.degrees(sol['A.angle'][-1]):.0f} degrees")
    1.414 rad, then 60 degrees
    """

    coordinate: Reference
    pitch: CoordinateValue
    first: CoordinateValue = 0.0
    backward: bool = False
    restitution: Plain = 0.0
    rest_speed: CoordinateSpeed = 1e-5

    kind = "ratchet"
    markers = (0, 0)
    meanings = {
        "gap": "distance of the tooth from the pawl",
        "load": "effort of the pawl in the direction of the coordinate",
        "closed": "1 while a tooth is in contact",
        "tooth": "number of teeth that have passed the pawl",
    }
    readings = (("gap", "rad"), ("load", "N m"), ("closed", "1"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "Ratchet: coordinate")
        check(self, "pitch", "rest_speed", positive=True)
        check(self, "first")
        check(self, "restitution", at_least_zero=True)
        check_flags(self, "backward")
        check_impact(self)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        return (("gap", "m"), ("load", "N"), ("closed", "1")) if units == ("m",) else self.readings

    def counted(self, signs: Mapping[str, float]) -> Ratchet:
        if signs[self.coordinate] > 0.0:
            return self
        return replace(self, first=-self.first, backward=not self.backward)

    def own_states(self) -> tuple[State, ...]:
        return states_of(1, False, (State("tooth", -1e15, 1.0, "1"),))

    def meaning(self, label: str) -> str:
        return self.meanings[label] if label in self.meanings else meaning_of_state(label)

    def lower(self, row, to) -> None:
        lower_on_coordinate(self, row, to, (-1.0 if self.backward else 1.0,), 2)
        to.rows["places"][-1]["steps"] = 1
        row["first"], row["count"] = to.pool([self.pitch, self.first]), 1


@inline
def travel(tables, work, force, q, x):
    """Forward value of the coordinate from the first tooth, in pitches."""
    value = sensor_value(tables, tables.sensors[force.sensor], q, x, work.bodies)
    sign = tables.places[int(force.input[0])].sign
    return sign * (value - tables.pool[force.first + 1]) / tables.pool[force.first]


@inline
def pawl_gap(tables, work, force, q, x):
    """Distance of the last tooth that has passed."""
    tooth = x[tables.places[int(force.input[0])].ix + TOOTH]
    s = travel(tables, work, force, q, x)
    return tables.pool[force.first] * (s - (tooth if tooth > -1e14 else math.floor(s + 1e-9)))


@kernel
def meet(tables, work, force, k, t, q, v, x, out):
    out[0] = pawl_gap(tables, work, force, q, x)
    write_coordinate(tables, work, force, k, out)
    out[14] = travel(tables, work, force, q, x)


@kernel
def apply(tables, work, force, t, q, v, x):
    sensor, pitch = tables.sensors[force.sensor], tables.pool[force.first]
    if mode_of(x, tables.places[int(force.input[0])]) == APART:
        gap = pawl_gap(tables, work, force, q, x)
        rate = abs(sensor_rate(tables, sensor, v, work.bodies))
        limit_step(work.report[0], max(min(gap, pitch - gap), 0.0), rate, 0.0, SHORT * pitch)
    load = coordinate_load(tables, work, force)
    if load != 0.0:
        act_on(tables, work, sensor, load)


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0] = pawl_gap(tables, work, force, q, x)
    out[1] = coordinate_load(tables, work, force)
    out[2] = 0.0 if mode_of(x, tables.places[int(force.input[0])]) == APART else 1.0
