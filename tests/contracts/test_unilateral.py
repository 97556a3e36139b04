"""Every unilateral element: the row of a place is the rate of its gap, its bias the rate of the row,
and its load does this work, in any coordinates.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.forces.contact_law import ContactLaw
from kinetree.elements.shapes.points import POINT_PAIRS
from kinetree.engine.contacts.rows import evaluate_rows
from kinetree.engine.dynamics.loads import loads
from support.machine import Machine, cartesian, machine
from support.random_models import random_coordinates, random_mass, random_rotation

STEP = 1e-5  # central differences: truncation 1e-10, rounding 1e-11
BALL, CAPSULE = kt.shapes.Ball(0.2), kt.shapes.Capsule(0.1, 0.5)


def rough(a, b):
    return kt.RigidContact(friction=0.4).between(a, b)


RNG = np.random.default_rng(5)
CORNERS = kt.shapes.Hull(RNG.uniform(-0.2, 0.2, (12, 3)))
WAVES = kt.shapes.HeightField(0.02 * RNG.normal(size=(9, 9)), spacing=0.4)
ROUND = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
OVAL = np.column_stack([0.2 * np.cos(ROUND), 0.15 * np.sin(ROUND)])

ELEMENTS = {
    "ball on half-space": lambda: rough(kt.shapes.HalfSpace(), BALL),
    "half-space on capsule": lambda: rough(CAPSULE, kt.shapes.HalfSpace()),
    "box on half-space": lambda: rough(kt.shapes.HalfSpace(), kt.shapes.Box((0.2, 0.3, 0.4))),
    "cylinder on half-space": lambda: rough(kt.shapes.HalfSpace(), kt.shapes.Cylinder(0.2, 0.3)),
    "balls": lambda: rough(BALL, BALL),
    "ball on capsule": lambda: rough(BALL, CAPSULE),
    "ball on box": lambda: rough(kt.shapes.Box((0.2, 0.3, 0.4)), BALL),
    "ball on cylinder": lambda: rough(kt.shapes.Cylinder(0.2, 0.3), BALL),
    "capsules": lambda: rough(CAPSULE, CAPSULE),
    "hull on half-space": lambda: rough(kt.shapes.HalfSpace(), CORNERS),
    "ball on hull": lambda: rough(CORNERS, BALL),
    "ball on height field": lambda: rough(WAVES, BALL),
    "ball on profile": lambda: rough(kt.shapes.Profile(OVAL, smooth=True), BALL),
    "roller on profile": lambda: rough(
        kt.shapes.Profile(OVAL, smooth=True), kt.shapes.Cylinder(0.05, 0.1)
    ),
    "polygon on half-space": lambda: rough(kt.shapes.HalfSpace(), kt.shapes.Profile(OVAL[::4])),
    "cam on half-space": lambda: rough(kt.shapes.HalfSpace(), kt.shapes.Profile(OVAL, smooth=True)),
    "stop": lambda: kt.JointStop("J.angle", -1.0, 1.0),
    "stop of a slide": lambda: kt.JointStop("K.displacement", maximum=1.0),
    "clutch": lambda: kt.OneWayClutch("J.angle", backward=True),
    "ratchet": lambda: kt.Ratchet("K.displacement", 0.1),
    "rope": lambda: kt.Rope(3.0),
}
every = pytest.mark.parametrize("name", ELEMENTS)
both = pytest.mark.parametrize(
    "view", [lambda state: state, cartesian], ids=["relative", "cartesian"]
)


def loaded(element, seed=0) -> Machine:
    """Two floating bodies, the third on the second by J, a fourth on it by K."""
    rng = np.random.default_rng(seed)
    m = kt.Model("loaded")
    a, b, c, d = (m.body(n, random_mass(rng, k)) for n, k in zip("abcd", (1.0, 2.0, 0.5, 0.7)))
    m.float(a)
    m.float(b)
    place = lambda body: body.at(*rng.uniform(-0.5, 0.5, 3), rotation=random_rotation(rng))  # noqa: E731
    m.joint("J", kt.Revolute(), place(b), place(c))
    m.joint("K", kt.Cylindrical(), place(d), place(b))
    ends = place(a), place(c)
    if isinstance(element, ContactLaw):
        m.contact("e", *(s.on(p) for s, p in zip(element.shapes, ends)), element)
    else:
        m.force("e", element, *ends[: element.markers[0]])
    q = [
        *random_coordinates(kt.Free, rng),
        *random_coordinates(kt.Free, rng),
        *rng.uniform(-0.9, 0.9, 3),
    ]
    return machine(m, q=q, v=rng.normal(size=15), t=0.37)


def rows(state):
    """Gaps, rows and biases at a state, in closed modes."""
    work, x = state.work, state.x.copy()
    x[state.tables.places["ix"]] = 1.0
    evaluate_rows(state.tables, work, state.t, state.q, state.v, x)
    return work.place_gap.copy(), work.place_rows.copy(), work.place_bias.copy()


def test_every_unilateral_element_and_pair_is_sampled_here():
    found = [make() for make in ELEMENTS.values()]
    assert {type(one) for one in found} == {entry.force for entry in FORCES if entry.meet}
    pairs = {tuple(map(type, one.pair[2:])) for one in found if isinstance(one, ContactLaw)}
    assert pairs == {(pair.a, pair.b) for pair in POINT_PAIRS}


@every
@both
def test_the_normal_row_is_the_rate_of_the_gap(name, view):
    state = view(loaded(ELEMENTS[name]()))
    places = state.tables.places
    gap, W, _ = rows(state)
    after, before = (rows(state.moved(s * STEP * state.v))[0] for s in (1.0, -1.0))
    normal = W[places["row"]] @ state.v
    assert np.abs(normal).max() > 1e-3
    if not places["rates"].any():
        near = np.abs(gap) < 1e300  # a stop that is not given
        assert_allclose(((after - before) / (2 * STEP))[near], normal[near], atol=1e-7)


@every
@both
def test_the_bias_of_the_normal_row_is_its_rate_at_constant_velocities(name, view):
    state = view(loaded(ELEMENTS[name]()))
    row = state.tables.places["row"]
    bias = rows(state)[2][row]
    moved = [state.moved(s * STEP * state.v) for s in (1.0, -1.0)]
    after, before = (rows(one)[1][row] @ state.v for one in moved)
    assert_allclose(bias, (after - before) / (2 * STEP), atol=1e-6)


@every
@both
def test_a_unit_load_does_the_work_of_its_row(name, view):
    state = view(loaded(ELEMENTS[name]()))
    W = rows(state)[1]
    for r in range(len(W)):
        state.work.place_loads[:] = 0.0
        state.work.place_loads[r] = 1.0
        loads(state.tables, state.work, state.t, state.q, state.v, state.x)
        power = state.work.xdot[state.compiled.size["nx"]]
        assert power == pytest.approx(W[r] @ state.v, rel=1e-11, abs=1e-11)
