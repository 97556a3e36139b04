"""IFToMM benchmark A01, the simple pendulum (Gonzalez, Dopico, Lugris, Cuadrado 2006).

Model and numbers: `workshop.problems.simple_pendulum`.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from workshop.problems.simple_pendulum import EXACT, OFFICIAL, PERIOD, pendulum, places

import kinetree as kt


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_pendulum_is_where_the_elliptic_functions_say_for_a_hundred_seconds(coordinates):
    sol = kt.simulate(pendulum(), 100.0, coordinates=coordinates, rtol=1e-12, output_interval=0.5)
    times = [t for t in EXACT if t <= 100]
    # 42 periods at rtol = 1e-12: an error of the phase of a few hundred rtol
    assert_allclose(places(sol, times), [EXACT[t] for t in times], rtol=0, atol=1e-9)
    assert sol.energy.drift < 1e-10
    assert sol.constraint_error.max() < 1e-12


def test_two_thousand_seconds_stay_on_the_exact_path_and_on_the_official_series():
    sol = kt.simulate(pendulum(), 2000.0, rtol=1e-13, output_interval=0.5)
    assert_allclose(places(sol, EXACT), list(EXACT.values()), rtol=0, atol=2e-8)  # 845 periods
    assert_allclose(
        places(sol, OFFICIAL), list(OFFICIAL.values()), rtol=0, atol=8e-7
    )  # their accuracy
    assert sol.energy.drift < 1e-10


def test_after_whole_periods_the_pendulum_is_back_at_rest():
    sol = kt.simulate(pendulum(), 10 * PERIOD, rtol=1e-12, output_interval=PERIOD)
    assert_allclose(
        sol["point.position"], np.tile([-1.0, 0.0, 0.0], (11, 1)), rtol=0, atol=2e-10
    )  # 200 tolerances, as below
    assert_allclose(sol["pivot.rate"], 0.0, atol=2e-10)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_error_after_ten_seconds_follows_the_tolerance(coordinates):
    errors = []
    for rtol in (1e-6, 1e-8, 1e-10):
        sol = kt.simulate(pendulum(), 10.0, coordinates=coordinates, rtol=rtol, output_interval=0.5)
        errors.append(np.abs(places(sol, [10]) - EXACT[10]).max() / rtol)
    assert max(errors) < 200  # error of a run in units of its tolerance; 13 to 39 were measured
