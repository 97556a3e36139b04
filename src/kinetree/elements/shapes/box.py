"""Box about the origin of its marker, with its edges along the axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check_rows
from ...core.quantities import Sides
from ...errors import ModelError, short
from ...kernel.algebra.vec3 import add, norm, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline
from .contract import Shape


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
def support(tables, at, R, p, d, k):
    """Corner k."""
    x, y, z = tables.pool[at], tables.pool[at + 1], tables.pool[at + 2]
    corner = (
        x if k % 2 == 0 else -x,
        y if (k // 2) % 2 == 0 else -y,
        z if k < 4 else -z,
    )
    return add(p, rotate(R, corner))


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
