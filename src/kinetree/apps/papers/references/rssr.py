"""The RSSR mechanism by hand: two angles, one distance, slender rods, SciPy. Shares nothing with
the engine.

tips    P1 = L (0, cos a, sin a),   P3 = A + L (sin b, 0, cos b),      |P1 - P3| = const
rods    T = J (adot^2 + bdot^2) / 2 + m (v1.v1 + v1.v3 + v3.v3) / 6,   J = m L^2 / 3
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from ....models.rssr import CRANK_ANGLE, LINK, MASS, ROCKER_ANGLE, ROCKER_PIVOT

GRAVITY = 9.81


def tips(a: float, b: float) -> tuple[np.ndarray, ...]:
    """Return the tips of crank and rocker and their derivatives by a and b; the second derivatives
    are minus the arms.
    """
    arm1, arm3 = (
        LINK * np.array([0.0, np.cos(a), np.sin(a)]),
        LINK * np.array([np.sin(b), 0.0, np.cos(b)]),
    )
    d1, d3 = (
        LINK * np.array([0.0, -np.sin(a), np.cos(a)]),
        LINK * np.array([np.cos(b), 0.0, -np.sin(b)]),
    )
    return arm1, arm3, d1, d3


def accelerations(y: np.ndarray) -> np.ndarray:
    """Return the second derivatives of the two angles, from the equations with one multiplier."""
    a, b, u, w = y
    arm1, arm3, d1, d3 = tips(a, b)
    rod, cross = MASS * LINK**2 / 3 + MASS * LINK**2 / 3, MASS / 6 * d1 @ d3
    M = np.array([[rod, cross], [cross, rod]])
    h = -MASS / 6 * np.array([d1 @ arm3 * w * w, d3 @ arm1 * u * u])
    f = -MASS * GRAVITY * np.array([d1[2], d3[2]]) - h
    line = arm1 - ROCKER_PIVOT - arm3
    G = np.array([line @ d1, -line @ d3])
    rate = d1 * u - d3 * w
    gamma = -(rate @ rate + line @ (arm3 * w * w - arm1 * u * u))
    K = np.block([[M, G[:, None]], [G[None, :], np.zeros((1, 1))]])
    return np.linalg.solve(K, [*f, gamma])[:2]


def crank_centre_acceleration(t: np.ndarray) -> np.ndarray:
    """Return the vertical acceleration of the center of the crank at the times t, from rest."""
    start = np.array([CRANK_ANGLE, ROCKER_ANGLE, 0.0, 0.0])
    run = solve_ivp(
        lambda _, y: np.concatenate([y[2:], accelerations(y)]),
        (t[0], t[-1]),
        start,
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
        t_eval=t,
    )
    return np.array([_vertical(y) for y in run.y.T])


def _vertical(y: np.ndarray) -> float:
    arm1, _, d1, _ = tips(y[0], y[1])
    return float(d1[2] * accelerations(y)[0] - arm1[2] * y[2] ** 2) / 2
