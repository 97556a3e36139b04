"""A hydropneumatic unit on a joint coordinate: gas behind oil, pressed by a piston on a lever.

    T = T0 (1 - u)^-n,    u = A l (x - rest) / V            polytropic gas of the volume V where T =
                          T0, tangent beyond u = 0.9
    D = c w                                                  linear,
    D = limit tanh(c w / limit)                              with a relief valve, or
    D = c w |w|                                              through an orifice

Both act against growing x (jounce). On a slide the lever is 1 and T is a force.  [Els1999]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..annotations import CoordinateEffort, CoordinateValue, CubicMetres, Metres, Plain, Reference
from ..checks import LARGE, check_flags
from ..errors import ModelError, short
from ..frames import check
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from ..num.jit import inline, kernel
from .contract import Force, act_on

LINEAR, RELIEF, ORIFICE = range(3)
LAST = 0.9  # of the gas volume: further in the gas goes on along its tangent
PRELOAD, SHARE, EXPONENT, DAMPING, LIMIT = range(5)  # numbers in the pool


@dataclass(frozen=True)
class HydropneumaticUnit(Force):
    """On a coordinate like "pivot.angle" that grows in jounce.

    coordinate   of a joint
    preload      torque T0 that it carries at x = `rest` (N m, N on a slide)
    bore         diameter of the piston (m)
    volume       of the gas at `rest` (m^3)
    lever        arm of the piston; 1 on a slide (m)
    exponent     polytropic, of the gas (1)
    damping      per speed (N m s/rad; N m s^2/rad^2 with an orifice)
    limit        torque at which a relief valve opens; None: there is none (N m)
    orifice      whether damping grows with the square of the speed
    rest         value of the coordinate at which preload and volume hold (rad, m on a slide)
    """

    coordinate: Reference
    preload: CoordinateEffort
    bore: Metres
    volume: CubicMetres
    lever: Metres = 1.0
    exponent: Plain = 1.3
    damping: float = 0.0
    limit: CoordinateEffort | None = None
    orifice: bool = False
    rest: CoordinateValue = 0.0

    kind = "hydropneumatic-unit"
    markers = (0, 0)

    def __post_init__(self) -> None:
        check_coordinate(self.coordinate, "HydropneumaticUnit: coordinate")
        check(self, "preload", "bore", "volume", "lever", "exponent", positive=True)
        check(self, "damping", at_least_zero=True)
        check(self, "rest")
        check_flags(self, "orifice")
        check(self, "limit", positive=True, optional=True)
        if not isinstance(self.orifice, bool):
            raise ModelError(
                f"HydropneumaticUnit: orifice must be True or False, got {short(self.orifice)}."
            )
        if not self.lever * self.bore**2 > self.preload / LARGE:
            raise ModelError(
                f"HydropneumaticUnit: on a bore of {self.bore:g} m and a lever of {self.lever:g} m "
                "the preload "
                f"{self.preload:g} makes a pressure too large to compute with; use SI units."
            )
        if self.orifice and self.limit is not None:
            raise ModelError(
                "HydropneumaticUnit: give either an orifice or a limit of its damping."
            )

    @property
    def coordinates(self) -> tuple[str, ...]:
        return (self.coordinate,)

    readings = (("angle", "rad"), ("rate", "rad/s"), ("torque", "N m"), ("pressure", "Pa"))

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """On a slide a length and a force."""
        if units != ("m",):
            return self.readings
        return ("length", "m"), ("rate", "m/s"), ("force", "N"), ("pressure", "Pa")

    @property
    def pressure(self) -> float:
        """Of the gas at rest, Pa above that outside."""
        return self.preload / (self.lever * 0.25 * math.pi * self.bore**2)

    def lower(self, row, to) -> None:
        row["mode"] = ORIFICE if self.orifice else LINEAR if self.limit is None else RELIEF
        row["rest"], row["sensor"] = self.rest, to.sensor(self.coordinate)
        row["first"] = to.pool(
            [
                self.preload,
                0.25 * math.pi * self.bore**2 * self.lever / self.volume,
                self.exponent,
                self.damping,
                self.limit or 0.0,
                self.pressure,
            ]
        )


@inline
def gas(n, s):
    """Torque of the gas, and its integral from s = 0."""
    u, k = n[SHARE] * s, n[EXPONENT]
    inside = min(u, LAST)
    torque = (1.0 - inside) ** (-k)
    work = (
        math.log(1.0 / (1.0 - inside))
        if k == 1.0
        else ((1.0 - inside) ** (1.0 - k) - 1.0) / (k - 1.0)
    )
    if u > LAST:
        slope, more = k / (1.0 - LAST), u - LAST
        work += torque * more * (1.0 + 0.5 * slope * more)
        torque *= 1.0 + slope * more
    return n[PRELOAD] * torque, n[PRELOAD] * work / n[SHARE]


@inline
def damper(force, n, rate):
    if force.mode == RELIEF:
        return n[LIMIT] * math.tanh(n[DAMPING] * rate / n[LIMIT])
    return n[DAMPING] * rate * abs(rate) if force.mode == ORIFICE else n[DAMPING] * rate


@kernel
def apply(tables, work, force, t, q, v, x):
    sensor, n = tables.sensors[force.sensor], tables.pool[force.first :]
    value, rate = (
        sensor_value(tables, sensor, q, x, work.bodies),
        sensor_rate(tables, sensor, v, work.bodies),
    )
    act_on(tables, work, sensor, -gas(n, value - force.rest)[0] - damper(force, n, rate))


@kernel
def read(tables, work, force, t, q, v, x, out):
    sensor, n = tables.sensors[force.sensor], tables.pool[force.first :]
    value, rate = (
        sensor_value(tables, sensor, q, x, work.bodies),
        sensor_rate(tables, sensor, v, work.bodies),
    )
    torque = gas(n, value - force.rest)[0]
    out[0], out[1], out[2] = value, rate, -torque - damper(force, n, rate)
    out[3] = torque / n[PRELOAD] * n[LIMIT + 1]


@kernel
def energy(tables, work, force, t, q, x):
    value = sensor_value(tables, tables.sensors[force.sensor], q, x, work.bodies)
    return gas(tables.pool[force.first :], value - force.rest)[1]
