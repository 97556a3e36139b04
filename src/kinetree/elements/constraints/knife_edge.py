"""A blade that does not slip sideways: one equation of velocities, without a position.

b . (v_j(P) - v_i(P)) = 0,      b fixed in body j, P the origin of its marker
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import Axis
from ...kernel.algebra.spatial import angular, load6, velocity_at
from ...kernel.algebra.vec3 import cross
from ...kernel.decorators import inline
from ...kernel.frames import unit_vector
from ...kernel.linalg import product
from .contract import Constraint, Effort, arms, axes
from .moving_point import bias_at, pair_at


@dataclass(frozen=True)
class KnifeEdge(Constraint):
    r"""Blade of the second marker that does not slip sideways: a skate, a sleigh, a sharp wheel.

    Parameters
    ----------
    axis : str or (3,) array_like, default "y"
        Direction across the blade in the second marker: "x", "y", "z", "-x", "-y", "-z" or a
        vector of any length but zero.

    See Also
    --------
    kt.Rolling : A wheel or ball that rolls without slipping.
    kt.PointOnPlane : Keeps a point in a plane.

    Notes
    -----
    .. math::
        b \cdot (v_2 - v_1) = 0

    :math:`b` is the direction `axis`, which turns with the body of the second marker,
    :math:`v_2` the velocity of the second marker, and :math:`v_1` the velocity of the body of the
    first marker at the same point. The constraint is non-holonomic: it restricts velocities, but
    every position can be reached. It does not keep the blade on a plane; add a joint such as
    `kt.Planar` for that. The channel `force` (N) acts on the body of the second marker, positive
    along `axis`.

    Examples
    --------
    A Chaplygin sleigh: the center of mass is in front of the blade, so that the sleigh always ends
    running straight ahead.

    >>> import kinetree as kt
    >>> model = kt.Model("sleigh")
    >>> sleigh = model.body("sleigh", kt.box(mass=2.0, sides=(0.8, 0.4, 0.1)))
    >>> ice = model.joint("ice", kt.Planar(axis="z"), model.ground, sleigh, speed={"angle": 2.0})
    >>> blade = model.constraint("blade", kt.KnifeEdge(), model.ground, sleigh.at(-0.3, 0, 0))
    >>> sol = kt.simulate(model, until=8.0)
    >>> print(f"{abs(sol['ice.angle.rate'][-1]):.3f} rad/s")
    0.000 rad/s
    """

    axis: Axis = "y"

    kind = "knife-edge"
    markers = (2, 2)
    restricts_velocities = True

    def __post_init__(self) -> None:
        unit_vector(self.axis, "KnifeEdge")

    def lower(self, to, name, markers) -> None:
        p = to.between_markers("knife-edge", name, markers)
        p["a_j"] = product(to.placed(markers[1])[1].R, unit_vector(self.axis, "KnifeEdge"))

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        return Effort("N", f"side force of {name} on its second marker, positive along its axis")


@inline
def value(tables, p, k, bodies, aims):
    return 0.0


@inline
def pair(tables, p, k, bodies, aims):
    return pair_at(p, bodies, arms(p, bodies)[1], axes(p, bodies)[1])


@inline
def bias(tables, p, k, bodies, aims):
    _, P, _, r_j = arms(p, bodies)
    b, V_j = axes(p, bodies)[1], load6(bodies[p.j].V)
    return bias_at(p, bodies, P, velocity_at(V_j, r_j), b, cross(angular(V_j), b))
