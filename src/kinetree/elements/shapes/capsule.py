"""Capsule: all points within a radius of a segment along the z axis of its marker."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres
from ...kernel.algebra.vec3 import add, column, dot, scale, sub
from ...kernel.decorators import inline
from .ball import away
from .contract import Shape
from .manifold import store_vertex


@dataclass(frozen=True)
class Capsule(Shape):
    """Cylinder with round ends along the z axis of its marker.

    Parameters
    ----------
    radius : float
        Radius of the cylinder and of its ends (m).
    length : float
        Length of the cylinder between the centers of its ends (m); the marker is in its middle.

    See Also
    --------
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.shapes.Capsule(radius=0.05, length=0.4)
    Capsule(radius=0.05, length=0.4)
    """

    radius: Metres
    length: Metres

    kind = "capsule"

    def __post_init__(self) -> None:
        check(self, "radius", "length", positive=True)

    @property
    def numbers(self) -> tuple[float, ...]:
        return self.radius, 0.5 * self.length

    @property
    def thickness(self) -> float:
        return self.radius

    @property
    def reach(self) -> float:
        return self.radius + 0.5 * self.length


@inline
def on_axis(tables, at, R, p, s):
    """Point of the segment at s from its middle, moved to the nearer end if it lies beyond."""
    half = tables.pool[at + 1]
    return add(p, scale(max(-half, min(s, half)), column(R, 2)))


@inline
def core(tables, at, R, p, d, inset):
    half, up = tables.pool[at + 1], column(R, 2)
    return add(p, scale(half if dot(d, up) >= 0.0 else -half, up))


@inline
def face(tables, at, R, p, d, out, row):
    """Its segment."""
    half, up = tables.pool[at + 1], column(R, 2)
    store_vertex(out, row, add(p, scale(half, up)))
    store_vertex(out, row + 1, sub(p, scale(half, up)))
    return 2


@inline
def axes(tables, at):
    return 1


@inline
def axis(tables, at, R, k, way):
    """Across the segment."""
    up = column(R, 2)
    return sub(way, scale(dot(way, up), up))


@inline
def rounding(tables, at):
    return tables.pool[at]


@inline
def nearest(tables, at, R, p, x):
    foot = on_axis(tables, at, R, p, dot(sub(x, p), column(R, 2)))
    length, normal = away(sub(x, foot))
    return length - tables.pool[at], normal
