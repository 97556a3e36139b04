"""Examples of the Modelica Standard Library 4.0 with its reference results (Dymola 2020x, Dassl,
tolerance 1e-6).

Model and numbers: `workshop.problems.modelica`.
"""

import pytest
from numpy.testing import assert_allclose
from workshop.problems.modelica import (
    DOUBLE_PENDULUM,
    FOUR_BAR,
    PENDULUM,
    at,
    double_pendulum,
    four_bar,
    pendulum,
)

import kinetree as kt

BOTH = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


@BOTH
def test_the_damped_pendulum_swings_as_in_dymola(coordinates):
    sol = kt.simulate(pendulum(), 5.0, coordinates=coordinates, rtol=1e-10, output_interval=0.01)
    t, phi, w = PENDULUM.T
    assert_allclose(at(sol, "rev.angle", t), phi, rtol=0, atol=6e-6)
    assert_allclose(at(sol, "rev.rate", t), w, rtol=0, atol=3e-5)
    assert (
        sol.energy.imbalance < 1e-6
    )  # the work of the damper is the integral of a spline through the samples


@BOTH
def test_the_double_pendulum_swings_as_in_dymola(coordinates):
    sol = kt.simulate(
        double_pendulum(), 3.0, coordinates=coordinates, rtol=1e-10, output_interval=0.3
    )
    t, phi1, w1, phi2, w2 = DOUBLE_PENDULUM.T
    assert_allclose(at(sol, "revolute1.angle", t), phi1, rtol=0, atol=5e-5)
    assert_allclose(at(sol, "revolute1.rate", t), w1, rtol=0, atol=3e-4)
    assert_allclose(at(sol, "revolute2.angle", t), phi2, rtol=0, atol=5e-5)
    assert_allclose(at(sol, "revolute2.rate", t), w2, rtol=0, atol=3e-4)


@BOTH
def test_the_spatial_slider_crank_runs_as_in_dymola(coordinates):
    sol = kt.simulate(four_bar(), 5.0, coordinates=coordinates, rtol=1e-11, output_interval=0.25)
    t, phi, w = FOUR_BAR.T
    assert_allclose(
        at(sol, "j1.angle", t), phi, rtol=0, atol=8e-4
    )  # Dassl's drift, shown by the next line
    assert_allclose(at(sol, "j1.rate", t), w, rtol=0, atol=2e-3)
    assert abs(sol["j1.angle"][-1] - 40.6645402) < 5e-8  # independent computation, nine digits
    assert abs(sol["j1.rate"][-1] - 12.03762213) < 1e-8
    assert sol.energy.drift < 1e-9
    assert sol.constraint_error.max() < 1e-11
