"""Planar profile: a closed curve in the x-y plane of its marker, extruded along z.

Its numbers in the pool: the number of pieces, then (x, y, x', y', x'_end, y'_end) of each node, the
start of a piece over s from 0 to 1, with the derivatives at both of its ends. A piece is

    x(s) = (1 - s)^2 (1 + 2 s) x_0 + s (1 - s)^2 x'_0 - s^2 (1 - s) x'_1 + s^2 (3 - 2 s) x_1

which is a straight line if both derivatives are x_1 - x_0. The material is on the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.checks import check
from ...core.quantities import Matrix, Metres
from ...errors import ModelError, short
from ...kernel.decorators import inline
from .contract import Shape

NODE = 6  # numbers of a node
ROUNDS = 60


@dataclass(frozen=True, eq=False)
class Profile(Shape):
    """Closed curve in the x-y plane of its marker, without bounds along z: cams, ratchets, slots.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        Points (x, y) of the curve in order (m), without the first point at the end.
    smooth : bool, default False
        Whether the curve is a periodic cubic spline through the points; otherwise it has straight
        sides.
    width : float, default 0.02
        Width along z in pictures (m). The contact does not depend on it.

    See Also
    --------
    kt.shapes.Cylinder : Roller on a profile.
    kt.Contact : Contact between two shapes.

    Examples
    --------
    A cam.

    >>> import numpy as np
    >>> import kinetree as kt
    >>> angle = np.linspace(0.0, 2.0 * np.pi, 72, endpoint=False)
    >>> radius = 0.03 + 0.005 * np.cos(angle)
    >>> points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    >>> kt.shapes.Profile(points, smooth=True)
    Profile(72 points, smooth)
    """

    _internal = ("outline", "tangents")
    points: Matrix
    smooth: bool = False
    width: Metres = 0.02

    kind = "profile"

    def __post_init__(self) -> None:
        check(self, "width", positive=True)
        try:
            points = np.array(self.points, float)
        except (TypeError, ValueError):
            points = np.zeros(0)
        if points.ndim != 2 or points.shape[1:] != (2,) or not np.isfinite(points).all():
            raise ModelError(
                f"Profile: points must be finite points (x, y) in rows, got {short(self.points)}."
            )
        steps = np.roll(points, -1, axis=0) - points
        if len(points) < 3 or not steps.any(axis=1).all():
            raise ModelError(
                "Profile: points must be at least three, and no point may be the same as the next "
                "one; the curve closes by itself."
            )
        if not isinstance(self.smooth, bool):
            raise ModelError(f"Profile: smooth must be True or False, got {short(self.smooth)}.")
        area = float(points[:, 0] @ steps[:, 1] - points[:, 1] @ steps[:, 0])
        points = points[::-1].copy() if area < 0.0 else points
        points.setflags(write=False)
        object.__setattr__(self, "points", points)

    def __repr__(self) -> str:
        return f"Profile({len(self.points)} points{', smooth' if self.smooth else ''})"

    @property
    def tangents(self) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives at the start and at the end of every piece."""
        p = self.points
        sides = np.roll(p, -1, axis=0) - p
        if not self.smooth:
            return sides, sides
        from scipy.interpolate import CubicSpline

        lengths = np.hypot(
            *sides.T
        )  # the parameter follows the length, so that no piece overshoots
        s = np.concatenate([[0.0], np.cumsum(lengths)])
        spline = CubicSpline(s, np.vstack([p, p[:1]]), bc_type="periodic")
        slopes = spline(s, 1)
        return slopes[:-1] * lengths[:, None], slopes[1:] * lengths[:, None]

    @property
    def numbers(self) -> tuple[float, ...]:
        start, end = self.tangents
        rows = np.hstack([self.points, start, end])
        return float(len(rows)), *map(float, rows.ravel())

    @property
    def thickness(self) -> float:
        return 0.5 * float(np.ptp(self.points, axis=0).min())

    @property
    def reach(self) -> float:
        start, _ = self.tangents
        bulge = 0.25 * float(np.hypot(*start.T).max()) if self.smooth else 0.0
        return float(np.hypot(*self.points.T).max()) + bulge

    def mirrored(self, S: np.ndarray) -> tuple[Profile, np.ndarray | None]:
        return Profile(self.points * S[:2], self.smooth, self.width), None

    def outline(self, each: int = 8) -> np.ndarray:
        """Points (x, y) along the curve for pictures."""
        p, (start, end) = self.points, self.tangents
        if not self.smooth:
            return p
        s = (np.arange(each) / each)[None, :, None]
        q = np.roll(p, -1, axis=0)
        a, b, c, d = (one[:, None, :] for one in (p, start, end, q))
        curve = (1 - s) ** 2 * (1 + 2 * s) * a + s * (1 - s) ** 2 * b - s * s * (1 - s) * c
        return (curve + s * s * (3 - 2 * s) * d).reshape(-1, 2)


@inline
def count_of(tables, at):
    return int(tables.pool[at])


@inline
def node(tables, at, k):
    """Place of the numbers of node k, also beyond the last one."""
    n = int(tables.pool[at])
    return at + 1 + NODE * (k if k < n else k - n)


@inline
def curve(tables, at, k, s):
    """Point and derivative of piece k."""
    i, j, r = node(tables, at, k), node(tables, at, k + 1), 1.0 - s
    pool = tables.pool
    a, b, c, d = r * r * (1.0 + 2.0 * s), s * r * r, -s * s * r, s * s * (3.0 - 2.0 * s)
    x = a * pool[i] + b * pool[i + 2] + c * pool[i + 4] + d * pool[j]
    y = a * pool[i + 1] + b * pool[i + 3] + c * pool[i + 5] + d * pool[j + 1]
    a, b, c = 6.0 * s * r, r * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
    dx = a * (pool[j] - pool[i]) + b * pool[i + 2] + c * pool[i + 4]
    dy = a * (pool[j + 1] - pool[i + 1]) + b * pool[i + 3] + c * pool[i + 5]
    return x, y, dx, dy


@inline
def unit(x, y):
    size = math.sqrt(x * x + y * y)
    return (x / size, y / size) if size > 0.0 else (0.0, 0.0)


@inline
def is_smooth(tables, at):
    """Whether the first piece is curved: a straight one has the same derivative at both ends."""
    i, pool = at + 1, tables.pool
    return pool[i + 2] != pool[i + 4] or pool[i + 3] != pool[i + 5]
