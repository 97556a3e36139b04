"""f(t) by user code, compiled once and called by address. Derivatives not given are central differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import ModelError
from ..num.callback import call_time
from ..num.jit import inline
from ..usercode.code import address_of
from .contract import Signal

_H = 1e-4  # central differences of a smooth f: error of order h^2 = 1e-8, rounding 1e-16 / h^2 = 1e-8 for f''


@dataclass(frozen=True)
class Function(Signal):
    """A Python function of time, with its first and second derivative if they are known."""

    function: Callable[[float], float]
    rate: Callable[[float], float] | None = None
    second: Callable[[float], float] | None = None

    kind = "function"

    def __post_init__(self) -> None:
        for f in (self.function, *(f for f in (self.rate, self.second) if f is not None)):
            if not callable(f):
                raise ModelError(f"Function: a callable f(t) is needed, got {f!r}.")

    def lower(self, row, pool) -> None:
        row["address"] = [(0, 0) if f is None else address_of(f, "time") for f in (self.function, self.rate, self.second)]


@inline
def value_alone(signal, t):
    """f(t), where nobody asks for the derivatives: user code that is defined from t = 0 on is not called before."""
    return call_time(signal.address[0], (t,))


@inline
def value(signal, pool, t):
    f = call_time(signal.address[0], (t,))
    if signal.address[1, 0] != 0 and signal.address[2, 0] != 0:
        return f, call_time(signal.address[1], (t,)), call_time(signal.address[2], (t,))
    if signal.address[1, 0] != 0:
        slope = call_time(signal.address[1], (t,))
        return f, slope, (call_time(signal.address[1], (t + _H,)) - call_time(signal.address[1], (t - _H,))) / (2.0 * _H)
    after, before = call_time(signal.address[0], (t + _H,)), call_time(signal.address[0], (t - _H,))
    return f, (after - before) / (2.0 * _H), (after - 2.0 * f + before) / (_H * _H)
