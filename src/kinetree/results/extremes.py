"""Largest and smallest values of a channel over the steps of a run, not only over its samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import KinetreeError, ModelError, ResultError
from . import channels
from .completion import Solved
from .run_data import with_data

if TYPE_CHECKING:
    from .solution import Solution

_PARTS, _ROUNDS = 16, 5  # of the stretch around an extreme, which is divided so often
_PEAKS = 4  # that are refined in this way
STEPS, SAMPLES = "steps", "samples"


class Extreme(NamedTuple):
    """Largest or smallest value of a channel, with its time.

    Returned by `Solution.max` and `Solution.min`.

    Attributes
    ----------
    value : float
        The value, in the unit of the channel.
    t : float
        Its time (s).
    over : str
        "steps", or "samples" if only these are known; the extreme may then lie between them.
    """

    value: float
    t: float
    over: str


def extreme(sol: Solution, name: str, sign: float) -> Extreme:
    """The largest value (sign 1) or the smallest (sign -1); for a vector, of its magnitude."""
    channel, component = channels.find(sol.channels, name, str(getattr(sol.model, "name", "")))
    if component is None and channel.components and channel.components != ("x", "y", "z"):
        raise ModelError(
            f"{name!r} has no magnitude; name one of its components: "
            f"{', '.join(channel.components)}."
        )
    if channel.at_steps:
        return _largest(sol.steps.t, _scalar(sol, name), sign)
    dense = _dense(sol)
    if dense is None or name not in dense:
        return _largest(sol.t, _scalar(sol, name), sign)._replace(over=SAMPLES)
    values = _scalar(dense, name)
    found = [
        _largest(dense.t, values, sign),
        *(_refined(dense, name, sign, values, int(k)) for k in _candidates(dense, sign * values)),
    ]
    return max(found, key=lambda one: sign * one.value)


def _dense(sol: Solution) -> Solution | None:
    """The run with samples in each step; None if it cannot be repeated."""
    if sol.source is not None:
        return None  # at times that were chosen
    try:
        return sol.dense
    except ResultError:
        return None


def _scalar(sol: Solution, name: str) -> np.ndarray:
    values = sol[name]
    return values if values.ndim == 1 else np.sqrt((values * values).sum(axis=1))


def _largest(t: np.ndarray, values: np.ndarray, sign: float) -> Extreme:
    known = np.isfinite(values)
    if not known.any():
        raise ResultError("no value of this channel is finite.")
    k = int(np.argmax(np.where(known, sign * values, -np.inf)))
    return Extreme(float(values[k]), float(t[k]), STEPS)


def _candidates(dense: Solution, values: np.ndarray) -> np.ndarray:
    """Samples beside which the largest value may lie: those above both neighbors, and the last ones
    before jumps.

    Of these the ones that come highest where the value goes on as between the sample and its
    neighbors.
    """
    values = np.where(np.isfinite(values), values, values[np.isfinite(values)].min())
    rise = np.diff(values)
    left, right = np.append(0.0, rise), np.append(-rise, 0.0)
    jumps = np.array([jump.t for jump in dense.result.jumps])
    last = np.zeros(len(values), bool)
    last[np.clip(np.searchsorted(dense.t, jumps) - 1, 0, None)] = (
        True  # the sample at a jump has the state after it
    )
    right[last] = 0.0
    bounds = np.where((left >= 0.0) & (right >= 0.0), values + np.maximum(left, right), -np.inf)
    bounds[np.argmax(values)] = np.inf
    return np.argsort(-bounds, kind="stable")[:_PEAKS]


def _refined(dense: Solution, name: str, sign: float, values: np.ndarray, k: int) -> Extreme:
    """The extreme between the neighbors of a sample, on the polynomial projected onto the
    constraints.

    Values are relative to the value at the sample itself, because angles and work count from the
    first sample of a solution.
    """
    rows, begin, end = (
        slice(max(0, k - 3), k + 4),
        dense.t[max(k - 1, 0)],
        dense.t[min(k + 1, len(dense.t) - 1)],
    )
    near = with_data(
        dense,
        t=dense.t[rows],
        y=dense.y[rows],
        ledger=None if dense.ledger is None else dense.ledger[rows],
        solved=Solved.of(dense.vdot[rows], dense.lam[rows]),
    )
    best = Extreme(float(values[k]), float(dense.t[k]), STEPS)
    for _ in range(_ROUNDS):
        t = np.unique(np.append(np.linspace(begin, end, _PARTS + 1), dense.t[k]))
        try:
            found = _scalar(near.at(t.tolist()), name)
        except KinetreeError:  # user code fails there
            return best
        at, step = int(np.argmax(sign * found)), (end - begin) / _PARTS
        value = float(values[k] + (found[at] - found[np.searchsorted(t, dense.t[k])]))
        if sign * value > sign * best.value:
            best = Extreme(value, float(t[at]), STEPS)
        begin, end = max(begin, t[at] - step), min(end, t[at] + step)
    return best
