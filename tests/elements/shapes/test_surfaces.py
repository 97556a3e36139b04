"""Profiles and height fields against closed forms."""

import math

import numpy as np
import pytest

import kinetree as kt

S = kt.shapes
BALL = S.Ball(0.1)


def gap(a, b, position, rotation=None) -> float:
    """Gap of a shape on the ground and a shape b."""
    m = kt.Model("pair", gravity=(0, 0, 0))
    body = m.body("b", kt.sphere(1.0, 0.1), position=position, rotation=rotation)
    m.float(body)
    m.contact("touch", a.on(m.ground), b.on(body), kt.Contact(1.0))
    return float(kt.simulate(m, 1e-9)["touch.gap"][0])


SQUARE = S.Profile([(-1, -1), (1, -1), (1, 1), (-1, 1)])
SLOT = S.Profile([(-1, -1), (1, -1), (1, 1), (0.15, 1), (0.15, 0), (-0.15, 0), (-0.15, 1), (-1, 1)])


@pytest.mark.parametrize(
    "profile, point, expected",
    [
        (SQUARE, (1.5, 0.3), 0.5),  # beside a side
        (SQUARE, (0.95, 0.3), -0.05),  # inside
        (SQUARE, (1.3, 1.4), 0.5),  # at a corner
        (SLOT, (0.02, 0.5), 0.13),  # in a slot, next to its right wall
        (SLOT, (0.0, 0.12), 0.12),  # above the ground of the slot
        (SLOT, (1.2, 0.5), 0.2),  # the walls of the slot face away
    ],
)
def test_a_roller_has_the_distance_of_the_nearest_wall(profile, point, expected):
    assert gap(profile, BALL, (*point, 0.7)) == pytest.approx(expected - 0.1, abs=1e-12)
    assert gap(profile, S.Cylinder(0.1, 0.3), (*point, 0.7)) == pytest.approx(
        expected - 0.1, abs=1e-12
    )


def test_a_roller_between_two_walls_touches_both():
    m = kt.Model("slot", gravity=(0, 0, 0))
    body = m.body("b", kt.sphere(1.0, 0.1), position=(0, 0.6, 0))
    m.float(body)
    m.contact("touch", SLOT.on(m.ground), S.Ball(0.151).on(body), kt.Contact(1e5, exponent=1.0))
    sol = kt.simulate(m, 1e-9)
    assert sol["touch.count"][0] == 2.0
    assert sol["touch.normal"][0] == pytest.approx(0.0, abs=1e-9)  # the two forces balance


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0, 4.4])
def test_a_spline_through_points_of_a_circle_is_a_circle(angle):
    turn = np.linspace(0.0, 2 * np.pi, 120, endpoint=False)
    circle = S.Profile(0.5 * np.column_stack([np.cos(turn), np.sin(turn)]), smooth=True)
    at = (0.8 * math.cos(angle), 0.8 * math.sin(angle), 0.0)
    # a cubic spline deviates by about (2 pi / 120)^4 / 384 of the radius
    assert gap(circle, BALL, at) == pytest.approx(0.2, abs=1e-8)


def eccentric_cam(follower: str) -> kt.Model:
    """A disc that turns about a point beside its center lifts a follower."""
    R, e = 0.03, 0.01
    turn = np.linspace(0.0, 2 * np.pi, 240, endpoint=False)
    points = np.column_stack([e + R * np.cos(turn), R * np.sin(turn)])
    m = kt.Model("cam", gravity=(0, -9.81, 0))
    cam = m.body("cam", kt.cylinder(1.0, R, 0.02, along="z"))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground, cam)
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(slope=20.0)))
    start = {"displacement": R if follower == "flat" else math.sqrt((R + 0.01) ** 2 - e * e)}
    valve = m.body("valve", kt.sphere(0.2, 0.01))
    m.joint("guide", kt.Translational(axis="y"), m.ground, valve, start=start)
    m.force("spring", kt.SpringDamper(2000.0, 5.0, 0.1), m.ground.at(0, 0.12, 0), valve)
    profile = S.Profile(points, smooth=True).on(cam)
    law = kt.Contact(1e9, restitution=0.2)
    if follower == "flat":
        down = m.bodies["valve"].at(0, 0, 0, rotation=("x", math.pi / 2))
        m.contact("touch", S.HalfSpace().on(down), profile, law)
    else:
        m.contact("touch", profile, S.Cylinder(0.01, 0.02).on(valve), law)
    return m


def test_a_flat_follower_has_the_lift_of_an_eccentric_cam():
    sol = kt.simulate(eccentric_cam("flat"), 0.5, integrator="switching", rtol=1e-7)
    late = sol.t > 0.2
    lift = 0.03 + 0.01 * np.sin(20.0 * sol.t)
    # the contact yields by (F / k)^(2/3) = 3e-5 m under 150 N
    np.testing.assert_allclose(sol["valve.position.y"][late], lift[late], atol=6e-5)


def test_a_roller_follower_has_the_lift_of_an_eccentric_cam():
    sol = kt.simulate(eccentric_cam("roller"), 0.5, integrator="switching", rtol=1e-7)
    late, a = sol.t > 0.2, 20.0 * sol.t
    lift = 0.01 * np.sin(a) + np.sqrt(0.04**2 - (0.01 * np.cos(a)) ** 2)
    np.testing.assert_allclose(sol["valve.position.y"][late], lift[late], atol=6e-5)


def test_a_plane_height_field_is_a_half_space():
    x = np.linspace(-1, 1, 11)
    field = S.HeightField(0.3 * x[:, None] - 0.2 * x, spacing=0.2)
    at = (0.13, 0.21, 0.4)
    expected = (0.4 - 0.3 * 0.13 + 0.2 * 0.21) / math.sqrt(1 + 0.3**2 + 0.2**2)
    assert gap(field, BALL, at) == pytest.approx(expected - 0.1, abs=1e-12)
    # the corner of the lower face that lies deepest
    corners = [(0.13 + i, 0.21 + j, 0.3) for i in (-0.2, 0.2) for j in (-0.1, 0.1)]
    heights = [(z - 0.3 * x + 0.2 * y) / math.sqrt(1.13) for x, y, z in corners]
    assert gap(field, S.Box((0.4, 0.2, 0.2)), at) == pytest.approx(min(heights), abs=1e-12)


def test_a_ball_rolls_in_a_trough_with_the_frequency_of_its_curvature():
    """A point on z = c x^2 / 2 swings with omega^2 = c g; a ball that slides does so with its center."""
    x = np.linspace(-1, 1, 201)
    field = S.HeightField(0.5 * x[:, None] ** 2 + 0.0 * x, spacing=0.01)
    m = kt.Model("trough")
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0.01, 0, 0.1))
    m.float(ball)
    m.contact("touch", field.on(m.ground), BALL.on(ball), kt.Contact(1e7, restitution=0.3))
    sol = kt.simulate(m, 2.0, integrator="switching", rtol=1e-7)
    omega = math.sqrt(9.81 / (1.0 - 0.1))  # the center moves on the parallel curve, of radius 0.9 m
    expected = 0.01 * 0.9 / 1.0 * np.cos(omega * sol.t)
    np.testing.assert_allclose(sol["ball.position.x"], expected, atol=2e-3)
