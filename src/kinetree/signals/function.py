"""f(t) by user code, compiled once and called by address. Derivatives not given are differences.

    t_c = t, or H inside the next declared breakpoint:     f''(t) = f''(t_c),    f'(t) = f'(t_c) + (t - t_c) f''(t_c)

Differences are central at t_c, so that they never reach across a breakpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..annotations import TimeOrWay
from ..errors import ModelError
from ..num.callback import call_time
from ..num.jit import inline, stage
from ..usercode.code import address_of
from .contract import Signal, check_breakpoints

H = 1e-4  # central differences of a smooth f: error of order h^2 = 1e-8, rounding 1e-16 / h^2 = 1e-8 for f''
_INSIDE = 1.0001 * H  # from a breakpoint to the centre of a difference


@dataclass(frozen=True)
class Function(Signal):
    """A Python function of time, with its first and second derivative if they are known.

    function       f(t), of the time in s; its values have the unit of what it drives
    rate, second   f'(t) and f''(t); differences are taken for what is not given
    breakpoints    times at which it, or one of its derivatives, jumps: steps end there (s)
    """

    function: Callable[[float], float]
    rate: Callable[[float], float] | None = None
    second: Callable[[float], float] | None = None
    breakpoints: Sequence[TimeOrWay] = ()

    kind = "function"

    def __post_init__(self) -> None:
        for f in (self.function, *(f for f in (self.rate, self.second) if f is not None)):
            if not callable(f):
                raise ModelError(f"Function: a callable f(t) is needed, got {f!r}.")
        object.__setattr__(self, "breakpoints", check_breakpoints(self.breakpoints, "Function"))

    def breaks(self) -> tuple[float, ...]:
        return tuple(self.breakpoints)

    def lower(self, row, pool) -> None:
        row["address"] = [(0, 0) if f is None else address_of(f, "time") for f in (self.function, self.rate, self.second)]
        row["first"], row["count"] = len(pool), len(self.breakpoints)
        pool.extend(self.breakpoints)


@inline
def value_alone(signal, t):
    """f(t), where nobody asks for the derivatives: user code that is defined from t = 0 on is not called before."""
    return call_time(signal.address[0], (t,))


@inline
def centre(signal, pool, t):
    """Where differences are taken: at t, or so far from the next breakpoint on either side that they do not reach it."""
    low, high, c = 0, signal.count, t
    while low < high:
        middle = (low + high) // 2
        if pool[signal.first + middle] <= t:
            low = middle + 1
        else:
            high = middle
    if low > 0:
        c = max(c, pool[signal.first + low - 1] + _INSIDE)
    if low < signal.count:
        c = min(c, pool[signal.first + low] - _INSIDE)
    return c


@stage
def value(signal, pool, t):
    return motion(signal, pool, t)


@inline
def motion(signal, pool, t):
    """(f, f', f'')."""
    f = call_time(signal.address[0], (t,))
    if signal.address[1, 0] != 0 and signal.address[2, 0] != 0:
        return f, call_time(signal.address[1], (t,)), call_time(signal.address[2], (t,))
    c = centre(signal, pool, t)
    if signal.address[1, 0] != 0:
        slope = call_time(signal.address[1], (t,))
        return f, slope, (call_time(signal.address[1], (c + H,)) - call_time(signal.address[1], (c - H,))) / (2.0 * H)
    after, before = call_time(signal.address[0], (c + H,)), call_time(signal.address[0], (c - H,))
    middle = f if c == t else call_time(signal.address[0], (c,))
    second = (after - 2.0 * middle + before) / (H * H)
    return f, (after - before) / (2.0 * H) + (t - c) * second, second
