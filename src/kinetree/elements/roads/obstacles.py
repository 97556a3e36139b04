"""Obstacles on a road: convex bodies across it, each a rectangle with a rounded rim, which a disc
touches at one point.

An obstacle stands on the road at its middle, normal to the slope there, and follows the road
across: the bank, and the profile of each track. Along the road it is straight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ...core.checks import check_rows
from ...core.quantities import Metres, UserClass
from ...errors import ModelError, short
from ...kernel.frames import check

Across = tuple[float, float] | None


@dataclass(frozen=True)
class Obstacle(UserClass):
    """Base of the obstacles on a road.

    Parameters
    ----------
    at : float
        Coordinate x of the middle (m).
    across : (float, float), optional
        Range of y that the obstacle covers (m). By default the whole width of the road.

    Notes
    -----
    The rectangle |u| <= half_length, w <= core along and above the road, widened by `rim` all
    round.
    """

    at: Metres
    across: tuple[Metres, Metres] | None = field(default=None, kw_only=True)

    def check(self) -> None:
        check(self, "at")
        if self.across is not None:
            check_rows(self, across=2)
            low, high = self.across
            if not low < high:
                raise ModelError(
                    f"{type(self).__name__}: across must be (right, left) with right < left, "
                    f"got {short(self.across)}."
                )

    @property
    def core(self) -> tuple[float, float, float]:
        """Half length and height of the rectangle, and width of the rim (m)."""
        raise NotImplementedError

    @property
    def row(self) -> tuple[float, ...]:
        """Its numbers in the pool: at, half length, core height, rim, and its range of y."""
        low, high = (-math.inf, math.inf) if self.across is None else self.across
        return float(self.at), *self.core, float(low), float(high)

    def top(self, x: np.ndarray, slope: float) -> np.ndarray:
        """Return the height above the foot at x from the middle, on a sloped road; -inf beside
        it.
        """
        half, core, rim = self.core
        cos = 1.0 / math.sqrt(1.0 + slope * slope)
        along, up = cos * np.array([1.0, slope]), cos * np.array([-slope, 1.0])
        corners = [sign * half * along + core * up for sign in (-1.0, 1.0)]
        top = np.full(x.shape, -np.inf)
        for x_c, z_c in corners:  # discs of the rim
            round_ = np.sqrt(np.maximum(rim**2 - (x - x_c) ** 2, 0.0))
            top = np.where(np.abs(x - x_c) <= rim, np.maximum(top, z_c + round_), top)
        sides = [
            (corners[0] + rim * up, corners[1] + rim * up),
            *(
                (c + s * rim * along, s * (half + rim) * along)
                for s, c in zip((-1.0, 1.0), corners)
            ),
        ]
        for a, b in sides:  # straight edges of the outline
            low, high = sorted((a, b), key=lambda end: end[0])
            if high[0] > low[0]:
                edge = low[1] + (x - low[0]) * (high[1] - low[1]) / (high[0] - low[0])
                top = np.where((low[0] <= x) & (x <= high[0]), np.maximum(top, edge), top)
        return top


@dataclass(frozen=True)
class HalfRound(Obstacle):
    """Half cylinder lying across the road.

    Parameters
    ----------
    at : float
        Coordinate x of the middle (m).
    radius : float
        Radius of the cylinder (m).
    across : (float, float), optional
        Range of y that the obstacle covers (m). By default the whole width of the road.

    See Also
    --------
    kt.roads.Block : Bar with rounded edges.

    Notes
    -----
    The obstacle has a rounded surface without a corner. At its foot the contact changes from the
    road to the obstacle.

    Examples
    --------
    >>> import kinetree as kt
    >>> road = kt.Road(obstacles=[kt.roads.HalfRound(at=5.0, radius=0.1)])
    >>> print(f"{float(road.surface(5.0)):.3f} m")
    0.100 m
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
    """Bar across the road with rounded edges.

    Parameters
    ----------
    at : float
        Coordinate x of the middle (m).
    height : float
        Height of the bar (m).
    length : float
        Length of the bar along x (m).
    edge : float, default 0.0
        Radius of its edges (m).
    across : (float, float), optional
        Range of y that the obstacle covers (m). By default the whole width of the road.

    See Also
    --------
    kt.roads.HalfRound : Half cylinder.

    Notes
    -----
    The edge radius is at most the height and half the length.

    Examples
    --------
    >>> import kinetree as kt
    >>> road = kt.Road(obstacles=[kt.roads.Block(at=5.0, height=0.05, length=0.3, edge=0.01)])
    >>> print(f"{float(road.surface(5.0)):.3f} m")
    0.050 m
    """

    height: Metres
    length: Metres
    edge: Metres = 0.0

    def __post_init__(self) -> None:
        check(self, "height", "length", positive=True)
        check(self, "edge")
        if not 0.0 <= self.edge <= min(self.height, 0.5 * self.length):
            raise ModelError(
                "Block: edge must lie between 0 and the height and half the length, got "
                f"{short(self.edge)}."
            )
        self.check()

    @property
    def core(self) -> tuple[float, float, float]:
        return 0.5 * self.length - self.edge, self.height - self.edge, float(self.edge)
