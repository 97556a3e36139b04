"""f(t) = start + slope (min(max(t, begin), end) - begin): constant, then straight, then constant."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.quantities import Slope, TimeOrWay, Value
from ...errors import ModelError
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal, check_limits


@dataclass(frozen=True)
class Ramp(Signal):
    r"""Ramp: constant, then linear, then constant.

    Parameters
    ----------
    slope : float
        Rate between `begin` and `end` (1/s, times the unit of the driven quantity).
    start : float, default 0.0
        Value before `begin` (1, or the unit of the driven quantity).
    begin : float, default 0.0
        Time at which the linear part begins (s; m as the profile of a road).
    end : float, default inf
        Time at which the linear part ends (s; m as the profile of a road).

    See Also
    --------
    kt.SmoothStep : Step with continuous derivatives.
    kt.Table : Through given points.

    Notes
    -----
    .. math::
        f(t) = f_0 + a\,\bigl(\min(\max(t, t_1), t_2) - t_1\bigr)

    :math:`f_0` is the value `start`, :math:`a` the `slope`, positive where the function grows, and
    :math:`t_1, t_2` are the times `begin` and `end` (s).

    Examples
    --------
    A motor turns with 2 rad/s during half a second.

    >>> import kinetree as kt
    >>> model = kt.Model("motor", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.1))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel)
    >>> motor = model.constraint("motor", kt.Driver("A.angle", kt.Ramp(2.0, end=0.5)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['A.angle'][-1]:.3f} rad")
    1.000 rad
    """

    slope: Slope
    start: Value = 0.0
    begin: TimeOrWay = 0.0
    end: TimeOrWay = math.inf

    kind = "ramp"
    scaled = ("slope", "start")

    def __post_init__(self) -> None:
        check(self, "slope", "start", "begin")
        check_limits(self, "end")
        if not self.end > self.begin:
            raise ModelError(f"Ramp: end {self.end!r} must come after begin {self.begin!r}.")

    def breaks(self) -> tuple[float, ...]:
        return (self.begin, self.end)

    def lower(self, row, pool) -> None:
        row["a"], row["b"], row["begin"], row["end"] = self.start, self.slope, self.begin, self.end


@internal_kernel
def value(signal, pool, t):
    if t < signal.begin:
        return signal.a, 0.0, 0.0
    if t > signal.end:
        return signal.a + signal.b * (signal.end - signal.begin), 0.0, 0.0
    return signal.a + signal.b * (t - signal.begin), signal.b, 0.0
