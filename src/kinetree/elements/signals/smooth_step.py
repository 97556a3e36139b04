"""f(t) from 0 to a height, with two continuous derivatives:  h s^3 (10 - 15 s + 6 s^2),   s = (t -
begin) / rise, 0 .. 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import TimeOrWay, Value
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal


@dataclass(frozen=True)
class SmoothStep(Signal):
    """From 0 to `height` within `rise` seconds from `begin` on; it starts and ends at rest.

    height   at the end (1, or the unit of what it drives)
    rise     how long it takes (s)
    begin    when it begins (s)
    """

    height: Value
    rise: TimeOrWay
    begin: TimeOrWay = 0.0

    kind = "smooth-step"
    scaled = ("height",)

    def __post_init__(self) -> None:
        check(self, "height", "begin")
        check(self, "rise", positive=True)

    def breaks(self) -> tuple[float, ...]:
        return self.begin, self.begin + self.rise

    def lower(self, row, pool) -> None:
        row["a"], row["b"], row["begin"] = self.height, self.rise, self.begin


@internal_kernel
def value(signal, pool, t):
    h, rise = signal.a, signal.b
    s = min(max((t - signal.begin) / rise, 0.0), 1.0)
    return (
        h * s**3 * (10.0 - 15.0 * s + 6.0 * s * s),
        h * 30.0 * (s * (1.0 - s)) ** 2 / rise,
        h * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / rise**2,
    )
