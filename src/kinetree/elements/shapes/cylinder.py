"""Cylinder with flat ends along the z axis of its marker."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres
from ...kernel.algebra.vec3 import add, column, cross, dot, norm, scale, sub
from ...kernel.decorators import inline
from .contract import Shape
from .manifold import store_vertex

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
def outward(R, d):
    """Direction across the axis in which a rim lies farthest in the direction d."""
    axis = column(R, 2)
    across = sub(d, scale(dot(d, axis), axis))
    size = norm(across)
    return scale(1.0 / size, across) if size > _UPRIGHT * norm(d) else column(R, 0)


@inline
def core(tables, at, R, p, d, inset):
    """Point of a rim, moved inwards by a part of the half thickness."""
    radius, half, up = tables.pool[at], tables.pool[at + 1], column(R, 2)
    m = inset * min(radius, half)
    end = scale(half - m if dot(d, up) >= 0.0 else m - half, up)
    return add(p, add(end, scale(radius - m, outward(R, d))))


@inline
def face(tables, at, R, p, d, out, row):
    """An end as an octagon whose first vertex lies farthest, or the line of the wall."""
    radius, half, up = tables.pool[at], tables.pool[at + 1], column(R, 2)
    e, along = outward(R, d), dot(d, up)
    if 2.0 * along * along < dot(d, d):
        store_vertex(out, row, add(p, add(scale(half, up), scale(radius, e))))
        store_vertex(out, row + 1, add(p, sub(scale(radius, e), scale(half, up))))
        return 2
    centre, f = add(p, scale(half if along >= 0.0 else -half, up)), cross(up, e)
    s = radius * math.sqrt(0.5)
    slant = (scale(s, add(e, f)), scale(s, sub(f, e)))
    straight = (scale(radius, e), scale(radius, f))
    for k in range(4):
        sign = 1.0 if k < 2 else -1.0
        first = straight[0] if k % 2 == 0 else straight[1]
        second = slant[0] if k % 2 == 0 else slant[1]
        store_vertex(out, row + 2 * k, add(centre, scale(sign, first)))
        store_vertex(out, row + 2 * k + 1, add(centre, scale(sign, second)))
    return 8


@inline
def axes(tables, at):
    return 3


@inline
def axis(tables, at, R, k, way):
    """Both ends, and the wall."""
    up = column(R, 2)
    return up if k == 0 else scale(-1.0, up) if k == 1 else outward(R, way)


@inline
def rounding(tables, at):
    return 0.0


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
