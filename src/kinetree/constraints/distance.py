"""A constant distance between two points: a massless rod with spherical ends (composite S-S joint).

    g = (d.d - l^2) / (2 L),   gdot = ((d . ddot) - l ldot) / L,      d = p_j - p_i

Divided by 2 L, with L the length at the start, against [Lee1994]'s d.d - l^2, so that g is a length
and lambda the pull of the rod. The length l is L, or a time function: a winch, or a pendulum of
prescribed length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..annotations import MotionInMetres
from ..checks import check
from ..errors import AssemblyError
from ..num.jit import inline
from ..num.spatial import angular, load6, velocity_at, wrench
from ..num.vec3 import cross, dot, neg, scale, sub
from ..signals.contract import Signal
from .contract import ZERO, Constraint, Effort, arms


@dataclass(frozen=True)
class Distance(Constraint):
    """Keeps two markers `length` apart (a number or a time function); None takes the distance in
    the initial position.

    length   of the rod, positive at the start: a rod without length has no direction (m)

    The channel `force` is positive where the rod pushes its ends apart, as that of springs;
    `tension` has the other sign.
    """

    length: MotionInMetres = None

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
        """The distance as drawn; of a driven one the length at the start, from g = (d.d - l^2) / 2."""
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
