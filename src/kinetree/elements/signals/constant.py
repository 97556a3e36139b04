"""f(t) = value."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Value
from ...kernel.decorators import internal_kernel
from .contract import Signal


@dataclass(frozen=True)
class Constant(Signal):
    """A constant.

    value   (1, or the unit of what it drives)
    """

    value: Value

    kind = "constant"
    scaled = ("value",)

    def __post_init__(self) -> None:
        check(self, "value")

    def lower(self, row, pool) -> None:
        row["a"] = self.value


@internal_kernel
def value(signal, pool, t):
    return signal.a, 0.0, 0.0
