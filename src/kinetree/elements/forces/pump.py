"""Pump: constant pressure, or a constant flow into a line with a relief valve, whose pressure is a
state.

    p' = (beta / V) (Q_pump - Q_relief - flow through the valves)
    Q_relief = Q_pump max(p - p_relief, 0) / (override p_relief)

The cylinders that name the pump subtract their flows from p' themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...core.checks import check
from ...core.quantities import CubicMetres, CubicMetresPerSecond, Pascals, Plain
from ...errors import ModelError
from ...kernel.decorators import inline, kernel
from ..controllers.contract import State
from .contract import Force, no_energy

# Pa: counted in bars for tolerances, for the gas in a torn chamber hangs on pressures that small
PRESSURE_SCALE = 1e5


@dataclass(frozen=True)
class Pump(Force):
    r"""Supply of hydraulic cylinders: a constant pressure, or a constant flow with a relief valve.

    Parameters
    ----------
    pressure : float, optional
        Constant supply pressure (Pa). Give this or `flow`.
    flow : float, optional
        Constant flow of the pump (m^3/s), with `relief` and `volume`.
    relief : float, optional
        Pressure at which the relief valve begins to open (Pa).
    volume : float, optional
        Volume of oil in the line (m^3).
    override : float, default 0.05
        Relative pressure rise at which the whole flow passes the relief valve (1).
    bulk_modulus : float, default 1400000000.0
        Bulk modulus of the oil (Pa).
    initial : float, optional
        Initial pressure of the line (Pa). By default the pressure at which the whole flow passes
        the relief valve.

    See Also
    --------
    kt.HydraulicCylinder : Its `supply` is the name of a pump.
    kt.Valve : Directional valve.

    Notes
    -----
    .. math::
        \dot p = \frac{\beta}{V}\,(Q - Q_{relief} - Q_{valves}), \qquad
        Q_{relief} = Q\, \frac{\max(p - p_{relief},\, 0)}{\epsilon\, p_{relief}}

    :math:`p` is the pressure of the line (Pa), :math:`\beta` the `bulk_modulus`, :math:`V` the
    `volume`, :math:`Q` the `flow`, :math:`p_{relief}` the pressure `relief` and :math:`\epsilon`
    the `override`. Flows (m^3/s) are positive out of the pump: through the relief valve to the
    tank, and to the cylinders. With a flow, the pressure is a state of the model, with the channels
    `pressure`, `relief_flow` and `flow`, the flow to the cylinders. With a constant pressure there
    is no equation.

    Examples
    --------
    Nothing is connected, so the whole flow passes the relief valve.

    >>> import kinetree as kt
    >>> model = kt.Model("supply")
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> fixed = model.joint("F", kt.Fixed(), model.ground, block)
    >>> pump = model.force("pump", kt.Pump(flow=3e-4, relief=1.6e7, volume=2e-3))
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['pump.relief_flow'][-1]:.1e} m^3/s at {sol['pump.pressure'][-1]:.3g} Pa")
    3.0e-04 m^3/s at 1.68e+07 Pa
    """

    _internal = ("highest", "stiffness")
    pressure: Pascals | None = None
    flow: CubicMetresPerSecond | None = None
    relief: Pascals | None = None
    volume: CubicMetres | None = None
    override: Plain = 0.05
    bulk_modulus: Pascals = 1.4e9
    initial: Pascals | None = None

    kind = "pump"
    markers = (0, 0)
    meanings = {
        "pressure": "absolute pressure of the supply line",
        "relief_flow": "volume per time that passes the relief valve to the tank",
    }

    def __post_init__(self) -> None:
        if (self.pressure is None) == (self.flow is None):
            raise ModelError("Pump: give either a pressure or a flow (with relief and volume).")
        needed = ("pressure",) if self.flow is None else ("flow", "relief", "volume")
        check(self, *needed, "override", "bulk_modulus", positive=True)
        if self.pressure is not None and not self.relief is self.volume is self.initial is None:
            raise ModelError("Pump: relief, volume and initial belong to a pump with a flow.")
        check(self, "initial", positive=True, optional=True)

    @property
    def highest(self) -> float:
        """Pressure of the line at rest, used as a scale (Pa)."""
        if self.relief is None:
            return float(self.pressure or 0.0)
        return self.relief * (1.0 + self.override)

    @property
    def stiffness(self) -> float:
        """beta / V, the factor of a flow in p' (Pa/m^3); zero for a constant pressure."""
        return 0.0 if self.volume is None else self.bulk_modulus / self.volume

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        return (("pressure", "Pa"),) if self.flow is None else (("relief_flow", "m^3/s"),)

    def sums(self, name: str, forces: Mapping[str, Any]) -> dict[str, tuple[str, str, list[str]]]:
        """Flow to the elements that it supplies."""
        supplied = [
            f"{other}.supply_flow"
            for other, e in forces.items()
            if getattr(e.spec, "supply", None) == name
        ]
        return {"flow": ("m^3/s", f"flow that cylinders draw from {name}", supplied)}

    def own_states(self) -> tuple[State, ...]:
        if self.flow is None:
            return ()
        return (
            State(
                "pressure",
                self.highest if self.initial is None else self.initial,
                PRESSURE_SCALE,
                "Pa",
            ),
        )

    def lower(self, row, to) -> None:
        if self.relief is None:
            row["count"], row["first"] = 0, to.pool([self.pressure])
            return
        numbers = [self.flow, self.relief, self.override * self.relief, self.stiffness]
        row["count"], row["first"] = len(numbers), to.pool(numbers)


@inline
def relief_flow(force, pool, p):
    flow, relief, span = pool[force.first], pool[force.first + 1], pool[force.first + 2]
    return flow * max(p - relief, 0.0) / span


@kernel
def apply(tables, work, force, t, q, v, x):
    if force.count == 0:
        return
    flow = tables.pool[force.first] - relief_flow(force, tables.pool, x[force.ix])
    work.xdot[force.ix] += tables.pool[force.first + 3] * flow


@kernel
def read(tables, work, force, t, q, v, x, out):
    out[0] = (
        tables.pool[force.first]
        if force.count == 0
        else relief_flow(force, tables.pool, x[force.ix])
    )


energy = no_energy
