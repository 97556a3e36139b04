"""Models written as URDF, read by Pinocchio and by Kinetree itself."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt
from kinetree.description.files.robots.write_urdf import roll_pitch_yaw
from kinetree.kernel.frames import euler_matrix
from support.machine import machine


def tree(seed: int, reverse: bool = False) -> kt.Model:
    """A random tree; joints may be given child first."""
    rng = np.random.default_rng(seed)
    m = kt.Model("tree")
    bodies = [m.ground]
    for k in range(6):
        points = rng.normal(size=(6, 3)) * 0.2
        I = sum(p @ p * np.eye(3) - np.outer(p, p) for p in points)
        new = m.body(f"b{k}", kt.mass(rng.uniform(0.5, 3.0), I, rng.normal(size=3) * 0.2))
        pitch = (0.0, np.pi / 2, -np.pi / 2, 0.3)[k % 4]
        R = euler_matrix("xyz", np.array([rng.normal(), pitch, rng.normal()]), "R")
        at = bodies[rng.integers(len(bodies))].at(*rng.normal(size=3), rotation=R)
        to = new.at(*rng.normal(size=3), rotation=euler_matrix("xyz", rng.normal(size=3), "R"))
        kind = (kt.Revolute, kt.Translational)[k % 3 == 2]
        ends = (to, at) if reverse and k % 2 else (at, to)
        m.joint(f"j{k}", kind(axis=rng.normal(size=3)), *ends)
        bodies.append(new)
    return m


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_pinocchio_finds_the_same_accelerations(tmp_path, seed, reverse):
    pin = pytest.importorskip("pinocchio", reason="the program pinocchio is not installed")
    model = tree(seed, reverse)
    path = model.to_urdf(tmp_path / "tree.urdf").path
    theirs = pin.buildModelFromUrdf(str(path))
    rng = np.random.default_rng(seed)
    state = machine(model)
    state = state.at(rng.uniform(-1, 1, len(state.q)), rng.normal(size=len(state.v)))
    q, v, order = pin.neutral(theirs), np.zeros(theirs.nv), []
    for k in range(1, theirs.njoints):
        joint = theirs.joints[k]
        link = state.tables.links[state.compiled.joints[theirs.names[k]].link]
        x = state.q[link["iq"]]
        q[joint.idx_q : joint.idx_q + joint.nq] = x if joint.nq == 1 else (np.cos(x), np.sin(x))
        v[joint.idx_v] = state.v[link["iv"]]
        order.append((int(link["iv"]), joint.idx_v))
    a = pin.aba(theirs, theirs.createData(), q, v, np.zeros(theirs.nv))
    expected = np.zeros(theirs.nv)
    for ours, their in order:
        expected[ours] = a[their]
    size = np.linalg.cond(state.M) * np.abs(expected).max()
    assert np.abs(state.vdot_tree - expected).max() <= 1e-14 * size  # rounding times the condition


def test_a_model_that_is_written_and_read_moves_in_the_same_way(tmp_path):
    m = tree(1)
    m.force("damper", kt.TorsionSpring("j0.angle", damping=0.3))
    m.force("dry", kt.JointFriction("j1.angle", coulomb=0.1, viscous=0.2))
    m.constraint("gear", kt.Coupling("j4.angle", "j3.angle", ratio=-2.0, offset=0.1))
    m.force("spring", kt.TorsionSpring("j3.angle", stiffness=2.0))
    m.float(m.body("ball", kt.sphere(mass=1.0, radius=0.1)))
    written = m.to_urdf(tmp_path / "tree.urdf")
    assert [note for note in written.notes if "force" in note] == [
        "left out: force 'spring', a TorsionSpring"
    ]
    del m.forces["spring"]
    again = kt.load(written.path)
    a, b = (kt.simulate(model, until=0.5, rtol=1e-9) for model in (m, again))
    for joint in ("j0.angle", "j2.displacement", "j4.angle"):
        np.testing.assert_allclose(a[joint], b[joint], atol=1e-7)
    np.testing.assert_allclose(a["ball.position.z"], b["ball.position.z"], atol=1e-9)


def test_a_single_floating_base_is_the_root(tmp_path):
    m = kt.Model("free")
    base = m.body("base", kt.box(mass=2.0, sides=(0.1, 0.2, 0.3)))
    m.float(base)
    m.joint("A", kt.Revolute("y"), base, m.body("leg", kt.rod(mass=1.0, length=1.0)),
            limits={"angle": (-1.0, 2.0)})  # fmt: skip
    path = m.to_urdf(tmp_path / "free.urdf").path
    again = kt.load(path)
    assert "the base 'base' floats" in again.receipt.base
    assert again.receipt.limits["A"] == (-1.0, 2.0)
    assert [type(one).__name__ for one in again.bodies["base"].look] == ["Box"]


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-12, 1e-9, 1e-5])
@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, 0.4])
def test_angles_give_the_rotation_back_at_the_pole_too(pitch, noise):
    R = euler_matrix("xyz", np.array([0.7, pitch + noise, -1.9]), "R")
    again = euler_matrix("xyz", np.array(roll_pitch_yaw(R)), "R")
    np.testing.assert_allclose(again, R, atol=1e-15)


def four_bar() -> kt.Model:
    from kinetree.models.four_bar import four_bar

    return four_bar()


def ball_joint() -> kt.Model:
    m = kt.Model("ball")
    m.joint("A", kt.Spherical(), m.ground, m.body("b", kt.sphere(mass=1.0, radius=0.1)))
    return m


def driven() -> kt.Model:
    m = ball_joint()
    m.joints.clear()
    m.joint("A", kt.Revolute(), m.ground, m.bodies["b"])
    m.constraint("drive", kt.Driver("A.angle", 1.0))
    return m


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (four_bar, "closed loops"),
        (ball_joint, "no spherical joint"),
        (driven, "no counterpart of constraint 'drive', a Driver"),
    ],
)
def test_what_urdf_cannot_describe_is_refused_in_words(tmp_path, make, message):
    with pytest.raises(kt.ModelError, match=message):
        make().to_urdf(tmp_path / "x.urdf")
    assert not list(tmp_path.iterdir())
