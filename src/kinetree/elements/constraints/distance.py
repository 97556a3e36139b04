"""Prescribed distance between two points: a massless rod with spherical ends (composite S-S joint).

    g = (d.d - l^2) / (2 L),   gdot = ((d . ddot) - l ldot) / L,      d = p_j - p_i

Compared with d.d - l^2 of [Lee1994], g is divided by 2 L, where L is the initial length, so that g
is a length and lambda the tension of the rod. The length l is L, or a time function: a winch, or a
pendulum of prescribed length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import MotionInMetres
from ...errors import AssemblyError
from ...kernel.algebra.spatial import angular, load6, velocity_at, wrench
from ...kernel.algebra.vec3 import cross, dot, neg, scale, sub
from ...kernel.decorators import inline
from ..signals.contract import Signal
from .contract import ZERO, Constraint, Effort, arms


@dataclass(frozen=True)
class Distance(Constraint):
    r"""Prescribed distance between two markers: a massless rod with ball joints.

    Parameters
    ----------
    length : float, time function or callable, optional
        Distance of the markers (m), constant or as a function of time. It must be positive. By
        default the rod has the length of the initial position.

    See Also
    --------
    kt.Cable : Pulls only.
    kt.SpringDamper : Elastic connection of two markers.

    Notes
    -----
    .. math::
        g = \frac{d \cdot d - l^2}{2 L} = 0, \qquad d = p_2 - p_1

    :math:`p_1` and :math:`p_2` are the positions of the markers, :math:`l` is the `length` and
    :math:`L` its initial value (m). The channel `force` (N) is positive where the rod pushes the
    markers apart, as for springs; the channel `tension` has the opposite sign. [Lee1994, sec. 4]

    Examples
    --------
    A ball hangs at rest on a rod.

    >>> import kinetree as kt
    >>> model = kt.Model("pendulum")
    >>> ball = model.body("ball", kt.sphere(mass=2.0, radius=0.1), position=(0, 0, -1))
    >>> free = model.float(ball)
    >>> rod = model.constraint("rod", kt.Distance(length=1.0), model.ground, ball)
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['rod.tension'][0]:.2f} N")
    19.62 N
    """

    length: MotionInMetres | None = None

    kind = "distance"
    markers = (2, 2)
    look = "rod"

    def __post_init__(self) -> None:
        if (
            self.length is not None
            and not isinstance(self.length, Signal)
            and not callable(self.length)
        ):
            check(self, "length", positive=True)

    @property
    def driven(self) -> bool:
        return isinstance(self.length, Signal) or callable(self.length)

    def lower(self, to, name, markers) -> None:
        p = to.between_markers("distance", name, markers)
        if self.driven:
            p["signal"] = to.signal(self.length, "length")
        known = isinstance(self.length, (int, float))
        p["length"] = (
            self.length
            if known
            else to.leave_open(name, "scale" if self.driven else "length", "length")
        )

    def found(self, what: str, distance: float, g: float) -> float:
        """Return the drawn distance; of a driven rod, the initial length from g = (d.d - l^2)
        / 2.
        """
        return distance if what == "length" else math.sqrt(max(distance * distance - 2.0 * g, 0.0))

    def check_length(self, length: float, t: float, drawn: float, nothing: float) -> None:
        if length > nothing or math.isnan(
            length
        ):  # a number that a user's function does not give is reported elsewhere
            return
        if self.length is None:
            raise AssemblyError(
                "its markers coincide at the start, and a rod of no length has no direction. Give "
                "its length, "
                "draw the points apart, or join them with kt.Spherical()."
            )
        when = f" at t = {t:g} s" if self.driven else ""
        advice = (
            f"its markers are drawn {drawn:.4g} m apart"
            if drawn > nothing
            else "kt.Spherical() joins points that coincide"
        )
        raise AssemblyError(
            f"its length is {length:.4g} m{when}, and a rod without a positive length has no "
            "direction. Give a "
            f"length that is positive at the start; {advice}."
        )

    def gap(self, g: float, distance: float, scale: float) -> float:
        """|d - l|, from g = (d.d - l^2) / (2 L)."""
        return abs(distance - math.sqrt(max(distance * distance - 2.0 * scale * g, 0.0)))

    def effort(self, name: str, units: tuple[str, ...]) -> Effort:
        return Effort(
            "N",
            f"force of {name}, positive where it pushes its ends apart",
            stretched=True,
            opposite="tension",
        )


@inline
def value(tables, p, k, bodies, aims):
    p_i, p_j, _, _ = arms(p, bodies)
    d, l = sub(p_j, p_i), p.length if p.signal < 0 else 0.0  # else the time function takes it off
    return (dot(d, d) - l * l) / (2.0 * p.length)


@inline
def pair(tables, p, k, bodies, aims):
    p_i, p_j, r_i, r_j = arms(p, bodies)
    e = scale(1.0 / p.length, sub(p_j, p_i))
    return wrench(ZERO, neg(e), r_i), wrench(ZERO, e, r_j)


@inline
def bias(tables, p, k, bodies, aims):
    p_i, p_j, r_i, r_j = arms(p, bodies)
    V_i, V_j = load6(bodies[p.i].V), load6(bodies[p.j].V)
    v_i, v_j = velocity_at(V_i, r_i), velocity_at(V_j, r_j)
    ddot = sub(v_j, v_i)
    a = sub(cross(angular(V_j), v_j), cross(angular(V_i), v_i))
    return (dot(ddot, ddot) + dot(sub(p_j, p_i), a)) / p.length


@inline
def follow(p, f):
    """l^2 / (2 L) and its two derivatives in time."""
    l, ldot, lddot = f
    return l * l / (2.0 * p.length), l * ldot / p.length, (ldot * ldot + l * lddot) / p.length
