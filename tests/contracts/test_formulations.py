"""Formulations for closed loops give the accelerations and forces of dense algebra."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kinetree as kt
from kinetree.engine.formulations.catalogue import FORMULATIONS
from support.compare import difference, well_posed
from support.machine import Machine, cartesian, machine
from support.random_models import mechanisms, trees

FIGURE = 1e-9
EXACT = [f.name for f in FORMULATIONS if f.loops and f.exact]
CLOSING = [*EXACT, "baumgarte"]  # stabilization has no effect if the constraints are satisfied
views = pytest.mark.parametrize(
    "view", [lambda state: state, cartesian], ids=["relative", "cartesian"]
)


def agree(state: Machine, name: str) -> None:
    vdot, push = state.dense()
    ours, force = state.formulated(name)
    assert difference(state.accelerations(ours), state.accelerations(vdot), 9.0) <= FIGURE
    assert difference(force, push, np.abs(state.f).max(initial=1e-300)) <= FIGURE


@pytest.mark.parametrize("name", CLOSING)
@views
@given(data=st.data())
@settings(max_examples=12)
def test_accelerations_and_constraint_forces_of_closed_loops(name, view, data):
    state = data.draw(mechanisms(most=8, closures=4))
    assume(well_posed(state))
    agree(view(state), name)


def driven(state: Machine) -> Machine:
    """The same state with one coordinate driven by a sine through its present value and speed."""
    model = state.compiled.model
    for name, place in state.compiled.joints.items():
        if place.spec.joint.sensors and place.direct is not None:
            label, at = place.spec.joint.labels[0], place.direct[0]
            link = state.tables.links[place.link]
            value, speed = state.q[link["iq"] + at], state.v[link["iv"] + at]
            model.constraint(
                "drive",
                kt.Driver(f"{name}.{label}", kt.Sine(speed / (2 * np.pi), 1.0, offset=value)),
            )
            return machine(model, q=state.q, v=state.v)
    return state


@pytest.mark.parametrize("name", CLOSING)
@views
@given(data=st.data())
@settings(max_examples=8)
def test_driven_mechanisms(name, view, data):
    state = driven(data.draw(mechanisms(most=8, closures=3)))
    assume(well_posed(state))
    agree(view(state), name)


@pytest.mark.parametrize("name", ["tree", *CLOSING])
@given(data=st.data())
@settings(max_examples=8)
def test_open_trees(name, data):
    state = data.draw(trees(most=12))
    assume(state.nv)
    vdot = state.formulated(name)[0]
    assert (
        difference(state.accelerations(vdot), state.accelerations(state.dense()[0]), 9.0) <= 1e-11
    )


@pytest.mark.parametrize("name", EXACT)
@views
@given(data=st.data())
@settings(max_examples=8)
def test_the_projection_leaves_a_consistent_state_unchanged(name, view, data):
    """The projection only normalizes quaternions if g and G v - nu are rounding."""
    state = view(data.draw(mechanisms(most=6, closures=3)))
    assume(state.nv)
    np.testing.assert_allclose(state.settled(name)[2], state.y, atol=1e-11)


@pytest.mark.parametrize("name", EXACT)
@views
@given(data=st.data())
@settings(max_examples=8)
def test_a_small_violation_is_projected_by_a_small_change(name, view, data):
    """Positions and velocities with errors of 1e-5, as after a step, are projected to rounding by a
    change of that order.
    """
    state = view(data.draw(mechanisms(most=5, closures=2, mass_ratio=10.0)))
    assume(well_posed(state, 1e-2))
    rng = np.random.default_rng(1)
    off = state.moved(
        1e-5 * rng.normal(size=state.nv), v=state.v + 1e-5 * rng.normal(size=state.nv)
    )
    q, v, _ = off.compiled.split(off.settled(name, coming_from=state)[2])
    back = off.at(q=q, v=v)
    size = 1.0 + np.abs(back.work.bodies["p"]).max()
    assert np.abs(back.g).max(initial=0.0) <= 1e-11 * size
    assert np.abs(back.G @ back.v - back.nu).max(initial=0.0) <= 1e-11 * size * (
        1.0 + np.abs(v).max()
    )
    np.testing.assert_allclose(back.y, off.y, atol=1e-2)
