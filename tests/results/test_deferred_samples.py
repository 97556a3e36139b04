"""Samples of short runs are completed when they are first used."""

import copy
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import kinetree as kt
from kinetree.models.catalogue import model_entry
from kinetree.results import completion
from kinetree.results.completion import Solved
from kinetree.simulation import collect


@pytest.fixture
def completed(monkeypatch):
    """The numbers of samples that were completed, block after block."""
    found, real = [], completion.complete

    def complete(method, compiled, work, t, y):
        found.append(len(t))
        return real(method, compiled, work, t, y)

    monkeypatch.setattr(completion, "complete", complete)
    return found


def four_bar(**options):
    return kt.simulate(model_entry("four-bar").build(), 0.2, **options)


@pytest.fixture
def whole(monkeypatch):
    """The run with its samples completed at its end."""
    with monkeypatch.context() as context:
        context.setattr(collect, "LONG", 0)
        return four_bar()


def test_samples_are_completed_once_and_at_their_first_use(whole, completed):
    sol = four_bar()
    assert len(sol.t) == 501 and sol.result.done and not completed
    assert_array_equal(sol.y, whole.y)
    assert_array_equal(sol.lam, whole.lam)
    assert_array_equal(sol["C.force"], whole["C.force"])
    assert completed == [501]


@pytest.mark.parametrize(
    "use",
    [
        lambda sol: sol.success,
        lambda sol: str(sol).splitlines()[1:],
        lambda sol: sol["A.angle"],
        lambda sol: sol.energy.drift,
        lambda sol: pickle.loads(pickle.dumps(sol)).y,
        lambda sol: copy.deepcopy(sol).y,
        lambda sol: sol.at(0.1).y,
    ],
)
def test_every_use_of_the_samples_finds_them_completed(use, whole):
    assert_array_equal(use(four_bar()), use(whole))


def test_threads_complete_the_samples_once(completed, monkeypatch):
    sol, real = four_bar(), collect.complete_run

    def slowly(*arguments):
        time.sleep(0.02)
        return real(*arguments)

    monkeypatch.setattr(collect, "complete_run", slowly)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: sol.y, range(16)))
    assert completed == [501] and all(one is found[0] for one in found)


def test_a_file_has_completed_samples(whole, completed, tmp_path):
    four_bar(out=tmp_path / "run.nc")
    assert completed == [501]
    assert_array_equal(kt.open_solution(tmp_path / "run.nc").lam, whole.lam)


def test_user_code_runs_before_simulate_returns(completed):
    m = model_entry("pendulum").build()
    m.force("own", kt.Torque((0.0, lambda t: 0.1 * t, 0.0)), next(iter(m.bodies.values())))
    kt.simulate(m, 0.2)
    assert completed == [501]


def test_a_sample_without_accelerations_is_an_error_at_every_use(monkeypatch):
    real = collect.complete_run

    def complete_run(*arguments):
        solved, watch = real(*arguments)
        solved.vdot[3] = np.nan
        return Solved(solved.vdot, solved.lam, np.array([3])), watch

    monkeypatch.setattr(collect, "complete_run", complete_run)
    sol = four_bar()
    assert not sol.success
    for _ in range(2):
        with pytest.raises(
            kt.SimulationError, match=r"all states are kept in err\.solution"
        ) as caught:
            _ = sol["A.angle"]
    assert_array_equal(caught.value.solution.incomplete, sol.t[[3]])
    assert caught.value.solution["A.angle"].shape == (501,)
