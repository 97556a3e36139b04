"""Rigid contact of hulls, profiles and height fields against closed forms and simpler shapes."""

import math

import numpy as np
import pytest

import kinetree as kt

S = kt.shapes
SIDES = (0.2, 0.16, 0.1)


def thrown(shape):
    m = kt.Model("thrown")
    body = m.body(
        "body", kt.box(1.0, SIDES), position=(0, 0, 0.4), velocity=(1, 0.3, 0), rotation=("x", 0.3)
    )
    m.float(body)
    law = kt.RigidContact(0.2, friction=0.4, several="simultaneous")
    m.contact("floor", S.HalfSpace().on(m.ground), shape.on(body), law)
    return kt.simulate(m, 0.6, rtol=1e-9)


def test_the_hull_of_the_corners_of_a_box_falls_like_the_box():
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.08, 0.08) for z in (-0.05, 0.05)]
    box, hull = thrown(S.Box(SIDES)), thrown(S.Hull(corners))
    hits = [one.events["floor.impact"].t for one in (box, hull)]
    assert len(hits[0]) > 3
    # the order of the corners differs, and a tumbling box multiplies the differences of rounding
    np.testing.assert_allclose(hits[0][:20], hits[1][:20], atol=1e-8)
    np.testing.assert_allclose(box["body.position"][-1], hull["body.position"][-1], atol=1e-5)


BASE, LIFT, MASS, STIFFNESS, PRELOAD = 0.015, 0.004, 0.1, 20e3, 150.0


def valve(speed, angle=0.5 * math.pi):
    """A flat valve on a cam whose lift is BASE + LIFT (1 + sin a) / 2."""
    a = np.linspace(0.0, 2 * math.pi, 360, endpoint=False)
    h, slope = BASE + 0.5 * LIFT * (1 + np.cos(a)), -0.5 * LIFT * np.sin(a)
    points = np.column_stack([h * np.cos(a) - slope * np.sin(a), h * np.sin(a) + slope * np.cos(a)])
    m = kt.Model("valve", gravity=(0, 0, 0))
    cam = m.body("cam", kt.cylinder(1.0, BASE, 0.01, along="z"))
    m.joint("shaft", kt.Revolute("z"), m.ground, cam, start={"angle": -angle})
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(speed, start=-angle)))
    body = m.body("valve", kt.mass(MASS, (1e-5,) * 3))
    start = {"displacement": BASE + 0.5 * LIFT * (1 - math.sin(angle))}
    rate = {"displacement": 0.5 * LIFT * speed * math.cos(angle)}
    m.joint("guide", kt.Translational("y"), m.ground, body, start=start, speed=rate)
    spring = kt.SpringDamper(STIFFNESS, length=0.1 - BASE + PRELOAD / STIFFNESS)
    m.force("spring", spring, m.ground.at(0, 0.1, 0), body)
    face = S.HalfSpace().on(body.at(0, 0, 0, rotation=("x", math.pi / 2)))
    m.contact("touch", face, S.Profile(points, smooth=True).on(cam), kt.RigidContact())
    return m


# the force PRELOAD + k L (1 + sin a) / 2 - m w^2 L sin a / 2 vanishes at the top first
JUMP = math.sqrt((PRELOAD + STIFFNESS * LIFT) / (MASS * LIFT / 2))


def test_a_valve_jumps_off_its_cam_above_the_jump_speed_only():
    below = kt.simulate(valve(0.999 * JUMP), 4 * math.pi / JUMP, rtol=1e-8)
    assert "touch.lift" not in below.events
    lift = BASE + 0.5 * LIFT * (1 + np.sin(below["shaft.angle"]))
    # the spline through 360 points has an error of 1e-11 m
    np.testing.assert_allclose(below["valve.position.y"], lift, atol=1e-9)


@pytest.mark.parametrize("share", [1.1, 1.5])
def test_the_valve_leaves_its_cam_where_the_force_vanishes(share):
    w = share * JUMP
    sol = kt.simulate(valve(w), 2 * math.pi / JUMP, rtol=1e-8)
    need = (PRELOAD + 0.5 * STIFFNESS * LIFT) / (0.5 * LIFT * (MASS * w * w - STIFFNESS))
    t = (math.asin(need) + 0.5 * math.pi) / w
    # the second derivative of the spline has an error of the second order in the spacing of points
    assert sol.events["touch.lift"].t[0] == pytest.approx(t, abs=4e-4 / w)
    assert sol["touch.gap"].max() > 1e-6


@pytest.mark.parametrize("roller", [S.Ball(0.005), S.Cylinder(0.005, 0.01)], ids=["ball", "roller"])
def test_a_roller_on_an_eccentric_disc_has_its_lift(roller):
    """y = e sin a + sqrt((R + r)^2 - e^2 cos^2 a)."""
    R, e, r = 0.03, 0.01, 0.005
    a = np.linspace(0.0, 2 * math.pi, 180, endpoint=False)
    points = np.column_stack([e + R * np.cos(a), R * np.sin(a)])
    m = kt.Model("cam")
    cam = m.body("cam", kt.rotor(inertia=1e-3, mass=1.0))
    m.joint("shaft", kt.Revolute("z"), m.ground, cam)
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(10.0)))
    rod = m.body("rod", kt.mass(0.2, (1e-4,) * 3))
    y = math.sqrt((R + r) ** 2 - e**2)
    speed = {"displacement": 10.0 * e}
    m.joint("guide", kt.Translational("y"), m.ground, rod, start={"displacement": y}, speed=speed)
    m.force("spring", kt.SpringDamper(1000.0, length=0.1), m.ground.at(0, 0.12, 0), rod)
    m.contact("touch", S.Profile(points, smooth=True).on(cam), roller.on(rod), kt.RigidContact())
    sol = kt.simulate(m, 1.0, rtol=1e-7)
    a = sol["shaft.angle"]
    exact = e * np.sin(a) + np.sqrt((R + r) ** 2 - (e * np.cos(a)) ** 2)
    np.testing.assert_allclose(sol["rod.position.y"], exact, atol=1e-9)  # error of the spline


def test_a_polygon_rests_on_its_corners():
    a = np.linspace(0.0, 2 * math.pi, 6, endpoint=False)
    nut = S.Profile(0.1 * np.column_stack([np.cos(a), np.sin(a)]))
    m = kt.Model("nut")
    body = m.body("nut", kt.cylinder(1.0, 0.1, 0.1, along="y"), position=(0, 0, 0.12))
    m.joint("plane", kt.Planar("y"), m.ground, body, at=(0, 0, 0.12))
    shape = nut.on(body.at(0, 0, 0, rotation=("x", math.pi / 2)))
    m.contact("floor", S.HalfSpace().on(m.ground), shape, kt.RigidContact(friction=0.4))
    sol = kt.simulate(m, 1.0)
    assert sol["nut.position.z"][-1] == pytest.approx(0.1 * math.cos(math.pi / 6), abs=1e-12)
    assert sol["floor.normal"][-1] == pytest.approx(9.81, rel=1e-9)
    assert sol["floor.count"][-1] == 2


@pytest.mark.parametrize("amplitude", [0.01, 0.05])
def test_a_ball_slides_in_a_trough_like_a_pendulum(amplitude):
    """The center moves on a circle of the radius R - r: a pendulum whose energy is known."""
    R, r, n = 0.5, 0.05, 81
    x = 0.005 * (np.arange(n) - (n - 1) / 2)
    trough = S.HeightField(np.repeat((R - np.sqrt(R * R - x * x))[:, None], 5, axis=1), 0.005)
    m = kt.Model("trough")
    ball = m.body("ball", kt.sphere(1.0, r))
    z = R - math.sqrt((R - r) ** 2 - amplitude**2)
    start = {"x": amplitude, "y": z}
    m.joint("plane", kt.PlanarTranslational("x", "z"), m.ground, ball, at=(0, 0, 0), start=start)
    m.contact("touch", trough.on(m.ground), S.Ball(r).on(ball), kt.RigidContact())
    sol = kt.simulate(
        m, 2.0, rtol=1e-8, events=kt.Event("ball.position.x", name="rises", direction=1)
    )
    k = math.sin(0.5 * math.asin(amplitude / (R - r)))
    a, b = 1.0, math.sqrt(1.0 - k * k)
    while a - b > 1e-15:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    period = 2 * math.pi / a * math.sqrt((R - r) / 9.81)
    # the surface through points at 5 mm has slopes with an error of 1e-6
    assert np.diff(sol.events["rises"].t) == pytest.approx(period, rel=1e-4)
    assert sol.energy.imbalance < 1e-5  # its curvature jumps between the points
