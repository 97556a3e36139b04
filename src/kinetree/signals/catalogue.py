"""The time functions, in the order of their stored kind: append only."""

from __future__ import annotations

import numbers as abstract
from collections.abc import Callable

from ..errors import ModelError
from ..frames import number
from ..num.jit import kernel, switch
from . import constant, cosine_bump, function, ramp, sine, table
from .contract import Signal

SIGNALS: tuple[tuple[type[Signal], Callable], ...] = (
    (constant.Constant, constant.value),
    (ramp.Ramp, ramp.value),
    (sine.Sine, sine.value),
    (table.Table, table.value),
    (function.Function, function.value),
    (cosine_bump.CosineBump, cosine_bump.value),
)

KIND = {signal.kind: k for k, (signal, _) in enumerate(SIGNALS)}

signal_value = switch("signal_value", [value for _, value in SIGNALS], "signal, pool, t")


@kernel
def sampled(signals, pool, k, times, out):
    """f, f', f'' of one function at the given times."""
    for n in range(times.shape[0]):
        signal = signals[k]
        out[n, 0], out[n, 1], out[n, 2] = signal_value(signal.kind, signal, pool, times[n])


def as_signal(value, what: str) -> Signal:
    """A signal as it is, a number as a constant, a callable as a function of time."""
    if isinstance(value, Signal):
        return value
    if isinstance(value, abstract.Real) and not isinstance(value, bool):
        return constant.Constant(number(value, what))
    if callable(value):
        return function.Function(value)
    raise ModelError(f"{what} must be a number, a time function (Constant, Ramp, Sine, Table, CosineBump, Function) or a "
                     f"callable, got {value!r}.")
