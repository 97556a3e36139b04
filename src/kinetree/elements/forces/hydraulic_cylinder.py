"""Hydraulic cylinder between two points: two oil chambers, a valve, a supply.   [Han1994, eq. (18),
corrected]

    P1' = B(P1)/V1 (Q1 - A1 X'),   V1 = V10 + A1 X
    P2' = B(P2)/V2 (Q2 + A2 X'),   V2 = V20 + A2 (stroke - X)
    Q1 = K a1 s(Ps - P1) - K a2 s(P1 - P0) - c (P1 - P2)
    Q2 = K a3 s(Ps - P2) - K a4 s(P2 - P0) + c (P1 - P2)
    F = P1 A1 - P2 A2         pushes the markers apart; X is their distance beyond the closed length

The paper prints -A2 X' in the second equation: the rod side would then soften the cylinder instead
of stiffening it, and a closed cylinder would gain energy. `printed_sign=True` gives the equation as
printed, to show the erratum.

B(P) is the bulk modulus of oil with air (chambers.py): a chamber that is pulled open does not reach
negative pressure but fills with gas near 10 kPa, and no oil is lost. The pressure there still shows
how much gas there is, by about 1 kPa per doubling of the volume. At 10 MPa the air adds 1.4e-4 to
1/B.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.checks import check_flags, check_rows, shape_of
from ...core.quantities import (
    CubicMetres,
    Leakage,
    Metres,
    NewtonSecondsPerMetre,
    NewtonsPerMetre,
    Pascals,
    Plain,
    Reference,
    SecondsPerMetre,
)
from ...errors import AssemblyError, ModelError, no_such, short
from ...kernel.algebra.vec3 import scale
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from ..controllers.contract import State
from .chambers import (
    AREA1,
    AREA2,
    ATMOSPHERE,
    DAMPING,
    DEAD_BAND,
    DRAW,
    LINE,
    OFFSET,
    OPEN,
    SIGN,
    SUPPLY,
    TANK,
    chamber_volumes,
    compliance,
    edge_flows,
    stop_force,
)
from .contract import Force, ends, line, no_energy, push_apart
from .pump import PRESSURE_SCALE, Pump
from .valve import Valve, edges

_STOP_DEPTH = 1e-3  # m: how far the full supply pressure presses the piston into an end stop
_BEYOND = 0.02  # of the stroke: as far as a piston may be pressed into a stop at the start


@dataclass(frozen=True)
class HydraulicCylinder(Force):
    r"""Double-acting hydraulic cylinder between two markers.

    Parameters
    ----------
    bore : float
        Diameter of the piston (m).
    rod : float
        Diameter of the rod (m), smaller than `bore`.
    stroke : float
        Largest extension (m).
    dead_volume : float or (float, float)
        Volume of oil in each chamber at its end of the stroke (m^3).
    supply : float or str
        Supply pressure (Pa), or the name of a `kt.Pump`.
    valve : Valve, optional
        Valve between the chambers, the supply and the tank. By default all ports are closed.
    tank : float, default 100000.0
        Tank pressure (Pa).
    closed_length : float, optional
        Distance of the markers at zero extension (m). Give this or `extension`.
    extension : float, optional
        Extension in the initial position (m). Give this or `closed_length`.
    pressure : (float, float), optional
        Initial pressures of the two chambers (Pa). By default both have tank pressure.
    bulk_modulus : float, default 1400000000.0
        Bulk modulus of the oil without air (Pa).
    air : float, default 0.0001
        Volume fraction of free air in the oil at atmospheric pressure (1). Below that pressure at
        least 1e-4 is released.
    leakage : float, default 0.0
        Leakage coefficient between the chambers (m^3/s/Pa).
    damping : float, default 0.0
        Viscous friction of the seals (N s/m).
    stop_stiffness : float, optional
        Stiffness of the end stops (N/m). By default full supply pressure compresses them by 1 mm.
    stop_damping : float, default 10.0
        Relative increase of the stop force per speed of approach (s/m). A stop never pulls.
    printed_sign : bool, default False
        Whether the second equation is used as printed in [Han1994], to show its error.

    Attributes
    ----------
    areas : tuple of float
        Areas of piston and annulus (m^2).

    See Also
    --------
    kt.Valve : Directional valve.
    kt.Pump : Supply with a pressure of its own.

    Notes
    -----
    .. math::
        \dot P_1 &= \frac{B(P_1)}{V_1}\,(Q_1 - A_1 \dot X), \qquad V_1 = V_{10} + A_1 X \\
        \dot P_2 &= \frac{B(P_2)}{V_2}\,(Q_2 + A_2 \dot X), \qquad
        V_2 = V_{20} + A_2\,(X_{max} - X) \\
        F &= P_1 A_1 - P_2 A_2 - c\,\dot X + F_{stop}

    Chamber 1 is on the piston side, chamber 2 on the rod side. :math:`X` is the extension (m),
    :math:`X_{max}` the `stroke`, :math:`A_1, A_2` are the `areas` (m^2), :math:`V_{10}, V_{20}` the
    dead volumes, :math:`B` is the bulk modulus of oil with air (Pa) and :math:`c` the `damping`.
    The pressures are absolute (Pa) and states of the model, with the channels `pressure1` and
    `pressure2`. Flows :math:`Q` (m^3/s) are positive into the chambers. F is positive where the
    cylinder pushes the markers apart (N).
    [Han1994, eq. (18), with the sign of A2 X' corrected; Merritt1967, ch. 2]

    Examples
    --------
    A closed cylinder with given pressures.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("press", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=100.0, sides=(0.2, 0.2, 0.2)))
    >>> guide = model.joint("G", kt.Translational("x"), model.ground.at(0.8, 0, 0), block)
    >>> press = kt.HydraulicCylinder(
    ...     bore=0.05, rod=0.03, stroke=0.5, dead_volume=1e-4, supply=1e7,
    ...     extension=0.2, pressure=(2e6, 1e6),
    ... )
    >>> cylinder = model.force("cylinder", press, model.ground, block)
    >>> sol = kt.simulate(model, until=1e-4)
    >>> A1, A2 = math.pi / 4 * 0.05**2, math.pi / 4 * (0.05**2 - 0.03**2)
    >>> print(f"{sol['cylinder.force'][0]:.1f} N = {2e6 * A1 - 1e6 * A2:.1f} N")
    2670.4 N = 2670.4 N
    """

    bore: Metres
    rod: Metres
    stroke: Metres
    dead_volume: CubicMetres | Sequence[CubicMetres]
    supply: Pascals | Reference
    valve: Valve | None = None
    tank: Pascals = 1e5
    closed_length: Metres | None = None
    extension: Metres | None = None
    pressure: Sequence[Pascals] | None = None
    bulk_modulus: Pascals = 1.4e9
    air: Plain = 1e-4
    leakage: Leakage = 0.0
    damping: NewtonSecondsPerMetre = 0.0
    stop_stiffness: NewtonsPerMetre | None = None
    stop_damping: SecondsPerMetre = 10.0
    printed_sign: bool = False

    kind = "hydraulic-cylinder"
    markers = (2, 2)
    meanings = {
        "extension": "distance X of the markers beyond the closed length, from 0 to the stroke",
        "rate": "time derivative of the extension, positive when the cylinder extends",
        "force": "pressures, seals and end stops together, positive where they push the markers apart",
        "flow1": "volume of oil per time into chamber 1 (piston side)",
        "flow2": "volume of oil per time into chamber 2 (rod side)",
        "opening1": "area of the edge from the supply to chamber 1",
        "opening2": "area of the edge from chamber 1 to the tank",
        "opening3": "area of the edge from the supply to chamber 2",
        "opening4": "area of the edge from chamber 2 to the tank",
        "supply_flow": "volume per time that the cylinder draws from the supply",
        "tank_flow": "volume per time that returns to the tank",
        "supply_power": "hydraulic power taken in: supply pressure times supply flow minus tank pressure times tank flow",
        "throttling_power": "part of the hydraulic power lost at the four valve edges",
        "leakage_power": "part of the hydraulic power lost by leakage between the chambers",
        "compression_power": "part of the hydraulic power that compresses the oil",
        "mechanical_power": "part of the hydraulic power that moves the piston, positive when it works on the model",
        "pressure1": "absolute oil pressure in chamber 1 (piston side)",
        "pressure2": "absolute oil pressure in chamber 2 (rod side)",
    }
    look = "telescope"
    readings = (
        ("extension", "m"),
        ("rate", "m/s"),
        ("force", "N"),
        ("flow1", "m^3/s"),
        ("flow2", "m^3/s"),
        ("opening1", "m^2"),
        ("opening2", "m^2"),
        ("opening3", "m^2"),
        ("opening4", "m^2"),
        ("supply_flow", "m^3/s"),
        ("tank_flow", "m^3/s"),
        ("supply_power", "W"),
        ("throttling_power", "W"),
        ("leakage_power", "W"),
        ("compression_power", "W"),
        ("mechanical_power", "W"),
    )

    @property
    def kinks(self) -> tuple[tuple[str, float], ...]:
        """Extensions at which the end stops are touched."""
        return ("extension", 0.0), ("extension", self.stroke)

    def __post_init__(self) -> None:
        check(self, "bore", "rod", "stroke", "tank", "bulk_modulus", positive=True)
        check(self, "air", "leakage", "damping", "stop_damping", at_least_zero=True)
        if self.rod >= self.bore:
            raise ModelError(
                f"HydraulicCylinder: rod {self.rod!r} must be thinner than bore {self.bore!r}."
            )
        if shape_of(self.dead_volume) in ((), None):
            check(self, "dead_volume")
        else:
            check_rows(self, dead_volume=2)
        if min(self._dead_volumes()) <= 0.0:
            raise ModelError(
                f"HydraulicCylinder: dead_volume must be positive, got {short(self.dead_volume)}."
            )
        if self.pressure is not None:
            check_rows(self, pressure=2)
        if min(self._pressures()) <= 0.0:
            raise ModelError(
                "HydraulicCylinder: pressure must be positive (absolute), got "
                f"{short(self.pressure)}."
            )
        check(self, "stop_stiffness", positive=True, optional=True)
        self._check_place()
        self._check_supply()

    def _check_place(self) -> None:
        if (self.closed_length is None) == (self.extension is None):
            raise ModelError(
                "HydraulicCylinder: give either closed_length or extension (X in the initial "
                "position)."
            )
        check(self, "closed_length", at_least_zero=True, optional=True)
        check(self, "extension", optional=True)
        if self.extension is not None and not 0.0 <= self.extension <= self.stroke:
            raise ModelError(
                f"HydraulicCylinder: extension must lie between 0 and the stroke {self.stroke!r}, "
                f"got {short(self.extension)}."
            )

    def _check_supply(self) -> None:
        if not isinstance(self.supply, str):
            check(self, "supply", positive=True)
        if self.valve is not None and not isinstance(self.valve, Valve):
            raise ModelError(
                f"HydraulicCylinder: valve must be a kt.Valve, got {short(self.valve)}."
            )
        check_flags(self, "printed_sign")

    @property
    def areas(self) -> tuple[float, float]:
        """Areas of piston and annulus (m^2)."""
        return 0.25 * math.pi * self.bore**2, 0.25 * math.pi * (self.bore**2 - self.rod**2)

    def _dead_volumes(self):
        return (
            self.dead_volume
            if isinstance(self.dead_volume, tuple)
            else (self.dead_volume, self.dead_volume)
        )

    def _pressures(self):
        return (self.tank, self.tank) if self.pressure is None else self.pressure

    def own_states(self) -> tuple[State, ...]:
        return tuple(
            State(f"pressure{k}", float(p), PRESSURE_SCALE, "Pa")
            for k, p in enumerate(self._pressures(), 1)
        )

    def lower(self, row, to) -> None:
        valve = self.valve or Valve(openings=(0.0, 0.0, 0.0, 0.0))
        valve.lower(row, to)
        state, supply, draw = self._supplied(to)
        stop = (
            supply * self.areas[0] / _STOP_DEPTH
            if self.stop_stiffness is None
            else self.stop_stiffness
        )
        row["rest"] = to.initial_distance() if self.closed_length is None else self.closed_length
        row["first"] = to.pool(
            [
                *self.areas,
                self.stroke,
                *self._dead_volumes(),
                self.bulk_modulus,
                self.air * ATMOSPHERE,
                valve.coefficient,
                valve.transition,
                valve.area or 0.0,
                valve.dead_band,
                supply,
                draw,
                self.tank,
                self.leakage,
                self.damping,
                stop,
                self.stop_damping,
                self.extension or 0.0,
                -1.0 if self.printed_sign else 1.0,
                state,
            ]
        )

    def check_start(self, length: float, nothing: float) -> None:
        """Raise an error if the start is outside the stroke, where the end stops would be
        compressed.
        """
        if length <= nothing:
            raise AssemblyError(
                "its markers coincide at the start, so that the cylinder has no direction. Draw "
                "its two ends "
                "apart."
            )
        extension = 0.0 if self.closed_length is None else length - self.closed_length
        if not -_BEYOND * self.stroke <= extension <= (1.0 + _BEYOND) * self.stroke:
            raise AssemblyError(
                f"the markers start {length:.6g} m apart, an extension of {extension:.6g} m with "
                "closed_length "
                f"{self.closed_length:g}; the stroke is {self.stroke:g} m. Change the position, "
                "closed_length "
                "or stroke."
            )

    def _supplied(self, to) -> tuple[int, float, float]:
        """Return the index of the supply pressure among the states (or -1), the largest supply
        pressure, and
        the factor of a flow in its rate.
        """
        if not isinstance(self.supply, str):
            return -1, self.supply, 0.0
        pumps = {name: e.spec for name, e in to.model.forces.items() if isinstance(e.spec, Pump)}
        if self.supply not in pumps:
            raise no_such("pump", self.supply, pumps, f" in model {to.model.name!r}")
        pump = pumps[self.supply]
        state = -1 if pump.flow is None else to.states[f"{self.supply}.pressure"].ix
        return state, pump.highest, pump.stiffness


@inline
def condition(tables, work, force, t, x):
    """State of the element: numbers, extension, rate, line, pressures, supply, openings and
    flows.
    """
    i, j = ends(tables, force)
    p_i, p_j, u, length, rate = line(i, j, work.bodies)
    n = tables.pool[force.first :]
    p1, p2 = x[force.ix], x[force.ix + 1]
    supply = n[SUPPLY] if n[LINE] < 0.0 else x[int(n[LINE])]
    a = edges(tables, work, force, t, n[OPEN], n[DEAD_BAND])
    return (
        n,
        p_i,
        p_j,
        u,
        length - force.rest + n[OFFSET],
        rate,
        p1,
        p2,
        supply,
        a,
        edge_flows(n, a, supply, p1, p2),
    )


@inline
def push_of(n, extension, rate, p1, p2):
    """Force that pushes the markers apart."""
    return p1 * n[AREA1] - p2 * n[AREA2] - n[DAMPING] * rate + stop_force(n, extension, rate)


@kernel
def apply(tables, work, force, t, q, v, x):
    n, p_i, p_j, u, extension, rate, p1, p2, _, _, flow = condition(tables, work, force, t, x)
    V1, V2 = chamber_volumes(n, extension)
    work.xdot[force.ix] += (flow[0] - flow[1] - flow[4] - n[AREA1] * rate) / (
        V1 * compliance(n, p1)
    )
    work.xdot[force.ix + 1] += (flow[2] - flow[3] + flow[4] + n[SIGN] * n[AREA2] * rate) / (
        V2 * compliance(n, p2)
    )
    if n[LINE] >= 0.0:
        work.xdot[int(n[LINE])] -= n[DRAW] * (flow[0] + flow[2])
    i, j = ends(tables, force)
    push_apart(i, j, work.bodies, scale(push_of(n, extension, rate, p1, p2), u), p_i, p_j)


@kernel
def read(tables, work, force, t, q, v, x, out):
    """Motion, flows, openings, and the power balance
    supply = throttling + leakage + compression + mechanical.
    """
    n, _, _, _, extension, rate, p1, p2, supply, a, flow = condition(tables, work, force, t, x)
    flow1, flow2 = flow[0] - flow[1] - flow[4], flow[2] - flow[3] + flow[4]
    drawn, returned = flow[0] + flow[2], flow[1] + flow[3]
    out[0], out[1], out[2], out[3], out[4] = (
        extension,
        rate,
        push_of(n, extension, rate, p1, p2),
        flow1,
        flow2,
    )
    for k in range(4):
        out[5 + k] = a[k]
    out[9], out[10], out[11] = drawn, returned, supply * drawn - n[TANK] * returned
    out[12] = (
        flow[0] * (supply - p1)
        + flow[1] * (p1 - n[TANK])
        + flow[2] * (supply - p2)
        + flow[3] * (p2 - n[TANK])
    )
    out[13] = flow[4] * (p1 - p2)
    out[14] = p1 * (flow1 - n[AREA1] * rate) + p2 * (flow2 + n[AREA2] * rate)
    out[15] = (p1 * n[AREA1] - p2 * n[AREA2]) * rate


energy = no_energy
