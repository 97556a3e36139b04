"""Fixed steps that do not converge are divided and reported; steps with one root are not."""

import numpy as np
import pytest
from scipy.optimize import brentq

import kinetree as kt
from kinetree.apps.papers.springs import flexible_joint

K, H = 1000.0, 0.1  # N/m^3 and s


def falling(step: float):
    """A soft beam on a hinge falls from rest: it turns over in long steps and bends."""
    m = kt.Model("beam")
    beam = m.beam(
        "b",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section.circle(radius=0.01, E=1e7, density=1000.0),
        elements=8,
    )
    m.joint("A", kt.Revolute("y"), m.ground, beam.end("-"))
    return kt.simulate(
        m, 5 * step, integrator="energy-conserving", step=step, output_interval=step, progress=False
    )


def test_divided_steps_are_reported_with_the_length_of_their_parts():
    sol = falling(0.3)
    assert sol.statistics["divided"] == np.sum(sol.steps.shortest < 0.2999) > 0
    parts = np.log2(sol.steps.h / sol.steps.shortest)
    np.testing.assert_allclose(parts, np.round(parts), atol=1e-9)  # halved, and halved again
    assert (sol.steps.rejected >= np.round(parts)).all() and sol.statistics[
        "rejected"
    ] == sol.steps.rejected.sum()
    assert (
        f"{sol.statistics['divided']} of 5 steps did not converge at 0.3 s and were divided"
        in str(sol)
    )
    np.testing.assert_allclose(sol.steps.h, 0.3)


def test_steps_that_converge_are_whole():
    sol = falling(1e-3)
    assert sol.statistics["divided"] == sol.statistics["rejected"] == 0 and "divided" not in str(
        sol
    )
    np.testing.assert_allclose(sol.steps.shortest, sol.steps.h)


def root(x, v):
    """End and speed of a step of the axial spring.

    The end is the root of  2 m (z - x - h v)/h^2 + K/2 (z + x)(z^2 + x^2),  m = 2/3.
    """
    end = brentq(
        lambda z: 4.0 / 3.0 * (z - x - H * v) / H**2 + 0.5 * K * (z + x) * (z * z + x * x),
        -50.0,
        50.0,
        xtol=1e-15,
    )
    return end, 2.0 * (end - x) / H - v


@pytest.mark.parametrize("k_t", [0.0, 5.0, 5000.0])
def test_steps_with_one_root_are_solved_whole(k_t):
    """Stiff springs swing many times within a step.

    The energy-conserving equation still increases with the end of the step.
    """
    sol = kt.simulate(
        flexible_joint(K, k_t),
        5 * H,
        integrator="energy-conserving",
        step=H,
        output_interval=H,
        progress=False,
    )
    assert sol.statistics["divided"] == 0
    x, v = 1.0, 0.0
    for found in sol["joint.displacement"][1:]:
        x, v = root(x, v)
        np.testing.assert_allclose(found, x, atol=1e-8)


@pytest.mark.parametrize("integrator, options", [("rk4", {"step": 1e-3}), ("adams", {})])
def test_other_integrators_have_no_divided_steps(integrator, options):
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("+"), start={"angle": 1.0})
    sol = kt.simulate(m, 0.1, integrator=integrator, **options)
    assert sol.statistics["divided"] == 0 and (sol.steps.shortest == sol.steps.h).all()
