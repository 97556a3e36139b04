"""The solution object: how the run went, states at other times, and what happens when a run ends
early.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

from .machines import four_bar, pendulum, rssr


@pytest.fixture(scope="module")
def sol():
    return kt.simulate(rssr(), 0.5, rtol=1e-9)


def test_a_finished_run_says_so(sol):
    assert sol.success and not sol.interrupted and sol.status == "done"
    assert sol.message == "reached t = 0.5 s"
    assert sol.t[0] == 0.0 and sol.t[-1] == 0.5
    assert sol.q.shape[1] + sol.v.shape[1] + sol.x.shape[1] == sol.y.shape[1]
    assert sol.options["rtol"] == 1e-9 and sol.options["integrator"] == "adams"


def test_statistics_count_what_the_log_holds(sol):
    s = sol.statistics
    assert s["accepted"] == len(sol.steps) and s["rejected"] >= sol.steps.rejected.sum()
    assert s["evaluations"] >= sol.steps.evaluations.sum()
    assert (
        s["iterations"] == sol.steps.iterations.sum()
        and s["factorisations"] == sol.steps.factorisations.sum()
    )
    assert (s["velocities"], s["equations"], s["dof"], s["bodies"], s["joints"]) == (5, 3, 2, 3, 4)
    assert_allclose(sol.steps.h.sum(), 0.5, rtol=1e-12)


def test_constraint_errors_are_an_array_with_its_velocities(sol):
    error = sol.constraint_error
    assert len(error) == len(sol.steps) and np.asarray(error).shape == error.velocity.shape
    assert 0.0 < error.max() < 1e-10 and error.max() == error[:].max() == np.max(error)
    assert sol["constraint.position"].max() < 1e-10 and sol["constraint.velocity"].max() < 1e-9


def test_the_story_is_told_in_a_few_lines(sol):
    text = str(sol)
    for piece in (
        "rssr",
        "reached t = 0.5 s",
        "2 degrees of freedom",
        "Constraints are satisfied",
        "drift",
    ):
        assert piece in text
    assert len(text.splitlines()) < 10 and len(repr(sol).splitlines()) == 1


def test_states_at_other_times_lie_between_the_samples():
    fine, coarse = (
        kt.simulate(rssr(), 0.5, rtol=1e-10, output_interval=dt) for dt in (0.005, 0.02)
    )
    other = coarse.at(fine.t[1:-1])
    assert_allclose(
        other["crank.position"], fine["crank.position"][1:-1], atol=2e-6
    )  # cubic over 20 ms
    assert_allclose(other["A.acceleration"], fine["A.acceleration"][1:-1], atol=2e-3)
    assert other["constraint.position"].max() < 1e-10
    assert coarse.at(0.1)["crank.position"].shape == (1, 3)
    with pytest.raises(kt.ModelError, match="within the samples"):
        coarse.at(0.6)


def test_a_run_that_cannot_go_on_keeps_what_it_has():
    m = pendulum()
    m.force("bad", kt.TorsionSpring("A.angle", law=_breaks))
    with pytest.raises(kt.SimulationError) as caught:
        kt.simulate(m, 1.0)
    kept = caught.value.solution
    assert not kept.success and kept.status == "user_code" and "returned NaN" in kept.message
    assert 0.3 < kept.t[-1] < 0.51 and np.isfinite(kept["rod.position"]).all()


def _breaks(t, x, xdot):
    return 0.0 if t < 0.5 else np.nan


def test_a_run_that_fails_at_once_keeps_its_start():
    m = pendulum()
    m.force("bad", kt.TorsionSpring("A.angle", law=_always_breaks))
    with pytest.raises(kt.SimulationError) as caught:
        kt.simulate(m, 1.0)
    kept = caught.value.solution
    assert (
        not kept.success
        and list(kept.t) == list(kept.incomplete) == [0.0]
        and "ended at t = 0" in str(kept)
    )
    assert np.isfinite(kept["rod.position"]).all() and np.isnan(kept["rod.acceleration"]).all()


def _always_breaks(t, x, xdot):
    return np.nan


def test_an_open_tree_has_no_constraints_to_break():
    sol = kt.simulate(pendulum(), 0.2)
    assert sol.constraint_error.max() == 0.0 and not sol["constraint.position"].any()
    assert sol.lam.shape == (len(sol.t), 0) and "Constraints are satisfied" not in str(sol)


def test_redundant_constraints_are_mentioned():
    sentence = "these reactions are not unique: force.y, torque.x, torque.z of A, B, C, D. All others are unique."
    assert sentence in str(kt.simulate(four_bar(), 0.05))
