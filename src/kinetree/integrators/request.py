"""Checking what was asked for, before anything is computed: each refusal names the value and what would be right."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..errors import ModelError
from ..num.jit import table
from .contract import Integrator
from .memory import CONTROL

STIFF = 1500.0  # 1/s  [Han1994, sec. 4.5]


def step_length(name: str, value: float, t0: float, until: float) -> float:
    """A step that moves the time, and not past the end."""
    if not value > 0.0:
        raise ModelError(f"{name} = {value!r} must be a positive number.")
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


def initial_state(y0: Sequence[float]) -> np.ndarray:
    y = np.array(y0, dtype=float)
    if y.ndim != 1 or not np.isfinite(y).all():
        raise ModelError(f"the initial state must be one row of finite numbers, not {y0!r}.")
    return y


def absolute_tolerance(atol: float | Sequence[float] | None, rtol: float, n: int) -> np.ndarray:
    """One number per component; None means rtol, that is components of size one and below count as one."""
    values = np.array(rtol if atol is None else atol, dtype=float)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != n):
        raise ModelError(f"atol has shape {values.shape}; give one number or one per component ({n}).")
    if not (np.isfinite(values).all() and (values > 0.0).all()):
        raise ModelError(f"atol = {atol!r} must be positive: a component that passes zero needs it.")
    return np.broadcast_to(values, n)


def sample_times(samples: Sequence[float], t0: float, until: float) -> np.ndarray:
    times = np.array(samples, dtype=float)
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) < 0.0).any():
        raise ModelError("sample times must be one sorted row of finite numbers.")
    if len(times) and not t0 <= times[0] <= times[-1] <= until:
        raise ModelError(f"sample times from {times[0]} to {times[-1]} leave the run from {t0} to {until}.")
    return times


def chosen_order(method: Integrator, order: int | None) -> int:
    if order is None:
        return method.order
    if order not in (method.orders or (method.order,)):
        allowed = f"{method.orders[0]} to {method.orders[-1]}" if method.orders else f"always {method.order}"
        raise ModelError(f"order = {order!r} is not possible for integrator '{method.name}': its order is {allowed}.")
    return int(order)


def switching_rule(method: Integrator, threshold: float | None, calibrate: bool | None) -> tuple[float, bool]:
    """The limit of L (1/s), 1500 by default [Han1994], and whether costs may move it, by default yes."""
    if method.name != "switching" and not (threshold is None and calibrate is None):
        raise ModelError(f"threshold and calibrate belong to integrator 'switching', not to '{method.name}'.")
    if threshold is not None and not threshold > 0.0:
        raise ModelError(f"threshold = {threshold!r} must be a positive number (1/s).")
    return (STIFF if threshold is None else float(threshold)), calibrate is not False


def whole_steps(length: float, step: float, scale: float) -> tuple[int, float]:
    """Number of steps and length of the last one; a step that divides the interval up to rounding is never cut."""
    count = round(length / step)
    if abs(length / step - count) <= 8.0 * np.spacing(scale) / step:
        return count, step
    count = math.floor(length / step)
    return count + 1, length - count * step


def control(method: Integrator, t0: float, until: float, rtol: float, max_step: float | None, step: float | None,
            first_step: float | None, order: int | None, threshold: float | None = None,
            calibrate: bool | None = None) -> np.ndarray:
    """The CONTROL record of the run."""
    length, record = interval(t0, until), table(CONTROL, 1)
    if method.adaptive and step is not None:
        raise ModelError(f"integrator '{method.name}' chooses its own steps: use max_step or first_step, not step.")
    if not method.adaptive and step is None:
        raise ModelError(f"integrator '{method.name}' needs a fixed step: give step=, for example {length / 1000:.3g}.")
    if not 1e-14 <= rtol < 1.0:
        raise ModelError(f"rtol = {rtol!r} must lie between 1e-14 and 1.")
    row = record[0]
    row["t_start"], row["t_end"], row["rtol"], row["order"] = t0, until, rtol, chosen_order(method, order)
    row["h_max"] = length if max_step is None else step_length("max_step", max_step, t0, until)
    row["h_initial"] = 0.0 if first_step is None else step_length("first_step", first_step, t0, until)
    row["h_min"] = 1e-30 * length
    row["threshold"], row["calibrate"] = switching_rule(method, threshold, calibrate)
    if step is not None:
        row["h_fixed"] = step_length("step", step, t0, until)
        row["steps"], row["h_last"] = whole_steps(length, float(row["h_fixed"]), max(abs(t0), abs(until)))
    return record
