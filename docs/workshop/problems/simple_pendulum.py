"""IFToMM benchmark A01, the simple pendulum (Gonzalez, Dopico, Lugris, Cuadrado 2006).

A point mass of 1 kg on a massless rod of 1 m, at rest at (-1, 0), g = 9.81 m/s^2 along -y. The body
has no inertia of
its own, so in Cartesian coordinates the mass matrix is singular. Exact: sin(psi/2) = k sn(K - w0
t), k^2 = 1/2.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

PERIOD = 2.3678419475762373
EXACT = {
    0.5: (-0.3910487915505463, -0.9203699487851923),
    1: (0.9862917511318754, -0.165010853125541),
    5: (-0.9423054350437569, -0.334754338414002),
    10: (-0.2750874625761170, -0.961419205099125),
    100: (-0.1815133514269968, -0.983388480334064),
    2000: (0.8146030685886, -0.5800188278375),
}
# Official series of the benchmark, computed with ADAMS, 6 digits, within 7.1e-7 of the exact
# solution.
OFFICIAL = {
    2.5: (-0.996334, -0.0855439),
    7.5: (-0.727459, -0.686151),
    20: (0.996907, -0.0785881),
    50: (-0.932291, -0.361709),
    100: (-0.181513, -0.983388),
    200: (0.999439, -0.0334942),
    400: (-0.991045, -0.133527),
    700: (0.901986, -0.431765),
    1000: (0.68323, -0.730203),
    1300: (-0.999892, -0.0147136),
    1600: (0.299451, -0.954112),
    1999.5: (0.995044, -0.0994392),
}


def pendulum() -> kt.Model:
    m = kt.Model("simple pendulum", gravity=(0, -9.81, 0))
    point = m.body("point", kt.mass(1.0), position=(-1, 0, 0))
    m.joint("pivot", kt.Revolute(), m.ground, point, at=(0, 0, 0), axis="z")
    return m


def places(sol, times) -> np.ndarray:
    """(x, y) at given sample times."""
    return np.array([sol["point.position"][np.argmin(np.abs(sol.t - t)), :2] for t in times])
