"""The springs of [Yun2005, sec. 4] by hand: one unknown per step, solved by bisection. Shares no
code with the engine.

    m (v_f - v_i) / h + F = 0,     (u_f - u_i) / h = (v_f + v_i) / 2

F is, for an energy V(u),

    energy-conserving rule   (V(u_f) - V(u_i)) / (u_f - u_i)
                             = k (u_f + u_i)(u_f^2 + u_i^2) / 2  for V = k u^4 / 2     (36a)
    midpoint rule            V'((u_f + u_i) / 2)                                       (37a)
    trapezoidal rule         (V'(u_f) + V'(u_i)) / 2

For a linear spring the three are the same, and u_n = u_0 cos(n phi) with tan(phi / 2) =
h sqrt(k / m) / 2.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

REACH = 1e6  # m: every solution lies within


def force(rule: str, k: float, power: int, a: float, b: float) -> float:
    """Return F between u_i = a and u_f = b, for the energy k u^power / 2."""
    if rule == "energy-conserving":
        return 0.5 * k * (a + b) * (1.0 if power == 2 else a * a + b * b)
    if rule == "midpoint":
        return 0.5 * power * k * (0.5 * (a + b)) ** (power - 1)
    return 0.25 * power * k * (a ** (power - 1) + b ** (power - 1))


def history(
    rule: str, k: float, power: int, u: float, h: float, steps: int, mass: float = 1.0
) -> np.ndarray:
    """Return u and v from rest, (steps + 1, 2)."""
    v, found = 0.0, [(u, 0.0)]
    for _ in range(steps):
        end = brentq(
            lambda x, u=u, v=v: (
                mass * (2.0 * (x - u) / h - 2.0 * v) / h + force(rule, k, power, u, x)
            ),
            -REACH,
            REACH,
            xtol=1e-15,
            rtol=1e-15,
        )
        u, v = end, 2.0 * (end - u) / h - v
        found.append((u, v))
    return np.array(found)


def linear(k: float, u: float, h: float, steps: int) -> np.ndarray:
    """Return the same for a linear spring and a mass of 1 kg, in closed form."""
    w = math.sqrt(k)
    phi = 2.0 * math.atan(0.5 * h * w) * np.arange(steps + 1)
    return np.column_stack([u * np.cos(phi), -u * w * np.sin(phi)])


def body_by_body(rule: str, k: float, h: float, steps: int, masses=(1.0, 2.0)) -> np.ndarray:
    """Return the energies of the axial spring of the flexible joint if each body is solved while
    the other one is held where it was found last.
    """
    u, v, energies = [1.0, 0.0], [0.0, 0.0], []
    for _ in range(steps + 1):
        energies.append(
            0.5 * sum(m * s * s for m, s in zip(masses, v)) + 0.5 * k * (u[0] - u[1]) ** 4
        )
        began = list(u)
        for b, (mass, sign) in enumerate(zip(masses, (1.0, -1.0))):

            def residual(x: float, b=b, mass=mass, sign=sign, began=began) -> float:
                push = sign * force(
                    rule, k, 4, sign * (began[b] - began[1 - b]), sign * (x - u[1 - b])
                )
                return mass * (2.0 * (x - began[b]) / h - 2.0 * v[b]) / h + push

            end = brentq(residual, -REACH, REACH, xtol=1e-12)
            v[b], u[b] = 2.0 * (end - began[b]) / h - v[b], end
    return np.array(energies)
