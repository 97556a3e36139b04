"""Road: height above z = 0 along x, for both tracks or for each, with obstacles.

    z = profile(x) + grade x + bank y         for y >= 0, and with the profile `right` for y < 0

The profile is a function of one variable with two derivatives, in meters: a number, kt.Table,
kt.Sine, kt.CosineBump or a Python function. A wheel touches it at the point nearest to its center
(contact.py), so it must be smooth; edges are obstacles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...core.checks import numbers, together
from ...core.quantities import File, Metres, Plain, ProfileInMetres, UserClass
from ...errors import ModelError, short
from ...kernel.decorators import table
from ...kernel.frames import check
from ...kernel.tables.records import SIGNAL, empty_tables, frozen
from ..signals.catalogue import KIND, as_signal, sampled, signal_kernels_of
from ..signals.constant import Constant
from ..signals.contract import Signal
from ..signals.ramp import Ramp
from ..signals.table import Table
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
    r"""Road along x with a profile, a slope and obstacles.

    Parameters
    ----------
    profile : float, time function, callable or array_like, default 0.0
        Height over x (m): a number, a function of x such as `kt.Table`, `kt.Sine` or
        `kt.CosineBump`, a Python function, or points (x, z).
    right : float, time function, callable or array_like, optional
        Profile of the right track, y < 0 (m). By default both tracks have the same profile.
    obstacles : sequence of Obstacle, default ()
        Obstacles on the road: `kt.roads.HalfRound`, `kt.roads.Block`.
    grade : float, default 0.0
        Slope along x, added to the profile (1).
    bank : float, default 0.0
        Slope along y (1).
    resolution : float, optional
        Longest distance that a wheel may travel in one step on uneven parts (m). By default an
        eighth of each feature, or a quarter of the wheel radius if that is longer.

    See Also
    --------
    kt.roads.random_road : Random road of an ISO 8608 class.
    kt.Wheel : Wheel without slip forces.
    kt.Tyre : Tire with slip forces.

    Notes
    -----
    .. math::
        z(x, y) = f(x) + g\,x + b\,y

    :math:`f` is the `profile`, on the right track (y < 0) the function `right`; :math:`g` is the
    `grade`, positive where the road rises along x, and :math:`b` the slope `bank`, positive where
    it rises to the left. All coordinates are in world axes (m). A profile must be smooth; edges are
    obstacles.

    Examples
    --------
    A sine of 50 mm on a slope of 2 %.

    >>> import kinetree as kt
    >>> road = kt.Road(kt.Sine(0.05, frequency=0.25), grade=0.02)
    >>> print(f"{float(road.height(1.0)):.3f} m")
    0.070 m
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
        """Profile of the left track, and of the right one if it differs."""
        return (self.profile,) if self.right is None else (self.profile, self.right)

    def height(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the height of the road without its obstacles.

        Parameters
        ----------
        x : float or array_like
            Coordinate along the road (m).
        y : float or array_like, default 0.0
            Coordinate across the road (m).

        Returns
        -------
        ndarray
            Height z at each point (m).
        """
        return self._at(x, y)[0]

    def slope(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the slope dz/dx of the road without its obstacles.

        Parameters
        ----------
        x : float or array_like
            Coordinate along the road (m).
        y : float or array_like, default 0.0
            Coordinate across the road (m).

        Returns
        -------
        ndarray
            Slope at each point (1).
        """
        return self._at(x, y)[1]

    def normal(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the upward unit normal of the road without its obstacles.

        Parameters
        ----------
        x : float or array_like
            Coordinate along the road (m).
        y : float or array_like, default 0.0
            Coordinate across the road (m).

        Returns
        -------
        ndarray
            Unit normals, shape (..., 3).
        """
        slope = self.slope(x, y)
        n = np.stack([-slope, np.full_like(slope, -self.bank), np.ones_like(slope)], axis=-1)
        return n / np.linalg.norm(n, axis=-1, keepdims=True)

    def surface(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the height of the road with its obstacles.

        Parameters
        ----------
        x : float or array_like
            Coordinate along the road (m).
        y : float or array_like, default 0.0
            Coordinate across the road (m).

        Returns
        -------
        ndarray
            Height z at each point (m).
        """
        x, y = together("Road", x=x, y=y)
        z = self.height(x, y)
        for one in self.obstacles:
            top = np.full(x.shape, -np.inf)
            for side, (foot, slope) in zip((y >= 0.0, y < 0.0), self._feet(one)):
                top = np.where(side, foot + self.bank * y + one.top(x - one.at, slope), top)
            z = np.where((one.row[4] <= y) & (y <= one.row[5]), np.maximum(z, top), z)
        return z

    def plot(
        self, begin: float | None = None, end: float | None = None, path: File | None = None
    ) -> Any:
        """Plot the heights of both tracks along x.

        Parameters
        ----------
        begin : float, optional
            Beginning of the plot (m). By default before the first feature.
        end : float, optional
            End of the plot (m). By default behind the last feature.
        path : str or path-like, optional
            File to write the figure to.

        Returns
        -------
        Figure
            Figure of Matplotlib.
        """
        from .plot import plot

        return plot(self, begin, end, path)

    def spans(self, radius: float) -> tuple[Span, ...]:
        """Return the parts of the road that are uneven for a wheel of that radius."""
        return spans_of(self, radius)

    def _at(self, x, y) -> tuple[np.ndarray, np.ndarray]:
        x, y = together("Road", x=x, y=y)
        z, slope = values(self.profile, x)
        if self.right is not None:
            other = values(self.right, x)
            z, slope = np.where(y < 0.0, other[0], z), np.where(y < 0.0, other[1], slope)
        return z + self.grade * x + self.bank * y, slope + self.grade

    def _feet(self, one: Obstacle) -> list[tuple[float, float]]:
        """Return height without the bank, and slope, of both tracks at an obstacle."""
        tracks = [
            values(profile, np.array(one.at, float))
            for profile in (self.profile, self.right or self.profile)
        ]
        return [(float(z) + self.grade * one.at, float(slope) + self.grade) for z, slope in tracks]

    def lower(self, to) -> tuple[int, int]:
        """Return the index of the profile among the functions (the right one follows) and of its
        numbers in
        the pool.
        """
        first = [to.profile(profile) for profile in self.profiles]
        rows = [[*one.row, *np.ravel(self._feet(one))] for one in self.obstacles]
        pool = to.pool(
            [self.grade, self.bank, len(first) - 1, len(rows), *(v for row in rows for v in row)]
        )
        return first[0], pool


def smooth_profile(value: Any, what: str) -> Signal:
    """Return a function of x without corners."""
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
    """Return heights and slopes of a profile, computed by the kernel that the wheels use."""
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
