"""Dependent coordinates of `partitioning-printed` are outside the error norm and the Jacobian."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.models.excavator import excavator
from kinetree.models.four_bar import four_bar

EVERY = 0.05


def columns_of_a_linearization(formulation: str) -> int:
    """Evaluations that a linearization adds to a step of Adams: the present state, and one per
    column.
    """
    sol = kt.simulate(
        excavator(),
        0.4,
        formulation=formulation,
        integrator="switching",
        rtol=1e-6,
        linearize_every=EVERY,
    )
    steps = sol.steps
    # steps after those that end an interval
    new_estimates = np.flatnonzero(np.diff(np.floor(steps.t / EVERY + 1e-9))[:-1] > 0) + 2
    clean = [k for k in new_estimates if steps.rejected[k] == 0]
    assert len(clean) >= 2 and (steps.method == "adams").all()
    return int(min(steps.evaluations[k] for k in clean)) - 2 - 1


def test_the_excavator_has_twelve_integrated_states_in_place_of_eighteen():
    """3 of 6 joint coordinates are independent; with their speeds and six pressures they are 12."""
    assert columns_of_a_linearization("partitioning") == 18
    assert columns_of_a_linearization("partitioning-printed") == 12


@pytest.mark.parametrize("integrator", ["adams", "bdf", "switching", "dopri5"])
def test_the_motion_is_that_of_any_other_formulation(integrator):
    ours, other = (
        kt.simulate(
            four_bar(), 2.0, formulation=name, integrator=integrator, rtol=1e-9, output_interval=0.1
        )
        for name in ("partitioning-printed", "augmented")
    )
    # of rates up to 10; the tolerance grows a thousandfold over the run
    assert_allclose(ours.y, other.y, atol=2e-5)
    assert ours.constraint_error.max() <= 1e-12


def test_components_return_to_the_error_norm_when_other_coordinates_are_selected():
    """The crank turns over: coordinates change roles, and errors stay within the tolerance."""
    errors = []
    for rtol in (1e-6, 1e-8):
        sol = kt.simulate(
            four_bar(), 5.0, formulation="partitioning-printed", rtol=rtol, output_interval=0.5
        )
        assert sol.statistics["partitions"] >= 2
        errors.append(
            np.abs(sol.y - kt.simulate(four_bar(), 5.0, rtol=1e-11, output_interval=0.5).y).max()
        )
    assert errors[1] < 0.1 * errors[0] and errors[1] < 1e-4
