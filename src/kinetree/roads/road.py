"""A road: height above z = 0 along x, for both tracks or for each, with obstacles on it.

    z = profile(x) + grade x + bank y         left of y = 0, and with the profile `right` to the
                                              right of it

The profile is a function of one variable with two derivatives, in metres: a number, kt.Table,
kt.Sine, kt.CosineBump or a Python function. A wheel touches it at the point nearest to its centre
(contact.py), so it must be smooth; edges are obstacles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..annotations import Metres, Plain, ProfileInMetres, UserClass
from ..checks import numbers, together
from ..errors import ModelError, short
from ..frames import check
from ..num.jit import table
from ..signals.catalogue import KIND, as_signal, sampled, signal_kernels_of
from ..signals.constant import Constant
from ..signals.contract import Signal
from ..signals.ramp import Ramp
from ..signals.table import Table
from ..tables.records import SIGNAL, empty_tables, frozen
from .obstacles import Obstacle
from .spans import Span, spans_of

GRADE, BANK, RIGHT, COUNT, FIRST, WIDTH = (
    0,
    1,
    2,
    3,
    4,
    10,
)  # numbers of a road in the pool; so many per obstacle


@dataclass(frozen=True)
class Road(UserClass):
    """A road along x, for both tracks or for each, with obstacles on it.

    profile      height over x: a number, kt.Table, kt.Sine, kt.CosineBump, points (x, z) or a
                 function (m)
    right        profile of the right track, y < 0; None: the same (m)
    obstacles    kt.roads.HalfRound, kt.roads.Block
    grade        slope along x, added to the profile (1)
    bank         slope along y (1)
    resolution   way of a wheel that no step may exceed on uneven parts; by default an eighth of
                 each feature, or a
                 quarter of the wheel's radius where that is longer (m)
    """

    _internal = ("lower", "profiles", "spans")
    profile: ProfileInMetres = 0.0
    right: ProfileInMetres | None = None
    obstacles: Sequence[Obstacle] = ()
    grade: Plain = 0.0
    bank: Plain = 0.0
    resolution: Metres | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "profile", smooth_profile(self.profile, "Road: profile"))
        if self.right is not None:
            object.__setattr__(self, "right", smooth_profile(self.right, "Road: right"))
        given = [self.obstacles] if isinstance(self.obstacles, Obstacle) else self.obstacles
        if not isinstance(given, (list, tuple)) or not all(
            isinstance(one, Obstacle) for one in given
        ):
            raise ModelError(
                "Road: obstacles must be several such as kt.roads.HalfRound(at=20.8, "
                "radius=0.254), got "
                f"{short(self.obstacles)}."
            )
        object.__setattr__(self, "obstacles", tuple(given))
        check(self, "grade", "bank")
        check(self, "resolution", positive=True, optional=True)

    @property
    def profiles(self) -> tuple[Signal, ...]:
        """Of the left track, and of the right one where it differs."""
        return (self.profile,) if self.right is None else (self.profile, self.right)

    def height(self, x, y=0.0) -> np.ndarray:
        """z of the road without its obstacles."""
        return self._at(x, y)[0]

    def slope(self, x, y=0.0) -> np.ndarray:
        """dz/dx of the road without its obstacles."""
        return self._at(x, y)[1]

    def normal(self, x, y=0.0) -> np.ndarray:
        """Unit normals (..., 3), upwards."""
        slope = self.slope(x, y)
        n = np.stack([-slope, np.full_like(slope, -self.bank), np.ones_like(slope)], axis=-1)
        return n / np.linalg.norm(n, axis=-1, keepdims=True)

    def surface(self, x, y=0.0) -> np.ndarray:
        """z with the obstacles: what one would walk on."""
        x, y = together("Road", x=x, y=y)
        z = self.height(x, y)
        for one in self.obstacles:
            top = np.full(x.shape, -np.inf)
            for side, (foot, slope) in zip((y >= 0.0, y < 0.0), self._feet(one)):
                top = np.where(side, foot + self.bank * y + one.top(x - one.at, slope), top)
            z = np.where((one.row[4] <= y) & (y <= one.row[5]), np.maximum(z, top), z)
        return z

    def plot(self, begin: float | None = None, end: float | None = None, path=None):
        """Heights of both tracks along x as a matplotlib figure; written where a path is given."""
        from .plot import plot

        return plot(self, begin, end, path)

    def spans(self, radius: float) -> tuple[Span, ...]:
        """Where it is uneven for a wheel of that radius."""
        return spans_of(self, radius)

    def _at(self, x, y) -> tuple[np.ndarray, np.ndarray]:
        x, y = together("Road", x=x, y=y)
        z, slope = values(self.profile, x)
        if self.right is not None:
            other = values(self.right, x)
            z, slope = np.where(y < 0.0, other[0], z), np.where(y < 0.0, other[1], slope)
        return z + self.grade * x + self.bank * y, slope + self.grade

    def _feet(self, one: Obstacle) -> list[tuple[float, float]]:
        """Height without the bank, and slope, of the left and of the right track where an obstacle
        stands.
        """
        tracks = [
            values(profile, np.array(one.at, float))
            for profile in (self.profile, self.right or self.profile)
        ]
        return [(float(z) + self.grade * one.at, float(slope) + self.grade) for z, slope in tracks]

    def lower(self, to) -> tuple[int, int]:
        """Index of the profile among the functions (the right one follows), and place of the
        numbers in the pool.
        """
        first = [to.profile(profile) for profile in self.profiles]
        rows = [[*one.row, *np.ravel(self._feet(one))] for one in self.obstacles]
        pool = to.pool(
            [self.grade, self.bank, len(first) - 1, len(rows), *(v for row in rows for v in row)]
        )
        return first[0], pool


def smooth_profile(value: Any, what: str) -> Signal:
    """A function of x without corners."""
    if (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and isinstance(value[0], (list, tuple, np.ndarray))
    ):
        value = _table(value, what)
    profile = as_signal(value, what)
    if isinstance(profile, Ramp) or (
        isinstance(profile, Table) and not profile.smooth and len(profile.times) > 2
    ):
        raise ModelError(
            f"{what}: a wheel needs a profile without corners; use kt.Table(x, z, smooth=True), a "
            "kt.CosineBump, or "
            "grade= for a plane, and obstacles such as kt.roads.Block for edges."
        )
    return profile


def _table(points: Sequence, what: str) -> Table:
    if not len(numbers(points[0], None, what)):
        raise ModelError(
            f"{what}: the profile is empty; give at least two points (x, z), or 0.0 for a flat "
            "road."
        )
    return Table(points[0], points[1])


def values(profile: Signal, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Heights and slopes of a profile, by the kernel that the wheels use."""
    if isinstance(profile, Constant):
        return np.full(x.shape, profile.value), np.zeros(x.shape)
    rows, pool, kind = table(SIGNAL, 1), list[float](), KIND[profile.kind]
    rows[0]["kind"] = kind
    profile.lower(rows[0], pool)
    tables = frozen(
        empty_tables()._replace(
            signals=rows, pool=np.array([*pool, 0.0]), signal_kernels=signal_kernels_of([kind])
        )
    )
    out = np.zeros((x.size, 3))
    sampled(tables, 0, np.ascontiguousarray(x, float).ravel(), out)
    return out[:, 0].reshape(x.shape), out[:, 1].reshape(x.shape)


FLAT = Road()
