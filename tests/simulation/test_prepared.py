"""A prepared model: the same runs as `simulate`, with other states, times and tolerances."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kinetree as kt
from kinetree.models.catalogue import model_entry
from kinetree.simulation.stepper import can_step

METHODS = ["adams", "dop853", "switching", "bdf", "bdf-direct"]


def built(name="four-bar"):
    return model_entry(name).build()


def ends_of(state):
    return np.concatenate([state.q, state.v, state.x])


@pytest.mark.parametrize("integrator", METHODS)
@pytest.mark.parametrize("name", ["pendulum", "four-bar", "rssr", "excavator"])
def test_a_prepared_run_has_the_bits_of_simulate(name, integrator):
    if name == "pendulum" and integrator == "bdf-direct":
        pytest.skip("an open tree has no constrained equations")
    how = {"integrator": integrator, "rtol": 1e-5}
    sol, prepared = kt.simulate(built(name), 0.3, **how), kt.prepare(built(name), **how)
    for _ in range(2):
        again, state = prepared.run(0.3), prepared.advance(0.3)
        assert_array_equal(again.y, sol.y)
        assert_array_equal(again.lam, sol.lam)
        # samples of "dop853" are stages of its steps, and a run without them differs within rtol
        atol = 1e-5 if integrator == "dop853" else 0.0
        assert_allclose(ends_of(state), sol.result.y, rtol=0.0, atol=atol)
        assert state.t == sol.result.t == 0.3


def test_the_run_of_another_state_has_the_bits_of_simulate():
    m = built()
    prepared, state = kt.prepare(m), kt.simulate(m, 0.3).at(0.2)
    sol = kt.simulate(m, 0.5, state=state)
    assert_array_equal(prepared.run(0.5, start=state).y, sol.y)
    assert_array_equal(ends_of(prepared.advance(0.5, start=state)), sol.result.y)
    assert prepared.run(0.5, start=state).options == sol.options


def test_a_state_may_be_given_as_an_array_or_by_coordinates():
    prepared = kt.prepare(built("pendulum"))
    y = ends_of(prepared.start)
    y[0] = 0.4
    by_name = prepared.advance(0.2, start={"hinge.angle": 0.4})
    assert_array_equal(ends_of(prepared.advance(0.2, start=y)), ends_of(by_name))
    assert_array_equal(prepared.run(0.2, start=y).y[0], y)
    assert prepared.run(0.3, start=y, t0=0.1).t[0] == 0.1


def test_steps_from_state_to_state_follow_the_motion():
    prepared = kt.prepare(built(), rtol=1e-9)
    state = prepared.start
    for k in range(10):
        state = prepared.advance(0.05 * (k + 1), start=state)
    whole = prepared.advance(0.5)
    assert_allclose(ends_of(state), ends_of(whole), atol=1e-6)  # 10 runs of rtol 1e-9


def test_tolerances_may_change_from_run_to_run():
    m, prepared = built(), kt.prepare(built())
    for how in ({"rtol": 1e-3}, {"rtol": 1e-6, "atol": 1e-9}, {}):
        expected = kt.simulate(m, 0.4, **how)
        assert_array_equal(ends_of(prepared.advance(0.4, **how)), expected.result.y)
        assert_array_equal(prepared.run(0.4, **how).y, expected.y)


def test_breaks_of_time_functions_are_kept():
    m = built("pendulum")
    step = kt.Ramp(slope=5.0, begin=0.1)
    m.force("push", kt.Torque((0.0, step, 0.0)), next(iter(m.bodies.values())))
    expected = kt.simulate(m, 0.3)
    assert len(expected.breaks) == 1
    assert_array_equal(ends_of(kt.prepare(m).advance(0.3)), expected.result.y)


def test_models_with_user_code_events_and_beams_advance_too():
    m = built("pendulum")
    m.force("own", kt.Torque((0.0, lambda t: 0.1 * t, 0.0)), next(iter(m.bodies.values())))
    expected = kt.simulate(m, 0.3)
    assert_array_equal(ends_of(kt.prepare(m).advance(0.3)), expected.result.y)
    stopped = kt.Event("hinge.angle", terminal=True)
    prepared, sol = kt.prepare(built("pendulum"), events=stopped), None
    sol = kt.simulate(built("pendulum"), 5.0, events=stopped)
    assert sol.result.ended and prepared.advance(5.0).t == sol.result.t
    beam = built("flexible-four-bar")
    expected = kt.simulate(beam, 0.01, step=0.002)
    assert_array_equal(kt.prepare(beam, step=0.002).run(0.01).y, expected.y)


def test_models_with_contacts_and_with_smooth_user_code_advance_too():
    m = kt.Model("block")
    body = m.body("body", kt.box(1.0, (0.2, 0.2, 0.1)), position=(0, 0, 0.05), velocity=(2, 0, 0))
    m.float(body)
    shape = kt.shapes.Box((0.2, 0.2, 0.1)).on(body)
    m.contact("floor", kt.shapes.HalfSpace().on(m.ground), shape, kt.RigidContact(friction=0.3))
    prepared, sol = kt.prepare(m), kt.simulate(m, 1.0)
    assert sol.events and can_step(prepared._plan)
    assert_array_equal(ends_of(prepared.advance(1.0)), sol.result.y)
    own = built("pendulum")
    law = kt.UserForce(lambda t, a, b, p, f, tau: None, longest_step=np.inf)
    own.force("own", law, own.ground, next(iter(own.bodies.values())))
    prepared = kt.prepare(own)
    assert can_step(prepared._plan)
    assert_array_equal(ends_of(prepared.advance(0.3)), kt.simulate(own, 0.3).result.y)


def test_later_changes_of_the_model_have_no_effect():
    m = built()
    prepared, expected = kt.prepare(m), kt.simulate(m, 0.3)
    m.gravity[2] = -1.0
    assert_array_equal(prepared.run(0.3).y, expected.y)


def test_threads_share_a_prepared_model():
    prepared = kt.prepare(built(), rtol=1e-6)
    ends = np.linspace(0.1, 0.5, 12)
    expected = [ends_of(prepared.advance(t)) for t in ends]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda t: ends_of(prepared.advance(t)), np.tile(ends, 8)))
    for one, other in zip(found, expected * 8):
        assert_array_equal(one, other)


def test_a_pickled_prepared_model_runs_the_same():
    prepared = kt.prepare(built(), integrator="dop853", rtol=1e-6)
    again = pickle.loads(pickle.dumps(prepared))
    assert str(again) == str(prepared)
    assert_array_equal(again.run(0.3).y, prepared.run(0.3).y)


def test_states_cannot_be_changed():
    state = kt.prepare(built()).advance(0.1)
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1.0


def test_a_state_that_violates_the_constraints_is_refused():
    prepared = kt.prepare(built())
    y = ends_of(prepared.start)
    y[0] += 0.1
    for call in (prepared.run, prepared.advance):
        with pytest.raises(kt.ModelError, match="violates the constraints"):
            call(0.3, start=y)


def test_a_run_that_cannot_continue_raises_the_error_of_simulate():
    m = built("pendulum")
    with pytest.raises(kt.SimulationError) as expected:
        kt.simulate(m, 0.5, max_steps=3)
    with pytest.raises(kt.SimulationError) as caught:
        kt.prepare(m, max_steps=3).advance(0.5)
    assert str(caught.value) == str(expected.value)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda m: kt.prepare("four-bar"), "prepare: model"),
        (lambda m: kt.prepare(m, until=1.0), "give until= to Prepared.run"),
        (lambda m: kt.prepare(m, integrater="bdf"), "integrator"),
        (lambda m: kt.prepare(m, rtol=-1.0), "rtol"),
        (lambda m: kt.prepare(m, order=3, integrator="dop853"), "order"),
        (lambda m: kt.prepare(m).advance(0.0), "after the start"),
        (lambda m: kt.prepare(m).advance("soon"), "advance: until"),
        (lambda m: kt.prepare(m).advance(1.0, rtol=2.0), "rtol"),
        (lambda m: kt.prepare(m).advance(1.0, start=np.zeros(3)), "start must be"),
        (lambda m: kt.prepare(m).run(1.0, start=np.full(8, np.nan)), "start"),
        (lambda m: kt.prepare(m, integrator="rk4", step=0.01).advance(1.0, rtol=1e-3), "rtol"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(call, sentence):
    with pytest.raises((kt.ModelError, kt.UnknownArgument), match=sentence):
        call(built())
