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
    """Rises from `start` with `slope` per second between `begin` and `end` (seconds).

    slope        per second (1/s times the unit of what it drives)
    start        value before (1, or the unit of what it drives)
    begin, end   of the straight part (s)
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
