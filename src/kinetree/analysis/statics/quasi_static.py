"""Slow motion, for machines whose rest depends on the way there (see `shut_in`).

    z' = r_z / (N m s),    x' = xdot(q, v = T z', x)        without inertia, until nothing moves any
                           more

What the motion keeps, such as the oil in a shut cylinder, is kept on this way, and Newton finds the
rest of it.
"""

from __future__ import annotations

import numpy as np

from ...errors import SimulationError
from ...kernel.linalg import product
from ..linear.independent_coordinates import IndependentCoordinates
from .balance import Search

_STAGES = range(-2, 9)  # of 10^k seconds each, or of the time that stands for a second (balance.py)
_NEAR = 1e-7  # of the forces at work: what is left is a matter for Newton
_RTOL, _ATOL = 1e-9, 1e-10


def creep(search: Search) -> None:
    """Follow slow motion until little is left, or as far as the loops can follow."""
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
        # the loops cannot follow, or there is nothing to follow any more
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
    """Position and states from freedoms in natural units and own states in their scales."""
    q, x = chart.at(y[: chart.freedoms] / chart.natural)
    x[search.own] = y[chart.freedoms :] * search.sizes
    return q, x


def _rates(search: Search, chart: IndependentCoordinates, y: np.ndarray) -> np.ndarray:
    q, x = _state(search, chart, y)
    T = chart.tangent() / chart.natural
    u = product(T.T, search.forces(q, x)) / search.per_rate
    return np.concatenate([u, search.rates(q, product(T, u), x)])
