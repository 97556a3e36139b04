"""A pump: constant pressure, or a constant flow into a line with a relief valve, whose pressure is
a state.

    p' = (beta / V) (Q_pump - Q_relief - what the valves draw),     Q_relief = Q_pump max(p -
                                                                    p_relief, 0) / (override
                                                                    p_relief)

The cylinders that name the pump take their share out of p' themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..annotations import CubicMetres, CubicMetresPerSecond, Pascals, Plain
from ..checks import check
from ..control.contract import State
from ..errors import ModelError
from ..num.jit import inline, kernel
from .contract import Force, no_energy

# Pa: counted in bars for tolerances, for the gas in a torn chamber hangs on pressures that small
PRESSURE_SCALE = 1e5


@dataclass(frozen=True)
class Pump(Force):
    """Supply of cylinders by name: a `pressure` (Pa), or a `flow` (m^3/s) with `relief` pressure
    (Pa) and line `volume` (m^3).

    pressure       held constant, whatever is drawn (Pa)
    flow           that it gives all the time (m^3/s)
    relief         pressure at which the relief valve begins to open (Pa)
    volume         of oil in the line (m^3)
    override       at relief * (1 + override) the whole flow goes over the relief valve (1)
    bulk_modulus   of the oil (Pa)
    initial        pressure of the line at the start; by default the highest one (Pa)
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
        """The pressure that sizes things: that of the line at rest."""
        if self.relief is None:
            return float(self.pressure or 0.0)
        return self.relief * (1.0 + self.override)

    @property
    def stiffness(self) -> float:
        """beta / V, by which a flow drawn lowers p' (Pa/m^3); zero where the pressure is constant."""
        return 0.0 if self.volume is None else self.bulk_modulus / self.volume

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        return (("pressure", "Pa"),) if self.flow is None else (("relief_flow", "m^3/s"),)

    def sums(self, name: str, forces: Mapping[str, Any]) -> dict[str, tuple[str, str, list[str]]]:
        """What the elements that it supplies draw."""
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
def apply(force, t, q, v, x, tables, work):
    if force.count == 0:
        return
    flow = tables.pool[force.first] - relief_flow(force, tables.pool, x[force.ix])
    work.xdot[force.ix] += tables.pool[force.first + 3] * flow


@kernel
def read(force, t, q, v, x, tables, work, out):
    out[0] = (
        tables.pool[force.first]
        if force.count == 0
        else relief_flow(force, tables.pool, x[force.ix])
    )


energy = no_energy
