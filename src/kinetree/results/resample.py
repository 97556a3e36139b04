"""A run at other times: cubic interpolation of the states, then projection onto the constraints.

y(t + s h) follows from y and ydot at both neighbors (Hermite); the formulation then completes
positions, velocities, accelerations and multipliers exactly as at the samples. Breakpoints, where
velocities may jump, are neighbors too: each side is interpolated with its own values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.checks import together
from ..engine.dynamics.kinematics import coordinate_rates
from ..engine.integrators.segments import evaluation_times
from ..errors import ModelError, ResultError
from .completion import Solved, complete
from .observe import Observed, observe
from .run_data import with_data

if TYPE_CHECKING:
    from .solution import Solution


class Nodes(NamedTuple):
    """Known states (with the integrated work) in the order of time, and their rates."""

    t: np.ndarray
    y: np.ndarray
    ydot: np.ndarray


def at(sol: Solution, times: float | Sequence[float]) -> Solution:
    """The solution at the given times within the run."""
    wanted = np.ravel(together("at", times=times)[0])
    _check(sol, wanted)
    seen = evaluation_times(wanted, sol.breaks, sol.options["until"])
    nodes = _nodes(sol, sol.seen, sol.y, sol.vdot, sol.record, sol.ledger)
    if len(nodes.t) < 2:
        raise ResultError(
            "states between the samples cannot be interpolated: fewer than two samples are finite."
        )
    found = _interpolated(sol, _sides(sol, nodes), seen)
    y, ledger = np.ascontiguousarray(found[:, : sol.y.shape[1]]), found[:, sol.y.shape[1] :]
    vdot, lam, first, watch, _ = complete(
        sol.method, sol.compiled, sol.compiled.workspace(sol.method.storage), seen, y
    )
    if watch.stop is not None:
        raise watch.stop
    if first < len(wanted):
        said = f" User code raised {reason}." if (reason := watch.at(wanted[first])) else ""
        raise ResultError(
            f"the accelerations at t = {wanted[first]:g} s cannot be computed.{said} Choose other "
            "times."
        )
    return with_data(
        sol, t=wanted, y=y, solved=Solved.of(vdot, lam), ledger=ledger, source=sol.source or sol
    )


def _check(sol: Solution, wanted: np.ndarray) -> None:
    if not len(wanted) or not np.all(np.diff(wanted) > 0.0):
        raise ModelError("at: times must be one number or increase.")
    if len(sol.t) - len(sol.solved.lost) < 2 or wanted[0] < sol.t[0] or wanted[-1] > sol.t[-1]:
        reached = f"{sol.t[0]:g} to {sol.t[-1]:g} s" if len(sol.t) else "nothing"
        raise ModelError(
            f"at: times must lie within the samples ({reached}), got {wanted[0]:g} to "
            f"{wanted[-1]:g} s."
        )


def _nodes(
    sol: Solution, t, y: np.ndarray, vdot: np.ndarray, record: Observed, ledger: np.ndarray | None
) -> Nodes:
    """States with their rates; quaternions are normalized when the states are completed."""
    q, v, _ = sol.compiled.split(y)
    qdot = np.zeros(q.shape)
    for k in range(len(t)):
        coordinate_rates(sol.compiled.tables, q[k].copy(), v[k].copy(), qdot[k])
    carried = np.zeros((len(t), 0)) if ledger is None else ledger
    powers = np.column_stack([record.power, record.drive])[:, : carried.shape[1]]
    rates = np.hstack([qdot, vdot, record.xdot, powers])
    states = np.hstack([y, carried])
    # where user code failed, the neighbors are used
    known = np.isfinite(rates).all(axis=1) & np.isfinite(states).all(axis=1)
    return Nodes(t[known], states[known], rates[known])


def _sides(sol: Solution, samples: Nodes) -> list[Nodes]:
    """The nodes between successive breakpoints, with those at the breakpoints themselves."""
    passed = [
        jump for jump in sol.result.jumps if samples.t[0] < jump.t_before and jump.t < samples.t[-1]
    ]
    if not passed:
        return [samples]
    t = np.array([t for jump in passed for t in (jump.t_before, jump.t)])
    both = np.array([y for jump in passed for y in (jump.before, jump.after)])
    y, ledger = (
        np.ascontiguousarray(both[:, : sol.y.shape[1]]),
        both[:, sol.y.shape[1] : samples.y.shape[1]],
    )
    vdot, lam, done, *_ = complete(
        sol.method, sol.compiled, sol.compiled.workspace(sol.method.storage), t, y
    )
    edges = _nodes(
        sol,
        t[:done],
        y[:done],
        vdot[:done],
        observe(sol.compiled, t[:done], y[:done], vdot[:done], lam[:done]),
        ledger[:done],
    )
    own = ~np.isin(samples.t, t)
    merged = [np.concatenate([a[own], b]) for a, b in zip(samples, edges)]
    order = np.argsort(merged[0], kind="stable")
    at = np.searchsorted(merged[0][order], t[1::2])
    return [
        Nodes(*parts)
        for parts in zip(*(np.split(column[order], at) for column in merged))
        if len(parts[0])
    ]


def _interpolated(sol: Solution, sides: list[Nodes], wanted: np.ndarray) -> np.ndarray:
    """States at the given times: linear for counts of turns, cubic for all others."""
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    nq_nv = sol.compiled.size["nq"] + sol.compiled.size["nv"]
    turns = [nq_nv + ix for place in sol.compiled.joints.values() for ix in place.turns.values()]
    out, side_of = (
        np.zeros((len(wanted), sides[0].y.shape[1])),
        np.searchsorted([s.t[0] for s in sides[1:]], wanted, "right"),
    )
    for k, side in enumerate(sides):
        mine = side_of == k
        out[mine] = CubicHermiteSpline(*side)(wanted[mine]) if len(side.t) > 1 else side.y[0]
        for column in turns:
            out[mine, column] = np.interp(wanted[mine], side.t, side.y[:, column])
    return out
