"""Solutions, states and errors in other processes, and copied."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.catalogue import model_entry


def same(sol, other):
    assert [
        name for name in sol.names() if not np.array_equal(sol[name], other[name], equal_nan=True)
    ] == []
    assert other.names() == sol.names() and str(other) == str(sol)


@pytest.mark.parametrize(
    "way",
    [lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy],
    ids=["pickle", "deepcopy"],
)
def test_solutions_and_states_are_the_same_afterwards(way, tmp_path):
    model = model_entry("four-bar").build()
    sol = kt.simulate(model, 0.1)
    same(sol, way(sol))
    state, again = sol.at(0.05), way(sol.at(0.05))
    assert np.array_equal(again.y, state.y)
    assert np.array_equal(
        kt.simulate(model, 0.1, state=again).y, kt.simulate(model, 0.1, state=state).y
    )
    start = kt.assemble(model)
    assert str(way(start)) == str(start) and np.array_equal(way(start).y, start.y)
    sol.save(tmp_path / "run.nc")
    same(sol, way(kt.open_solution(tmp_path / "run.nc")))


def test_a_model_with_a_local_function_stays_behind_and_its_numbers_do_not():
    model = model_entry("pendulum").build()
    model.force(
        "push", kt.PointForce((lambda t: 3.0 * t, 0.0, 0.0)), next(iter(model.bodies.values()))
    )
    sol = kt.simulate(model, 0.1)
    same(sol, pickle.loads(pickle.dumps(sol)))
    same(sol, copy.deepcopy(sol))


def nan_after(t):
    return float("nan") if t > 0.05 else 0.0


def fails(_):
    model = model_entry("pendulum").build()
    model.force(
        "push", kt.PointForce((0.0, 0.0, kt.Function(nan_after))), next(iter(model.bodies.values()))
    )
    kt.simulate(model, 0.1)


def test_an_error_of_another_process_keeps_its_cause_and_its_run():
    with pytest.raises(kt.SimulationError) as here:
        fails(0)
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(kt.SimulationError) as there,
    ):
        pool.submit(fails, 0).result()
    assert str(there.value) == str(here.value) and (there.value.t, there.value.element) == (
        here.value.t,
        here.value.element,
    )
    assert np.array_equal(there.value.solution.y, here.value.solution.y)
