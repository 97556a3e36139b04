"""Aerodynamic drag at a point:  F = -1/2 rho cd A |u| u,  with u the velocity of the marker through
the air.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check, check_rows
from ...core.quantities import KilogramsPerCubicMetre, Plain, SquareMetres, Velocity
from ...kernel.algebra.vec3 import norm, scale, sub
from ...kernel.decorators import kernel
from .contract import ZERO, Force, no_energy, point_motion, push


@dataclass(frozen=True)
class Drag(Force):
    """Drag of an `area` (m^2) with a drag `coefficient`, in air of a `density` (kg/m^3) that moves
    with the `wind` (m/s).

    coefficient   drag coefficient (1)
    area          that meets the air (m^2)
    density       of the air (kg/m^3)
    wind          velocity of the air in world axes (m/s)
    """

    coefficient: Plain
    area: SquareMetres
    density: KilogramsPerCubicMetre = 1.225
    wind: Velocity = (0.0, 0.0, 0.0)

    kind = "drag"
    markers = (1, 1)

    def __post_init__(self) -> None:
        check(self, "coefficient", "area", "density", at_least_zero=True)
        check_rows(self, wind=3)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([0.5 * self.density * self.coefficient * self.area, *self.wind])


@kernel
def apply(tables, work, force, t, q, v, x):
    marker, n = tables.markers[force.im], force.first
    p, velocity = point_motion(marker, work.bodies)
    u = sub(velocity, (tables.pool[n + 1], tables.pool[n + 2], tables.pool[n + 3]))
    push(marker, work.bodies, ZERO, scale(-tables.pool[n] * norm(u), u), p)


energy = no_energy
