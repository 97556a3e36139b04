"""IFToMM benchmark A02, the chain of N four-bars (Bayo & Avello 1994; Gonzalez, Dopico, Lugris,
Cuadrado 2006).

2N + 1 uniform rods of 1 kg and 1 m: N + 1 cranks on ground points (i, 0), joined at their tips by N
couplers. They start
upright with -1 rad/s under g = 9.81 m/s^2. Twice per turn all rods lie in line: there the
constraints lose N of their
equations, and the mechanism could go over into antiparallelograms. The reference stays a
parallelogram,

    I th'' = -C g cos th,   I = (N + 1)/3 + N,   C = (N + 1)/2 + N          th = angle of the cranks
                            from x

The joints are spatial, so 3 of the 5 equations of every loop are redundant besides.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import kinetree as kt

TWO = {
    1: (-0.195020301950, -0.980799205662),
    2: (0.057815795768, 0.998327267863),
    5: (-0.811310461002, -0.584615545354),
    10: (0.328458111533, 0.944518538181),
}
TWO_VELOCITY = (1.423051470189, -0.494868845467)  # at 10 s
FORTY = {10: (0.1805122266807, 0.9835727405834), 20: (0.410901153734, 0.911679900985)}
# Official series of the benchmark, computed with ADAMS, 6 digits; 1.1e-6 (5 s) to 4.1e-6 (20 s)
# from the exact path.
OFFICIAL = {
    0.5: (0.687926, 0.725781),
    1: (-0.115357, -0.993324),
    2: (0.0344663, 0.999406),
    3.5: (-0.558537, 0.829479),
    5: (-0.540191, -0.841543),
    7.5: (-0.44027, 0.897865),
    10: (0.180513, 0.983573),
    12.5: (0.997426, 0.0717087),
    15: (-0.999878, -0.0156064),
    17.5: (-0.201976, 0.979391),
    19: (-0.957773, 0.287527),
    20: (0.410902, 0.911679),
}


def chain(N: int, speed: float = 1.0) -> kt.Model:
    m = kt.Model(f"{N} four-bars", gravity=(0, -9.81, 0))
    cranks = [
        m.body(
            f"crank{i}",
            kt.rod(1.0, 1.0, along="y"),
            position=(i, 0.5, 0),
            angular_velocity=(0, 0, -speed),
        )
        for i in range(N + 1)
    ]
    couplers = [
        m.body(f"coupler{i}", kt.rod(1.0, 1.0, along="x"), position=(i + 0.5, 1, 0))
        for i in range(N)
    ]
    for i, crank in enumerate(cranks):
        m.joint(f"A{i}", kt.Revolute(), m.ground, crank, at=(i, 0, 0), axis="z")
    for i, coupler in enumerate(couplers):
        m.joint(f"B{i}", kt.Revolute(), cranks[i], coupler, at=(i, 1, 0), axis="z")
        m.joint(f"C{i}", kt.Revolute(), coupler, cranks[i + 1], at=(i + 1, 1, 0), axis="z")
    return m


def parallelogram(N: int, t: np.ndarray, speed: float = 1.0) -> np.ndarray:
    """Tip of the first crank by the reduced equation, Dormand-Prince 8(5,3) at rounding."""
    k = 9.81 * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)
    th = solve_ivp(
        lambda _, y: (y[1], -k * np.cos(y[0])),
        (0.0, t[-1]),
        (np.pi / 2, -speed),
        "DOP853",
        t,
        rtol=3e-14,
        atol=1e-14,
    ).y[0]
    return np.column_stack([np.cos(th), np.sin(th)])


def tip(sol, times=None) -> np.ndarray:
    """(x, y) of the tip of the first crank at all samples or at given ones."""
    rows = slice(None) if times is None else [np.argmin(np.abs(sol.t - t)) for t in times]
    return sol["crank0.end+.position"][rows, :2]
