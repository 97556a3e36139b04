"""Every formulation that closes loops gives the accelerations and constraint forces of dense algebra."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kinetree as kt
from kinetree.formulations.catalogue import FORMULATIONS
from support.compare import difference, well_posed
from support.machine import Machine, cartesian, machine
from support.random_models import mechanisms, trees

FIGURE = 1e-9
CLOSING = [f.name for f in FORMULATIONS if f.loops]
views = pytest.mark.parametrize("view", [lambda state: state, cartesian], ids=["relative", "cartesian"])


def agree(state: Machine, name: str) -> None:
    vdot, push = state.dense()
    ours, force = state.formulated(name)
    assert difference(state.accelerations(ours), state.accelerations(vdot), 9.0) <= FIGURE
    assert difference(force, push, np.abs(state.f).max(initial=1e-300)) <= FIGURE


@pytest.mark.parametrize("name", CLOSING)
@views
@given(data=st.data())
@settings(max_examples=20)
def test_accelerations_and_constraint_forces_of_closed_loops(name, view, data):
    state = data.draw(mechanisms(most=8, closures=4))
    assume(well_posed(state))
    agree(view(state), name)


def driven(state: Machine) -> Machine:
    """The same state with one coordinate driven along a sine that passes through it now, at its present speed."""
    model = state.compiled.model
    for name, place in state.compiled.joints.items():
        if place.spec.joint.sensors and place.direct is not None:
            label, at = place.spec.joint.labels[0], place.direct[0]
            link = state.tables.links[place.link]
            value, speed = state.q[link["iq"] + at], state.v[link["iv"] + at]
            model.constraint("drive", kt.Driver(f"{name}.{label}", kt.Sine(speed / (2 * np.pi), 1.0, offset=value)))
            return machine(model, q=state.q, v=state.v)
    return state


@pytest.mark.parametrize("name", CLOSING)
@views
@given(data=st.data())
@settings(max_examples=15)
def test_driven_mechanisms(name, view, data):
    state = driven(data.draw(mechanisms(most=8, closures=3)))
    assume(well_posed(state))
    agree(view(state), name)


@pytest.mark.parametrize("name", [f.name for f in FORMULATIONS])
@given(data=st.data())
@settings(max_examples=15)
def test_open_trees(name, data):
    state = data.draw(trees(most=12))
    assume(state.nv)
    vdot = state.formulated(name)[0]
    assert difference(state.accelerations(vdot), state.accelerations(state.dense()[0]), 9.0) <= 1e-11


@pytest.mark.parametrize("name", CLOSING)
@views
@given(data=st.data())
@settings(max_examples=10)
def test_a_state_that_is_consistent_stays_where_it_is(name, view, data):
    """Settling moves nothing but the length of quaternions when g and G v - nu are rounding."""
    from kinetree.formulations.catalogue import formulation
    from kinetree.formulations.samples import complete

    state = view(data.draw(mechanisms(most=6, closures=3)))
    assume(state.nv)
    y = state.y[None, :].copy()
    complete(formulation(name), state.compiled, state.compiled.workspace(), np.array([0.0]), y)
    np.testing.assert_allclose(y[0], state.y, atol=1e-11)
