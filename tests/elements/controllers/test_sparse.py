"""States of runs whose equations were solved by sparse factors: restarts and linear equations take
dense matrices of them.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.tracked_vehicle import tracked_vehicle


@pytest.fixture(scope="module")
def run():
    """Cartesian coordinates give 60 equations for 78 velocities, which are solved by sparse
    factors.
    """
    return kt.simulate(
        tracked_vehicle(), 0.04, coordinates="cartesian", output_interval=0.01, sparse=True
    )


@pytest.mark.parametrize("coordinates", ["cartesian", "relative"])
def test_a_run_goes_on_from_a_state_of_a_sparse_run(run, coordinates):
    on = kt.simulate(
        tracked_vehicle(), 0.04, state=run.at(0.02), coordinates=coordinates, output_interval=0.01
    )
    np.testing.assert_allclose(
        on["hull.position"], run["hull.position"][2:], atol=1e-7
    )  # ten times rtol, of meters


def test_linear_equations_at_a_state_do_not_depend_on_how_the_run_was_solved(run):
    dense = kt.simulate(
        tracked_vehicle(), 0.04, coordinates="cartesian", output_interval=0.01, sparse=False
    )
    A, B = (
        np.sort(
            np.abs(
                kt.linearize(
                    tracked_vehicle(), state=(sol, 0.02), coordinates="cartesian"
                ).eigenvalues
            )
        )[-24:]
        for sol in (run, dense)
    )
    np.testing.assert_allclose(A, B, rtol=1e-6)  # states agree to rtol = 1e-8
