"""The time functions, in the order of their stored kind: append only."""

from __future__ import annotations

import numbers as abstract
from collections.abc import Callable

from ..errors import ModelError
from ..frames import number
from ..num.jit import switch
from . import constant, function, ramp, sine, table
from .contract import Signal

SIGNALS: tuple[tuple[type[Signal], Callable], ...] = (
    (constant.Constant, constant.value),
    (ramp.Ramp, ramp.value),
    (sine.Sine, sine.value),
    (table.Table, table.value),
    (function.Function, function.value),
)

KIND = {signal.kind: k for k, (signal, _) in enumerate(SIGNALS)}

signal_value = switch("signal_value", [value for _, value in SIGNALS], "signal, pool, t")


def as_signal(value, what: str) -> Signal:
    """A signal as it is, a number as a constant, a callable as a function of time."""
    if isinstance(value, Signal):
        return value
    if isinstance(value, abstract.Real) and not isinstance(value, bool):
        return constant.Constant(number(value, what))
    if callable(value):
        return function.Function(value)
    raise ModelError(f"{what} must be a number, a time function (Constant, Ramp, Sine, Table, Function) or a callable, "
                     f"got {value!r}.")
