"""A cable through any number of eyes, without friction: it pulls with one tension along all of its
stretches.

l = sum |p_k+1 - p_k|,    T = max(k (l - L) + c ldot, 0)  where l > L, else 0;    T along the line
to each neighbour
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres, NewtonSecondsPerMetre, NewtonsPerMetre
from ...kernel.algebra.vec3 import scale, store3
from ...kernel.decorators import inline, kernel
from .contract import Force, line, push_apart


@dataclass(frozen=True)
class Cable(Force):
    """Stiffness (N/m) and damping (N s/m) of a cable that runs through its markers in order; slack,
    it does nothing.

    stiffness   of the whole cable (N/m)
    damping     of the whole cable while it is taut (N s/m)
    length      free length; None takes that of the initial position (m)

    The channel `tension` is never negative; `force` is minus it, positive where an element pushes
    its ends apart.
    """

    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0
    length: Metres | None = None

    kind = "cable"
    markers = (2, None)
    look = "rope"
    readings = (("length", "m"), ("rate", "m/s"), ("force", "N"), ("tension", "N"))

    def __post_init__(self) -> None:
        check(self, "stiffness", "damping", at_least_zero=True)
        check(self, "length", at_least_zero=True, optional=True)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.stiffness, self.damping])
        row["rest"] = to.initial_distance() if self.length is None else self.length


@inline
def stretched(tables, force, bodies):
    """Length of the cable and its rate."""
    length, rate = 0.0, 0.0
    for m in range(force.im, force.im + force.nm - 1):
        _, _, _, part, part_rate = line(tables.markers[m], tables.markers[m + 1], bodies)
        length += part
        rate += part_rate
    return length, rate


@inline
def tension(force, pool, length, rate):
    s = length - force.rest
    return max(pool[force.first] * s + pool[force.first + 1] * rate, 0.0) if s > 0.0 else 0.0


@kernel
def apply(tables, work, force, t, q, v, x):
    length, rate = stretched(tables, force, work.bodies)
    pull = tension(force, tables.pool, length, rate)
    for m in range(force.im, force.im + force.nm - 1):
        a, b = tables.markers[m], tables.markers[m + 1]
        p_a, p_b, u, _, _ = line(a, b, work.bodies)
        push_apart(a, b, work.bodies, scale(-pull, u), p_a, p_b)


@kernel
def read(tables, work, force, t, q, v, x, out):
    length, rate = stretched(tables, force, work.bodies)
    pull = tension(force, tables.pool, length, rate)
    store3(out, (length, rate, -pull))
    out[3] = pull


@kernel
def energy(tables, work, force, t, q, x):
    s = max(stretched(tables, force, work.bodies)[0] - force.rest, 0.0)
    return 0.5 * tables.pool[force.first] * s * s
