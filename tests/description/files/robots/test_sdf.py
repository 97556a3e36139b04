"""Robots from SDF files, compared with the same robots from URDF files and built by hand."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt
from support.machine import machine

INERTIA = "<inertia><ixx>.1</ixx><iyy>.2</iyy><izz>.25</izz><ixy>.01</ixy></inertia>"


def load(tmp_path, text: str, version: str = "1.9", **options) -> kt.Model:
    path = tmp_path / "robot.sdf"
    path.write_text(f'<sdf version="{version}"><model name="r">{text}</model></sdf>')
    return kt.load_robot(path, **options)


def link(name: str, pose: str = "", mass: float = 2.0, inner: str = "", relative: str = "") -> str:
    frame = f' relative_to="{relative}"' if relative else ""
    return (
        f'<link name="{name}"><pose{frame}>{pose or "0 0 0 0 0 0"}</pose><inertial>'
        f"<pose>.1 .2 -.1 .3 .1 -.2</pose><mass>{mass}</mass>{INERTIA}</inertial>{inner}</link>"
    )


def joint(name, parent, child, kind="revolute", xyz="0 1 0", more="", within="") -> str:
    expressed = f' expressed_in="{within}"' if within else ""
    axis = (
        f"<axis><xyz{expressed}>{xyz}</xyz>{more}</axis>" if kind not in ("ball", "fixed") else ""
    )
    return (
        f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>'
        f"{axis}</joint>"
    )


def test_accelerations_are_those_of_the_same_robot_in_urdf(tmp_path):
    """Poses of SDF are those of the links in the model, poses of URDF those of joints in parents."""
    inertial = (
        '<inertial><origin xyz=".1 .2 -.1" rpy=".3 .1 -.2"/><mass value="2"/>'
        '<inertia ixx=".1" iyy=".2" izz=".25" ixy=".01"/></inertial>'
    )
    (tmp_path / "robot.urdf").write_text(
        '<robot name="r"><link name="world"/>'
        + "".join(f'<link name="{k}">{inertial}</link>' for k in "abc")
        + '<joint name="A" type="revolute"><parent link="world"/><child link="a"/>'
        '<origin xyz="1 2 3" rpy=".5 -.4 .3"/><axis xyz="0 1 0"/></joint>'
        '<joint name="B" type="prismatic"><parent link="a"/><child link="b"/>'
        '<origin xyz=".1 0 .4" rpy="0 1.5707963267948966 .2"/><axis xyz="1 1 0"/></joint>'
        '<joint name="C" type="fixed"><parent link="b"/><child link="c"/>'
        '<origin xyz="0 .3 0" rpy="1 0 0"/></joint></robot>'
    )
    text = (
        link("a", "1 2 3 .5 -.4 .3")
        + link("b", ".1 0 .4 0 1.5707963267948966 .2", relative="a")
        + link("c", "0 .3 0 1 0 0", relative="B")  # the frame of a joint is that of its child
        + joint("A", "world", "a")
        + joint("B", "a", "b", "prismatic", "1 1 0")
        + joint("C", "b", "c", "fixed")
    )
    ours, theirs = (
        machine(m).at(np.array([0.3, -0.2]), np.array([1.0, 2.0]))
        for m in (load(tmp_path, text), kt.load_robot(tmp_path / "robot.urdf", base="fixed"))
    )
    np.testing.assert_allclose(ours.vdot_tree, theirs.vdot_tree, rtol=1e-12)


def test_axes_may_be_given_in_other_frames(tmp_path):
    """The same axis in the frame of the joint, of the model, and in that of old versions."""
    pose = "0 0 0 0 0 1.5707963267948966"  # x of the link is y of the model
    ways = [
        load(tmp_path, link("a", pose) + joint("A", "world", "a", xyz="1 0 0")),
        load(tmp_path, link("a", pose) + joint("A", "world", "a", xyz="0 1 0", within="__model__")),
        load(tmp_path, link("a", pose) + joint("A", "world", "a", xyz="0 1 0"), version="1.4"),
        load(
            tmp_path,
            link("a", pose)
            + joint("A", "world", "a", more="<use_parent_model_frame>1</use_parent_model_frame>"),
            version="1.6",
        ),
    ]
    found = [machine(m).at(np.array([0.4]), np.array([0.0])).vdot_tree[0] for m in ways]
    np.testing.assert_allclose(found, found[0], rtol=1e-12)


def test_loops_are_closed(tmp_path):
    """A parallelogram, whose coupler does not turn: [x, 0] of its ends moves with the cranks."""
    text = (
        link("left", "0 0 0 0 0 0")
        + link("right", "1 0 0 0 0 0")
        + link("bar", "0 0 1 0 0 0")
        + joint("A", "world", "left")
        + joint("B", "world", "right")
        + '<joint name="C" type="revolute"><parent>left</parent><child>bar</child>'
        "<axis><xyz>0 1 0</xyz></axis></joint>"
        + '<joint name="D" type="revolute"><pose>0 0 1 0 0 0</pose><parent>bar</parent>'
        "<child>right</child><axis><xyz>0 1 0</xyz></axis></joint>"
    )
    sol = kt.simulate(load(tmp_path, text), until=0.5, rtol=1e-9)
    np.testing.assert_allclose(sol["A.angle"], sol["B.angle"], atol=1e-11)
    assert sol.constraint_error.max() < 1e-12
    assert sol.energy.drift < 1e-7


def test_a_robot_without_a_joint_to_the_world_floats_where_it_is(tmp_path):
    text = "<pose>0 0 5 0 0 0</pose>" + link("a", "1 0 0 0.3 0.2 0.1")
    sol = kt.simulate(load(tmp_path, text), until=0.1)
    start = [sol[f"a.position.{axis}"][0] for axis in "xyz"]
    np.testing.assert_allclose(start, [1, 0, 5], atol=1e-12)
    fixed = load(tmp_path, text + link("b") + joint("A", "a", "b"), base="fixed")
    assert kt.simulate(fixed, until=0.1)["a.position.z"][-1] == pytest.approx(5.0)


def test_two_axes_are_two_hinges(tmp_path):
    cross = (
        '<joint name="U" type="universal"><parent>world</parent><child>a</child>'
        "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
    )
    model = load(tmp_path, link("a") + cross)
    by_hand = kt.Model("by hand")
    body = by_hand.body("a", model.bodies["a"].properties)
    by_hand.joint("U", kt.Universal("x", "y"), by_hand.ground, body)
    start = [{"U.angle": 0.3, "U 2.angle": -0.2}, {"U.angle1": 0.3, "U.angle2": -0.2}]
    a, b = (kt.simulate(m, until=0.4, rtol=1e-9, state=s) for m, s in zip((model, by_hand), start))
    np.testing.assert_allclose(a["U.angle"], b["U.angle1"], atol=1e-8)


def test_springs_limits_and_mimicry_are_read(tmp_path):
    spring = (
        "<dynamics><damping>.5</damping><spring_stiffness>7</spring_stiffness>"
        "<spring_reference>.2</spring_reference></dynamics>"
        "<limit><lower>-1</lower><upper>2</upper></limit>"
    )
    follows = '<mimic joint="A"><multiplier>3</multiplier><offset>.1</offset></mimic>'
    text = link("a") + link("b") + joint("A", "world", "a", more=spring)
    model = load(tmp_path, text + joint("B", "world", "b", more=follows), version="1.11")
    assert model.receipt.limits == {"A": (-1.0, 2.0)}
    law = model.forces["A spring"].spec
    assert (law.stiffness, law.damping, law.angle) == (7.0, 0.5, 0.2)
    sol = kt.simulate(model, until=0.1, state={"A.angle": 0.1})
    np.testing.assert_allclose(sol["B.angle"], 3.0 * sol["A.angle"] + 0.1, atol=1e-12)


def test_pictures_are_drawn(tmp_path):
    box = (
        '<visual name="v"><pose>0 0 1 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>'
        "<material><diffuse>0 0 1 1</diffuse></material></visual>"
    )
    (look,) = load(tmp_path, link("a", inner=box)).bodies["a"].look
    assert (tuple(look.sides), look.paint) == ((1, 2, 3), "#0000ff")
    np.testing.assert_allclose(look.at, (0, 0, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (link("a") + joint("A", "world", "b"), "named 'b'"),
        (link("a") + joint("A", "world", "a", "wobbly"), "type 'wobbly' is not one of"),
        (link("a", relative="b") + link("b", relative="a"), "relative to itself"),
        (link("a", mass=-1.0), "must not be negative"),
        (link("a", "0 0 0"), "6 finite numbers"),
        ("<static>true</static>" + link("a"), "is static"),
        ("<include><uri>model://x</uri></include>" + link("a"), "gz sdf --print"),
        ("", "has no links"),
    ],
)
def test_a_wrong_file_is_refused_in_words(tmp_path, text, message):
    with pytest.raises(kt.ModelError, match=message) as found:
        load(tmp_path, text)
    assert "robot.sdf" in str(found.value)


def test_two_models_in_a_file_are_refused(tmp_path):
    path = tmp_path / "two.sdf"
    path.write_text('<sdf version="1.9"><model name="a"/><model name="b"/></sdf>')
    with pytest.raises(kt.ModelError, match="expected one model, found 'a', 'b'"):
        kt.load(path)
