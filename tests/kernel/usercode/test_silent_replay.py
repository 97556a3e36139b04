"""Failed compiled code is evaluated again in Python to find the cause, without further warnings."""

import warnings

import pytest

import kinetree as kt


def growing(t, y, ydot):
    ydot[0] = 1e200 * y[0]


def test_a_rate_that_overflows_is_an_error_without_warnings():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with pytest.raises(kt.SimulationError, match="NaN or infinite"):
            kt.solve_ode(growing, [1.0], 1.0, integrator="euler", step=0.1)
    assert [str(one.message) for one in seen if issubclass(one.category, RuntimeWarning)] == []
