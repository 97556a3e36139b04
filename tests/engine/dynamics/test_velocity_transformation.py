"""B and Bdot agree with finite differences, the mass matrix and corrected tables of [Lee1994]."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.analysis.velocity_transformation import velocity_transformation
from kinetree.assembly.build import build
from kinetree.assembly.measure import body_pose, joint_frames
from kinetree.engine.dynamics.kinematics import kinematics, positions, shift_coordinates
from kinetree.engine.dynamics.mass_matrix import mass_matrix
from results.machines import pendulum, rssr, zoo

CASES = [
    (swapped, coordinates) for swapped in (False, True) for coordinates in ("relative", "cartesian")
]


def random_state(compiled, seed=1):
    """A random position near the drawn one, random v and vdot."""
    rng = np.random.default_rng(seed)
    q, n = velocity_transformation(compiled).q, compiled.size["nv"]
    shift_coordinates(compiled.tables, q, rng.uniform(-0.8, 0.8, n))
    return q, rng.normal(size=n), rng.normal(size=n)


def moved(compiled, q, delta):
    q = q.copy()
    shift_coordinates(compiled.tables, q, delta)
    return q


def user_poses(compiled, q):
    work = compiled.workspace()
    positions(compiled.tables, work, q)
    return [
        body_pose(work, i) @ compiled.X_BK[i].inverse for i in range(1, len(compiled.bodies))
    ], work


def spin(R):
    """Rotation vector of a small rotation."""
    return 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


@pytest.mark.parametrize(("swapped", "coordinates"), CASES)
def test_B_v_is_the_velocity_of_every_body_frame(swapped, coordinates):
    compiled = build(zoo(swapped), coordinates)
    q, v, _ = random_state(compiled)
    h = 1e-5
    before, after = (user_poses(compiled, moved(compiled, q, s * h * v))[0] for s in (-1.0, 1.0))
    now = user_poses(compiled, q)[0]
    Y = np.concatenate(
        [
            [*(b.p - a.p) / (2 * h), *(spin(n.R.T @ b.R) - spin(n.R.T @ a.R)) / (2 * h)]
            for a, n, b in zip(before, now, after)
        ]
    )
    # central difference, h = 1e-5
    assert_allclose(velocity_transformation(compiled, q, v).Y, Y, atol=3e-8)


@pytest.mark.parametrize(("swapped", "coordinates"), CASES)
def test_Ydot_is_B_vdot_plus_Bdot_v(swapped, coordinates):
    compiled = build(zoo(swapped), coordinates)
    q, v, vdot = random_state(compiled)
    h = 1e-5
    Y = [
        velocity_transformation(
            compiled, moved(compiled, q, s * h * v + 0.5 * h * h * vdot), v + s * h * vdot
        ).Y
        for s in (-1.0, 1.0)
    ]
    found = velocity_transformation(compiled, q, v)
    # central difference, h = 1e-5
    assert_allclose(found.B @ vdot + found.Bdot @ v, (Y[1] - Y[0]) / (2 * h), atol=3e-7)


@pytest.mark.parametrize(("swapped", "coordinates"), CASES)
def test_every_column_of_Bdot_is_the_rate_of_that_column_of_B(swapped, coordinates):
    compiled = build(zoo(swapped), coordinates)
    q, v, _ = random_state(compiled)
    h = 1e-5
    B = [velocity_transformation(compiled, moved(compiled, q, s * h * v), v).B for s in (-1.0, 1.0)]
    # h = 1e-5
    assert_allclose(
        velocity_transformation(compiled, q, v).Bdot, (B[1] - B[0]) / (2 * h), atol=3e-8
    )


def body_mass_matrix(body, R):
    """M_i of Y = (rdot, w') for a frame whose origin is not the center of mass."""
    mass, c = body.properties.mass, np.asarray(body.properties.com)
    C = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    J = body.properties.inertia - mass * C @ C
    return np.block([[mass * np.eye(3), -mass * R @ C], [mass * C @ R.T, J]])


@pytest.mark.parametrize(("swapped", "coordinates"), CASES)
def test_the_joint_space_mass_matrix_is_BT_M_B(swapped, coordinates):
    model = zoo(swapped)
    compiled = build(model, coordinates)
    q, v, _ = random_state(compiled)
    poses, work = user_poses(compiled, q)
    kinematics(compiled.tables, work, q, v)
    mass_matrix(compiled.tables, work)
    found = velocity_transformation(compiled, q, v)
    total = np.zeros_like(work.M)
    for name, pose in zip(found.bodies, poses):
        rows = found.B[found.rows(name)]
        total += rows.T @ body_mass_matrix(model.bodies[name], pose.R) @ rows
    assert_allclose(work.M, total, atol=1e-12 * np.abs(total).max())  # same sums in another order


def axes_of(kind, R_F, R_M):
    """World axes (rotation, translation) of a joint, per column, in the order of Table 2."""
    z, zero = R_F[:, 2], np.zeros(3)
    if kind in ("spherical", "free"):
        turns = [(R_M[:, k], zero) for k in range(3)]
        return turns if kind == "spherical" else [(zero, R_F[:, k]) for k in range(3)] + turns
    return {
        "revolute": [(z, zero)],
        "translational": [(zero, z)],
        "cylindrical": [(zero, z), (z, zero)],
        "universal": [(R_F[:, 0], zero), (R_M[:, 1], zero)],
    }[kind]


@pytest.mark.parametrize(
    "kind", ["revolute", "translational", "cylindrical", "universal", "spherical", "free"]
)
def test_columns_are_those_of_the_corrected_table_2(kind):
    """Columns are (h x d, A_i^T h) for a rotation and (b, 0) for a translation.

    d is the vector from the joint point on the child to the origin of body i.
    """
    compiled = build(zoo())
    q, v, _ = random_state(compiled)
    found, (poses, work) = velocity_transformation(compiled, q, v), user_poses(compiled, q)
    place = compiled.joints[kind]
    X_WF, X_WM = joint_frames(place, work)
    first = int(compiled.tables.links[place.link]["iv"])
    outboard = {b.body for b in compiled.tree.branches if compiled.tree.pi[b.number, place.link]}
    for name, pose in zip(found.bodies, poses):
        for k, (turn, slide) in enumerate(axes_of(kind, X_WF.R, X_WM.R)):
            expected = np.concatenate([np.cross(turn, pose.p - X_WM.p) + slide, pose.R.T @ turn])
            if name not in outboard:
                expected = np.zeros(6)
            assert_allclose(found.B[found.rows(name), first + k], expected, atol=1e-13)


def test_a_pendulum_by_hand():
    found = velocity_transformation(pendulum(rate=2.0))
    assert found.bodies == ("rod",) and found.columns == ("A.angle",)
    # drawn along x, turning about y
    assert_allclose(found.B[:, 0], [0, 0, -0.4, 0, 1, 0], atol=1e-15)
    # rdd = -l w^2 = -1.6 in x = Bdot v
    assert_allclose(found.Bdot[:, 0], [-0.8, 0, 0, 0, 0, 0], atol=1e-15)


def test_a_model_is_evaluated_at_its_assembled_state_and_the_result_unpacks():
    B, Bdot = velocity_transformation(rssr())
    assert B.shape == Bdot.shape == (18, 5)
    assert velocity_transformation(rssr(), coordinates="cartesian").B.shape == (18, 18)


def test_a_wrong_length_raises_an_error_with_the_expected_one():
    with pytest.raises(kt.ModelError, match="q must be 1 numbers, got 3"):
        velocity_transformation(pendulum(), q=[0, 0, 0])


def zoo_tables(tables, swapped=False):
    compiled = build(zoo(swapped))
    q, v, _ = random_state(compiled)
    return velocity_transformation(compiled, q, v, tables=tables)


def test_printed_tables_are_exact_except_table_3_for_axes_that_rotate_in_the_child():
    exact, printed = zoo_tables("corrected"), zoo_tables("printed")
    assert_allclose(printed.B, exact.B, atol=1e-13)
    wrong = exact.differences(printed)
    varying = {"point-on-curve", "variable-screw"}  # axes depend on q; not among the paper's joints
    assert {joint for _, joint in wrong} == {"universal", *varying}
    assert all(Bdot > 0.01 for (_, joint), (_, Bdot) in wrong.items() if joint == "universal")


def test_the_missing_rates_of_the_universal_joint_are_those_of_its_first_axis():
    """E = A_i^T (h x (w_j - w_P)) in the angular rows.

    The axis of the parent does not rotate with the child.
    """
    compiled = build(zoo())
    q, v, _ = random_state(compiled)
    exact, printed = (
        velocity_transformation(compiled, q, v, tables=t) for t in ("corrected", "printed")
    )
    first = int(compiled.tables.links[compiled.joints["universal"].link]["iv"])
    body = compiled.tree.branches[compiled.joints["universal"].link - 1].body
    rows = exact.rows(body)
    A = user_poses(compiled, q)[0][exact.bodies.index(body)].R
    columns = A @ exact.B[rows][3:, first : first + 2]
    missing = -np.cross(columns @ v[first : first + 2], columns[:, 0])
    assert_allclose(A @ (exact.Bdot - printed.Bdot)[rows][3:, first], missing, atol=1e-12)
    assert_allclose((exact.Bdot - printed.Bdot)[rows][:, first + 1], 0.0, atol=1e-12)


def test_distances_between_origins_are_wrong_for_every_rotation():
    wrong = zoo_tables("corrected").differences(zoo_tables("printed-origins"))
    assert {joint for _, joint in wrong} >= {"revolute", "cylindrical", "universal", "spherical"}
    assert "translational" not in {joint for _, joint in wrong}
    assert max(B for B, _ in wrong.values()) > 0.1


def test_an_unknown_table_name_raises_an_error():
    with pytest.raises(kt.KinetreeError, match="printed-origins"):
        velocity_transformation(pendulum(), tables="print")
