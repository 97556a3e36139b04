"""What stands on a road: convex bodies across it, each a rectangle with a rounded rim, which a disc meets at one point."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..annotations import Metres
from ..errors import ModelError
from ..frames import check, number, numbers

Across = tuple[float, float] | None


@dataclass(frozen=True)
class Obstacle:
    """Base: the rectangle |x - at| <= half_length below z = core above the road, widened by `rim` all round."""

    at: Metres
    across: tuple[Metres, Metres] | None = field(default=None, kw_only=True)

    def check(self) -> None:
        check(self, "at")
        if self.across is not None:
            low, high = numbers(self.across, 2, f"{type(self).__name__}: across")
            if not low < high:
                raise ModelError(f"{type(self).__name__}: across must be (right, left) with right < left, got {self.across!r}.")

    @property
    def core(self) -> tuple[float, float, float]:
        """Half length and height of the rectangle, and the width of the rim (m)."""
        raise NotImplementedError

    @property
    def row(self) -> tuple[float, ...]:
        """As it lies in the pool: at, half length, core height, rim, and the strip -y .. y that it covers."""
        low, high = (-math.inf, math.inf) if self.across is None else self.across
        return float(self.at), *self.core, float(low), float(high)


@dataclass(frozen=True)
class HalfRound(Obstacle):
    """Half a cylinder of a `radius` (m) lying across the road at x = `at`.

    at       x of its middle (m)
    radius   (m)
    across   (y_low, y_high) that it covers; None: everywhere (m)
    """

    radius: Metres

    def __post_init__(self) -> None:
        check(self, "radius", positive=True)
        self.check()

    @property
    def core(self) -> tuple[float, float, float]:
        return 0.0, 0.0, float(self.radius)


@dataclass(frozen=True)
class Block(Obstacle):
    """A bar across the road with rounded edges.

    at               x of its middle (m)
    height, length   (m)
    edge             radius of its edges (m)
    across           (y_low, y_high) that it covers; None: everywhere (m)
    """

    height: Metres
    length: Metres
    edge: Metres = 0.0

    def __post_init__(self) -> None:
        check(self, "height", "length", positive=True)
        if not 0.0 <= number(self.edge, "Block: edge") <= min(self.height, 0.5 * self.length):
            raise ModelError(f"Block: edge must lie between 0 and the height and half the length, got {self.edge!r}.")
        self.check()

    @property
    def core(self) -> tuple[float, float, float]:
        return 0.5 * self.length - self.edge, self.height - self.edge, float(self.edge)
