"""IFToMM benchmark A03, Andrews' squeezing mechanism (Schiehlen 1990; Test Set for IVP Solvers 2.4,
problem "andrews").

Seven bodies in a plane, driven by a constant torque, three loops through the point E, one spring.
No gravity, SI units. The joint angles are the coordinates of the test set, (beta, Theta, gamma,
Phi, delta, Omega, epsilon); the bodies are derived from its constraints and mass matrix, each frame
on the joint nearer to ground. The published end values (PSIDE, tolerance 1e-14) are reliable to
1.4e-9 in angles and 5.4e-7 in velocities, as independent computations show.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

ANGLES = (
    "O",
    "F",
    "B",
    "H",
    "A5",
    "G",
    "A7",
)  # joints of beta, Theta, gamma, Phi, delta, Omega, epsilon
START = (
    -0.0617138900142764496,
    0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.230547444549821192,
)
START_ACCELERATION = (14222.4439199541138706, -10666.8329399655854029, 0, 0, 0, 0, 0)
START_PUSH = (98.5668703962410896, -6.12268834425566266, 0)  # of K2 on K3 at E: multipliers 1 and 2
END = (
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
)
END_RATE = (
    1139.920302151208,
    -1424.379294994111,
    11.03291221937134,
    19.29337464421385,
    0.5735699284790808,
    -19.29337464421385,
    0.3231791658026955,
)
BETA_03, BETA_05 = 15.810771195153, 33.82586776695  # independent, twelve digits
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = (-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0)
d, da, e, ea, rr, ra, ss, sa, sb = (
    0.028,
    0.0115,
    0.02,
    0.01421,
    0.007,
    0.00092,
    0.035,
    0.01874,
    0.01043,
)
sc, sd, ta, tb, u, ua, ub, zf, zt, fa = (
    0.018,
    0.02,
    0.02308,
    0.00916,
    0.04,
    0.01228,
    0.00449,
    0.02,
    0.04,
    0.01421,
)
CENTRES = ((ra, 0), (-da, 0), (sb, -sa), (0, ea - e), (ta, -tb), (zf - fa, 0), (ua, -ub))
TORQUE = 0.033


def squeezer() -> kt.Model:
    m = kt.Model("squeezer", gravity=(0, 0, 0))
    bodies = [
        m.body(f"K{k}", kt.mass(mass, (I / 2, I / 2, I), com=(*centre, 0)))
        for k, (mass, I, centre) in enumerate(zip(MASSES, INERTIAS, CENTRES), 1)
    ]
    K1, K2, K3, K4, K5, K6, K7 = bodies
    places = {
        "O": (m.ground.at(0, 0, 0), K1),
        "F": (K1.at(rr, 0, 0), K2),
        "B": (m.ground.at(*B), K3),
        "H": (K5.at(zt, 0, 0), K4),
        "A5": (m.ground.at(*A), K5),
        "G": (K7.at(0, -u, 0), K6),
        "A7": (m.ground.at(*A), K7),
    }
    for name, angle in zip(ANGLES, START):
        m.joint(name, kt.Revolute("z"), *places[name], start={"angle": angle})
    for name, other in (("E3", K3.at(0, -ss, 0)), ("E4", K4.at(0, -e, 0)), ("E6", K6.at(zf, 0, 0))):
        m.joint(name, kt.Revolute("z"), K2.at(-d, 0, 0), other)
    m.force("motor", kt.TorsionSpring("O.angle", torque=TORQUE))
    m.force(
        "spring",
        kt.SpringDamper(stiffness=4530.0, length=0.07785),
        m.ground.at(*C),
        K3.at(sd, -sc, 0),
    )
    return m


def mass_matrix(q) -> np.ndarray:
    """The mass matrix printed in the test set."""
    (m1, m2, m3, m4, m5, m6, m7), (I1, I2, I3, I4, I5, I6, I7) = MASSES, INERTIAS
    _, T, _, P, _, O, _ = q
    M, x, y = np.zeros((7, 7)), e - ea, zf - fa
    M[0, 0] = m1 * ra**2 + m2 * (rr**2 - 2 * da * rr * np.cos(T) + da**2) + I1 + I2
    M[0, 1] = M[1, 0] = m2 * (da**2 - da * rr * np.cos(T)) + I2
    M[1, 1] = m2 * da**2 + I2
    M[2, 2] = m3 * (sa**2 + sb**2) + I3
    M[3, 3] = m4 * x**2 + I4
    M[3, 4] = M[4, 3] = m4 * (x**2 + zt * x * np.sin(P)) + I4
    M[4, 4] = m4 * (zt**2 + 2 * zt * x * np.sin(P) + x**2) + m5 * (ta**2 + tb**2) + I4 + I5
    M[5, 5] = m6 * y**2 + I6
    M[5, 6] = M[6, 5] = m6 * (y**2 - u * y * np.sin(O)) + I6
    M[6, 6] = m6 * (y**2 - 2 * u * y * np.sin(O) + u**2) + m7 * (ua**2 + ub**2) + I6 + I7
    return M


def angles(sol, tail: str, row: int) -> np.ndarray:
    return np.array([sol[f"{joint}.{tail}"][row] for joint in ANGLES])
