"""Quasi-static motion, for models whose equilibrium depends on the history (see `balance`).

    z' = r_z / (N m s),    x' = xdot(q, v = T z', x)        without inertia, until the motion ends

The motion conserves quantities such as the oil in a closed cylinder. Newton's method finishes.
"""

from __future__ import annotations

import numpy as np

from ...errors import SimulationError
from ...kernel.linalg import product
from ..linear.independent_coordinates import IndependentCoordinates
from .balance import Search

_STAGES = range(-2, 9)  # durations of 10^k time units (balance.py)
_NEAR = 1e-7  # relative to the forces present: Newton's method converges from there
_RTOL, _ATOL = 1e-9, 1e-10


def follow_motion(search: Search) -> None:
    """Follow the quasi-static motion until the residual is small, or as far as the loops can be
    closed.
    """
    from scipy.integrate import solve_ivp  # slow to import

    for k in _STAGES:
        chart = search.here.chart
        begin = np.concatenate([np.zeros(chart.freedoms), chart.x[search.own] / search.sizes])
        try:
            way = solve_ivp(
                lambda _, y, chart=chart: _rates(search, chart, y),
                (0.0, 10.0**k * search.second),
                begin,
                method="Radau",
                rtol=_RTOL,
                atol=_ATOL,
            )
            search.here = search.balance(*_state(search, chart, way.y[:, -1]))
        # the loops cannot be closed, or the motion has ended
        except (
            SimulationError,
            np.linalg.LinAlgError,
        ):
            return
        search.iterations += len(way.t) - 1
        if not way.success or search.size <= _NEAR * search.scale:
            return


def _state(
    search: Search, chart: IndependentCoordinates, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Position and states from independent coordinates in natural units and element states in their
    scales.
    """
    q, x = chart.at(y[: chart.freedoms] / chart.natural)
    x[search.own] = y[chart.freedoms :] * search.sizes
    return q, x


def _rates(search: Search, chart: IndependentCoordinates, y: np.ndarray) -> np.ndarray:
    q, x = _state(search, chart, y)
    T = chart.tangent() / chart.natural
    u = product(T.T, search.forces(q, x)) / search.per_rate
    return np.concatenate([u, search.rates(q, product(T, u), x)])
