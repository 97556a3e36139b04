"""IFToMM benchmark A02, the chain of N four-bars (Bayo & Avello 1994; Gonzalez, Dopico, Lugris,
Cuadrado 2006).

Model and numbers: `workshop.problems.four_bar_chain`.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from workshop.problems.four_bar_chain import (
    FORTY,
    OFFICIAL,
    TWO,
    TWO_VELOCITY,
    chain,
    parallelogram,
    tip,
)

import kinetree as kt


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_two_four_bars_pass_their_singular_positions_as_a_parallelogram(coordinates):
    sol = kt.simulate(chain(2), 10.0, coordinates=coordinates, rtol=1e-9, output_interval=0.05)
    assert sol.assembly.mobility == 1
    assert_allclose(
        tip(sol, TWO), list(TWO.values()), rtol=0, atol=5e-6
    )  # 0.3e-6 to 1e-6 were measured
    assert_allclose(sol["crank0.end+.velocity"][-1, :2], TWO_VELOCITY, rtol=0, atol=2e-5)
    assert_allclose(tip(sol), parallelogram(2, sol.t), rtol=0, atol=1e-5)
    assert_allclose(sol["coupler1.angular_velocity"], 0.0, atol=1e-5)
    assert sol.energy.drift < 1e-6
    assert sol.constraint_error.max() < 1e-11


def test_forty_four_bars_follow_the_official_series():
    sol = kt.simulate(chain(40), 20.0, rtol=1e-9, output_interval=0.05)
    assert sol.assembly.mobility == 1 and len(sol.assembly.redundant) == 40
    assert_allclose(
        tip(sol, FORTY), list(FORTY.values()), rtol=0, atol=2e-6
    )  # 0.01e-6 to 0.9e-6 were measured
    assert_allclose(tip(sol), parallelogram(40, sol.t), rtol=0, atol=1e-5)
    assert_allclose(tip(sol, OFFICIAL), list(OFFICIAL.values()), rtol=0, atol=1e-5)
    assert sol.energy.drift < 1e-6
    assert sol.constraint_error.max() < 1e-10


@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_error_follows_the_tolerance(coordinates, rtol):
    sol = kt.simulate(chain(2), 10.0, coordinates=coordinates, rtol=rtol, output_interval=0.05)
    assert sol.success and len(sol.t) == 201
    assert_allclose(
        tip(sol), parallelogram(2, sol.t), rtol=0, atol=1e4 * rtol
    )  # 200 to 3000 rtol were measured


@pytest.mark.parametrize(
    "coordinates, rtol, starts",
    [
        ("relative", 1e-8, 40),
        ("relative", 1e-9, 40),
        ("relative", 1e-10, 40),
        ("relative", 1e-11, 20),
        ("cartesian", 1e-8, 10),
    ],
)
def test_no_start_leaves_the_branch(coordinates, rtol, starts):
    """Some 500 singular positions per 40 starts, each met at another distance."""
    times = np.linspace(0.0, 10.0, 101)
    for speed in np.linspace(0.3, 6.0, starts):
        sol = kt.simulate(
            chain(2, speed), 10.0, coordinates=coordinates, rtol=rtol, output_interval=0.1
        )
        assert sol.success
        # 7e-5 and in Cartesian coordinates 2e-4 m were measured at 1e-8, 6e-7 m at 1e-10
        assert_allclose(
            tip(sol), parallelogram(2, times, speed), rtol=0, atol=5e-4, err_msg=f"speed {speed}"
        )
