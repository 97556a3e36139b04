"""Ball about the origin of its marker."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres
from ...kernel.algebra.vec3 import norm, scale, sub
from ...kernel.decorators import inline
from .contract import Shape
from .manifold import store_vertex


@dataclass(frozen=True)
class Ball(Shape):
    """Ball about the origin of its marker.

    Parameters
    ----------
    radius : float
        Radius (m).

    See Also
    --------
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.shapes.Ball(0.1)
    Ball(radius=0.1)
    """

    radius: Metres

    kind = "ball"

    def __post_init__(self) -> None:
        check(self, "radius", positive=True)

    @property
    def numbers(self) -> tuple[float, ...]:
        return (self.radius,)

    @property
    def thickness(self) -> float:
        return self.radius

    @property
    def reach(self) -> float:
        return self.radius


@inline
def away(d):
    """Length and direction of a vector; the z axis if the vector is zero."""
    length = norm(d)
    if length > 0.0:
        return length, scale(1.0 / length, d)
    return 0.0, (0.0, 0.0, 1.0)


@inline
def core(tables, at, R, p, d, inset):
    return p


@inline
def face(tables, at, R, p, d, out, row):
    store_vertex(out, row, p)
    return 1


@inline
def axes(tables, at):
    return 0


@inline
def axis(tables, at, R, k, way):
    return way


@inline
def rounding(tables, at):
    return tables.pool[at]


@inline
def nearest(tables, at, R, p, x):
    length, normal = away(sub(x, p))
    return length - tables.pool[at], normal
