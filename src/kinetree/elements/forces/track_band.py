"""The track of a tracked vehicle as its road wheels feel it: tension down to the end wheels, and
bridging between neighbours.

    E = T (l_idler + l_sprocket) + s/2 sum |d_k|^2,     d_k = p_k - (p_k-1 + p_k+1) / 2
                                                        over the wheels between others

A wheel that is pushed up lifts its neighbours, as a beam over them would: the band passes ground
forces on. Markers: idler on the hull, wheels from front to rear, sprocket on the hull.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import Newtons, NewtonsPerMetre
from ...kernel.algebra.vec3 import add, dot, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.frames import check
from .contract import ZERO, Force, line, point_motion, push, push_apart


@dataclass(frozen=True)
class TrackBand(Force):
    """Tension (N) of the band and its bridging stiffness (N/m) over the road wheels.

    tension    down to the end wheels (N)
    bridging   stiffness between neighbours (N/m)
    """

    tension: Newtons = 0.0
    bridging: NewtonsPerMetre = 0.0

    kind = "track-band"
    markers = (5, None)
    look = "track"
    readings = (("bent", "m"),)  # most that a wheel is off the middle of its neighbours

    def __post_init__(self) -> None:
        check(self, "tension", "bridging", at_least_zero=True)

    def lower(self, row, to) -> None:
        row["first"] = to.pool([self.tension, self.bridging])


@inline
def off(tables, work, k):
    """d of the wheel at marker k."""
    before = point_motion(tables.markers[k - 1], work.bodies)[0]
    p, behind = (
        point_motion(tables.markers[k], work.bodies)[0],
        point_motion(tables.markers[k + 1], work.bodies)[0],
    )
    return sub(p, scale(0.5, add(before, behind)))


@inline
def draw(tables, work, a, b, tension):
    """Tension between two markers."""
    p_a, p_b, u, _, _ = line(tables.markers[a], tables.markers[b], work.bodies)
    push_apart(tables.markers[a], tables.markers[b], work.bodies, scale(-tension, u), p_a, p_b)


@kernel
def apply(tables, work, force, t, q, v, x):
    n, last = tables.pool[force.first :], force.im + force.nm - 1
    draw(tables, work, force.im, force.im + 1, n[0])
    draw(tables, work, last, last - 1, n[0])
    for k in range(force.im + 2, last - 1):
        d = off(tables, work, k)
        for j, share in ((k - 1, 0.5), (k, -1.0), (k + 1, 0.5)):
            marker = tables.markers[j]
            push(
                marker,
                work.bodies,
                ZERO,
                scale(share * n[1], d),
                point_motion(marker, work.bodies)[0],
            )


@kernel
def read(tables, work, force, t, q, v, x, out):
    most = 0.0
    for k in range(force.im + 2, force.im + force.nm - 2):
        d = off(tables, work, k)
        most = max(most, dot(d, d))
    out[0] = most**0.5


@kernel
def energy(tables, work, force, t, q, x):
    n, last = tables.pool[force.first :], force.im + force.nm - 1
    m = tables.markers
    total = n[0] * (
        line(m[force.im], m[force.im + 1], work.bodies)[3]
        + line(m[last], m[last - 1], work.bodies)[3]
    )
    for k in range(force.im + 2, last - 1):
        d = off(tables, work, k)
        total += 0.5 * n[1] * dot(d, d)
    return total
