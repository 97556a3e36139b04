"""Closed-loop reference cases: the data both sides need and the exact results, independent of any
multibody code.

RSSR: two 0.5 m cranks, about global x at the origin and about global y at A3, and a coupler between
ball joints, all slender rods of 1 kg, released at rest. Andrews' squeezing mechanism (IFToMM A03)
and two four-bars in a row (A02). Result vectors: centres of both cranks at 2 s (RSSR, 6); crank tip
F and spring point D in the plane at 0.03 s (Andrews, 4); tip B0 of the first vertical link in the
plane at 10 s (four-bar, 2).
"""

from math import cos, pi, sin

import numpy as np
from scipy.integrate import solve_ivp

G = 9.81
A3 = np.array([0.6, 0.3, 0.0])
FRAME1 = np.array(
    [[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]
)  # columns: crank at angle 0, crank at 90 degrees, axis
FRAME3 = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
START1, START3, CRANK = 0.0, pi / 4, 0.5

PIVOT_B = np.array([-0.03635, 0.03273, 0.0])
SPRING_POINT = np.array([0.02, -0.018, 0.0])  # D in the axes of body 3
RR = 0.007


def arm(frame: np.ndarray, angle: float) -> np.ndarray:
    """Vector from pivot to tip of an RSSR crank."""
    return CRANK * frame @ (cos(angle), sin(angle), 0.0)


def turn(angle: float) -> np.ndarray:
    """Rotation matrix about z."""
    return np.array(
        [[cos(angle), -sin(angle), 0.0], [sin(angle), cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )


def rssr() -> np.ndarray:
    """Reduced model in the two crank angles: coupler T = (v1.v1 + v1.v3 + v3.v3) / 6, one distance
    constraint.
    """
    end = solve_ivp(
        _rssr_rate, (0.0, 2.0), (START1, START3, 0.0, 0.0), "DOP853", rtol=1e-13, atol=1e-14
    ).y[:, -1]
    return np.concatenate((arm(FRAME1, end[0]) / 2, A3 + arm(FRAME3, end[1]) / 2))


def _rssr_rate(_: float, state: np.ndarray) -> np.ndarray:
    (a, b), v = state[:2], state[2:]
    r = np.array([arm(FRAME1, a), arm(FRAME3, b)])
    d = np.array(
        [arm(FRAME1, a + pi / 2), arm(FRAME3, b + pi / 2)]
    )  # tips: velocity d v, acceleration d v' - r v^2
    w = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6
    mass = w * (d @ d.T) + np.eye(2) * CRANK**2 / 3
    force = -G * d[:, 2] + (w * (d @ r.T)) @ v**2
    e, sign = r[0] - r[1] - A3, np.array([1.0, -1.0])
    jacobian = sign * (d @ e)
    velocity = (sign * v) @ d
    gamma = -velocity @ velocity + (sign * v**2) @ r @ e
    system = np.block([[mass, jacobian[:, None]], [jacobian, 0.0]])
    return np.concatenate((v, np.linalg.solve(system, np.append(force, gamma))[:2]))


def andrews() -> np.ndarray:
    """F and D from the recomputed beta(0.03) and the gamma(0.03) of the IVP test set."""
    f, d = (
        turn(15.810771195153) @ (RR, 0.0, 0.0),
        PIVOT_B + turn(0.04082224013073101) @ SPRING_POINT,
    )
    return np.concatenate((f[:2], d[:2]))


def four_bar() -> np.ndarray:
    """Exact B0(10) on the parallelogram branch, two windows."""
    return np.array([0.328458111533, 0.944518538181])
