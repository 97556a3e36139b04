"""Arguments of an integration, its progress, and its cancellation."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kinetree.engine.integrators.catalogue import INTEGRATORS, find
from kinetree.engine.integrators.integrate import integrate
from kinetree.errors import ModelError
from kinetree.kernel.decorators import JIT
from kinetree.kernel.tables.status import Status

from .problems import oscillator


def run(until=1.0, y0=(1.0, 0.0), **options):
    return integrate(oscillator, y0, until, **options)


REFUSED = [  # options, and words the refusal must contain
    (dict(until=0.0), "nothing to integrate"),
    (dict(until=-1.0), "forward in time"),
    (dict(until=1.0, t0=1.0 + 1e-16), "nothing to integrate"),
    (dict(until=float("nan")), "finite"),
    (dict(until=float("inf")), "finite"),
    (dict(y0=[1.0, float("nan")]), "must be finite"),
    (dict(y0=[[1.0, 0.0]]), "numbers in a row"),
    (dict(rtol=0.0), "rtol"),
    (dict(rtol=float("nan")), "rtol"),
    (dict(atol=0.0), "atol"),
    (dict(atol=[1e-8] * 3), "one per component (2)"),
    (dict(max_step=-1.0), "max_step"),
    (dict(max_step=1e-17), "spacing"),
    (dict(max_step=float("nan")), "max_step"),
    (dict(first_step=0.0), "first_step"),
    (dict(step=0.1), "integrator 'adams' has no option 'step'"),
    (dict(method="rk4"), "integrator 'rk4' needs step="),
    (dict(method="rk4", step=0.0), "step must be positive, got 0.0"),
    (dict(method="rk4", step=1e-300), "spacing"),
    (dict(method="rk4", step=0.1, order=3), "Integrators with 'order': adams, adams-fixed, bdf"),
    (dict(method="adams-fixed", step=0.1, order=9), "1 to 8"),
    (dict(order=13), "1 to 12"),
    (dict(samples=[0.5, 0.2]), "sorted"),
    (dict(samples=[0.5, 1.2]), "leave the run"),
]


@pytest.mark.parametrize("options, words", REFUSED, ids=str)
def test_an_impossible_request_is_refused_with_a_reason(options, words):
    with pytest.raises(ModelError) as refusal:
        run(**options)
    assert words in str(refusal.value)


def test_the_error_of_a_misspelled_method_suggests_the_right_name():
    with pytest.raises(
        ModelError, match=r"no integrator named 'adasm'. Did you mean 'adams'\? Integrators: adams,"
    ):
        find("adasm")


@pytest.mark.skipif(not JIT, reason="plain functions are fine then")
def test_a_right_hand_side_that_is_not_compiled_is_refused():
    with pytest.raises(ModelError, match="@kernel"):
        integrate(lambda tables, work, t, y, ydot: 0, [1.0], 1.0)


def test_catalogue_entries_describe_themselves():
    assert len({entry.name for entry in INTEGRATORS}) == len(INTEGRATORS)
    for entry in INTEGRATORS:
        assert find(entry.name) is entry
        assert entry.summary and entry.reference and entry.handles
        assert entry.order in (entry.orders or (entry.order,))


def test_one_step_may_be_the_whole_run():
    result = run(method="rk4", step=5.0)
    assert_array_equal(result.log["h"], [1.0])


@pytest.mark.parametrize(
    "until, step, count",
    [(1.0, 0.1, 10), (0.3, 0.1, 3), (1.0, 1.0 / 3.0, 3), (1.0, 0.3, 4), (1000.0, 0.1, 10000)],
)
def test_a_step_that_divides_the_interval_up_to_rounding_is_not_cut(until, step, count):
    log = run(until=until, method="euler", step=step).log
    assert len(log) == count
    assert (log["h"][:-1] == step).all()
    assert log["h"][-1] == step or count == 4


def test_progress_is_reported_with_rising_times():
    seen = []
    result = run(until=20.0, on_chunk=seen.append, chunk=10)
    assert len(seen) == -(-result.accepted // 10)
    assert seen == sorted(seen) and seen[-1] == 20.0


@pytest.mark.parametrize("method, step", [("adams", None), ("rk4", 0.01)])
def test_a_canceled_run_keeps_its_states(method, step):
    times = np.linspace(0.0, 20.0, 41)
    whole = run(until=20.0, method=method, step=step, samples=times)
    part = run(
        until=20.0, method=method, step=step, samples=times, chunk=20, on_chunk=lambda t: t < 5.0
    )
    assert part.interrupted and not part.done and part.status == Status.MORE
    assert 5.0 <= part.t == part.log["t"][-1] < 20.0
    assert_array_equal(part.log["t"], whole.log["t"][: part.accepted])
    assert_array_equal(part.samples_y, whole.samples_y[: len(part.samples_t)])
    assert part.samples_t[-1] <= part.t


def test_an_interrupt_from_the_keyboard_ends_the_run_cleanly():
    def press(t):
        raise KeyboardInterrupt

    result = run(until=20.0, chunk=20, on_chunk=press)
    assert result.interrupted and len(result.log) == 20


def test_tolerances_may_differ_between_components():
    loose, tight = run(until=20.0, atol=[1e-3, 1e-3]), run(until=20.0, atol=[1e-3, 1e-12])
    assert tight.evaluations > loose.evaluations
