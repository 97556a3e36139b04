"""Checking what was asked for, before anything is computed: each refusal names the value and what would be right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ModelError
from ..num.jit import table
from ..options import RTOL
from .contract import Integrator
from .memory import CONTROL, FULL

Numbers = Sequence[float] | np.ndarray


def step_length(name: str, value: float, t0: float, until: float) -> float:
    """A step that moves the time, and not past the end."""
    if value <= 16.0 * np.spacing(max(abs(t0), abs(until))):
        raise ModelError(f"{name} = {value!r} is below the spacing of numbers around t = {until!r}.")
    return min(float(value), until - t0)


def interval(t0: float, until: float) -> float:
    """Length of the run."""
    if not (math.isfinite(t0) and math.isfinite(until)):
        raise ModelError(f"the run from t = {t0!r} until {until!r} needs two finite times.")
    if until < t0:
        raise ModelError(f"until = {until!r} lies before the start t = {t0!r}: runs go forwards in time.")
    if until - t0 <= 16.0 * np.spacing(max(abs(t0), abs(until))):
        raise ModelError(f"until = {until!r} equals the start t = {t0!r}: there is nothing to integrate.")
    return until - t0


def initial_state(y0: Numbers) -> np.ndarray:
    y = np.array(y0, dtype=float)
    if y.ndim != 1 or not np.isfinite(y).all():
        raise ModelError(f"the initial state must be one row of finite numbers, not {y0!r}.")
    return y


def absolute_tolerance(atol: float | Sequence[float] | None, rtol: float, n: int) -> np.ndarray:
    """One number for all n components or one for each; None means rtol, so that components of size one and below count as one."""
    values = np.array(rtol if atol is None else atol, dtype=float)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != n):
        raise ModelError(f"atol has shape {values.shape}; give one number or one per component ({n}).")
    return values


def sample_times(samples: Numbers, t0: float, until: float) -> np.ndarray:
    times = np.array(samples, dtype=float)
    if times.shape == (0,):
        return times
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) < 0.0).any():
        raise ModelError("sample times must be one sorted row of finite numbers.")
    if not t0 <= times[0] <= times[-1] <= until:
        raise ModelError(f"sample times from {times[0]} to {times[-1]} leave the run from {t0} to {until}.")
    return times


def whole_steps(length: float, step: float, scale: float) -> tuple[int, float]:
    """Number of steps and length of the last one; a step that divides the interval up to rounding is never cut."""
    count = round(length / step)
    if abs(length / step - count) <= 8.0 * np.spacing(scale) / step:
        return count, step
    count = math.floor(length / step)
    return count + 1, length - count * step


def control(method: Integrator, t0: float, until: float, chosen: Mapping[str, Any]) -> np.ndarray:
    """The CONTROL record of the run; `chosen` are the values of the method's options."""
    length, record = interval(t0, until), table(CONTROL, 1)
    fixed, steps, last = 0.0, 0, 0.0
    if chosen.get("step") is not None:
        fixed = step_length("step", chosen["step"], t0, until)
        steps, last = whole_steps(length, fixed, max(abs(t0), abs(until)))
    asked = {"t_start": t0, "t_end": until, "rtol": chosen.get("rtol") or RTOL.default, "share": 1.0, "h_min": 1e-30 * length,
             "h_max": optional_step("max_step", chosen, t0, until, length),
             "h_initial": optional_step("first_step", chosen, t0, until, 0.0), "order": chosen.get("order", method.order),
             "h_fixed": fixed, "steps": steps, "h_last": last, "spectral_radius": chosen.get("spectral_radius", 0.0),
             "threshold": chosen.get("threshold", 0.0), "calibrate": chosen.get("calibrate", False),
             "newton": FULL, "per_jacobian": 0.0, "per_factors": 0.0, "structure": 0}  # the layout of the matrix is known later
    record[0] = tuple(map(asked.__getitem__, CONTROL.names or ()))  # at once: field by field takes seven times as long
    return record


def optional_step(name: str, chosen: Mapping[str, Any], t0: float, until: float, default: float) -> float:
    value = chosen.get(name)
    return default if value is None else step_length(name, value, t0, until)
