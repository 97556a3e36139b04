"""The vehicle with five degrees of freedom as the linear equations of [Haug1979], in inches and
pounds, solved by SciPy.

    M zddot + C zdot + K z = sum over tyres of e (k f + c fdot)
    z = (seat, chassis, pitch, front wheel, rear wheel)

Every spring and damper acts along one combination e.z of the coordinates, so that
K = sum k e e^T and C = sum c e e^T.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 386.09  # in/s^2
MASS = np.array(
    [290.0 / GRAVITY, 4500.0 / GRAVITY, 41000.0, 96.6 / GRAVITY, 96.6 / GRAVITY]
)  # lb s^2/in, lb in s^2
FRONT, REAR, SEAT = 40.0, -80.0, 10.0  # in, ahead of the mass center
ELEMENTS = (  # e, k (lb/in), c (lb s/in)
    ((1, -1, -SEAT, 0, 0), 100.0, 10.0),
    ((0, 1, FRONT, -1, 0), 300.0, 25.0),
    ((0, 1, REAR, 0, -1), 300.0, 25.0),
    ((0, 0, 0, 1, 0), 1500.0, 5.0),
    ((0, 0, 0, 0, 1), 1500.0, 5.0),
)
SPEED, RISE, FALL, HALF_HEIGHT = 450.0, 360.0, 144.0, 5.0  # in/s, in
KINKS = sorted((x - arm + FRONT) / SPEED for x in (0.0, RISE, RISE + FALL) for arm in (FRONT, REAR))


def road(x: float) -> tuple[float, float]:
    """Height of the road at x (in) and its slope."""
    if 0.0 < x <= RISE:
        return HALF_HEIGHT * (1 - np.cos(np.pi * x / RISE)), HALF_HEIGHT * np.pi / RISE * np.sin(
            np.pi * x / RISE
        )
    if RISE < x < RISE + FALL:
        phase = np.pi * (x - RISE) / FALL
        return HALF_HEIGHT * (1 + np.cos(phase)), -HALF_HEIGHT * np.pi / FALL * np.sin(phase)
    return 0.0, 0.0


def matrices() -> tuple[np.ndarray, np.ndarray]:
    """Return the stiffness and the damping matrix."""
    e = np.array([element[0] for element in ELEMENTS], float)
    k, c = (np.array([element[i] for element in ELEMENTS]) for i in (1, 2))
    return e.T @ (k[:, None] * e), e.T @ (c[:, None] * e)


def accelerations(t: float, y: np.ndarray) -> np.ndarray:
    """Return zddot at a state (z, zdot)."""
    K, C = matrices()
    force = -K @ y[:5] - C @ y[5:]
    for wheel, arm in ((3, FRONT), (4, REAR)):
        height, slope = road(SPEED * t + arm - FRONT)
        _, k, c = ELEMENTS[wheel]
        force[wheel] += k * height + c * slope * SPEED
    return force / MASS


def histories(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return z and zddot at the times t, (len(t), 5) each, integrated between the kinks of the
    road.
    """
    edges = [t[0], *(s for s in KINKS if t[0] < s < t[-1]), t[-1]]
    z, state = np.zeros((len(t), 10)), np.zeros(10)
    for begin, end in pairwise(edges):
        run = solve_ivp(
            lambda s, y: np.concatenate([y[5:], accelerations(s, y)]),
            (begin, end),
            state,
            method="DOP853",
            rtol=1e-11,
            atol=1e-12,
            dense_output=True,
        )
        inside = (t >= begin) & (t <= end)
        z[inside], state = run.sol(t[inside]).T, run.y[:, -1]
    return z[:, :5], np.array([accelerations(s, y) for s, y in zip(t, z)])
