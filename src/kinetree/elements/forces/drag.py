"""Aerodynamic drag at a point:  F = -1/2 rho cd A |u| u,  with the velocity u of the marker through
the
air.
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
    r"""Aerodynamic drag at a marker.

    Parameters
    ----------
    coefficient : float
        Drag coefficient cd (1).
    area : float
        Reference area A (m^2).
    density : float, default 1.225
        Density rho of the air (kg/m^3).
    wind : (3,) array_like, default (0.0, 0.0, 0.0)
        Velocity of the air in world axes (m/s).

    See Also
    --------
    kt.PointForce : Force given over time.
    kt.UserForce : Force as a function of the motion.

    Notes
    -----
    .. math::
        F = -\tfrac12\, \rho\, c_d\, A\, |u|\, u, \qquad u = v - v_{wind}

    :math:`v` is the velocity of the marker and :math:`v_{wind}` the `wind`, both in world
    axes (m/s), :math:`\rho` the `density`, :math:`c_d` the `coefficient` and :math:`A` the `area`.
    The force F (N) acts at the marker, opposite to its motion through the air, and has no moment
    about it. The channel `force` has its components, positive along the world axes.

    Examples
    --------
    A body moves at 10 m/s with cd A = 0.8 m^2.

    >>> import kinetree as kt
    >>> model = kt.Model("car", gravity=(0, 0, 0))
    >>> body = model.body("body", kt.box(mass=1000.0, sides=(4, 2, 1)), velocity=(10, 0, 0))
    >>> free = model.float(body)
    >>> drag = model.force("drag", kt.Drag(coefficient=0.4, area=2.0), body)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{sol['drag.force.x'][0]:.1f} N")
    -49.0 N
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
