"""Rigid stops at the ends of the range of a joint coordinate.

s - s_min >= 0,     s_max - s >= 0,         a load on the coordinate that only pushes back
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...core.checks import check
from ...core.quantities import CoordinateSpeed, CoordinateValue, Plain, Reference
from ...errors import ModelError, short
from ...kernel.algebra.spatial import scale6
from ...kernel.decorators import inline, kernel
from ..controllers.contract import State
from ..joints.contract import check_coordinate
from ..joints.sensors import TREE, sensor_bias, sensor_rate, sensor_value, sensor_wrench
from .contract import Force, act_on
from .rigid_contact import check_impact, set_impact
from .unilateral import (
    APART,
    limit_step,
    meaning_of_state,
    mode_of,
    states_of,
    write_pair,
)

SHORT = 1e-3  # of the range: the way that a step may pass beyond half of the gap
INFINITE = 1e300  # no stop
LOWER, UPPER, WAY = range(3)


@dataclass(frozen=True)
class JointStop(Force):
    r"""Rigid stops of a joint coordinate.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "A.angle".
    minimum : float, optional
        Smallest value (rad, or m for a displacement); by default there is no lower stop.
    maximum : float, optional
        Largest value; by default there is no upper stop.
    restitution : float, default 0.0
        Ratio of the rates after and before an impact, from 0 to 1.
    rest_speed : float, default 1e-05
        Rate of impact (rad/s, or m/s for a displacement) below which a stop stays closed.

    See Also
    --------
    kt.BumpStop : Elastic stop.
    kt.RigidContact : Rigid contact of two shapes.
    kt.OneWayClutch : Stops the rate instead of the value.

    Notes
    -----
    .. math::
        s_{min} \le s \le s_{max}, \qquad \dot s^+ = -e\,\dot s^-

    :math:`s` is the coordinate and :math:`e` the `restitution`. Impacts act through all joints and
    closed loops. ``m.joint(..., limits={"angle": (-1, 1)})`` adds stops to a joint. The channel
    `gap` is the distance of the nearest stop (rad, or m) and `load` the effort of the stops on the
    coordinate (N m, or N), positive at the lower one; `closed` is 1 while a stop is closed.

    Examples
    --------
    A rod falls on a stop and stays there.

    >>> import kinetree as kt
    >>> model = kt.Model("flap")
    >>> rod = model.body("rod", kt.rod(mass=1.0, length=1.0, along="x"))
    >>> hinge = model.joint("A", kt.Revolute(axis="y"), model.ground, rod.end("-"))
    >>> stop = model.force("stop", kt.JointStop("A.angle", maximum=0.5))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['A.angle'][-1]:.3f} rad, {sol['A.angle.rate'][-1]:.1f} rad/s")
    0.500 rad, 0.0 rad/s
    """

    coordinate: Reference
    minimum: CoordinateValue | None = None
    maximum: CoordinateValue | None = None
    restitution: Plain = 0.0
    rest_speed: CoordinateSpeed = 1e-5

    kind = "joint-stop"
    markers = (0, 0)
    meanings = {
        "gap": "distance of the nearest stop",
        "load": "effort of the stops on the coordinate, positive at the lower stop",
        "closed": "1 while a stop is closed",
    }
    readings = (("gap", "rad"), ("load", "N m"), ("closed", "1"))

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "JointStop: coordinate")
        check(self, "minimum", "maximum", optional=True)
        check(self, "restitution", at_least_zero=True)
        check(self, "rest_speed", positive=True)
        check_impact(self)
        if self.minimum is None and self.maximum is None:
            raise ModelError("JointStop: give minimum=, maximum=, or both.")
        if (
            self.minimum is not None
            and self.maximum is not None
            and not self.minimum < self.maximum
        ):
            raise ModelError(
                f"JointStop: minimum must be less than maximum, got {short(self.minimum)} and "
                f"{short(self.maximum)}."
            )

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        return (("gap", "m"), ("load", "N"), ("closed", "1")) if units == ("m",) else self.readings

    def counted(self, signs: Mapping[str, float]) -> JointStop:
        if signs[self.coordinate] > 0.0:
            return self
        low, high = self.maximum, self.minimum
        return replace(
            self,
            minimum=None if low is None else -low,
            maximum=None if high is None else -high,
        )

    def own_states(self) -> tuple[State, ...]:
        return states_of(2, False)

    def meaning(self, label: str) -> str:
        return self.meanings[label] if label in self.meanings else meaning_of_state(label)

    def lower(self, row, to) -> None:
        lower_on_coordinate(self, row, to, (1.0, -1.0))
        ends = [-INFINITE if self.minimum is None else self.minimum]
        ends.append(INFINITE if self.maximum is None else self.maximum)
        range_ = ends[1] - ends[0]
        way = SHORT * (range_ if range_ < INFINITE else 1.0)
        row["first"], row["count"] = to.pool([*ends, way]), 2


def lower_on_coordinate(spec, row, to, signs: tuple[float, ...], states: int = 1) -> None:
    """Write the sensor of the coordinate of an element, and a place for each sign."""
    row["sensor"] = to.sensor(spec.coordinate)
    sensor = to.rows["sensors"][row["sensor"]]
    for sign in signs:
        place = to.place_row(row, 1, states)
        place["i"], place["j"], place["sign"] = sensor["i"], sensor["j"], sign
        set_impact(place, spec)
        if sensor["kind"] == TREE:
            place["iv"] = sensor["iv"]


@inline
def write_coordinate(tables, work, force, k, out):
    """The row of a coordinate, times the sign of place k."""
    sensor = tables.sensors[force.sensor]
    sign = tables.places[int(force.input[0]) + k].sign
    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
    bias = sign * sensor_bias(tables, sensor, work.bodies)
    write_pair(out, 0, scale6(sign, F_i), scale6(sign, F_j), bias)


@inline
def coordinate_load(tables, work, force):
    """Effort of all places on the coordinate."""
    load = 0.0
    for k in range(force.count):
        place = tables.places[int(force.input[0]) + k]
        load += place.sign * work.place_loads[place.row]
    return load


@inline
def stop_gap(tables, work, force, k, q, x):
    """Distance of stop k."""
    value = sensor_value(tables, tables.sensors[force.sensor], q, x, work.bodies)
    ends = tables.pool[force.first :]
    return value - ends[LOWER] if k == LOWER else ends[UPPER] - value


@kernel
def meet(tables, work, force, k, t, q, v, x, out):
    out[0] = stop_gap(tables, work, force, k, q, x)
    write_coordinate(tables, work, force, k, out)


@kernel
def apply(tables, work, force, t, q, v, x):
    sensor, way = tables.sensors[force.sensor], tables.pool[force.first + WAY]
    rate = abs(sensor_rate(tables, sensor, v, work.bodies))
    for k in range(2):
        if mode_of(x, tables.places[int(force.input[0]) + k]) == APART:
            gap = stop_gap(tables, work, force, k, q, x)
            if gap < INFINITE:
                limit_step(work.report[0], max(gap, 0.0), rate, 0.0, way)
    load = coordinate_load(tables, work, force)
    if load != 0.0:
        act_on(tables, work, sensor, load)


@kernel
def read(tables, work, force, t, q, v, x, out):
    closed = 0
    for k in range(2):
        if mode_of(x, tables.places[int(force.input[0]) + k]) != APART:
            closed = 1
    gap = min(stop_gap(tables, work, force, 0, q, x), stop_gap(tables, work, force, 1, q, x))
    out[0], out[1], out[2] = gap, coordinate_load(tables, work, force), closed
