"""The time functions, in the order of their stored kind: append only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from ...core.checks import is_number
from ...errors import ModelError, short
from ...kernel import types
from ...kernel.decorators import JIT, kernel
from ...kernel.frames import number
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.records import Tables
from ...kernel.tables.signatures import signatures
from ...kernel.types import Matrix, Vector
from . import (
    constant,
    cosine_bump,
    exponential,
    function,
    input,
    ramp,
    sine,
    smooth_sine,
    smooth_step,
    table,
)
from .contract import Signal

SIGNALS: tuple[tuple[type[Signal], Callable], ...] = (
    (constant.Constant, constant.value),
    (ramp.Ramp, ramp.value),
    (sine.Sine, sine.value),
    (table.Table, table.value),
    (function.Function, function.value),
    (cosine_bump.CosineBump, cosine_bump.value),
    (exponential.Exponential, exponential.value),
    (smooth_step.SmoothStep, smooth_step.value),
    (smooth_sine.SmoothSine, smooth_sine.value),
    (input.Input, input.value),
)

KIND = {signal.kind: k for k, (signal, _) in enumerate(SIGNALS)}


@cache
def _signature() -> Any:
    """Signature of `value`, see contract.py."""
    fields = signatures()[0].fields
    return types.UniTuple(types.float64, 3)(fields["signals"].dtype, fields["pool"], types.float64)


signal_value = by_address("signal, pool, t", _signature)


def signal_kernels_of(kinds: Iterable[int]) -> np.ndarray:
    """Return the addresses of the kernels of these kinds, compiled or loaded now."""
    where = np.zeros(len(SIGNALS), np.int64)
    for kind in set(kinds):
        where[kind] = address_of(SIGNALS[kind][1], _signature() if JIT else None)
    return where


def compile_kernels(kind: str) -> None:
    """Compile or load the kernel of a kind."""
    signal_kernels_of([KIND[kind]])


@kernel
def sampled(tables: Tables, k: int, times: Vector, out: Matrix):
    """f, f', f'' of one function at the given times."""
    signal = tables.signals[k]
    for n in range(times.shape[0]):
        out[n, 0], out[n, 1], out[n, 2] = signal_value(
            tables.signal_kernels[signal.kind], signal, tables.pool, times[n]
        )


def as_signal(value, what: str) -> Signal:
    """Return a time function: itself, a constant for a number, or a function of time for a
    callable.
    """
    if isinstance(value, Signal):
        return value
    if is_number(value):
        return constant.Constant(number(value, what))
    if callable(value):
        return function.Function(value)
    known = ", ".join(signal.__name__ for signal, _ in SIGNALS)
    raise ModelError(
        f"{what} must be a number, a time function ({known}) or a callable, got {short(value)}."
    )
