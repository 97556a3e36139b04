"""f(t) = value exp(rate t)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.quantities import PerTimeOrWay, Value
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal


@dataclass(frozen=True)
class Exponential(Signal):
    """Growth, or decay where the rate is negative: `value` at t = 0, times e in every 1 / `rate`
    seconds.

    value   at t = 0 (1, or the unit of what it drives)
    rate    of growth (1/s)
    """

    value: Value
    rate: PerTimeOrWay

    kind = "exponential"
    scaled = ("value",)

    def __post_init__(self) -> None:
        check(self, "value", "rate")

    def lower(self, row, pool) -> None:
        row["a"], row["b"] = self.value, self.rate


@internal_kernel
def value(signal, pool, t):
    f = signal.a * math.exp(signal.b * t)
    return f, signal.b * f, signal.b * signal.b * f
