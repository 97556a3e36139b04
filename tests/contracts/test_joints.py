"""Every joint of the catalogue keeps its contract: pose, hinge columns, rates, measuring, rows when
it is cut.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.assembly.measure import joint_map
from kinetree.elements.joints.catalogue import JOINTS, KIND
from kinetree.elements.joints.contract import ONE_WAY, QUATERNION
from kinetree.kernel.frames import Pose, quaternion_matrix
from support.machine import Machine, cartesian, machine
from support.random_models import (
    joint_pose,
    random_coordinates,
    random_joint,
    random_marker,
    random_mass,
)

KINDS = [entry.joint.kind for entry in JOINTS]
STEP = 1e-5  # central differences: error of order h^2 = 1e-10, rounding 1e-16 / h = 1e-11
CLOSE = 2e-9

TWO_WAY = [entry.joint.kind for entry in JOINTS if entry.joint.reversal is not ONE_WAY]

each_joint = pytest.mark.parametrize("kind", KINDS)
along_and_against = pytest.mark.parametrize(
    "kind, swapped", [*((kind, False) for kind in KINDS), *((kind, True) for kind in TWO_WAY)]
)


def carried(kind: str, seed: int, swapped: bool = False) -> Machine:
    """The joint between a moving base and a second body, random frames, random state; swapped, the
    tree runs against it.
    """
    rng = np.random.default_rng([seed, KIND[kind]])
    model = kt.Model("carried", gravity=(0, 0, 0))
    base, outer = (
        model.body("base", random_mass(rng, 2.0)),
        model.body("outer", random_mass(rng, 1.0)),
    )
    model.joint("root", kt.Free(), model.ground, random_marker(rng, base))
    ends = random_marker(rng, base), random_marker(rng, outer)
    model.joint("joint", random_joint(kind, rng), *(ends[::-1] if swapped else ends))
    joint = JOINTS[KIND[kind]].joint
    q = [*random_coordinates(kt.Free, rng), *random_coordinates(joint, rng)]
    return machine(model, q=q, v=rng.normal(size=6 + joint.nv))


def known_pose(joint, q) -> Pose:
    """X_FM written with SciPy's rotations, from what its coordinates are said to be: slides along
    F, turns in their order.
    """
    p, R = np.array(joint.offset(q)), np.eye(3)
    for gauge, value in zip(joint.gauges, q):
        if gauge.startswith("slide"):
            p["xyz".index(gauge[-1])] += value
        elif gauge.startswith("turn"):
            R = R @ Rotation.from_euler(gauge[-1], value).as_matrix()
    return Pose(quaternion_matrix(q[joint.plain() :]) if joint.plain() < joint.nv else R, p)


def rotation_rate(R_before: np.ndarray, R_after: np.ndarray, h: float) -> np.ndarray:
    """Angular velocity in world axes from two rotations 2 h apart."""
    return Rotation.from_matrix(R_after @ R_before.T).as_rotvec() / (2.0 * h)


def pose_rate(before: Machine, after: Machine, body: str, h: float) -> np.ndarray:
    a, b = before.pose(body), after.pose(body)
    return np.concatenate([rotation_rate(a.R, b.R, h), (b.p - a.p) / (2.0 * h)])


# --- traits
# -------------------------------------------------------------------------------------------------------


@each_joint
def test_labels_speeds_units_and_sensors_have_the_declared_lengths(kind):
    joint = JOINTS[KIND[kind]].joint
    assert len(joint.labels) == joint.nq and len(joint.speeds) == len(joint.units) == joint.nv
    assert set(joint.units) <= {"m", "rad"}
    assert len(joint.sensors) <= joint.plain() and len(joint.gauges) == joint.nv
    assert joint.labels[joint.plain() :] in ((), QUATERNION) and joint.nv - joint.plain() in (0, 3)
    assert joint.gauges[: len(joint.sensors)] == joint.sensors
    assert joint.gauges[joint.plain() :] in ((), ("spin_x", "spin_y", "spin_z"))
    if joint.reversal is not ONE_WAY and joint.reversal.order is not None:
        assert sorted(joint.reversal.order) == list(range(joint.nq)) and joint.nq == joint.nv
    assert len(set(joint.labels)) == joint.nq and len(set(joint.speeds)) == joint.nv


@pytest.mark.parametrize("kind", TWO_WAY)
def test_flipping_frames_is_a_rotation(kind):
    flip = JOINTS[KIND[kind]].joint.reversal.rotation.R
    assert np.array_equal(flip @ flip.T, np.eye(3)) and np.linalg.det(flip) == pytest.approx(1.0)


# --- pose and its derivatives
# -------------------------------------------------------------------------------------


@each_joint
@pytest.mark.parametrize("seed", range(3))
def test_the_pose_is_the_textbook_one(kind, seed):
    rng = np.random.default_rng(seed)
    joint = random_joint(kind, rng)
    q = random_coordinates(joint, rng)
    found, known = joint_pose(joint, q), known_pose(joint, q)
    np.testing.assert_allclose(found.R, known.R, atol=1e-14)
    np.testing.assert_allclose(found.p, known.p, atol=1e-14)


@each_joint
@pytest.mark.parametrize("seed", range(3))
def test_hinge_columns_are_the_derivative_of_the_pose_along_finite_steps(kind, seed):
    state = carried(kind, seed)
    rate = pose_rate(state.moved(-STEP * state.v), state.moved(STEP * state.v), "outer", STEP)
    np.testing.assert_allclose(state.jacobian("outer") @ state.v, rate, atol=CLOSE)
    np.testing.assert_allclose(state.twist("outer"), rate, atol=CLOSE)


@each_joint
@pytest.mark.parametrize("seed", range(3))
def test_hinge_columns_are_the_derivative_of_the_pose_along_the_coordinate_rates(kind, seed):
    state = carried(kind, seed)
    before, after = (state.at(q=state.q + s * STEP * state.qdot) for s in (-1, 1))
    np.testing.assert_allclose(
        state.twist("outer"), pose_rate(before, after, "outer", STEP), atol=CLOSE
    )


@each_joint
def test_each_column_belongs_to_its_own_freedom(kind):
    state = carried(kind, 7)
    for k in range(state.nv):
        e = np.zeros(state.nv)
        e[k] = 1.0
        rate = pose_rate(state.moved(-STEP * e), state.moved(STEP * e), "outer", STEP)
        np.testing.assert_allclose(state.jacobian("outer")[:, k], rate, atol=CLOSE)


@each_joint
@pytest.mark.parametrize("seed", range(3))
def test_the_velocity_dependent_acceleration_is_the_rate_of_the_velocity_at_constant_v(kind, seed):
    state = carried(kind, seed)
    before, after = state.moved(-STEP * state.v), state.moved(STEP * state.v)
    rate = (after.twist("outer") - before.twist("outer")) / (2.0 * STEP)
    np.testing.assert_allclose(
        state.acceleration("outer", np.zeros(state.nv)), rate, atol=20 * CLOSE
    )


@each_joint
def test_a_finite_step_is_undone_by_the_opposite_step(kind):
    state = carried(kind, 3)
    there_and_back = state.moved(0.3 * state.v).moved(-0.3 * state.v)
    np.testing.assert_allclose(there_and_back.q, state.q, atol=1e-14)


@each_joint
@pytest.mark.parametrize("seed", range(5))
def test_measuring_inverts_moving(kind, seed):
    rng = np.random.default_rng(seed)
    joint = random_joint(kind, rng)
    q = random_coordinates(joint, rng)
    X = joint_pose(joint, q)
    again = joint_pose(joint, joint.measure(X.R, X.p))
    np.testing.assert_allclose(again.R, X.R, atol=1e-14)
    np.testing.assert_allclose(again.p, X.p, atol=1e-14)
    if "qw" not in joint.labels:
        np.testing.assert_allclose(joint.measure(X.R, X.p), q, atol=1e-14)


# --- the joint when it is cut
# -------------------------------------------------------------------------------------


@along_and_against
@pytest.mark.parametrize("seed", range(3))
def test_cut_rows_close_where_the_joint_is_and_annihilate_its_motion(kind, seed, swapped):
    """The joint moves in the tree; in Cartesian coordinates the same joint is cut: g = 0 and G v =
    0 for its motion.
    """
    state = carried(kind, seed, swapped)
    cut = cartesian(state)
    assert np.abs(cut.g).max(initial=0.0) <= 1e-14
    assert np.abs(cut.G @ cut.v).max(initial=0.0) <= 1e-13


@along_and_against
def test_a_cut_joint_has_six_less_nv_rows_of_full_rank(kind, swapped):
    cut = cartesian(carried(kind, 1, swapped))
    assert cut.G.shape[0] == 6 - JOINTS[KIND[kind]].joint.nv
    if len(cut.G):
        assert np.linalg.svd(cut.G, compute_uv=False)[-1] > 1e-2


@along_and_against
def test_the_bias_of_cut_rows_agrees_with_the_acceleration_of_the_joint(kind, swapped):
    """With any vdot of the tree joint, the accelerations of the two bodies satisfy G vdot = gamma."""
    state = carried(kind, 2, swapped)
    cut, vdot = cartesian(state), np.random.default_rng(5).normal(size=state.nv)
    rates = []
    for name in cut.names:
        a = state.acceleration(name, vdot)
        rates += [*a[3:], *(state.pose(name).R.T @ a[:3])]
    np.testing.assert_allclose(cut.G @ rates, cut.gamma, atol=1e-12)


# --- the joint against the direction of the tree
# ------------------------------------------------------------------


def random_pose(rng) -> Pose:
    return Pose(Rotation.random(rng=rng).as_matrix(), rng.uniform(-0.5, 0.5, 3))


def two_bodies(
    joint, masses, places, start, speed, root: str, pose: Pose, twist: np.ndarray
) -> Machine:
    """base - joint - outer, floating by the body `root`; assembled from what the user would give."""
    model = kt.Model("two ways")
    bodies = {"base": model.body("base", masses[0]), "outer": model.body("outer", masses[1])}
    model.joint(
        "joint",
        joint,
        *(b.at(*X.p, rotation=X.R) for b, X in zip(bodies.values(), places)),
        start=dict(zip(joint.labels, start)),
        speed=dict(zip(joint.speeds, speed)),
    )
    quaternion = Rotation.from_matrix(pose.R).as_quat(scalar_first=True)
    model.joint(
        "root",
        kt.Free(),
        model.ground,
        bodies[root],
        start=dict(zip(kt.Free.labels, [*pose.p, *quaternion])),
        speed=dict(zip(kt.Free.speeds, [*twist[3:], *(pose.R.T @ twist[:3])])),
    )
    found = kt.assemble(model)
    state = Machine(found.compiled, found.q, found.v, found.x)
    state.coordinates = found.coordinates
    return state


@each_joint
@pytest.mark.parametrize("seed", range(3))
def test_the_direction_of_the_tree_does_not_change_coordinates_speeds_or_motion(kind, seed):
    """ground - base - outer against ground - outer - base: the joint keeps base as its parent and
    is reversed there.
    """
    rng = np.random.default_rng([seed, KIND[kind]])
    joint = random_joint(kind, rng)
    parts = (
        joint,
        [random_mass(rng, 2.0), random_mass(rng, 1.0)],
        [random_pose(rng), random_pose(rng)],
        random_coordinates(joint, rng),
        rng.normal(size=joint.nv),
    )
    there = two_bodies(*parts, "base", random_pose(rng), rng.normal(size=6))
    if joint.reversal is ONE_WAY:
        with pytest.raises(kt.ModelError, match="the tree cannot reverse a"):
            two_bodies(*parts, "outer", there.pose("outer"), there.twist("outer"))
        return
    back = two_bodies(*parts, "outer", there.pose("outer"), there.twist("outer"))
    assert back.compiled.joints["joint"].reversed and not there.compiled.joints["joint"].reversed
    found = [
        [state.coordinates[f"joint.{label}"] for label in joint.labels] for state in (there, back)
    ]
    scalars = [state.coordinates.get("joint.qw", 1.0) for state in (there, back)]
    sign = np.sign(scalars[0] * scalars[1])  # q and -q are one turn
    mirrored = [c * sign if label[0] == "q" else c for label, c in zip(joint.labels, found[1])]
    np.testing.assert_allclose(mirrored, found[0], atol=1e-13)
    for name in there.names:
        np.testing.assert_allclose(back.pose(name).R, there.pose(name).R, atol=1e-13)
        np.testing.assert_allclose(back.pose(name).p, there.pose(name).p, atol=1e-13)
        np.testing.assert_allclose(back.twist(name), there.twist(name), atol=1e-12)
    np.testing.assert_allclose(
        back.accelerations(back.vdot_tree), there.accelerations(there.vdot_tree), atol=1e-11
    )


@each_joint
@pytest.mark.parametrize("seed", range(2))
def test_the_joint_measured_on_frames_moves_as_its_kernels_say(kind, seed):
    """X_FM and H_FM of `joint_map` against SciPy's rotations and against difference quotients along
    N v.
    """
    rng = np.random.default_rng([seed, KIND[kind]])
    joint = random_joint(kind, rng)
    q, v = np.array(random_coordinates(joint, rng)), rng.normal(size=joint.nv)
    pose, H = joint_map(joint, q)
    known = known_pose(joint, q)
    np.testing.assert_allclose(pose.R, known.R, atol=1e-14)
    np.testing.assert_allclose(pose.p, known.p, atol=1e-14)
    state = machine(_alone(joint), q=q, v=v)
    before, after = (joint_map(joint, state.moved(sign * STEP * v).q)[0] for sign in (-1.0, 1.0))
    rate = np.concatenate(
        [rotation_rate(before.R, after.R, STEP), (after.p - before.p) / (2.0 * STEP)]
    )
    np.testing.assert_allclose(H @ v, rate, atol=CLOSE)


def _alone(joint) -> kt.Model:
    model = kt.Model("alone")
    model.joint("joint", joint, model.ground, model.body("b", kt.box(1.0, (0.1, 0.2, 0.3))))
    return model


@each_joint
def test_along_against_or_cut_the_machine_moves_the_same(kind):
    """Two floating bodies and the joint between them; one of the three joints is cut, so that the
    tree runs from the first to the second body, from the second to the first, or to both.
    """
    rng = np.random.default_rng(KIND[kind])
    joint, masses = random_joint(kind, rng), [random_mass(rng, 2.0), random_mass(rng, 1.0)]
    places, coordinates = [random_pose(rng), random_pose(rng)], random_coordinates(joint, rng)
    twist = rng.normal(size=6)
    ends = []
    for cut in ("outer.free", "joint", "base.free"):
        if cut == "base.free" and joint.reversal is ONE_WAY:
            continue
        model = kt.Model("three ways", gravity=(0.0, 0.0, 0.0))
        base, outer = model.body("base", masses[0]), model.body("outer", masses[1])
        F, M = (b.at(*X.p, rotation=X.R) for b, X in zip((base, outer), places))
        axes = Pose(joint.frame(), np.zeros(3))
        X = places[0] @ axes @ known_pose(joint, coordinates) @ axes.inverse @ places[1].inverse
        for body, pose, speed in (
            (base, Pose(np.eye(3), np.zeros(3)), twist),
            (outer, X, twist_at(twist, X)),
        ):
            quaternion = Rotation.from_matrix(pose.R).as_quat(scalar_first=True)
            model.float(
                body,
                start=dict(zip(kt.Free.labels, [*pose.p, *quaternion])),
                speed=dict(zip(kt.Free.speeds, [*speed[3:], *(pose.R.T @ speed[:3])])),
            )
        model.joint("joint", joint, F, M, start=dict(zip(joint.labels, coordinates)))
        model.cut(cut)
        sol = kt.simulate(model, 0.3, rtol=1e-10, output_interval=0.3, progress=False)
        place = sol.compiled.joints["joint"]
        assert (place.link == 0, place.reversed) == (
            cut == "joint" and kind != "free",
            cut == "base.free",
        ) or kind == "free"
        ends.append(np.concatenate([sol["base.position"][-1], sol["outer.position"][-1]]))
    for end in ends[1:]:
        np.testing.assert_allclose(
            end, ends[0], atol=1e-8
        )  # rtol 1e-10 over some ten steps of motion of size one


def twist_at(twist: np.ndarray, X: Pose) -> np.ndarray:
    """The rigid motion of the first body, at the origin of the second."""
    return np.concatenate([twist[:3], twist[3:] + np.cross(twist[:3], X.p)])
