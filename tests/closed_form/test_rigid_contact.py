"""Rigid contact against closed forms: impacts, friction, sticking, lift-off, stops, ropes."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.elements.joints.catalogue import JOINTS

G = 9.81
BOTH = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def floor(model):
    return kt.shapes.HalfSpace().on(model.ground)


def falling_ball(restitution, height=1.0):
    m = kt.Model("bounce")
    ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1), position=(0, 0, height + 0.1))
    m.joint("rail", kt.Translational(axis="z"), m.ground, ball, at=(0, 0, height + 0.1))
    m.contact("touch", floor(m), kt.shapes.Ball(0.1).on(ball), kt.RigidContact(restitution))
    return m


def sliding_box(slope, speed, friction=0.3):
    m = kt.Model("block", gravity=(-G * math.sin(slope), 0, -G * math.cos(slope)))
    box = m.body("b", kt.box(1.0, (0.2, 0.2, 0.1)), position=(0, 0, 0.05), velocity=(speed, 0, 0))
    m.float(box)
    m.contact(
        "touch",
        floor(m),
        kt.shapes.Box((0.2, 0.2, 0.1)).on(box),
        kt.RigidContact(friction=friction),
    )
    return m


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "dop853", "switching"])
def test_a_bouncing_ball_touches_at_the_times_of_the_geometric_series_and_comes_to_rest(integrator):
    sol = kt.simulate(falling_ball(0.8), 6.0, integrator=integrator, rtol=1e-10)
    t = sol.events["touch.impact"].t
    first = math.sqrt(2.0 / G)
    exact = first * np.array([1.0 + 2.0 * sum(0.8**j for j in range(1, k + 1)) for k in range(59)])
    # the gap of 1e-16 m is rounding; at the speed 4.4 m/s 0.8^k it is a time
    assert np.abs(t[:59] - exact)[:25].max() < 1e-12
    assert (np.abs(t[:59] - exact) < 1e-12 + 1e-15 / 0.8 ** np.arange(59) ** 1.2).all()
    assert abs(t[-1] - first * 1.8 / 0.2) < 1e-5  # rest_speed ends the series before its limit
    assert sol["rail.displacement.rate"][-1] == 0.0
    assert_allclose(sol["touch.normal"][-1], G, rtol=1e-12)
    assert_allclose(sol.energy.by_source["touch"][-1], -G, rtol=1e-9)
    assert sol.energy.imbalance < 1e-9


@BOTH
def test_a_sliding_block_stops_after_the_exact_distance_and_does_not_move_any_more(coordinates):
    sol = kt.simulate(sliding_box(0.0, 2.0), 2.0, rtol=1e-9, coordinates=coordinates)
    at_rest = sol.t > 2.0 / (0.3 * G)
    assert_allclose(sol.events["touch.stick"].t, [2.0 / (0.3 * G)], rtol=1e-11)
    assert_allclose(sol["b.position.x"][-1], 4.0 / (0.6 * G), rtol=1e-11)
    assert (sol["b.velocity"][at_rest] == 0.0).all()
    assert np.ptp(sol["b.position.x"][at_rest]) == 0.0
    assert_allclose(sol.energy.by_source["touch"][-1], -2.0, rtol=1e-10)


def test_a_block_stays_on_a_slope_of_16_degrees_and_slides_on_one_of_17():
    stays = kt.simulate(sliding_box(math.radians(16), 0.0), 1.0)
    assert (stays["b.velocity"] == 0.0).all()
    assert_allclose(stays["touch.friction"][-1], G * math.sin(math.radians(16)), rtol=1e-9)
    slope = math.radians(17)
    slides = kt.simulate(sliding_box(slope, 0.0), 1.0, rtol=1e-9)
    exact = -0.5 * G * (math.sin(slope) - 0.3 * math.cos(slope))
    assert_allclose(slides["b.position.x"][-1], exact, rtol=1e-9)


@BOTH
def test_a_ball_slides_and_then_rolls_with_five_sevenths_of_its_speed(coordinates):
    m = kt.Model("bowling")
    ball = m.body("ball", kt.sphere(2.0, 0.1), position=(0, 0, 0.1), velocity=(1.0, 0, 0))
    m.float(ball)
    m.contact("lane", floor(m), kt.shapes.Ball(0.1).on(ball), kt.RigidContact(friction=0.2))
    sol = kt.simulate(m, 1.0, coordinates=coordinates, rtol=1e-10)
    assert_allclose(sol["ball.velocity.x"][-1], 5.0 / 7.0, rtol=1e-12)
    assert_allclose(sol["ball.angular_velocity.y"][-1], 50.0 / 7.0, rtol=1e-12)
    assert_allclose(sol.events["lane.stick"].t, [2.0 / 7.0 / (0.2 * G)], rtol=1e-11)
    assert sol.energy.imbalance < 1e-9


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "dop853", "bdf", "switching", "rk4"])
@BOTH
def test_every_integrator_finds_the_state_after_sliding(integrator, coordinates):
    m = kt.Model("block")
    box = m.body("b", kt.box(1.0, (0.2, 0.2, 0.1)), position=(0, 0, 0.05), velocity=(2.0, 0.5, 0))
    m.float(box)
    m.contact("floor", floor(m), kt.shapes.Ball(0.05).on(box), kt.RigidContact(friction=0.3))
    given = {"step": 2e-3} if integrator == "rk4" else {"rtol": 1e-8}
    sol = kt.simulate(m, 1.0, integrator=integrator, coordinates=coordinates, **given)
    # a body that rolls after sliding: v+ = v / (1 + J / (m r^2)), r = 0.05 m
    rolls = 1.0 / (1.0 + (0.2**2 + 0.1**2) / 12.0 / 0.05**2)
    assert_allclose(sol["b.velocity"][-1][:2], [2.0 * rolls, 0.5 * rolls], rtol=1e-7)
    assert sol.energy.imbalance < 1e-7


def rocking(tilt, b=0.1, h=0.4):
    m = kt.Model("rock")
    z = h * math.cos(tilt) + b * math.sin(tilt)
    turned = (math.cos(tilt / 2), 0, math.sin(tilt / 2), 0)
    block = m.body("block", kt.box(1.0, (2 * b, 0.1, 2 * h)), position=(0, 0, z), rotation=turned)
    m.joint("plane", kt.Planar(axis="y"), m.ground, block, at=(0, 0, z))
    shape = kt.shapes.Box((2 * b, 0.1, 2 * h)).on(block)
    m.contact("floor", floor(m), shape, kt.RigidContact(friction=5.0))
    return m


def test_a_rocking_block_loses_speed_by_the_ratio_of_housner():
    # [Housner1963]: w+ / w- = 1 - 1.5 sin^2 alpha; first impact by the energy integral
    b, h = 0.1, 0.4
    alpha, R = math.atan2(b, h), math.hypot(b, h)
    tilt = 0.5 * alpha
    sol = kt.simulate(rocking(tilt), 2.0, rtol=1e-10)
    hit = sol.events["floor.impact"]
    ratio = hit.after["block.angular_velocity.y"] / hit.before["block.angular_velocity.y"]
    assert len(ratio) >= 5
    assert_allclose(ratio, 1.0 - 1.5 * math.sin(alpha) ** 2, rtol=1e-8)
    x = np.polynomial.legendre.leggauss(60)
    s = 0.5 * math.sqrt(tilt) * (x[0] + 1.0)
    k = 1.5 * G / R  # 2 m g R / (m R^2 + J), J = m R^2 / 3
    speed = np.sqrt(k * (math.cos(alpha - tilt) - np.cos(alpha - tilt + s * s)))
    assert_allclose(hit.t[0], (x[1] * 2.0 * s / speed).sum() * 0.5 * math.sqrt(tilt), rtol=1e-8)


def cradle(several):
    m = kt.Model("cradle", gravity=(0, 0, 0))
    balls = [m.body(f"b{k}", kt.sphere(1.0, 0.1), position=(0.2 * k, 0, 0)) for k in range(3)]
    for k, ball in enumerate(balls):
        first = {"start": {"displacement": -0.1}, "speed": {"displacement": 1.0}} if k == 0 else {}
        m.joint(f"r{k}", kt.Translational(axis="x"), m.ground, ball, at=(0.2 * k, 0, 0), **first)
    for k in range(2):
        law = kt.RigidContact(restitution=1.0, several=several)
        a, b = (kt.shapes.Ball(0.1).on(one) for one in balls[k : k + 2])
        m.contact(f"c{k}", a, b, law)
    return m


@pytest.mark.parametrize(
    "several, after", [("simultaneous", (-1 / 3, 2 / 3, 2 / 3)), ("sequential", (0, 0, 1))]
)
def test_newtons_cradle_follows_the_law_that_is_chosen(several, after):
    sol = kt.simulate(cradle(several), 0.3)
    assert_allclose([sol[f"b{k}.velocity.x"][-1] for k in range(3)], after, atol=1e-12)
    assert sol.energy.drift < 1e-12


def test_several_blows_without_a_law_are_refused_and_the_state_is_kept():
    with pytest.raises(kt.SimulationError, match="'c0' and 'c1' are struck at once") as caught:
        kt.simulate(cradle(None), 0.3)
    assert_allclose(caught.value.solution.t[-1], 0.1, rtol=1e-9)
    assert_allclose(caught.value.solution["b0.velocity.x"][-1], 1.0, rtol=1e-9)


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_rod_that_falls_flat_strikes_with_both_ends_at_once(restitution):
    m = kt.Model("rod")
    rod = m.body("rod", kt.box(1.0, (1.0, 0.02, 0.02)), position=(0, 0, 0.5))
    m.float(rod)
    law = kt.RigidContact(restitution, several="simultaneous")
    for k, x in enumerate((-0.5, 0.5)):
        m.contact(f"end{k}", floor(m), kt.shapes.Ball(0.01).on(rod.at(x, 0, 0)), law)
    sol = kt.simulate(m, 1.0)
    first = math.sqrt(2.0 * 0.49 / G)
    assert_allclose(sol.events["end0.impact"].t[0], first, rtol=1e-10)
    assert_allclose(sol.events["end1.impact"].t, sol.events["end0.impact"].t, rtol=1e-14)
    assert_allclose(
        sol.events["end0.impact"].after["rod.velocity.z"][0], restitution * G * first, atol=1e-9
    )
    assert_allclose(sol["rod.position.z"][-1], 0.01, atol=1e-12)


def painleve(friction, direction):
    """A rod of length 2 m at 60 degrees that slides on its tip."""
    m, c, s = kt.Model("painleve"), math.cos(math.pi / 3), math.sin(math.pi / 3)
    rod = m.body(
        "rod",
        kt.rod(1.0, 2.0, along="x"),
        position=(c, 0, s + 1e-3),
        rotation=("y", -math.pi / 3),
        velocity=(3.0 * direction, 0, 0),
    )
    m.joint("plane", kt.Planar(axis="y"), m.ground, rod, at=(c, 0, s + 1e-3))
    tip = kt.shapes.Ball(1e-3).on(rod.end("-"))
    m.contact("tip", floor(m), tip, kt.RigidContact(friction=friction))
    return m


@pytest.mark.parametrize("direction", [1, -1])
def test_the_load_of_a_sliding_rod_is_that_of_painleves_equation(direction):
    # lam (1 + 3 cos^2 + 3 mu s sin cos) = m g at rest of its turn
    c, s = math.cos(math.pi / 3), math.sin(math.pi / 3)
    sol = kt.simulate(painleve(0.3, direction), 0.001)
    exact = G / (1.0 + 3.0 * c * c + 0.9 * direction * s * c)
    assert_allclose(sol["tip.normal"][0], exact, rtol=2e-3)  # the ball of 1 mm shifts the point


def test_painleves_paradox_is_refused():
    kt.simulate(painleve(1.3, -1), 0.001)  # below the critical friction 1.347
    with pytest.raises(kt.SimulationError, match="Painleve"):
        kt.simulate(painleve(1.4, -1), 0.001)


def test_shapes_that_overlap_at_the_start_are_refused():
    with pytest.raises(kt.SimulationError, match=r"'touch' overlap at the start by 0\.05"):
        kt.simulate(falling_ball(0.5, height=-0.05), 1.0)


@BOTH
def test_a_rope_becomes_tight_and_then_swings_as_a_pendulum(coordinates):
    m = kt.Model("rope")
    ball = m.body("ball", kt.sphere(mass=2.0, radius=0.05), position=(0.6, 0, 0))
    m.float(ball)
    m.force("rope", kt.Rope(1.0), m.ground, ball)
    sol = kt.simulate(m, 2.0, coordinates=coordinates, rtol=1e-10)
    fall = math.sqrt(2 * 0.8 / G)  # the rope is tight 0.8 m below
    assert_allclose(sol.events["rope.impact"].t, [fall], rtol=1e-10)
    hit = sol.events["rope.impact"]
    assert_allclose(np.linalg.norm(hit.after["ball.velocity"][0]), 0.6 * G * fall, rtol=1e-9)
    after = sol.t > fall
    distance = np.linalg.norm(sol["ball.position"], axis=1)
    assert_allclose(distance[after], 1.0, atol=1e-13)
    v, z = np.linalg.norm(sol["ball.velocity"], axis=1), sol["ball.position.z"]
    assert_allclose(sol["rope.tension"][after], (2.0 * (v**2 - G * z))[after], rtol=1e-9)
    assert sol.energy.imbalance < 1e-9


def test_a_rope_goes_slack_where_the_circle_is_left():
    # a ball that is shot along a circle leaves it at v^2 = g l cos(angle from the top)
    m = kt.Model("loop")
    ball = m.body("ball", kt.sphere(mass=1.0, radius=0.01), position=(0, 0, -1.0))
    m.float(ball)
    m.force("rope", kt.Rope(1.0), m.ground, ball)
    sol = kt.simulate(m, 1.0, state={"ball.free.vx": math.sqrt(3.5 * G)}, rtol=1e-10)
    z = sol.events["rope.lift"].before["ball.position.z"][0]
    assert_allclose(z, 0.5, rtol=1e-8)  # 3.5 g - 2 g (1 + z) = g z


def wheel(*, speed=0.0, torque=0.0):
    m = kt.Model("wheel", gravity=(0, 0, 0))
    body = m.body("wheel", kt.rotor(inertia=0.5, mass=1.0))
    m.joint("A", kt.Revolute("z"), m.ground, body, speed={"angle": speed})
    m.force("motor", kt.TorsionSpring("A.angle", torque=torque))
    return m


@BOTH
def test_a_one_way_clutch_locks_at_rest_and_lets_go_when_it_is_driven_forward(coordinates):
    # torque cos(pi t) from rest: forward up to t = 1, locked until the torque is positive again
    m = wheel(torque=kt.Sine(1.0, frequency=0.5, phase=math.pi / 2))
    m.force("clutch", kt.OneWayClutch("A.angle"))
    sol = kt.simulate(m, 2.3, coordinates=coordinates, rtol=1e-10)
    assert_allclose(sol.events["clutch.close"].t, [1.0], atol=1e-9)
    assert_allclose(sol.events["clutch.lift"].t, [1.5], atol=1e-9)
    locked = (sol.t > 1.0 + 1e-9) & (sol.t < 1.5)
    assert (sol["A.angle.rate"][locked] == 0.0).all()
    assert_allclose(sol["clutch.load"][locked], -np.cos(np.pi * sol.t[locked]), atol=1e-9)
    assert_allclose(
        sol["A.angle.rate"][-1], 2.0 * (1.0 + math.sin(2.3 * math.pi)) / np.pi, rtol=1e-8
    )


@BOTH
def test_a_ratchet_holds_at_the_last_tooth_that_has_passed(coordinates):
    m = wheel(speed=2.0)
    m.force("spring", kt.TorsionSpring("A.angle", stiffness=1.0))
    m.force("pawl", kt.Ratchet("A.angle", pitch=math.pi / 6))
    sol = kt.simulate(m, 4.0, coordinates=coordinates, rtol=1e-10)
    # the wheel swings to sqrt(2) rad, and back to the second tooth
    tooth, top = 2 * math.pi / 6, math.sqrt(2.0)
    back = (math.pi / 2 + math.acos(tooth / top)) / top
    assert_allclose(sol.events["pawl.impact"].t, [back], rtol=1e-9)
    assert_allclose(sol["A.angle"][-1], tooth, atol=1e-13)
    assert_allclose(sol["pawl.load"][-1], tooth, rtol=1e-9)
    assert (
        sol["pawl.tooth"].tolist()
        == np.floor(np.maximum.accumulate(sol["A.angle"]) / (math.pi / 6) + 1e-9).tolist()
    )


def limited_joints():
    for entry in JOINTS:
        joint = getattr(entry, "joint", entry)
        example = joint.examples()[0]
        if joint.kind != "free":
            yield from ((example, label) for label in example.coordinates)


@pytest.mark.parametrize("joint, label", [*limited_joints()], ids=lambda x: getattr(x, "kind", x))
@BOTH
def test_a_limit_stops_every_coordinate_of_every_joint(joint, label, coordinates):
    m = kt.Model("limited", gravity=(0, 0, 0))
    body = m.body("b", kt.box(1.0, (0.3, 0.2, 0.1)))
    m.joint("J", joint, m.ground, body, speed={label: 1.0}, limits={label: (None, 0.3)})
    sol = kt.simulate(m, 0.5, coordinates=coordinates, rtol=1e-8)
    assert len(sol.events[f"J {label} stop.impact"].t) == 1
    assert_allclose(sol[f"J.{label}"].max(), 0.3, atol=1e-8)
    assert_allclose(sol[f"J.{label}"][-1], 0.3, atol=1e-8)
    assert sol.energy.imbalance < 1e-7


@pytest.mark.parametrize(
    "integrator, rtol",
    [("adams", 1e-3), ("dopri5", 1e-9), ("bdf", 1e-6), ("switching", 1e-4), ("dop853", 1e-3)],
)
def test_no_glancing_shot_is_missed_after_a_long_flight(integrator, rtol):
    rng = np.random.default_rng(0)
    for offset in rng.uniform(-0.22, 0.22, 12):
        m = kt.Model("shot", gravity=(0, 0, 0))
        speed, away = rng.uniform(1.0, 30.0), rng.uniform(5.0, 50.0)
        shot = m.body(
            "shot", kt.sphere(1.0, 0.1), position=(-away, offset, 0), velocity=(speed, 0, 0)
        )
        aim = m.body("aim", kt.sphere(1.0, 0.1))
        m.float(shot)
        m.float(aim)
        ball = kt.shapes.Ball(0.1)
        m.contact("hit", ball.on(shot), ball.on(aim), kt.RigidContact(0.9))
        sol = kt.simulate(m, 2.0 * away / speed, integrator=integrator, rtol=rtol)
        assert ("hit.impact" in sol.events) == (abs(offset) < 0.2)
