"""Equivalent descriptions of a model give the same motion (1e-12).

Changes: world frame, order, direction of joints, units, split bodies. The new model gets the poses
and velocities of the old one; accelerations are compared body by body.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.elements.joints.contract import ONE_WAY
from kinetree.kernel.frames import IDENTITY, Pose
from support.compare import difference, well_posed
from support.machine import Machine, cartesian
from support.random_models import mechanisms, random_position, random_tree, structures, trees
from support.transform import motion, retold, same_motion

FIGURE = 1e-12
SOLVERS = {  # methods for the accelerations of a state
    "tree": lambda state: state.vdot_tree,
    "augmented": lambda state: state.formulated("augmented")[0],
}
seeds = st.integers(0, 2**32 - 1)


@st.composite
def cases(draw):
    """(state, solver): small trees, and small mechanisms away from singular positions."""
    if draw(st.booleans()):
        state = draw(trees(most=6, mass_ratio=10.0))
        assume(state.nv)
        return state, SOLVERS["tree"]
    state = draw(mechanisms(most=5, closures=2, mass_ratio=10.0))
    assume(well_posed(state, 1e-2))
    return state, SOLVERS["augmented"]


def accelerations(state: Machine, solver) -> np.ndarray:
    return state.accelerations(solver(state))


def random_world(rng, far: float = 3.0) -> Pose:
    return Pose(Rotation.random(rng=rng).as_matrix(), rng.uniform(-far, far, 3))


def in_world(A: np.ndarray, world: Pose, length: float = 1.0) -> np.ndarray:
    """Accelerations (angular, linear) in another world frame and other units."""
    return np.hstack([A[:, :3] @ world.R.T, length * A[:, 3:] @ world.R.T])


@given(cases(), seeds)
@settings(max_examples=50)
def test_a_rotated_and_shifted_world_sees_the_same_motion(case, seed):
    state, solver = case
    world = random_world(np.random.default_rng(seed))
    other = same_motion(retold(state.compiled.model, world=world), *motion(state, world))
    assert (
        difference(accelerations(other, solver), in_world(accelerations(state, solver), world), 9.0)
        <= FIGURE
    )


@given(structures(most=6), st.data())
@settings(max_examples=30)
def test_a_moving_observer_sees_the_same_accelerations(structure, data):
    """For floating models a constant velocity added to every body changes no acceleration."""
    rng, kinds, parents, swapped = structure
    parents = [max(parent, 0) if k else -1 for k, parent in enumerate(parents)]
    model = random_tree(rng, ["free", *kinds[1:]], parents, 10.0, [False, *swapped[1:]])
    state = random_position(model, rng)
    boosted = same_motion(model, *motion(state, boost=rng.uniform(-5.0, 5.0, 3)))
    # velocities of 5 m/s on lever arms: products of order 100 cancel, 1e-16 * 100 against
    # accelerations of ten
    assert (
        difference(
            accelerations(boosted, SOLVERS["tree"]), accelerations(state, SOLVERS["tree"]), 9.0
        )
        <= FIGURE
    )


@pytest.mark.parametrize("far", [1e3, 5e3])
@given(structures(most=6))
@settings(max_examples=20)
def test_a_vehicle_kilometers_away_moves_as_at_the_origin(far, structure):
    """Spatial vectors are about the root of the vehicle, so only positions lose digits."""
    rng, kinds, parents, swapped = structure
    parents = [max(parent, 0) if k else -1 for k, parent in enumerate(parents)]
    state = random_position(
        random_tree(rng, ["free", *kinds[1:]], parents, 10.0, [False, *swapped[1:]]), rng
    )
    q = state.q.copy()
    q[:3] += (far, -far, 0.1 * far)
    away = state.at(q=q)
    assert (
        difference(accelerations(away, SOLVERS["tree"]), accelerations(state, SOLVERS["tree"]), 9.0)
        <= FIGURE
    )


@given(cases(), seeds)
@settings(max_examples=50)
def test_the_order_of_bodies_and_joints_has_no_effect(case, seed):
    state, solver = case
    model = state.compiled.model
    order = np.random.default_rng(seed).permutation(max(len(model.bodies), len(model.joints)))
    other = same_motion(retold(model, order=order), *motion(state))
    index = [list(other.compiled.model.bodies).index(name) for name in model.bodies]
    assert (
        difference(accelerations(other, solver)[index], accelerations(state, solver), 9.0) <= FIGURE
    )


@given(cases(), seeds)
@settings(max_examples=50)
def test_joints_may_be_given_in_either_direction(case, seed):
    state, solver = case
    rng = np.random.default_rng(seed)
    model = state.compiled.model
    swap = [
        name
        for name, spec in model.joints.items()
        if rng.random() < 0.5 and spec.joint.reversal is not ONE_WAY
    ]
    other = same_motion(retold(model, swap=swap), *motion(state))
    assert difference(accelerations(other, solver), accelerations(state, solver), 9.0) <= FIGURE


@given(cases(), seeds)
@settings(max_examples=50)
def test_a_body_split_in_two_moves_as_one(case, seed):
    """A fixed joint connects the two parts, which share the mass and the joints of the old body."""
    state, solver = case
    rng = np.random.default_rng(seed)
    model = state.compiled.model
    name = str(rng.choice(list(model.bodies)))
    whole = model.bodies[name].properties
    share, gap = rng.uniform(0.3, 0.7), rng.uniform(-0.05, 0.05, 3)
    m1, m2 = share * whole.mass, (1.0 - share) * whole.mass
    own = whole.inertia - m1 * m2 / whole.mass * (gap @ gap * np.eye(3) - np.outer(gap, gap))
    parts = {
        name: kt.mass(m1, share * own, whole.com + (1.0 - share) * gap),
        "half": kt.mass(m2, (1.0 - share) * own, whole.com - share * gap),
    }
    moved = {
        f"{j.name}.{k}": "half"
        for j in model.joints.values()
        for k, marker in enumerate((j.F, j.M))
        if marker.body.name == name and rng.random() < 0.5
    }
    new = retold(model, split=parts, moved_to=moved)
    place = rng.uniform(-0.5, 0.5, 3)
    new.joint("weld", kt.Fixed(), new.bodies[name].at(*place), new.bodies["half"].at(*place))
    poses, twists = motion(state)
    poses["half"], twists["half"] = poses[name], twists[name]
    other = same_motion(new, poses, twists)
    here = accelerations(other, solver)
    assert difference(here[:-1], accelerations(state, solver), 9.0) <= FIGURE
    assert difference(here[-1], here[list(model.bodies).index(name)], 9.0) <= FIGURE


@pytest.mark.parametrize(
    "length, mass",
    [(1e3, 1e3), (1e-3, 1e-3), (39.37007874015748, 2.2046226218487757)],
    ids=["mm and g", "km and t", "inch and lb"],
)
@given(case=cases())
@settings(max_examples=25)
def test_units_have_no_effect(length, mass, case):
    state, solver = case
    other = same_motion(
        retold(state.compiled.model, length=length, mass=mass), *motion(state, length=length)
    )
    old = accelerations(state, solver)
    new = in_world(accelerations(other, solver), IDENTITY, 1.0 / length)
    assert difference(new, old, 9.0) <= FIGURE


@given(trees(most=6, mass_ratio=10.0))
@settings(max_examples=25)
def test_cartesian_coordinates_are_only_another_tree(state):
    assume(state.nv)
    other = cartesian(state)
    assert (
        difference(
            accelerations(other, SOLVERS["augmented"]), accelerations(state, SOLVERS["tree"]), 9.0
        )
        <= FIGURE
    )
