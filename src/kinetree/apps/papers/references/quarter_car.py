"""The quarter car by hand: two linear equations with a damper C(t), by SciPy. Shares no code with
the engine.

    m1 z1'' = -k1 (z1 - z2) - C(t) (z1' - z2')
    m2 z2'' = -m1 z1'' - k2 (z2 - f(t)),     f = 0.05 sin(2 pi t)

Heights of body and wheel are measured from the equilibrium on a level road. With the damper of one
instant this is y' = A y for y = (z1, z2, z1', z2'), and L = max|lambda(A)|.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

M1, M2, K1, K2 = 300.0, 40.0, 20e3, 200e3  # kg, kg, N/m, N/m
HEIGHT = 0.05  # m
DAMPERS: dict[str, Callable[[float], float]] = {  # N s/m; readings of the factor behind 1000
    "10^t": lambda t: 1000.0 * 10.0**t,
    "t^3": lambda t: 1000.0 * t**3,
    "e^t": lambda t: 1000.0 * math.exp(t),
    "e^(3t)": lambda t: 1000.0 * math.exp(3.0 * t),
    "10^(3t)": lambda t: 1000.0 * 10.0 ** (3.0 * t),
    "10^-3": lambda t: 1.0,
}


def matrix(c: float) -> np.ndarray:
    """Return A for a damper c."""
    strut = np.array([-K1, K1, -c, c])
    tyre = np.array([0.0, -K2, 0.0, 0.0])
    return np.vstack([np.eye(4)[2:], strut / M1, (tyre - strut) / M2])


def spectral_radius(c: float) -> float:
    """Return L (1/s)."""
    return float(np.abs(np.linalg.eigvals(matrix(c))).max())


def reaches(limit: float, damper: Callable[[float], float], until: float = 5.0) -> float | None:
    """Return the time at which L passes the limit, or None if it stays below."""
    if spectral_radius(damper(until)) < limit:
        return None
    return float(brentq(lambda t: spectral_radius(damper(t)) - limit, 0.0, until))


def rates(t: float, y: np.ndarray) -> np.ndarray:
    """Return y' with the damper 1000 x 10^t on the road."""
    ydot = matrix(DAMPERS["10^t"](t)) @ y
    ydot[3] += K2 / M2 * HEIGHT * math.sin(2.0 * math.pi * t)
    return ydot


def histories(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return heights and accelerations of body and wheel at the times t, (len(t), 2) each."""
    run = solve_ivp(
        rates, (t[0], t[-1]), np.zeros(4), method="DOP853", rtol=1e-11, atol=1e-14, t_eval=t
    )
    return run.y[:2].T, np.array([rates(s, y)[2:] for s, y in zip(t, run.y.T)])
