"""Slopes of the motion on both sides of a time at which it has a kink or a jump.

The equations at the time itself may belong to either side. So slopes are evaluated a short time d
and 2 d away, and extrapolated:

    f(t+) = 2 f(t + d) - f(t + 2 d) + O(d^2)
"""

from __future__ import annotations

import numpy as np

from .members import Member

SHORT = 1e-6  # of the run: d
JUMP = 1e-7  # relative to the largest slope: smaller changes of slopes are none


def rates_before(member: Member, t: float, y: np.ndarray, duration: float) -> np.ndarray:
    """ydot just before a time."""
    return _one_sided(member, t, y, -SHORT * duration)


def rates_after(member: Member, t: float, y: np.ndarray, duration: float) -> np.ndarray:
    """ydot just after a time."""
    return _one_sided(member, t, y, SHORT * duration)


def _one_sided(member: Member, t: float, y: np.ndarray, d: float) -> np.ndarray:
    slope = rates(member, t, y)
    for _ in range(2):  # the first slope may belong to the other side
        near = rates(member, t + d, y + d * slope)
        slope = 2.0 * near - rates(member, t + 2.0 * d, y + 2.0 * d * near)
    return slope


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two slopes of the state are equal up to the errors of their extrapolation."""
    return bool(np.abs(a - b).max(initial=0.0) <= JUMP * max(1.0, np.abs(a).max(initial=0.0)))


def rates(member: Member, t: float, y: np.ndarray) -> np.ndarray:
    """ydot at a state."""
    return member.batch.set_states(np.array([t]), y[None]).rates()[0]


def value_rate(member: Member, k: int, t: float, y: np.ndarray, duration: float) -> float:
    """Time derivative of the value of event k just before a time."""
    d = SHORT * duration
    slope = rates_before(member, t, y, duration)
    times = np.array([t - d, t + d])
    states = np.array([y - d * slope, y + d * slope])
    values = member.detector.values(times, states)[:, k]
    return float(values[1] - values[0]) / (2.0 * d)
