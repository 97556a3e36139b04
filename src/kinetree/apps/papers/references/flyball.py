"""The flyball governor by hand: height s of the slider and angle a of both rods, by SciPy. Shares
no code with the engine.

The shaft rotates freely, so that J(a) w = H is constant and w is not a state:

    J = Js + 2 (m (e + l cos(a) / 2)^2 + Ia cos(a)^2 + Ib sin(a)^2 + mb (e + l cos a)^2)
    ms s'' = -ms g + 2 F d_s,     2 Ih a'' = w^2 J_a / 2 + (m + 2 mb) g l cos a + 2 F d_a
    F = -k (d - d0) - c d'

d(s, a) is the length of a spring, d_s and d_a its derivatives, F the force with which it pushes.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

G, DENSITY = 9.81, 3000.0
L, THICK, CUBE, E = 1.0, 0.01, 0.1, 0.05  # m
K, C, D0 = 8e5, 4e4, 0.5  # N/m, N s/m, m
ROD, SLIDER, BALL = DENSITY * L * THICK**2, DENSITY * CUBE**3, 5.0  # kg
ACROSS, ALONG = (
    ROD * (L**2 + THICK**2) / 12,
    ROD * THICK**2 / 6,
)  # kg m^2, of a rod about its center: Ia, Ib
ON_AXIS = ALONG + SLIDER * CUBE**2 / 6  # kg m^2, shaft and slider about z: Js
ABOUT_HINGE = ACROSS + ROD * L**2 / 4 + BALL * L**2  # kg m^2: Ih
START = np.array([0.5, np.pi / 6, 0.0, 0.0])  # s, a, s', a'


def inertia(a: float) -> tuple[float, float]:
    """Return J about the shaft and its derivative."""
    cos, sin = np.cos(a), np.sin(a)
    middle, tip = E + L * cos / 2, E + L * cos
    J = ON_AXIS + 2 * (ROD * middle**2 + ACROSS * cos**2 + ALONG * sin**2 + BALL * tip**2)
    return J, -2 * sin * (ROD * L * middle + 2 * (ACROSS - ALONG) * cos + 2 * BALL * L * tip)


MOMENTUM = inertia(START[1])[0] * 2.0 * np.pi  # kg m^2/s


def spin(a: float) -> float:
    """Return the angular velocity of the shaft."""
    return MOMENTUM / inertia(a)[0]


def spring(y: np.ndarray) -> tuple[float, float, float]:
    """Return the length of a spring and its derivatives by s and a."""
    s, a = y[:2]
    x, z = L * np.cos(a) / 2, L - L * np.sin(a) / 2 - s
    d = np.hypot(x, z)
    return d, -z / d, -L / 2 * (x * np.sin(a) + z * np.cos(a)) / d


def rates(_: float, y: np.ndarray) -> np.ndarray:
    d, d_s, d_a = spring(y)
    a, sdot, adot = y[1:]
    F = -K * (d - D0) - C * (d_s * sdot + d_a * adot)
    torque = spin(a) ** 2 * inertia(a)[1] / 2 + (ROD + 2 * BALL) * G * L * np.cos(a) + 2 * F * d_a
    return np.array([sdot, adot, -G + 2 * F * d_s / SLIDER, torque / (2 * ABOUT_HINGE)])


def energy(y: np.ndarray) -> float:
    """Return the sum of kinetic energy, energy of gravity (zero at the hinges and at s = 0) and
    energy of the springs.
    """
    s, a, sdot, adot = y
    kinetic = SLIDER * sdot**2 / 2 + ABOUT_HINGE * adot**2 + MOMENTUM * spin(a) / 2
    return (
        kinetic
        + SLIDER * G * s
        - (ROD + 2 * BALL) * G * L * np.sin(a)
        + K * (spring(y)[0] - D0) ** 2
    )


def states(t) -> np.ndarray:
    """Return (s, a, s', a') at the times t, one row each."""
    run = solve_ivp(rates, (0.0, t[-1]), START, method="Radau", rtol=1e-11, atol=1e-13, t_eval=t)
    return run.y.T
