"""A run at other times: cubic interpolation of the states between samples, then back onto the constraints.

    y(t + s h) from y, ydot at both neighbours (Hermite); positions, velocities, accelerations and multipliers are then
    completed by the formulation exactly as at the samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..dynamics.kinematics import coordinate_rates
from ..errors import ModelError, ResultError
from ..formulations.samples import complete

if TYPE_CHECKING:
    from .solution import Solution


def at(sol: Solution, times: float | Sequence[float]) -> Solution:
    """The solution at the given times within the run."""
    wanted = np.atleast_1d(np.asarray(times, float)).ravel()
    _check(sol, wanted)
    y = np.ascontiguousarray(np.column_stack([_interpolated(sol, wanted), _counted(sol, wanted)]))
    vdot, lam, first, watch = complete(sol.method, sol.compiled, sol.compiled.workspace(), wanted, y)
    if watch.stop is not None:
        raise watch.stop
    if first < len(wanted):
        said = f" User code raised {reason}." if (reason := watch.at(wanted[first])) else ""
        raise ResultError(f"the accelerations at t = {wanted[first]:g} s cannot be had.{said} Ask for other times.")
    return replace(sol, t=wanted, y=y, vdot=vdot, lam=lam)


def _check(sol: Solution, wanted: np.ndarray) -> None:
    if not len(wanted) or not np.all(np.diff(wanted) > 0.0):
        raise ModelError("at: times must be one number or increase.")
    if np.count_nonzero(np.isfinite(sol.vdot).all(axis=1)) < 2 or wanted[0] < sol.t[0] or wanted[-1] > sol.t[-1]:
        reached = f"{sol.t[0]:g} to {sol.t[-1]:g} s" if len(sol.t) else "nothing"
        raise ModelError(f"at: times must lie within the samples ({reached}), got {wanted[0]:g} to {wanted[-1]:g} s.")


def _interpolated(sol: Solution, wanted: np.ndarray) -> np.ndarray:
    """q and v; quaternions are normalised when the states are completed."""
    qdot = np.zeros(sol.q.shape)
    for k in range(len(sol.t)):
        coordinate_rates(sol.compiled.tables.links, sol.q[k].copy(), sol.v[k].copy(), qdot[k])
    states, rates = np.hstack([sol.q, sol.v]), np.hstack([qdot, sol.vdot])
    known = np.isfinite(rates).all(axis=1)
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    return CubicHermiteSpline(sol.t[known], states[known], rates[known])(wanted)


def _counted(sol: Solution, wanted: np.ndarray) -> np.ndarray:
    """Of states that only tell the turn of an angle a straight line; of those with a rate of their own a cubic."""
    x = np.array([np.interp(wanted, sol.t, column) for column in sol.x.T]).reshape(-1, len(wanted)).T
    for place in sol.compiled.states.values():
        from scipy.interpolate import CubicHermiteSpline  # slow to import

        rate = sol.record.xdot[:, place.ix]
        known = np.isfinite(rate)
        x[:, place.ix] = CubicHermiteSpline(sol.t[known], sol.x[known, place.ix], rate[known])(wanted)
    return x
