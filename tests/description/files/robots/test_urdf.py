"""Robots from URDF files, compared with Pinocchio, which reads the same text."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt
from kinetree.kernel.frames import quaternion_matrix
from support.machine import machine

HEAD = '<robot name="arm">'


def link(name: str, inertial: str = "", visual: str = "") -> str:
    return f'<link name="{name}">{inertial}{visual}</link>'


def text_of(values) -> str:
    return " ".join(repr(float(v)) for v in values)


def random_inertial(rng) -> str:
    points = rng.normal(size=(5, 3)) * 0.1
    I = 0.2 * sum(p @ p * np.eye(3) - np.outer(p, p) for p in points)
    entries = zip(("xx", "xy", "xz", "yy", "yz", "zz"), I[np.triu_indices(3)])
    inertia = " ".join(f'i{key}="{value!r}"' for key, value in ((k, float(v)) for k, v in entries))
    frame = f'<origin xyz="{text_of(rng.normal(size=3))}" rpy="{text_of(rng.uniform(-3, 3, 3))}"/>'
    return (
        f'<inertial>{frame}<mass value="{rng.uniform(0.5, 3.0)!r}"/><inertia {inertia}/></inertial>'
    )


def random_joint(rng, k: int, parent: int, kind: str, tail: str = "") -> str:
    pitch = rng.choice([0.3, np.pi / 2, -np.pi / 2, 2.0])
    return (
        f'<joint name="j{k}" type="{kind}"><parent link="l{parent}"/><child link="l{k}"/>'
        f'<origin xyz="{text_of(rng.normal(size=3))}" rpy="0.4 {float(pitch)!r} -1.2"/>'
        f'<axis xyz="{text_of(rng.normal(size=3))}"/>'
        f'<limit lower="-1" upper="2" effort="3" velocity="1"/>{tail}</joint>'
    )


def random_robot(rng, n: int) -> str:
    kinds = rng.choice(["revolute", "prismatic", "continuous", "fixed"], n)
    joints = [
        random_joint(rng, k + 1, int(rng.integers(k + 1)), kind) for k, kind in enumerate(kinds)
    ]
    order = rng.permutation(n)  # files may list joints in any order
    links = [link(f"l{k}", random_inertial(rng)) for k in range(n + 1)]
    return HEAD + "".join(links) + "".join(joints[k] for k in order) + "</robot>"


def load(tmp_path, text: str, **options) -> kt.Model:
    path = tmp_path / "arm.urdf"
    path.write_text(text)
    return kt.load_robot(path, **options)


def pinocchio_acceleration(pin, theirs, state, floating: bool) -> np.ndarray:
    """vdot in our order at the same joint coordinates and velocities, in the same world axes."""
    q, v, places = pin.neutral(theirs), np.zeros(theirs.nv), []
    for k in range(1, theirs.njoints):
        joint = theirs.joints[k]
        name = f"{theirs.names[k]}" if joint.nv == 1 else "l0.free"
        here = state.compiled.joints[name].link
        iq, iv = (int(state.tables.links[here][key]) for key in ("iq", "iv"))
        if joint.nv == 1:
            x = state.q[iq]
            q[joint.idx_q : joint.idx_q + joint.nq] = x if joint.nq == 1 else (np.cos(x), np.sin(x))
            v[joint.idx_v] = state.v[iv]
            places.append((iv, joint.idx_v))
            continue
        p, (w, *xyz) = state.q[iq : iq + 3], state.q[iq + 3 : iq + 7]
        q[:7] = [*p, *xyz, w]
        R = quaternion_matrix(state.q[iq + 3 : iq + 7])
        v[:6] = [*(R.T @ state.v[iv : iv + 3]), *state.v[iv + 3 : iv + 6]]
    a = pin.aba(theirs, theirs.createData(), q, v, np.zeros(theirs.nv))
    found = np.zeros(len(state.v))
    for ours, their in places:
        found[ours] = a[their]
    if floating:  # the velocity of their base is in its own axes
        found[:3] = R @ (a[:3] + np.cross(v[3:6], v[:3]))
        found[3:6] = a[3:6]
    return found


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_accelerations_of_random_robots_agree_with_pinocchio(tmp_path, seed, floating):
    pin = pytest.importorskip("pinocchio", reason="the program pinocchio is not installed")
    rng = np.random.default_rng(seed)
    text = random_robot(rng, 7)
    base = (pin.JointModelFreeFlyer(),) if floating else ()
    theirs = pin.buildModelFromXML(text, *base)
    model = load(tmp_path, text, base="floating" if floating else "fixed")
    state = machine(model)
    q, v = state.q.copy(), rng.normal(size=len(state.v))
    for place in state.compiled.joints.values():
        link = state.tables.links[place.link]
        if link["nv"] == 1:
            q[link["iq"]] = rng.uniform(-2, 2)
        elif link["nv"] == 6:
            four = rng.normal(size=4)
            q[link["iq"] : link["iq"] + 7] = [*rng.normal(size=3), *(four / np.linalg.norm(four))]
    state = state.at(q, v)
    expected = pinocchio_acceleration(pin, theirs, state, floating)
    size = np.linalg.cond(state.M) * np.abs(expected).max()
    assert np.abs(state.vdot_tree - expected).max() <= 1e-14 * size  # rounding times the condition


def test_links_on_fixed_joints_are_one_body_with_a_marker_for_each(tmp_path):
    rng = np.random.default_rng(3)
    text = HEAD + "".join(link(f"l{k}", random_inertial(rng)) for k in range(4))
    text += random_joint(rng, 1, 0, "revolute") + random_joint(rng, 2, 1, "fixed")
    text += random_joint(rng, 3, 2, "fixed") + "</robot>"
    model = load(tmp_path, text, base="fixed")
    assert list(model.bodies) == ["l1"]
    assert set(model.receipt.frames) == {"l0", "l1", "l2", "l3"}
    whole = model.bodies["l1"].properties
    parts = load(tmp_path, text.replace('type="fixed"', 'type="continuous"'), base="fixed").bodies
    assert whole.mass == pytest.approx(sum(parts[k].properties.mass for k in ("l1", "l2", "l3")))
    frames = model.receipt.frames
    com = sum(
        parts[k].properties.mass * (frames[k].X_Bm.R @ parts[k].properties.com + frames[k].X_Bm.p)
        for k in ("l1", "l2", "l3")
    )
    np.testing.assert_allclose(whole.mass * whole.com, com, rtol=1e-12)


MIMIC = (
    HEAD
    + '<link name="world"/>'
    + "".join(
        link(k, '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>')
        for k in ("a", "b")
    )
    + '<joint name="A" type="revolute"><parent link="world"/><child link="a"/>'
    '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="2"/></joint>'
    '<joint name="B" type="revolute"><parent link="world"/><child link="b"/>'
    '<axis xyz="0 0 1"/><mimic joint="A" multiplier="-2" offset="0.5"/></joint></robot>'
)


def test_a_joint_that_mimics_another_one_follows_it(tmp_path):
    model = load(tmp_path, MIMIC)
    model.force("spring", kt.TorsionSpring("A.angle", stiffness=5.0))
    sol = kt.simulate(model, until=0.5, state={"A.angle": 0.1})
    np.testing.assert_allclose(sol["B.angle"], -2.0 * sol["A.angle"] + 0.5, atol=1e-12)
    # the reflected inertia of the follower is (-2)^2 = 4 times its own
    np.testing.assert_allclose(sol["A.angle"][-1], 0.1 * np.cos(0.5), rtol=1e-7)


def test_a_joint_that_mimics_an_unknown_one_is_held_and_noted(tmp_path):
    model = load(tmp_path, MIMIC.replace('joint="A" multiplier', 'joint="C" multiplier'))
    assert any("joint 'B' follows 'C'" in note for note in model.receipt.notes)
    np.testing.assert_allclose(kt.simulate(model, until=0.1)["B.angle"], 0.5, atol=1e-12)


def test_limits_are_recorded_and_become_stops_on_request(tmp_path):
    model = load(tmp_path, MIMIC)
    assert model.receipt.limits["A"] == (-1.0, 1.0)
    assert not model.forces
    moving = {"A.rate": 1.0, "B.rate": -2.0}
    assert kt.simulate(model, until=2.0, state=moving)["A.angle"].max() > 1.9
    stopped = load(tmp_path, MIMIC, stops=True)
    assert 1.0 < kt.simulate(stopped, until=2.0, state=moving)["A.angle"].max() < 1.5  # elastic


def test_damping_and_friction_act_on_the_joint(tmp_path):
    damped = MIMIC.replace("</joint>", '<dynamics damping="0.5" friction="0"/></joint>', 1)
    model = load(tmp_path, damped)
    sol = kt.simulate(model, until=1.0, state={"A.rate": 1.0, "B.rate": -2.0})
    # (1 + 4) w' = -0.5 w
    np.testing.assert_allclose(sol["A.angle.rate"][-1], np.exp(-0.1), rtol=1e-7)
    assert not load(tmp_path, damped, friction=False).forces


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.replace('child link="b"', 'child link="a"'), "is the child of 2 joints"),
        (lambda t: t.replace('parent link="world"', 'parent link="c"', 1), "the link 'c'"),
        (lambda t: t.replace('parent link="world"', 'parent link="b"', 2).replace(
            'parent link="b"', 'parent link="a"', 1), "one root link|in a loop"),
        (lambda t: t.replace('type="revolute"', 'type="ball"', 1), "type 'ball' is not one of"),
        (lambda t: t.replace('mass value="1"', 'mass value="-1"', 1), "must not be negative"),
        (lambda t: t.replace('mass value="1"', 'mass value="one"', 1), "must be a finite number"),
        (lambda t: t.replace('xyz="0 0 1"', 'xyz="0 0 0"', 1), "joint 'A'"),
        (lambda t: t.replace('xyz="0 0 1"', 'xyz="0 0"', 1), "3 finite numbers"),
        (lambda t: t.replace("</robot>", ""), "not valid XML"),
        (lambda t: t.replace("robot", "sdf"), "begins with <sdf>"),
        (lambda t: "<!DOCTYPE x>" + t, "document type"),
        (lambda t: t.replace('link name="b"', 'link name="a"'), "'a' is defined twice"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_a_sentence_that_names_the_place(tmp_path, change, message):
    with pytest.raises(kt.ModelError, match=message) as found:
        load(tmp_path, change(MIMIC))
    assert "arm.urdf" in str(found.value)


def test_an_impossible_inertia_is_used_as_given_or_refused(tmp_path):
    text = MIMIC.replace('ixx="1" iyy="1" izz="1"', 'ixx="1" iyy="1" izz="3"', 1)
    model = load(tmp_path, text)
    assert any("triangle" in note for note in model.receipt.notes)
    assert model.bodies["a"].properties.inertia[2, 2] == 3.0
    with pytest.raises(kt.ModelError, match=r"link 'a'.*triangle"):
        load(tmp_path, text, strict=True)


def test_pictures_are_placed_with_their_link(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    visual = (
        '<visual><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><geometry>'
        '<mesh filename="package://arm/meshes/part.obj" scale="2 2 2"/></geometry>'
        '<material name="m"><color rgba="1 0 0 1"/></material></visual>'
        '<visual><geometry><mesh filename="package://arm/meshes/lost.stl"/></geometry></visual>'
    )
    model = load(tmp_path, MIMIC.replace('<link name="a">', f'<link name="a">{visual}'))
    (mesh,) = model.bodies["a"].look
    np.testing.assert_allclose(mesh.corners, [(0, 0, 1), (0, 2, 1), (-2, 0, 1)], atol=1e-12)
    assert mesh.paint == "#ff0000"
    assert any("1 meshes whose file is missing" in note for note in model.receipt.notes)


def test_names_with_dots_are_renamed_and_noted(tmp_path):
    model = load(tmp_path, MIMIC.replace('"a"', '"a.0"'))
    assert "a_0" in model.bodies
    assert "renamed: 'a.0' to 'a_0'" in model.receipt.notes


def test_load_reads_robot_files_by_their_ending(tmp_path):
    (tmp_path / "arm.urdf").write_text(MIMIC)
    assert set(kt.load(tmp_path / "arm.urdf").bodies) == {"a", "b"}
    with pytest.raises(kt.ModelError, match="has no parameters"):
        kt.load(tmp_path / "arm.urdf", {"L": 1.0})
