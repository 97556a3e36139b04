"""A constant distance between two points: a massless rod with spherical ends (composite S-S joint).

    g = (d.d - l(t)^2) / (2 L),   gdot = ((d . ddot) - l ldot) / L,      d = p_j - p_i

Divided by 2 L, with L the length at the start, against [Lee1994]'s d.d - l^2, so that g is a length and lambda the force
in the rod (pull positive). The length may be a time function: a winch, or a pendulum of prescribed length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..frames import number
from ..num.jit import inline
from ..num.spatial import angular, load6, velocity_at, wrench
from ..num.vec3 import cross, dot, neg, scale, sub
from ..signals.catalogue import signal_value
from ..signals.contract import Signal
from .contract import ZERO, Constraint, arms

ROWS = 1


@dataclass(frozen=True)
class Distance(Constraint):
    """Keeps two markers `length` apart (a number or a time function); None takes the distance in the initial position."""

    length: Any = None

    kind = "distance"
    markers = (2, 2)

    def __post_init__(self) -> None:
        if self.length is not None and not isinstance(self.length, Signal) and not callable(self.length):
            number(self.length, "Distance: length", positive=True)

    @property
    def driven(self) -> bool:
        return isinstance(self.length, Signal) or callable(self.length)

    def lower(self, to, name, markers) -> None:
        p = to.primitive("distance", name)
        (p["i"], X_i), (p["j"], X_j) = map(to.placed, markers)
        p["p_i"], p["p_j"] = X_i.p, X_j.p
        p["signal"] = to.signal(1.0 if self.length is None else self.length, "length")
        if isinstance(self.length, (int, float)):
            p["length"] = self.length
        else:  # the scale L comes from the initial position, and l too if it is not given
            p["length"] = to.leave_open(name, "length" if self.length is None else "scale")


@inline
def value(p, k, bodies):
    p_i, p_j, _, _ = arms(p, bodies)
    d = sub(p_j, p_i)
    return dot(d, d) / (2.0 * p.length)


@inline
def pair(p, k, bodies):
    p_i, p_j, r_i, r_j = arms(p, bodies)
    e = scale(1.0 / p.length, sub(p_j, p_i))
    return wrench(ZERO, neg(e), r_i), wrench(ZERO, e, r_j)


@inline
def bias(p, k, bodies):
    p_i, p_j, r_i, r_j = arms(p, bodies)
    V_i, V_j = load6(bodies[p.i].V), load6(bodies[p.j].V)
    v_i, v_j = velocity_at(V_i, r_i), velocity_at(V_j, r_j)
    ddot = sub(v_j, v_i)
    a = sub(cross(angular(V_j), v_j), cross(angular(V_i), v_i))
    return (dot(ddot, ddot) + dot(sub(p_j, p_i), a)) / p.length


@inline
def prescribed(p, tables, t):
    """l^2 / (2 L) and its two derivatives in time."""
    signal = tables.signals[p.signal]
    l, ldot, lddot = signal_value(signal.kind, signal, tables.pool, t)
    return l * l / (2.0 * p.length), l * ldot / p.length, (ldot * ldot + l * lddot) / p.length
