"""Hydropneumatic unit on a joint coordinate: a gas spring behind oil, with a piston on a lever.

    T = T0 (1 - u)^-n,    u = A l (x - rest) / V      polytropic gas with the volume V where T = T0,
                                                      continued by its tangent beyond u = 0.9
    D = c w                                           linear damping,
    D = limit tanh(c w / limit)                       with a relief valve, or
    D = c w |w|                                       through an orifice

Both act against growing x (jounce). For a displacement the lever is 1 and T is a force.  [Els1999]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import LARGE, check_flags
from ...core.quantities import (
    CoordinateEffort,
    CoordinateValue,
    CubicMetres,
    Metres,
    Plain,
    Reference,
)
from ...errors import ModelError, short
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from ..joints.contract import check_coordinate
from ..joints.sensors import sensor_rate, sensor_value
from .contract import Force, act_on

LINEAR, RELIEF, ORIFICE = range(3)
LAST = 0.9  # of the gas volume: further in the gas goes on along its tangent
PRELOAD, SHARE, EXPONENT, DAMPING, LIMIT = range(5)  # numbers in the pool


@dataclass(frozen=True)
class HydropneumaticUnit(Force):
    r"""Hydropneumatic suspension unit on a joint coordinate that grows in jounce.

    Parameters
    ----------
    coordinate : str
        Name of a joint coordinate, such as "pivot.angle".
    preload : float
        Torque T0 at the value `rest` of the coordinate (N m, or N for a displacement).
    bore : float
        Diameter of the piston (m).
    volume : float
        Volume of the gas at the value `rest` of the coordinate (m^3).
    lever : float, default 1.0
        Arm of the piston (m); 1 for a displacement.
    exponent : float, default 1.3
        Polytropic exponent of the gas (1).
    damping : float, default 0.0
        Damping coefficient (N m s/rad, or N m s^2/rad^2 with an orifice).
    limit : float, optional
        Damping torque at which a relief valve opens (N m, or N for a displacement). By default
        there is no relief valve.
    orifice : bool, default False
        Whether the damping torque grows with the square of the rate.
    rest : float, default 0.0
        Value of the coordinate to which `preload` and `volume` refer (rad, or m for a
        displacement).

    Attributes
    ----------
    pressure : float
        Gauge pressure of the gas at `rest` (Pa).

    See Also
    --------
    kt.TorsionSpring : Linear spring and damper on a joint coordinate.

    Notes
    -----
    .. math::
        T &= T_0\,(1 - u)^{-n}, \qquad u = \frac{A\,r\,(x - x_0)}{V} \\
        D &= c\,\dot x, \quad\text{or}\quad D = D_{max} \tanh(c\,\dot x / D_{max}),
        \quad\text{or}\quad D = c\,\dot x\,|\dot x|

    :math:`T` and :math:`D` are positive against growing :math:`x` (jounce): the effort along the
    coordinate, and the channel `torque`, is :math:`-T - D` (N m, or N). :math:`T_0` is the
    `preload`, :math:`A` the area of the `bore` (m^2), :math:`r` the `lever`, :math:`x_0` the value
    `rest`, :math:`V` the `volume`, :math:`n` the `exponent`, :math:`c` the `damping` and
    :math:`D_{max}` the `limit`. The second damper has a relief valve, the third an orifice. Beyond
    :math:`u = 0.9` the gas spring continues along its tangent. [Els1999]

    Examples
    --------
    At `rest` the unit carries its preload.

    >>> import kinetree as kt
    >>> model = kt.Model("arm", gravity=(0, 0, 0))
    >>> arm = model.body("arm", kt.cylinder(mass=10.0, radius=0.05, length=0.5, along="x"))
    >>> pivot = model.joint("pivot", kt.Revolute("y"), model.ground, arm.end("-"))
    >>> gas = kt.HydropneumaticUnit("pivot.angle", 3000.0, bore=0.06, volume=4e-4, lever=0.1)
    >>> unit = model.force("unit", gas)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> print(f"{abs(sol['unit.torque'][0]):.1f} N m at {gas.pressure / 1e6:.2f} MPa")
    3000.0 N m at 10.61 MPa
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
    meanings = {
        "angle": "value x of the joint coordinate, growing in jounce",
        "length": "value x of the joint coordinate, a displacement that grows in jounce",
        "rate": "time derivative of the coordinate, positive in jounce",
        "torque": "gas spring and damper together along the coordinate; negative: against jounce",
        "force": "gas spring and damper together along the displacement; negative: against jounce",
        "pressure": "gauge pressure of the gas",
    }

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
        """A length and a force where the coordinate is a displacement."""
        if units != ("m",):
            return self.readings
        return ("length", "m"), ("rate", "m/s"), ("force", "N"), ("pressure", "Pa")

    @property
    def pressure(self) -> float:
        """Gauge pressure of the gas at `rest` (Pa)."""
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
