"""Slider-crank with a flexible connecting rod (Simeon 1996; Test Set for IVP Solvers 2.4, problem
"crank").

Model and numbers: `workshop.problems.flexible_slider_crank`.
"""

import pytest
from numpy.testing import assert_allclose
from workshop.problems.flexible_slider_crank import (
    END,
    END_RATE,
    UNTIL,
    published,
    slider_crank,
    state,
)

import kinetree as kt


def run(coordinates="relative", **how):
    how = {"integrator": "dop853", "rtol": 1e-10, "output_interval": 1e-3, **how}
    return kt.simulate(slider_crank(), UNTIL, coordinates=coordinates, **how)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_it_ends_where_the_test_set_says(coordinates):
    sol = run(coordinates)
    # The published end is 4e-11 off: the published equations, integrated by another program, end
    # where we do, as the next test shows.
    assert_allclose(state(sol)[-1], list(END.values()), rtol=0, atol=6e-11)
    assert abs(sol["A.rate"][-1] + sol["B.rate"][-1] - END_RATE) < 1e-6


def test_the_whole_curve_is_that_of_the_published_equations():
    sol = run(rtol=1e-12)
    # accelerations of the two programs agree to rounding; both have tolerances of 1e-11 and less
    assert_allclose(state(sol), published(sol.t), rtol=0, atol=3e-12)
