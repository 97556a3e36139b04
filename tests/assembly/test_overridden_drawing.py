"""A joint by markers overrides the drawn position of its child. A body that starts more than a
hundredth of the model size from its drawing is reported first, with the name of the joint.
"""

import numpy as np
import pytest

import kinetree as kt

SATISFIED = "The drawn position already satisfies all constraints."
SECTION = kt.Section.circle(radius=0.03, E=2e11, density=7870.0)
HINGE = kt.Revolute("y")


def rod_at(x: float, joint=HINGE) -> kt.Model:
    """A rod of 1 m along x, drawn with its middle at x, hung by its left end at the origin."""
    m = kt.Model("rod")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x", axial=1e-3), position=(x, 0, 0))
    m.joint("A", joint, m.ground, rod.end("-"))
    return m


def first_line(text: str) -> str:
    assert SATISFIED not in text
    return text.splitlines()[0]


@pytest.mark.parametrize(
    "joint", [kt.Revolute("y"), kt.Fixed(), kt.Spherical(), kt.Universal("y", "z")], ids=repr
)
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_tree_joint_that_moves_a_body_far_is_named_first(joint, coordinates):
    line = first_line(str(kt.assemble(rod_at(5.0, joint), coordinates=coordinates)))
    assert "body 'rod' is 4.5 m from its position (moved by joint 'A')" in line
    assert "at=(x, y, z)" in line


def test_topology_and_run_report_it_first_too():
    m = rod_at(5.0)
    assert "(moved by joint 'A')" in first_line(str(m.topology()))
    sol = kt.simulate(m, 0.01, progress=False)
    assert "(moved by joint 'A')" in str(sol).splitlines()[1]


def test_a_stored_run_keeps_the_name_of_the_joint(tmp_path):
    kt.simulate(rod_at(5.0), 0.01, progress=False).save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    assert again.assembly.moved_by == {"rod": "A"}


def test_a_tiny_move_is_reported_last_with_the_joint_and_without_advice():
    lines = str(kt.assemble(rod_at(0.501))).splitlines()
    assert lines[0].startswith("Assembly of") and SATISFIED not in lines
    assert "0.001 m from its position (moved by joint 'A')" in lines[-1]
    assert "at=" not in lines[-1]


def test_a_joint_by_a_global_point_keeps_the_drawing():
    m = kt.Model("rod")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x"), position=(5, 0, 0))
    m.joint("A", kt.Revolute("y"), m.ground, rod, at=(4.5, 0, 0))
    assembly = kt.assemble(m)
    assert str(assembly).splitlines()[-1] == SATISFIED and assembly.moved_by == {}
    assert m.topology().displaced == ""


def chain(x_of_second: float) -> kt.Model:
    """Two rods in a row; the first is drawn 2 m to the right of its joint."""
    m = kt.Model("chain")
    one = m.body("one", kt.rod(1.0, 1.0, along="x"), position=(2.5, 0, 0))
    two = m.body("two", kt.rod(1.0, 1.0, along="x"), position=(x_of_second, 0, 0))
    m.joint("A", kt.Revolute("y"), m.ground, one.end("-"))
    m.joint("B", kt.Revolute("y"), one.end("+"), two.end("-"))
    return m


def test_a_body_that_is_carried_along_is_reported_with_the_joint_that_moved_its_parent():
    assert kt.assemble(chain(3.5)).moved_by == {"one": "A", "two": "A"}


def test_a_joint_by_a_global_point_carries_its_child_with_a_parent_that_was_moved():
    m = kt.Model("chain")
    one = m.body("one", kt.rod(1.0, 1.0, along="x"), position=(2.5, 0, 0))
    two = m.body("two", kt.rod(1.0, 1.0, along="z"), position=(3.0, 0, 0.5))
    m.joint("A", kt.Revolute("y"), m.ground, one.end("-"))
    m.joint("B", kt.Revolute("y"), one, two, at=(3, 0, 0))
    assembly = kt.assemble(m)
    assert assembly.moved_by == {"one": "A", "two": "A"}
    assert assembly.misplaced == pytest.approx({"one": 2.0, "two": 2.0})


def test_a_body_that_its_own_joint_moves_is_reported_with_this_joint():
    assert kt.assemble(chain(9.0)).moved_by == {"one": "A", "two": "B"}


def parallelogram(drawn_foot: float) -> kt.Model:
    """Two posts of 1 m and a bar of 2 m between them, closed at D."""
    m = kt.Model("frame")
    left = m.body("left", kt.rod(1.0, 1.0, along="z"), position=(0, 0, 0.5))
    bar = m.body("bar", kt.rod(1.0, 2.0, along="x"), position=(1, 0, 1))
    right = m.body("right", kt.rod(1.0, 1.0, along="z"), position=(2, 0, 0.5))
    m.joint("A", kt.Revolute("y"), m.ground, left, at=(0, 0, 0))
    m.joint("B", kt.Revolute("y"), left, bar, at=(0, 0, 1))
    m.joint("C", kt.Revolute("y"), bar, right, at=(2, 0, 1))
    m.joint("D", kt.Revolute("y"), m.ground.at(drawn_foot, 0, 0), right.end("-"))
    return m


def test_closing_a_loop_far_from_its_drawing_names_the_joint_that_was_open():
    """The foot is 0.3 m beside the point where the post is drawn."""
    assembly = kt.assemble(parallelogram(1.7))
    assert assembly.moved_by == {"left": "D", "bar": "D", "right": "D"}
    assert set(assembly.misplaced) == {"left", "bar", "right"}
    assert "(moved by joint 'D')" in first_line(str(assembly))


def test_a_loop_that_cannot_close_names_the_joint_that_overrode_the_drawing_first():
    m = kt.Model("portal")
    one, two = (
        m.beam(name, [(x, 0, 0), (x, 0, 3)], SECTION, elements=2)
        for name, x in (("left", 0.0), ("right", 4.0))
    )
    top = m.beam("top", [(0, 0, 3), (4, 0, 3)], SECTION, elements=2)
    m.joint("k1", kt.Fixed(), m.ground, one.end("-"))
    m.joint("k2", kt.Fixed(), m.ground, two.end("-"))
    m.joint("c1", kt.Fixed(), one.end("+"), top.end("-"))
    m.joint("c2", kt.Fixed(), top.end("+"), two.end("+"))
    with pytest.raises(kt.AssemblyError) as refused:
        kt.assemble(m)
    message = str(refused.value)
    assert message.startswith("Beam 'right' is 4 m from where it is drawn (moved by joint 'k2').")
    assert "a gap of 4 m remains" in message


def test_a_turned_body_is_reported_first_with_its_joint():
    m = kt.Model("turned")
    b = m.body("b", kt.box(1.0, (0.1, 0.2, 0.3)), rotation=("z", (0.4,)))
    m.joint("J", kt.Fixed(), m.ground, b)
    line = first_line(str(kt.assemble(m)))
    assert "body 'b' is turned by 0.4 rad from its rotation (moved by joint 'J')" in line


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_far_is_relative_to_the_size_of_the_model(size):
    """The middle of the rod is 0.9 and 1.1 hundredths of the model size from its drawing."""
    for part, first in ((0.9e-2, False), (1.1e-2, True)):
        m = kt.Model("rod")
        rod = m.body("rod", kt.rod(1.0, size, along="x"))
        m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"))
        length = float(kt.assemble(m).compiled.tables.settings[0]["length"])
        m = kt.Model("rod")
        x = 0.5 * size + part * length
        rod = m.body("rod", kt.rod(1.0, size, along="x"), position=(x, 0, 0))
        m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"))
        assert bool(kt.assemble(m).told_first) == first


def test_a_given_start_moves_bodies_without_a_report():
    m = rod_at(0.5)
    m.joints["A"].start["angle"] = 1.0
    assert kt.assemble(m).moved_by == {} and np.isclose(kt.assemble(m).coordinates["A.angle"], 1.0)
