"""One swing to one side and back over the other:  a 4 / (3 sqrt 3) (sin u - sin(2 u) / 2),   u = 2
pi (t - begin) / period.

The sine of the same period jumps in its velocity at both ends; this begins and ends at rest, with
the same peak.
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
    """One wave of `amplitude` within `period` seconds from `begin` on, zero outside, with two
    continuous derivatives.

    amplitude   of the peak (1, or the unit of what it drives)
    period      how long the wave takes (s)
    begin       when it begins (s)
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
