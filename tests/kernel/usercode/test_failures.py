"""What fails in user code is told with its true cause, element and time, belongs to its run alone,
and loses nothing.
"""

import math
import threading

import numpy as np
import pytest

import kinetree as kt

from .machines import METHODS, linkage, slide, with_controllers, with_law, with_signal

pytestmark = pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")


class Root:
    """Defined from t = 0 on."""

    def __call__(self, t):
        return math.sqrt(t)


class Feed:
    """A source that dries up after so many calls."""

    def __init__(self, calls):
        self.left = calls

    def __call__(self, t):
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("feed is gone")
        return 0.0


def nan_after(end):
    def f(t):
        return math.nan if t > end else 0.0

    return f


def raise_after(end):
    def f(t):
        if t > end:
            raise ValueError("beyond the chart")
        return 0.0

    return f


def nan_in_an_output_nobody_reads(t, u, x, parameters, xdot, out):
    out[0] = math.nan if t > 0.1 else 0.0


def test_a_function_defined_from_zero_on_is_not_called_before():
    assert kt.simulate(with_signal(Root()), 0.2).success


@pytest.mark.parametrize("method, options", METHODS)
def test_an_output_without_value_ends_the_run_even_if_it_is_not_read(method, options):
    with pytest.raises(
        kt.SimulationError, match=r"the output 'first\.a' is NaN or infinite"
    ) as caught:
        kt.simulate(
            with_controllers(nan_in_an_output_nobody_reads), 0.2, integrator=method, **options
        )
    assert caught.value.element == "first"
    assert caught.value.t == pytest.approx(
        0.1, abs=0.011
    )  # a fixed step of 0.01 s stops before the one that fails
    assert np.isfinite(caught.value.solution.y).all()


def test_an_error_of_one_run_is_not_reported_in_the_next():
    with pytest.raises(kt.SimulationError, match="feed is gone"):
        kt.simulate(with_signal(Feed(20)), 0.2)
    with pytest.raises(kt.SimulationError) as caught:
        kt.simulate(with_law(lambda t, x, xdot: math.nan if t > 0.1 else 0.0), 0.2)
    assert caught.value.element == "law" and "feed" not in str(caught.value)


def test_parallel_runs_report_their_own_failures():
    models = {
        name: with_signal(f)
        for name, f in {
            "well": lambda t: 0.0,
            "nan": nan_after(0.1),
            "raises": raise_after(0.1),
            "feed": Feed(20),
        }.items()
    }
    told = {}

    def run(name):
        try:
            told[name] = str(kt.simulate(models[name], 0.2, progress=False).success)
        except kt.SimulationError as error:
            told[name] = str(error)

    threads = [threading.Thread(target=run, args=(name,)) for name in models]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert told["well"] == "True"
    assert "NaN" in told["nan"] and "raised" not in told["nan"]
    assert "ValueError: beyond the chart" in told["raises"]
    assert "ConnectionError: feed is gone" in told["feed"]


@pytest.mark.parametrize(
    "f, said", [(nan_after(0.3), "NaN"), (raise_after(0.3), "ValueError: beyond the chart")]
)
@pytest.mark.parametrize("method, options", [("adams", {}), ("bdf", {}), ("rk4", {"step": 0.005})])
def test_a_fault_of_user_code_in_a_closed_loop_is_no_change_point(f, said, method, options):
    with pytest.raises(kt.SimulationError, match=said) as caught:
        kt.simulate(linkage(f), 0.5, integrator=method, **options)
    assert caught.value.element == "user" and "change point" not in str(caught.value)
    assert caught.value.t == pytest.approx(0.3, abs=0.006)  # the length of a fixed step


def test_a_driver_that_raises_is_named_with_what_it_said():
    m, _ = slide()
    m.constraint("motor", kt.Driver("A.displacement", raise_after(0.2)))
    with pytest.raises(
        kt.SimulationError, match="'motor' raised ValueError: beyond the chart"
    ) as caught:
        kt.simulate(m, 0.5)
    assert caught.value.element == "motor"
    assert caught.value.t == pytest.approx(0.2, abs=1e-3)  # differences look 1e-4 s ahead


def test_a_gap_between_two_steps_costs_the_accelerations_there_and_nothing_else():
    """The mass coasts at 1 m/s: one step passes the gap, three samples lie in it."""

    def gap(t):
        return math.nan if 5.0 < t < 5.07 else 0.0

    with pytest.raises(kt.SimulationError, match=r"'push' .*NaN.* 3 of 501 samples") as caught:
        kt.simulate(with_signal(gap), 10.0, max_step=1.0)
    error, sol = caught.value, caught.value.solution
    assert error.element == "push" and error.t == pytest.approx(5.02)
    assert sol.result.done and not sol.success
    np.testing.assert_allclose(sol["A.displacement"], sol.t, atol=1e-8)
    np.testing.assert_allclose(sol.incomplete, [5.02, 5.04, 5.06])
    assert np.isnan(sol["A.acceleration"]).sum() == 3 and "3 of 501" in str(sol)


def test_all_states_before_a_permanent_fault_are_kept():
    with pytest.raises(kt.SimulationError, match="feed is gone") as caught:
        kt.simulate(with_signal(Feed(1000)), 20.0, output_interval=0.02)
    sol = caught.value.solution
    assert len(sol.t) >= len(sol.result.samples_t) > 100
    np.testing.assert_allclose(sol["A.displacement"], sol.t, atol=1e-8)
    assert sol.t[-1] == sol.result.t and "samples" in str(sol)


def test_a_fault_while_samples_are_completed_is_not_reported_as_a_fault_of_the_model():
    well = Feed(10**9)
    kt.simulate(with_signal(well), 0.5)
    in_the_run = 10**9 - well.left - 501  # one call per sample
    with pytest.raises(
        kt.SimulationError, match=r"'push' raised ConnectionError: feed is gone.*reached t = 0.5 s"
    ) as caught:
        kt.simulate(with_signal(Feed(in_the_run + 100)), 0.5)
    assert len(caught.value.solution.incomplete) == 401
    assert np.isfinite(caught.value.solution.y).all()


def test_an_incomplete_solution_can_be_evaluated_at_times_where_the_code_returns_values():
    with pytest.raises(kt.SimulationError) as caught:
        kt.simulate(with_signal(nan_after(0.305)), 0.5)
    sol = caught.value.solution
    assert sol.at([0.1234, 0.2]).y[:, 0] == pytest.approx([0.1234, 0.2], abs=1e-8)
