"""Fixed steps that do not converge are taken in parts, and the run reports them."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.papers.springs import flexible_joint


def stiff(step: float):
    """A spring with a cubic law, started far out: Newton's method does not find steps of 0.1 s at once."""
    return kt.simulate(flexible_joint(1000.0, 5000.0), 1.0, integrator="energy-conserving", step=step, output_interval=step,
                       progress=False)


def test_steps_that_are_divided_are_counted_and_shown_with_the_length_of_their_parts():
    sol = stiff(0.1)
    assert sol.statistics["divided"] == np.sum(sol.steps.shortest < 0.0999) > 0
    parts = np.log2(sol.steps.h / sol.steps.shortest)
    np.testing.assert_allclose(parts, np.round(parts), atol=1e-9)  # halved, and halved again
    assert (sol.steps.rejected >= np.round(parts)).all() and sol.statistics["rejected"] == sol.steps.rejected.sum()
    assert f"{sol.statistics['divided']} of 10 steps did not converge at 0.1 s and were divided" in str(sol)
    np.testing.assert_allclose(sol.steps.h, 0.1)


def test_steps_that_converge_are_whole():
    sol = stiff(1e-3)
    assert sol.statistics["divided"] == sol.statistics["rejected"] == 0 and "divided" not in str(sol)
    np.testing.assert_allclose(sol.steps.shortest, sol.steps.h)


@pytest.mark.parametrize("integrator, options", [("rk4", {"step": 1e-3}), ("adams", {})])
def test_other_integrators_have_no_divided_steps(integrator, options):
    m = kt.Model("pendulum")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("+"), start={"angle": 1.0})
    sol = kt.simulate(m, 0.1, integrator=integrator, **options)
    assert sol.statistics["divided"] == 0 and (sol.steps.shortest == sol.steps.h).all()
