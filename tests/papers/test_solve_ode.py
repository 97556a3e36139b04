"""Ordinary differential equations by the integrators of the engine."""

import math
import warnings

import numpy as np
import pytest

from kinetree.analysis.ode import solve_ode
from kinetree.errors import ModelError, NameNotFound, SimulationError
from kinetree.kernel.usercode.registry import SlowCallback
from support.methods import PLAIN


def swing(t, y, ydot):
    ydot[0] = y[1]
    ydot[1] = -4.0 * y[0] + math.cos(t)


@pytest.mark.parametrize("integrator", PLAIN, ids=lambda i: i.name)
def test_every_integrator_solves_a_driven_oscillator(integrator):
    """y'' = -4 y + cos t from rest: y = (cos t - cos 2t) / 3."""
    how = {"rtol": 1e-10} if integrator.adaptive else {"step": 1e-3}
    sol = solve_ode(swing, (0.0, 0.0), 2.0, integrator=integrator.name, samples=11, **how)
    exact = (np.cos(sol.t) - np.cos(2 * sol.t)) / 3
    assert sol.t.shape == (11,) and sol.y.shape == (11, 2)
    tolerance = max(5.0 * 1e-3**integrator.order, 1e-8)  # h^p times slopes of a few
    assert np.abs(sol.y[:, 0] - exact).max() < tolerance


def test_solve_ode_returns_the_sample_times_and_the_start():
    sol = solve_ode(swing, (0.0, 0.0), 1.5, start=0.5, samples=[0.5, 0.75, 1.5])
    assert sol.t.tolist() == [0.5, 0.75, 1.5]
    assert sol.log["t"][-1] == 1.5


def test_solve_ode_without_samples_returns_start_and_end():
    sol = solve_ode(swing, (1.0, 0.0), 1.0)
    assert sol.t.tolist() == [0.0, 1.0] and sol.y[0].tolist() == [1.0, 0.0]
    assert sol.evaluations >= len(sol.log)


def test_a_function_that_cannot_be_compiled_still_runs():
    rates = {"decay": -1.0}

    def decay(t, y, ydot):
        ydot[0] = rates["decay"] * y[0]

    with pytest.warns(SlowCallback):
        sol = solve_ode(decay, (1.0,), 1.0, rtol=1e-10)
    assert sol.y[-1, 0] == pytest.approx(math.exp(-1.0), abs=1e-9)


def test_the_error_contains_what_the_function_raises():
    def broken(t, y, ydot):
        raise LookupError("no table entry")

    with warnings.catch_warnings(), pytest.raises(SimulationError, match=r"NaN|no table entry"):
        warnings.simplefilter("ignore")
        solve_ode(broken, (1.0,), 1.0)


def test_an_overflow_raises_an_error_with_its_time_and_the_last_state():
    def explode(t, y, ydot):
        ydot[0] = y[0] * y[0]  # y = 1 / (1 - t)

    with pytest.raises(SimulationError) as error:
        solve_ode(explode, (1.0,), 2.0, samples=20)
    assert error.value.t == pytest.approx(1.0, abs=1e-6)
    assert len(error.value.solution.t) == 10  # those of the twenty that lie before t = 1


def test_a_wrong_request_is_refused():
    with pytest.raises(ModelError, match="must be callable"):
        solve_ode(3, (1.0,), 1.0)
    with pytest.raises(NameNotFound, match="Did you mean 'adams'"):
        solve_ode(swing, (0.0, 0.0), 1.0, integrator="admas")
