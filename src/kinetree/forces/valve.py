"""The four edges of a directional valve, and the flow through an edge.

    Q = K a s(dp),    K = Cd sqrt(2 / rho),    s(d) = d / (d^2 + d_lam^2)^(1/4)

s is the signed root of the pressure drop, made smooth where the flow turns laminar (d_lam): its
slope at zero is finite, and at ten times d_lam it differs from the root by 0.25 %. Edges: 1 supply
to chamber 1, 2 chamber 1 to tank, 3 supply to chamber 2, 4 chamber 2 to tank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..annotations import (
    InputInSquareMetres,
    InputWithoutUnit,
    KilogramsPerCubicMetre,
    Pascals,
    Plain,
    SquareMetres,
    UserClass,
)
from ..checks import check, check_inputs
from ..control.inputs import input_value
from ..errors import ModelError, short
from ..num.jit import inline

OPENINGS, SPOOL = 0, 1


@dataclass(frozen=True)
class Valve(UserClass):
    """Four openings (m^2), or one spool command in [-1, 1] with the `area` (m^2) of full opening.

    A positive command opens supply to chamber 1 and chamber 2 to tank, a negative one the other
    pair; nothing opens within `dead_band`. Openings below zero count as zero.

    openings     of the four edges, each a number, a time function or a controller's output (m^2)
    spool        command instead of them, likewise (1)
    area         of an edge fully open (m^2)
    dead_band    part of the command around zero at which nothing opens (1)
    discharge    coefficient of the edges (1)
    density      of the oil (kg/m^3)
    transition   pressure drop below which the flow turns laminar (Pa)
    """

    _internal = ("coefficient", "lower")
    openings: (
        tuple[InputInSquareMetres, InputInSquareMetres, InputInSquareMetres, InputInSquareMetres]
        | None
    ) = None
    spool: InputWithoutUnit | None = None
    area: SquareMetres | None = None
    dead_band: Plain = 0.0
    discharge: Plain = 0.62
    density: KilogramsPerCubicMetre = 860.0
    transition: Pascals = 1e5

    def __post_init__(self) -> None:
        if (self.openings is None) == (self.spool is None):
            raise ModelError("Valve: give either four openings or a spool command with an area.")
        if self.openings is not None and (
            not isinstance(self.openings, (tuple, list)) or len(self.openings) != 4
        ):
            raise ModelError(f"Valve: openings must be four, got {short(self.openings)}.")
        check_inputs(self, "openings", "spool")
        if self.spool is not None:
            check(self, "area", positive=True)
        elif self.area is not None:
            raise ModelError(
                "Valve: area belongs to a spool command; openings are areas themselves."
            )
        check(self, "dead_band")
        if not 0.0 <= self.dead_band < 1.0:
            raise ModelError(f"Valve: dead_band must lie in [0, 1), got {short(self.dead_band)}.")
        check(self, "discharge", "density", "transition", positive=True)

    @property
    def coefficient(self) -> float:
        """K, m^3/s per m^2 and root of a pascal."""
        return self.discharge * math.sqrt(2.0 / self.density)

    def lower(self, row, to) -> None:
        """Inputs into the record; area and dead band are among the numbers of the cylinder."""
        if self.openings is None:
            row["mode"], row["input"][0] = SPOOL, to.input(self.spool, "Valve: spool")
            return
        row["mode"] = OPENINGS
        for k, opening in enumerate(self.openings):
            row["input"][k] = to.input(opening, f"Valve: opening {k + 1}")


@inline
def rooted(d, transition):
    """s(d)."""
    return d / math.sqrt(math.sqrt(d * d + transition * transition))


@inline
def edges(force, tables, work, t, area, dead_band):
    """The four openings now."""
    if force.mode == OPENINGS:
        return (
            max(input_value(tables, work, t, force.input[0]), 0.0),
            max(input_value(tables, work, t, force.input[1]), 0.0),
            max(input_value(tables, work, t, force.input[2]), 0.0),
            max(input_value(tables, work, t, force.input[3]), 0.0),
        )
    command = input_value(tables, work, t, force.input[0])
    a = area * min(max(abs(command) - dead_band, 0.0) / (1.0 - dead_band), 1.0)
    return (a, 0.0, 0.0, a) if command > 0.0 else (0.0, a, a, 0.0)
