"""Cylinder with flat ends along the z axis of its marker."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres
from ...kernel.algebra.vec3 import add, column, cross, dot, norm, scale, sub
from ...kernel.decorators import inline
from .contract import Shape

_UPRIGHT = 1e-9  # of the normal in the plane of an end: its direction is chosen below this


@dataclass(frozen=True)
class Cylinder(Shape):
    """Cylinder with flat ends along the z axis of its marker: a disc, a puck, a roller.

    Parameters
    ----------
    radius : float
        Radius (m).
    length : float
        Distance of the two ends (m); the marker is in the middle.

    See Also
    --------
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.shapes.Cylinder(radius=0.1, length=0.02)
    Cylinder(radius=0.1, length=0.02)
    """

    radius: Metres
    length: Metres

    kind = "cylinder"

    def __post_init__(self) -> None:
        check(self, "radius", "length", positive=True)

    @property
    def numbers(self) -> tuple[float, ...]:
        return self.radius, 0.5 * self.length

    @property
    def thickness(self) -> float:
        return min(self.radius, 0.5 * self.length)

    @property
    def reach(self) -> float:
        return math.hypot(self.radius, 0.5 * self.length)


@inline
def support(tables, at, R, p, d, k):
    """Four points of the rim of each end: the farthest, its opposite and the two between them."""
    radius, half, axis = tables.pool[at], tables.pool[at + 1], column(R, 2)
    across = sub(d, scale(dot(d, axis), axis))
    size = norm(across)
    e = scale(1.0 / size, across) if size > _UPRIGHT else column(R, 0)
    f = cross(axis, e)
    side = k % 4
    out = e if side == 0 else scale(-1.0, e) if side == 1 else f if side == 2 else scale(-1.0, f)
    return add(p, add(scale(half if k < 4 else -half, axis), scale(radius, out)))


@inline
def nearest(tables, at, R, p, x):
    """Outside, the distance from the nearest point; inside, from the end or the wall."""
    radius, half, axis = tables.pool[at], tables.pool[at + 1], column(R, 2)
    u = sub(x, p)
    s = dot(u, axis)
    across = sub(u, scale(s, axis))
    r = norm(across)
    out = scale(1.0 / r, across) if r > 0.0 else column(R, 0)
    beyond, beside = abs(s) - half, r - radius
    up = scale(math.copysign(1.0, s), axis)
    if beyond > 0.0 and beside > 0.0:
        gap = math.sqrt(beyond * beyond + beside * beside)
        return gap, add(scale(beyond / gap, up), scale(beside / gap, out))
    if beyond > beside:
        return beyond, up
    return beside, out
