"""An anti-roll bar: links to the left and to the right that pull against each other.

    F = k (l_L - l_R) + c (l_L' - l_R')              draws the left markers together and drives the
                                                     right ones apart

l are the distances of the first two and of the last two markers: equal travel of both wheels costs
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import NewtonSecondsPerMetre, NewtonsPerMetre
from ...kernel.algebra.vec3 import scale, store3
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from .contract import Force, line, push_apart


@dataclass(frozen=True)
class AntiRollBar(Force):
    """Stiffness (N/m) and damping (N s/m) at its links; markers: left wheel side and body, right
    wheel side and body.

    stiffness   force per difference of the two lengths (N/m)
    damping     force per rate of that difference (N s/m)
    """

    stiffness: NewtonsPerMetre
    damping: NewtonSecondsPerMetre = 0.0

    kind = "anti-roll-bar"
    markers = (4, 4)
    look = "links"
    readings = (("difference", "m"), ("rate", "m/s"), ("force", "N"))

    def __post_init__(self) -> None:
        check(self, "stiffness", "damping", at_least_zero=True)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.stiffness, self.damping])


@inline
def twisted(tables, work, force):
    """Difference of the lengths, its rate, and the force."""
    k = force.im
    left = line(tables.markers[k], tables.markers[k + 1], work.bodies)
    right = line(tables.markers[k + 2], tables.markers[k + 3], work.bodies)
    d, rate = left[3] - right[3], left[4] - right[4]
    return d, rate, tables.pool[force.first] * d + tables.pool[force.first + 1] * rate


@kernel
def apply(tables, work, force, t, q, v, x):
    pull = twisted(tables, work, force)[2]
    for side in range(2):
        a, b = tables.markers[force.im + 2 * side], tables.markers[force.im + 2 * side + 1]
        p_a, p_b, u, _, _ = line(a, b, work.bodies)
        push_apart(a, b, work.bodies, scale(-pull if side == 0 else pull, u), p_a, p_b)


@kernel
def read(tables, work, force, t, q, v, x, out):
    store3(out, twisted(tables, work, force))


@kernel
def energy(tables, work, force, t, q, x):
    d = twisted(tables, work, force)[0]
    return 0.5 * tables.pool[force.first] * d * d
