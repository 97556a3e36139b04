"""Box about the origin of its marker, with its edges along the axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check_rows
from ...core.quantities import Sides
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import add, column, norm, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline
from .contract import Shape
from .manifold import store_vertex


@dataclass(frozen=True)
class Box(Shape):
    """Box about the origin of its marker, with its edges along the axes of the marker.

    Parameters
    ----------
    sides : sequence of 3 floats
        Lengths of the edges along x, y and z (m).

    See Also
    --------
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.shapes.Box((0.2, 0.2, 0.1))
    Box(sides=(0.2, 0.2, 0.1))
    """

    sides: Sides

    kind = "box"

    def __post_init__(self) -> None:
        check_rows(self, sides=3)
        if not all(side > 0.0 for side in self.sides):
            raise ModelError(f"Box: sides must be positive, got {short(self.sides)}.")

    @property
    def numbers(self) -> tuple[float, ...]:
        x, y, z = self.sides
        return 0.5 * x, 0.5 * y, 0.5 * z

    @property
    def thickness(self) -> float:
        return min(self.numbers)

    @property
    def reach(self) -> float:
        return math.hypot(*self.numbers)


@inline
def core(tables, at, R, p, d, inset):
    """Corner of the box, moved inwards by a part of its half thickness."""
    x, y, z = tables.pool[at], tables.pool[at + 1], tables.pool[at + 2]
    m, u = inset * min(x, min(y, z)), rotate_t(R, d)
    corner = (
        x - m if u[0] >= 0.0 else m - x,
        y - m if u[1] >= 0.0 else m - y,
        z - m if u[2] >= 0.0 else m - z,
    )
    return add(p, rotate(R, corner))


@inline
def face(tables, at, R, p, d, out, row):
    """The side whose normal is nearest to d."""
    u = rotate_t(R, d)
    i = 0 if abs(u[0]) >= abs(u[1]) else 1
    if abs(u[2]) > abs(u[i]):
        i = 2
    j, k = (i + 1) % 3, (i + 2) % 3
    c = tables.pool[at + i] if u[i] >= 0.0 else -tables.pool[at + i]
    centre = add(p, scale(c, column(R, i)))
    a, b = scale(tables.pool[at + j], column(R, j)), scale(tables.pool[at + k], column(R, k))
    store_vertex(out, row, add(centre, add(a, b)))
    store_vertex(out, row + 1, add(centre, sub(a, b)))
    store_vertex(out, row + 2, sub(centre, add(a, b)))
    store_vertex(out, row + 3, sub(centre, sub(a, b)))
    return 4


@inline
def axes(tables, at):
    return 6


@inline
def axis(tables, at, R, k, way):
    return scale(1.0 if k < 3 else -1.0, column(R, k % 3))


@inline
def rounding(tables, at):
    return 0.0


@inline
def clamped(s, half):
    return max(-half, min(s, half))


@inline
def nearest(tables, at, R, p, x):
    """Outside, the distance from the nearest point of the box; inside, from the nearest face."""
    a, b, c = tables.pool[at], tables.pool[at + 1], tables.pool[at + 2]
    u = rotate_t(R, sub(x, p))
    foot = (clamped(u[0], a), clamped(u[1], b), clamped(u[2], c))
    apart = sub(u, foot)
    gap = norm(apart)
    if gap > 0.0:
        return gap, rotate(R, scale(1.0 / gap, apart))
    deep = (a - abs(u[0]), b - abs(u[1]), c - abs(u[2]))
    if deep[0] <= deep[1] and deep[0] <= deep[2]:
        return -deep[0], rotate(R, (math.copysign(1.0, u[0]), 0.0, 0.0))
    if deep[1] <= deep[2]:
        return -deep[1], rotate(R, (0.0, math.copysign(1.0, u[1]), 0.0))
    return -deep[2], rotate(R, (0.0, 0.0, math.copysign(1.0, u[2])))
