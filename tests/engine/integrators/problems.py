"""Right-hand sides shared by the integrator tests."""

import math

import numpy as np

from kinetree.kernel.decorators import kernel


@kernel
def oscillator(tables, work, t, y, ydot):
    """y'' = -y."""
    ydot[0], ydot[1] = y[1], -y[0]
    return 0


@kernel
def orbit(tables, work, t, y, ydot):
    """Two bodies, unit mass parameter."""
    cube = math.sqrt(y[0] * y[0] + y[1] * y[1]) ** 3
    ydot[0], ydot[1], ydot[2], ydot[3] = y[2], y[3], -y[0] / cube, -y[1] / cube
    return 0


@kernel
def arenstorf(tables, work, t, y, ydot):
    """Satellite, earth and moon in the rotating frame [Hairer1993, sec. II.0]."""
    mu = 0.012277471
    earth = math.sqrt((y[0] + mu) ** 2 + y[1] ** 2) ** 3
    moon = math.sqrt((y[0] - 1.0 + mu) ** 2 + y[1] ** 2) ** 3
    ydot[0], ydot[1] = y[2], y[3]
    ydot[2] = y[0] + 2.0 * y[3] - (1.0 - mu) * (y[0] + mu) / earth - mu * (y[0] - 1.0 + mu) / moon
    ydot[3] = y[1] - 2.0 * y[2] - (1.0 - mu) * y[1] / earth - mu * y[1] / moon
    return 0


@kernel
def drift(tables, work, t, y, ydot):
    """A constant rate."""
    ydot[0] = 0.1
    return 0


@kernel
def kick(tables, work, t, y, ydot):
    """Constant speed that jumps from -1 to 2 at t = 1."""
    ydot[0] = -1.0 if t < 1.0 else 2.0
    return 0


ORBIT_START = [0.7, 0.0, 0.0, math.sqrt(1.3 / 0.7)]  # eccentricity 0.3, period 2 pi
# periodic [Hairer1993, eq. II.0.2]
ARENSTORF_START = [0.994, 0.0, 0.0, -2.00158510637908252240537862224]
ARENSTORF_PERIOD = 17.0652165601579625588917206249


def plain(rhs):
    """The same right-hand side for SciPy."""

    def f(t, y):
        ydot = np.empty_like(y)
        getattr(rhs, "py_func", rhs)(None, None, t, y, ydot)
        return ydot

    return f
