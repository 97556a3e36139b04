"""One wave to one side and then to the other:

    f = a 4 / (3 sqrt 3) (sin u - sin(2 u) / 2),   u = 2 pi (t - begin) / period

The velocity of a sine of the same period jumps at both ends; this function begins and ends at rest,
with the same peak.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.quantities import TimeOrWay, Value
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal


@dataclass(frozen=True)
class SmoothSine(Signal):
    r"""One wave that begins and ends at rest, with two continuous derivatives.

    Parameters
    ----------
    amplitude : float
        Peak value (1, or the unit of the driven quantity).
    period : float
        Duration of the wave (s; m as the profile of a road).
    begin : float, default 0.0
        Time at which the wave begins (s; m as the profile of a road).

    See Also
    --------
    kt.Sine : Sine with jumps of its derivative at both ends.

    Notes
    -----
    .. math::
        f(t) = \frac{4 a}{3 \sqrt 3}\,\bigl(\sin u - \tfrac12 \sin 2u\bigr), \qquad
        u = \frac{2 \pi (t - t_1)}{T}

    :math:`a` is the `amplitude` of both peaks, the first one positive, :math:`t_1` the time `begin`
    and :math:`T` the `period` (s). The function is zero outside of the wave.

    Examples
    --------
    The first peak is at a third of the period.

    >>> import kinetree as kt
    >>> model = kt.Model("slide", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> guide = model.joint("G", kt.Translational("x"), model.ground, block)
    >>> wave = kt.SmoothSine(0.2, period=3.0)
    >>> motor = model.constraint("motor", kt.Driver("G.displacement", wave))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['G.displacement'][-1]:.3f} m")
    0.200 m
    """

    amplitude: Value
    period: TimeOrWay
    begin: TimeOrWay = 0.0

    kind = "smooth-sine"
    scaled = ("amplitude",)

    def __post_init__(self) -> None:
        check(self, "amplitude", "begin")
        check(self, "period", positive=True)

    def breaks(self) -> tuple[float, ...]:
        return self.begin, self.begin + self.period

    def lower(self, row, pool) -> None:
        row["a"], row["b"] = (
            self.amplitude * 4.0 / (3.0 * math.sqrt(3.0)),
            2.0 * math.pi / self.period,
        )
        row["begin"], row["end"] = self.begin, self.begin + self.period


@internal_kernel
def value(signal, pool, t):
    if not signal.begin < t < signal.end:
        return 0.0, 0.0, 0.0
    a, w = signal.a, signal.b
    u = w * (t - signal.begin)
    return (
        a * (math.sin(u) - 0.5 * math.sin(2.0 * u)),
        a * w * (math.cos(u) - math.cos(2.0 * u)),
        a * w * w * (2.0 * math.sin(2.0 * u) - math.sin(u)),
    )
