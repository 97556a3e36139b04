"""Formulations that project states do not change them within the tolerance `closure`."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.models.rssr import rssr
from kinetree.options import CLOSURE, has

CLOSING = [f.name for f in FORMULATIONS if has(f, CLOSURE.name)]
STEP = 0.01  # Heun's method drifts by about 1e-5 m per second at this step


def run(formulation: str, closure: float):
    return kt.simulate(
        rssr(), 1.0, formulation=formulation, integrator="heun", step=STEP, closure=closure
    )


def test_all_formulations_that_project_have_the_option():
    # baumgarte does not project
    assert [f.name for f in FORMULATIONS if f.loops and f.name not in CLOSING] == ["baumgarte"]


@pytest.mark.parametrize("name", CLOSING)
def test_errors_grow_up_to_the_tolerance_and_no_further(name):
    tolerance = 1e-5
    sol, exact = run(name, tolerance), run(name, 0.0)
    assert exact.constraint_error.max() <= 1e-11 and sol.success
    assert 0.1 * tolerance <= sol.constraint_error.max() <= tolerance
    assert sol.constraint_error.velocity.max() <= tolerance
    # corrections are what it saves
    assert sol.statistics["iterations"] < exact.statistics["iterations"]
    size = np.abs(exact["crank.position"]).max()
    np.testing.assert_allclose(
        sol["crank.position"], exact["crank.position"], atol=200 * tolerance * size
    )


@pytest.mark.parametrize("name", CLOSING)
def test_a_tolerance_below_rounding_has_no_effect(name):
    # corrections of rounding
    np.testing.assert_allclose(run(name, 1e-18).y, run(name, 0.0).y, atol=1e-12)


def test_a_negative_tolerance_raises_an_error():
    with pytest.raises(kt.ModelError, match="closure must be at least 0"):
        run("augmented", -1e-6)
