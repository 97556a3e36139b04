"""Rules of [Yun2005] as printed, solved by hand, against the integrators with the same rules.

(37a) and (40), called trapezoidal, and (39b, f), called energy-conserving, are the midpoint rule;
(36a) with the missing factor k is the energy-conserving rule.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import kinetree as kt
from kinetree.apps.papers.springs import flexible_joint, oscillator

MIDPOINT = lambda k, a, b: 2.0 * k * ((a + b) / 2.0) ** 3  # noqa: E731 - (37a), (39b), (39f), (40d)
GRADIENT = lambda k, a, b: 0.5 * k * (a + b) * (a * a + b * b)  # noqa: E731 - (36a) with k
TRAPEZOIDAL = lambda k, a, b: k * (a**3 + b**3)  # noqa: E731 - the textbook's
FORCES = [("midpoint", MIDPOINT), ("energy-conserving", GRADIENT), ("trapezoidal", TRAPEZOIDAL)]


def by_hand(force, mass: float, k: float, u: float, h: float, steps: int) -> np.ndarray:
    """m (v_f - v_i) / h + force = 0,  (u_f - u_i) / h = (v_f + v_i) / 2.

    The residual is monotone, so that it has one root.
    """
    found, v = [u], 0.0
    for _ in range(steps):
        end = brentq(
            lambda x, u=u, v=v: mass * (2.0 * (x - u) / h - 2.0 * v) / h + force(k, x, u),
            -50.0,
            50.0,
            xtol=1e-15,
        )
        u, v = end, 2.0 * (end - u) / h - v
        found.append(u)
    return np.array(found)


def simulated(model: kt.Model, rule: str, h: float, steps: int):
    return kt.simulate(model, steps * h, integrator=rule, step=h, output_interval=h)


@pytest.mark.parametrize("rule, force", FORCES)
def test_the_quartic_spring(rule, force):
    sol = simulated(oscillator(1.0, 4, 1.0), rule, 1.875, 12)
    assert_allclose(sol["rail.displacement"], by_hand(force, 1.0, 1.0, 1.0, 1.875, 12), atol=1e-7)


@pytest.mark.parametrize("rule, force", FORCES)
def test_the_axial_spring_of_the_flexible_joint(rule, force):
    """Bodies of 1 and 2 kg: their distance moves as one body of 2/3 kg."""
    sol = simulated(flexible_joint(1.0, 5.0), rule, 0.1, 60)
    assert_allclose(
        sol["joint.displacement"], by_hand(force, 2.0 / 3.0, 1.0, 1.0, 0.1, 60), atol=1e-7
    )


def test_the_block_that_the_paper_calls_energy_conserving_is_not():
    """(39b, f) against the energy-conserving rule: E / E0 of the quartic spring."""
    rules = ("midpoint", "energy-conserving")
    printed, exact = (
        simulated(oscillator(1.0, 4, 1.0), rule, 1.875, 8).energy.total for rule in rules
    )
    assert printed.max() > 10.0 * printed[0]
    assert_allclose(exact, exact[0], rtol=1e-10)
