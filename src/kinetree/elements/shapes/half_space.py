"""Half-space: all points below the plane z = 0 of its marker."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .contract import Shape

_OVER = np.diag([1.0, -1.0, -1.0])


@dataclass(frozen=True)
class HalfSpace(Shape):
    """All points below the plane z = 0 of its marker: a floor, a wall, a ramp.

    The z axis of the marker is the outward normal. Rotate the marker for a wall or a ramp.

    See Also
    --------
    kt.Contact : Contact between two shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.shapes.HalfSpace()
    HalfSpace()
    """

    kind = "half-space"

    @property
    def numbers(self) -> tuple[float, ...]:
        return ()

    @property
    def thickness(self) -> float:
        return math.inf

    @property
    def reach(self) -> float:
        return 0.0

    def mirrored(self, S: np.ndarray) -> tuple[HalfSpace, np.ndarray | None]:
        # the third axis of S R S is S R e_z if S keeps e_z, otherwise its opposite
        return self, None if S[2] > 0.0 else _OVER
