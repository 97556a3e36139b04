"""Derivatives across events: impacts, ends of runs, times of events, and what is refused."""

import math

import pytest

import kinetree as kt

CLOSE = 1e-7  # ten times rtol


def ball(h=1.0, e=0.8, g=9.81):
    m = kt.Model("ball", gravity=(0, 0, -g))
    body = m.body("ball", kt.mass(1.0), position=(0, 0, h))
    m.joint("rail", kt.Translational(axis="z"), m.ground, body, start={"displacement": h})
    hit = kt.Event(
        "ball.position.z",
        direction=-1,
        then=lambda t, s: {"ball.velocity.z": -e * s["ball.velocity.z"]},
        name="hit",
    )
    return m, [hit]


def closed_form(h, e, g, t):
    """(z, v, first and second impact) between the second and the third impact."""
    first = math.sqrt(2 * h / g)
    second = first * (1 + 2 * e)
    v, s = e * e * g * first, t - second
    return v * s - g * s * s / 2, v - g * s, first, second


@pytest.mark.parametrize("integrator", ["adams", "dop853", "bdf"])
def test_a_bouncing_ball_has_the_derivatives_of_its_closed_form(integrator):
    outputs = ["final ball.position.z", "final ball.velocity.z", "time of hit", "time of hit #2"]
    values = {"h": 1.0, "e": 0.8, "g": 9.81}
    found = kt.sensitivities(ball, outputs, until=1.5, integrator=integrator, rtol=1e-8)
    for name, value in values.items():
        d = 1e-6 * value  # differences of a closed form: error 1e-10
        up, down = (closed_form(**{**values, name: value + side * d}, t=1.5) for side in (1, -1))
        for output, a, b in zip(outputs, up, down, strict=True):
            assert found[output][name] == pytest.approx((a - b) / (2 * d), rel=CLOSE, abs=1e-9)


def test_outputs_over_an_impact_count_its_motion():
    """The fastest fall ends at the impact: v = sqrt(2 g h)."""
    found = kt.sensitivities(ball, ["min ball.velocity.z", "integral ball.velocity.z"], until=0.8)
    v = math.sqrt(2 * 9.81)
    assert found["min ball.velocity.z"] == pytest.approx(
        {"h": -v / 2, "e": 0.0, "g": -v / (2 * 9.81)}, rel=CLOSE, abs=1e-9
    )
    # the integral of the velocity is the change of the position
    other = kt.sensitivities(ball, ["final ball.position.z"], until=0.8)["final ball.position.z"]
    other = {**other, "h": other["h"] - 1.0}
    assert found["integral ball.velocity.z"] == pytest.approx(other, rel=CLOSE, abs=1e-8)


def rod(mass=2.0, length=1.2, height=0.5, e=0.6, g=9.81, level=-0.2):
    m = kt.Model("falling rod", gravity=(0, 0, -g))
    body = m.body("rod", kt.rod(mass, length, along="x", axial=1e-3), position=(0, 0, height))
    m.float(body)
    impact = kt.Event(
        "rod.end+.position.z",
        direction=-1,
        then=lambda t, s: {"rod.end+.velocity.z": -e * s["rod.end+.velocity.z"]},
        name="post",
    )
    down = kt.Event("rod.position.z", level=level, direction=-1, terminal=True, name="down")
    return m, [impact, down]


def test_a_free_rod_that_hits_a_post_turns_as_the_impulse_says():
    """w = 1.5 (1 + e) v / l with v = sqrt(2 g h), and the center leaves with (1 + e) v / 4 - v."""
    outputs = ["final rod.angular_velocity.y", "final rod.velocity.z"]
    found = kt.sensitivities(rod, outputs, until=0.35)
    length, h, e, g = 1.2, 0.5, 0.6, 9.81
    v = math.sqrt(2 * g * h)
    w = 1.5 * (1 + e) * v / length
    assert found.outputs[outputs[0]] == pytest.approx(-w, rel=1e-8)
    expected = {"length": w / length, "height": -w / (2 * h), "e": -w / (1 + e), "g": -w / (2 * g)}
    for name, rate in expected.items():
        assert found[outputs[0]][name] == pytest.approx(rate, rel=CLOSE)
    falls = (1 + e) / 4 - 1
    # v_end = falls v - g (t - v / g): the time after the impact depends on h and g, too
    assert found[outputs[1]]["height"] == pytest.approx((falls + 1) * v / (2 * h), rel=CLOSE)
    assert found[outputs[1]]["e"] == pytest.approx(v / 4, rel=CLOSE)
    assert abs(found[outputs[0]]["mass"]) < 1e-8


def test_the_end_of_a_run_that_an_event_ends_moves_with_the_parameters():
    """At the end the height is the level, whatever the other parameters are."""
    outputs = ["final rod.position.z", "time of down", "final rod.velocity.z"]
    found = kt.sensitivities(rod, outputs, until=5.0, rtol=1e-9)
    height = found["final rod.position.z"]
    expected = {name: 0.0 for name in found.parameters} | {"level": 1.0}
    assert height == pytest.approx(expected, abs=1e-7)
    # energy of the center: v^2 = v+^2 + 2 g |level|
    v = -(1 - (1 + 0.6) / 4) * math.sqrt(2 * 9.81 * 0.5)
    end = found.outputs["final rod.velocity.z"]
    assert end == pytest.approx(-math.sqrt(v * v + 2 * 9.81 * 0.2), rel=1e-8)
    assert found["final rod.velocity.z"]["level"] == pytest.approx(-9.81 / end, rel=CLOSE)
    assert found["time of down"]["level"] == pytest.approx(1 / end, rel=CLOSE)


def tossed(speed=1.0, level=None):
    m = kt.Model("tossed", gravity=(0, 0, -9.81))
    body = m.body("ball", kt.mass(1.0))
    m.joint("rail", kt.Translational(axis="z"), m.ground, body, speed={"displacement": speed})
    top = 1.0 / (2 * 9.81) if level is None else level
    return m, [kt.Event("ball.position.z", level=top, name="ceiling")]


def test_an_event_that_only_touches_its_level_is_refused():
    with pytest.raises(kt.SimulationError, match="'ceiling' only touches its level"):
        kt.sensitivities(tossed, "time of ceiling", {"speed": 1.0}, until=0.2)


def two_balls(h=1.0):
    m = kt.Model("two balls")
    events = []
    for k, x in enumerate((0.0, 1.0)):
        body = m.body(f"b{k}", kt.mass(1.0), position=(x, 0, h))
        m.joint(
            f"r{k}",
            kt.Translational(axis="z"),
            m.ground.at(x, 0, 0),
            body,
            start={"displacement": h},
        )
        name = f"b{k}.velocity.z"
        events.append(
            kt.Event(
                f"b{k}.position.z",
                direction=-1,
                then=lambda t, s, name=name: {name: -s[name]},
                name=f"hit {k}",
            )
        )
    return m, events


def test_two_events_that_change_the_state_at_the_same_time_are_refused():
    with pytest.raises(kt.SimulationError, match="'hit 0' and 'hit 1' occur at the same time"):
        kt.sensitivities(two_balls, "final b0.position.z", until=0.6)


def dropped(height=0.4, stiffness=2e4, damping=60.0):
    m = kt.Model("dropped")
    body = m.body("wheel", kt.mass(20.0), position=(0, 0, height))
    m.joint("rail", kt.Translational(axis="z"), m.ground, body, start={"displacement": height})
    m.force("tyre", kt.Wheel(0.3, stiffness, damping), body)
    return m


def test_a_force_that_jumps_at_the_ground_is_differentiated():
    """A wheel with a damper hits the ground: compared with differences of precise runs."""
    found = kt.sensitivities(dropped, "final wheel.position.z", until=0.3, rtol=1e-8)
    usual = {"height": 0.4, "stiffness": 2e4, "damping": 60.0}
    for name, value in usual.items():
        # relative h = 1e-4: truncation about 1e-7, errors of the runs 1e-12 / 1e-4
        runs = [
            kt.simulate(
                m := dropped(**{**usual, name: value * (1 + side * 1e-4)}),
                0.3,
                rtol=1e-12,
                events=kt.kinks(m),
            )["wheel.position.z"][-1]
            for side in (1, -1)
        ]
        rate = (runs[0] - runs[1]) / (2e-4 * value)
        assert found["final wheel.position.z"][name] == pytest.approx(rate, rel=1e-5)
