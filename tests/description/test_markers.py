"""Markers by a point of the drawing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt


def drawn(rotation):
    m = kt.Model("drawing")
    body = m.body(
        "plate", kt.box(2.0, (1.0, 0.6, 0.1)), position=(0.4, -0.2, 1.5), rotation=rotation
    )
    return m, body


@pytest.mark.parametrize("rotation", [None, ("zyx", (0.4, -0.7, 1.1))])
def test_a_marker_by_a_global_point_is_where_a_joint_by_the_same_point_is(rotation):
    m, body = drawn(rotation)
    point = (0.9, 0.1, 1.2)
    m.joint("hinge", kt.Revolute(axis="y"), m.ground, body, at=point)
    marker = body.at_global(*point)
    assert_allclose(marker.X_Bm.p, m.joints["hinge"].M.X_Bm.p, atol=1e-14)  # rounding
    assert_allclose(body.pose.R @ marker.X_Bm.p + body.pose.p, point, atol=1e-14)


def test_a_spring_between_global_points_has_the_length_of_the_drawing():
    m, body = drawn(("zyx", (0.4, -0.7, 1.1)))
    m.float(body)
    ends = np.array([(0.0, 0.0, 3.0), (0.6, 0.0, 1.4)])
    m.force("spring", kt.SpringDamper(), m.ground.at_global(*ends[0]), body.at_global(*ends[1]))
    sol = kt.simulate(m, until=1e-3)
    assert_allclose(sol["spring.length"][0], np.linalg.norm(ends[1] - ends[0]), rtol=1e-12)


def test_a_body_without_a_position_is_drawn_at_the_origin():
    m = kt.Model("drawing")
    rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    assert_allclose(rod.at_global(0.1, 0.2, 0.3).X_Bm.p, (0.1, 0.2, 0.3))


def test_a_marker_on_a_beam_by_a_global_point_belongs_to_the_nearest_node():
    m = kt.Model("shelf", gravity=(0, 0, 0))
    section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    board = m.beam("board", [(0, 0, 0), (1, 0, 0)], section, elements=4, position=(2, 0, 1))
    m.joint("wall", kt.Fixed(), m.ground, board, at=(2, 0, 1))
    m.force("load", kt.PointForce((0, 0, -1.0)), board.at_global(3, 0, 1))
    inertia = np.pi * 0.01**4 / 4
    tip = kt.deflect(m)["board.4.position"][2] - 1.0
    assert_allclose(tip, -1.0 / (3 * 2.1e11 * inertia), rtol=0.01)  # with shear, 4 elements


def test_a_wrong_point_is_reported_with_the_name_of_the_body():
    _, body = drawn(None)
    with pytest.raises(kt.ModelError, match="plate"):
        body.at_global(0.0, "high", 1.0)
