"""Checks of the arguments of an integration; each error names the value and the allowed ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.checks import numbers
from ...errors import ModelError
from ...options import RTOL
from .contract import Integrator
from .memory import Control
from .newton.pattern import Layout

Numbers = Sequence[float] | np.ndarray
EXACT_PASSES = 20  # of the exact law of friction
_NO_TIMES = np.zeros(0)


def step_length(name: str, value: float, t0: float, until: float) -> float:
    """A step length that is resolved at these times, at most the length of the run."""
    if value <= 16.0 * math.ulp(max(abs(t0), abs(until))):
        raise ModelError(
            f"{name} = {value!r} is below the spacing of numbers around t = {until!r}."
        )
    return min(float(value), until - t0)


def interval(t0: float, until: float) -> float:
    """Length of the run."""
    if not (math.isfinite(t0) and math.isfinite(until)):
        raise ModelError(f"the run from t = {t0!r} until {until!r} needs two finite times.")
    if until < t0:
        raise ModelError(
            f"until = {until!r} lies before the start t = {t0!r}: a run goes forward in time."
        )
    if until - t0 <= 16.0 * math.ulp(max(abs(t0), abs(until))):
        raise ModelError(
            f"until = {until!r} equals the start t = {t0!r}: there is nothing to integrate."
        )
    return until - t0


def initial_state(y0: Numbers) -> np.ndarray:
    """The initial state as an array."""
    usual = type(y0) is np.ndarray and y0.ndim == 1
    return numbers(y0, len(y0) if usual else None, "the initial state")


def absolute_tolerance(atol: float | Sequence[float] | None, rtol: float, n: int) -> np.ndarray:
    """Tolerances of n components from one number, or one for each.

    None means rtol, so that components of size one and below count as one.
    """
    values = np.asarray(rtol if atol is None else atol, dtype=float)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != n):
        raise ModelError(
            f"atol has shape {values.shape}; give one number or one per component ({n})."
        )
    return values


def sample_times(samples: Numbers, t0: float, until: float) -> np.ndarray:
    """Sorted sample times inside the run."""
    if isinstance(samples, tuple) and not samples:
        return _NO_TIMES
    usual = type(samples) is np.ndarray and samples.ndim == 1
    times = numbers(samples, len(samples) if usual else None, "sample times")
    if not len(times):
        return times
    if (np.diff(times) < 0.0).any():
        raise ModelError("sample times must be one sorted row of finite numbers.")
    if not t0 <= times[0] <= times[-1] <= until:
        raise ModelError(
            f"sample times from {times[0]} to {times[-1]} leave the run from {t0} to {until}."
        )
    return times


def whole_steps(length: float, step: float, scale: float) -> tuple[int, float]:
    """Number of steps, and the length of the last one.

    A step that divides the interval up to rounding is never shortened.
    """
    count = round(length / step)
    if abs(length / step - count) <= 8.0 * math.ulp(scale) / step:
        return count, step
    count = math.floor(length / step)
    return count + 1, length - count * step


def control(
    method: Integrator,
    t0: float,
    until: float,
    chosen: Mapping[str, Any],
    layout: Layout,
    share: float,
) -> Control:
    """Options of a run from the values of the method's options and the layout of its matrix."""
    length, given = interval(t0, until), chosen.get
    fixed, steps, last = 0.0, 0, 0.0
    if given("step") is not None:
        fixed = step_length("step", chosen["step"], t0, until)
        steps, last = whole_steps(length, fixed, max(abs(t0), abs(until)))
    return Control(
        t0,
        until,
        given("rtol") or RTOL.default,
        share,
        optional_step("first_step", chosen, t0, until, 0.0),
        optional_step("max_step", chosen, t0, until, length),
        1e-30 * length,
        fixed,
        last,
        steps,
        given("order", method.order),
        given("threshold", 0.0),
        given("calibrate", False),
        given("linearize_every") or 0.0,
        given("spectral_radius", 0.0),
        layout.newton,
        layout.per_jacobian,
        layout.per_factors,
        exact=EXACT_PASSES if given("exact_friction") else 0,
    )


def optional_step(
    name: str, chosen: Mapping[str, Any], t0: float, until: float, default: float
) -> float:
    """Step length of an option, or its default."""
    value = chosen.get(name)
    return default if value is None else step_length(name, value, t0, until)
