"""f(t) through given points: a cubic spline or straight lines, constant outside the table.

In the pool it is stored as the breakpoints followed by four coefficients per piece, highest power
first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.checks import check_flags, check_rows
from ...core.quantities import TimeOrWay, Value
from ...errors import ModelError, short
from ...kernel.decorators import inline, internal_kernel
from ...kernel.linalg.splines import cubic_spline
from .contract import Signal


@dataclass(frozen=True)
class Table(Signal):
    r"""Time function through given points, constant outside of them.

    Parameters
    ----------
    times : sequence of float
        Increasing times (s; m as the profile of a road).
    values : sequence of float
        Values at these times (1, or the unit of the driven quantity).
    smooth : bool, default True
        Whether the points are joined by a cubic spline with two continuous derivatives, or by
        straight lines.
    at_rest : bool, default False
        Whether the slope of the spline is zero at both ends. By default the spline has
        the not-a-knot end conditions, or natural ones with fewer than four points.

    See Also
    --------
    kt.Function : Python function of time.
    kt.Characteristic : Spring force through measured points.

    Notes
    -----
    .. math::
        f(t_k) = f_k, \qquad f(t) = f_1 \;(t < t_1), \qquad f(t) = f_n \;(t > t_n)

    :math:`t_k` are the `times` (s) and :math:`f_k` the `values`, with their signs. The cubic spline
    is that of [deBoor1978, ch. IV].

    Examples
    --------
    A slide follows straight lines through three points.

    >>> import kinetree as kt
    >>> model = kt.Model("slide", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> guide = model.joint("G", kt.Translational("x"), model.ground, block)
    >>> path = kt.Table([0.0, 1.0, 2.0], [0.0, 0.4, 0.0], smooth=False)
    >>> motor = model.constraint("motor", kt.Driver("G.displacement", path))
    >>> sol = kt.simulate(model, until=0.5)
    >>> print(f"{sol['G.displacement'][-1]:.3f} m")
    0.200 m
    """

    times: tuple[TimeOrWay, ...]
    values: tuple[Value, ...]
    smooth: bool = True
    at_rest: bool = False

    kind = "table"
    scaled = ("values",)

    def __post_init__(self) -> None:
        check_rows(self, times=None)
        times = self.times
        check_rows(self, values=len(times))
        check_flags(self, "smooth", "at_rest")
        if len(times) < 2 or np.any(np.diff(times) <= 0.0):
            raise ModelError(
                f"Table: times must be at least two and increase, got {short(self.times)}."
            )
        if self.at_rest and not self.smooth:
            raise ModelError(
                "Table: straight lines (smooth=False) are not at rest at their ends; leave out "
                "at_rest."
            )

    def breaks(self) -> tuple[float, ...]:
        return self.times

    def lower(self, row, pool) -> None:
        row["first"], row["count"] = len(pool), len(self.times)
        pool.extend(piecewise_cubic(self.times, self.values, self.smooth, self.at_rest))


def piecewise_cubic(x, y, smooth: bool, at_rest: bool = False) -> list[float]:
    """Return breakpoints and coefficients of the curve through (x, y)."""
    if at_rest:
        coefficients = cubic_spline(x, y, "clamped")
    elif smooth and len(x) > 2:
        coefficients = cubic_spline(x, y, "natural" if len(x) < 4 else "not-a-knot")
    else:
        slopes = np.diff(y) / np.diff(x)
        coefficients = np.vstack([np.zeros((2, len(slopes))), slopes, np.asarray(y)[:-1]])
    return [*map(float, x), *coefficients.T.ravel()]


@inline
def piece(pool, first, count, x):
    """Index of the piece that contains x, by bisection."""
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if pool[first + middle] <= x:
            low = middle
        else:
            high = middle
    return low


@inline
def curve(pool, first, count, x):
    """(f, f', f'') of the piecewise cubic at x, constant outside its breakpoints."""
    inside = pool[first] <= x <= pool[first + count - 1]
    x = min(max(x, pool[first]), pool[first + count - 1])
    k = piece(pool, first, count, x)
    i, s = first + count + 4 * k, x - pool[first + k]
    a, b, c, d = pool[i], pool[i + 1], pool[i + 2], pool[i + 3]
    if not inside:
        return ((a * s + b) * s + c) * s + d, 0.0, 0.0
    return ((a * s + b) * s + c) * s + d, (3.0 * a * s + 2.0 * b) * s + c, 6.0 * a * s + 2.0 * b


@internal_kernel
def value(signal, pool, t):
    return curve(pool, signal.first, signal.count, t)
