"""Events: none missed, none doubled, at the right time, in every case that is easily got wrong."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kinetree as kt
from kinetree.engine.integrators.catalogue import INTEGRATORS

from .machines import G, ball, bounce, bounces, pendulum, period

ADAPTIVE = [entry.name for entry in INTEGRATORS if entry.adaptive]
RTOL = 1e-8


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_times_of_a_pendulum_are_those_of_the_elliptic_integral(integrator):
    T = period(1.0)
    sol = kt.simulate(
        pendulum(1.0),
        1.1 * T,
        integrator=integrator,
        rtol=RTOL,
        events=["A.angle", kt.Event("A.rate", direction=-1, name="far side")],
    )
    assert_allclose(sol.events["A.angle"].t, [T / 4, 3 * T / 4], rtol=0, atol=10 * RTOL)
    assert_array_equal(sol.events["A.angle"].direction, [-1, 1])
    assert_allclose(
        sol.events["far side"].t, [0.0, T], rtol=0, atol=10 * RTOL
    )  # it starts at rest, and falls
    assert_allclose(sol.events["A.angle"].before["A.angle"], 0.0, atol=10 * RTOL)


@pytest.mark.parametrize("apart", [0.5, 0.02])
def test_two_events_in_one_step_are_two(apart):
    """The height of the ball at two times in the middle of the longest step."""
    steps = kt.simulate(ball(0.0, 3.0), 0.6, rtol=RTOL).steps
    k = int(np.argmax(steps.h))
    first, last = steps.t[k] - (0.5 + 0.5 * np.array([apart, -apart])) * steps.h[k]
    falls = first + last - 2 * 3.0 / G  # a parabola tilted so that it passes zero twice there
    sol = kt.simulate(
        ball(0.0, 3.0),
        0.6,
        rtol=RTOL,
        events=kt.Event(
            lambda t, s: s["ball.position.z"] - 0.5 * G * (first * last - falls * t), name="twice"
        ),
    )
    assert_allclose(sol.events["twice"].t, [first, last], rtol=0, atol=RTOL)
    assert_array_equal(sol.events["twice"].direction, [1, -1])
    assert len({int(np.searchsorted(sol.steps.t, t)) for t in (first, last)}) == 1


@pytest.mark.parametrize("miss", [0.0, 1e-12, -1e-12, 1e-9, -1e-9])
@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_a_level_that_is_only_touched_counts_once(miss, direction):
    v = 3.0
    sol = kt.simulate(
        ball(0.0, v),
        0.6,
        rtol=RTOL,
        events=kt.Event("ball.position.z", v**2 / (2 * G) + miss, direction=direction, name="top"),
    )
    assert_allclose(
        sol.events["top"].t, [v / G], rtol=0, atol=1e-4
    )  # where it is flat: 1e-8 of the height is 1e-4 s
    assert_array_equal(sol.events["top"].direction, [0])


@pytest.mark.parametrize("miss, count", [(1e-5, 0), (-1e-5, 2)])
def test_a_level_clearly_beyond_or_below_the_top_counts_never_or_twice(miss, count):
    v = 3.0
    sol = kt.simulate(
        ball(0.0, v),
        0.6,
        rtol=RTOL,
        events=kt.Event("ball.position.z", v**2 / (2 * G) + miss, name="top"),
    )
    assert len(sol.events["top"]) == count


def test_events_that_happen_together_all_happen():
    names = ("one", "two")
    sol = kt.simulate(
        ball(1.0, names=names),
        1.5,
        rtol=RTOL,
        events=[
            kt.Event(
                f"{name}.position.z", direction=-1, then=bounce(0.8, name), name=f"{name} lands"
            )
            for name in names
        ],
    )
    for name in names:
        assert_allclose(
            sol.events[f"{name} lands"].t, bounces(1.0, 0.8, 1.5), rtol=0, atol=10 * RTOL
        )
        assert_allclose(
            sol.events[f"{name} lands"].after[f"{name}.velocity.z"],
            -0.8 * sol.events[f"{name} lands"].before[f"{name}.velocity.z"],
            rtol=1e-12,
        )


@pytest.mark.parametrize(
    "speed, direction, times", [(2.0, 0, 2), (2.0, 1, 1), (2.0, -1, 1), (-2.0, -1, 1), (-2.0, 1, 0)]
)
def test_a_start_at_the_level_is_an_event_in_the_direction_it_leaves(speed, direction, times):
    sol = kt.simulate(
        ball(0.0, speed),
        0.5,
        rtol=RTOL,
        events=kt.Event("ball.position.z", direction=direction, name="level"),
    )
    both = [0.0, 2 * speed / G] if speed > 0 else [0.0]
    expected = {0: both, 1: [0.0] if speed > 0 else [], -1: both[1:] if speed > 0 else [0.0]}[
        direction
    ]
    assert len(expected) == times
    assert_allclose(sol.events["level"].t, expected, rtol=0, atol=RTOL)


def test_an_event_that_acts_at_the_very_start_acts_once():
    sol = kt.simulate(
        ball(0.0, -2.0),
        0.3,
        rtol=RTOL,
        events=kt.Event("ball.position.z", direction=-1, then=bounce(1.0), name="f"),
    )
    assert_allclose(sol.events["f"].t, [0.0])
    assert_allclose(sol["ball.velocity.z"], 2.0 - G * sol.t, atol=10 * RTOL)


@pytest.mark.parametrize(
    "integrator, options", [("adams", {"rtol": RTOL}), ("rk4", {"step": 0.01})]
)
def test_an_event_at_a_sample_shows_what_is_after_it(integrator, options):
    t1 = np.sqrt(2 / G)
    sol = kt.simulate(
        ball(1.0),
        3.5 * t1,
        output_interval=t1 / 2,
        integrator=integrator,
        **options,
        events=kt.Event("ball.position.z", direction=-1, then=bounce(1.0), name="floor"),
    )
    found = sol.events["floor"]
    assert_allclose(found.t, [t1, 3 * t1], atol=10 * RTOL)
    expected = np.array([0, -0.5, 1, 0.5, 0, -0.5, 1, 0.5]) * G * t1
    at = (
        np.abs(sol.t[:, None] - found.t).min(axis=1) > 1e-6
    )  # a sample beside an event may lie on either side
    assert_allclose(sol["ball.velocity.z"][at], expected[at], atol=10 * RTOL)
    assert_allclose(np.abs(sol["ball.velocity.z"][~at]), G * t1, atol=10 * RTOL)
    exactly = kt.simulate(
        ball(1.0),
        2.5 * t1,
        breakpoints=[0.1],
        integrator=integrator,
        **options,
        output_interval=found.t[0],
        events=kt.Event("ball.position.z", direction=-1, then=bounce(1.0), name="floor"),
    )
    assert (
        exactly.t[1] == exactly.events["floor"].t[0]
        or abs(exactly.t[1] - exactly.events["floor"].t[0]) < 1e-14
    )
    assert exactly.at(exactly.t[1] + 1e-6)["ball.velocity.z"][0] > 0


@pytest.mark.parametrize("integrator", ["adams", "dopri5"])
def test_a_ball_bounces_to_its_limit_and_the_run_ends_in_words(integrator):
    e, t1 = 0.6, np.sqrt(2 / G)
    limit = t1 * (1 + 2 * e / (1 - e))
    with pytest.raises(
        kt.SimulationError, match=r"'floor' has occurred .* repeats without end"
    ) as error:
        kt.simulate(
            ball(1.0),
            5.0,
            integrator=integrator,
            rtol=RTOL,
            events=kt.Event("ball.position.z", direction=-1, then=bounce(e), name="floor"),
        )
    sol, exact = error.value.solution, bounces(1.0, e, limit * (1 - 1e-15))
    found = sol.events["floor"].t
    assert error.value.element == "floor" and len(found) > 30
    assert_allclose(found, exact[: len(found)], rtol=0, atol=10 * RTOL)
    assert limit - 1e-6 < found[-1] <= limit + 10 * RTOL
    assert sol["ball.position.z"].min() > -RTOL
    assert (
        sol.energy.imbalance < 1e-9 and abs(sol.energy.by_source["floor"][-1] + G) < 1e-6
    )  # all of m g h


def test_a_function_may_end_the_bouncing():
    sol = kt.simulate(
        ball(1.0),
        50.0,
        rtol=RTOL,
        events=kt.Event(
            "ball.position.z",
            direction=-1,
            then=bounce(0.5),
            name="floor",
            terminal=lambda t, s: s["ball.velocity.z"] > -0.1,
        ),
    )
    assert sol.success and sol.result.ended == "floor" and "ended by event 'floor'" in sol.message
    assert_allclose(sol.t[-1], bounces(1.0, 0.5, 5.0)[len(sol.events["floor"]) - 1], atol=10 * RTOL)


@pytest.mark.parametrize(
    "integrator, options",
    [("adams", {"rtol": RTOL}), ("bdf", {"rtol": RTOL}), ("adams-fixed", {"step": 0.01})],
)
def test_a_terminal_event_is_the_end_of_the_run(integrator, options):
    sol = kt.simulate(
        pendulum(1.0),
        5.0,
        integrator=integrator,
        **options,
        events=kt.Event("A.angle", terminal=3, name="down"),
    )
    assert (
        sol.success
        and sol.result.t == sol.t[-1] == sol.events["down"].t[-1]
        and len(sol.events["down"]) == 3
    )
    assert_allclose(sol.t[-1], 1.25 * period(1.0), atol=1e-6)
    assert_allclose(sol["A.angle"][-1], 0.0, atol=1e-9)
    assert_allclose(
        sol.result.ydot, np.concatenate([sol.v[-1], sol.vdot[-1]]), atol=1e-9
    )  # slopes there, not further on


def test_a_function_of_the_state_is_found_like_a_channel():
    events = [
        kt.Event("A.angle", 0.3, name="channel"),
        kt.Event(lambda t, s: s["A.angle"] - 0.3, name="function"),
        kt.Event(lambda t, s: s.q[0], 0.3, name="coordinate"),
    ]
    sol = kt.simulate(pendulum(1.0), 3.0, rtol=RTOL, events=events)
    assert len(sol.events["channel"]) == 3
    for name in ("function", "coordinate"):
        assert_allclose(sol.events[name].t, sol.events["channel"].t, rtol=0, atol=1e-14)


def test_forces_and_accelerations_are_found_too():
    sol = kt.simulate(
        pendulum(1.0),
        1.0,
        rtol=RTOL,
        events=kt.Event(lambda t, s: np.linalg.norm(s["A.force"]), G, name="weight"),
    )
    swing = np.arccos((1 + 2 * np.cos(1.0)) / 3)  # 3 g cos a - 2 g cos a0 = g
    assert_allclose(np.abs(sol.events["weight"].before["A.angle"][:1]), swing, atol=10 * RTOL)


def test_values_faster_than_the_motion_are_looked_at_more_closely():
    sol = kt.simulate(
        ball(20.0), 1.0, rtol=RTOL, events=kt.Event(lambda t, s: np.sin(200 * t + 1), name="wave")
    )
    assert_allclose(sol.events["wave"].t, (np.arange(1, 64) * np.pi - 1) / 200, rtol=0, atol=1e-13)


def test_a_value_that_jumps_over_the_level_at_a_breakpoint_has_passed_it():
    sol = kt.simulate(
        ball(20.0),
        1.0,
        breakpoints=[0.4],
        events=kt.Event(lambda t, s: -1.0 if t < 0.4 else 2.0, name="on"),
    )
    assert_allclose(sol.events["on"].t, [0.4], rtol=0, atol=1e-14)
    assert_array_equal(sol.events["on"].direction, [1])


@pytest.mark.parametrize(
    "integrator, options",
    [("adams", {"rtol": 1e-6}), ("dopri5", {"rtol": 1e-5}), ("rk4", {"step": 0.01})],
)
def test_wild_motion_has_as_many_events_as_fine_samples_show(integrator, options):
    """A double pendulum that turns over: ten channels at two levels each, against the signs at
    samples 0.1 ms apart.
    """
    m = pendulum(2.5)
    rod = m.body("rod", kt.rod(mass=1.0, length=0.7, along="z", axial=1e-3))
    m.joint(
        "B", kt.Revolute(axis="y"), m.bodies["bob"].at(0, 0, 0), rod.end("+"), start={"angle": 1.0}
    )
    fine = kt.simulate(m, 2.0, integrator=integrator, output_interval=1e-4, **options)
    channels = (
        "A.angle",
        "B.angle",
        "A.rate",
        "B.rate",
        "bob.position.z",
        "rod.velocity.x",
        "rod.end-.position.z",
        "energy.kinetic",
        "B.acceleration",
        "rod.angular_velocity.y",
    )
    events = [
        kt.Event(name, float(fine[name].min() + part * np.ptp(fine[name])), name=f"{name} {part}")
        for name in channels
        for part in (0.31, 0.73)
    ]
    sol = kt.simulate(m, 2.0, integrator=integrator, events=events, **options)
    for event in events:
        side = np.sign(fine[event.what] - event.level)
        at = np.flatnonzero(side[1:] * side[:-1] < 0)
        assert_allclose(
            sol.events[event.name].t, fine.t[at] + 5e-5, rtol=0, atol=6e-5
        )  # between two samples
        assert_array_equal(sol.events[event.name].direction, side[at + 1])


def test_looking_for_events_does_not_change_the_motion():
    plain, watched = (
        kt.simulate(pendulum(1.0), 3.0, rtol=RTOL, events=events)
        for events in ((), ["A.angle", "A.rate"])
    )
    assert_array_equal(plain.y, watched.y)
    assert len(watched.events["A.angle"]) == 3


def test_a_run_with_events_can_be_repeated_to_the_last_bit():
    runs = [
        kt.simulate(
            ball(1.0),
            1.7,
            integrator="switching",
            rtol=RTOL,
            events=kt.Event("ball.position.z", direction=-1, then=bounce(0.9), name="floor"),
        )
        for _ in range(2)
    ]
    assert_array_equal(runs[0].y, runs[1].y)
    assert_array_equal(runs[0].events["floor"].t, runs[1].events["floor"].t)


@pytest.mark.parametrize(
    "event, words",
    [
        ("ball.positon.z", "Did you mean 'ball.position"),
        ("ball.position", "is a vector"),
        ("step.size", "does not follow"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_words(event, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.simulate(ball(), 0.1, events=event)


@pytest.mark.parametrize(
    "event, words",
    [
        (dict(what=3), "name of a channel"),
        (dict(what="a", direction=2), "direction must be"),
        (dict(what="a", terminal=-1), "terminal"),
        (dict(what="a", then=3), "must be a function"),
        (dict(what="a", level="x"), "level"),
    ],
)
def test_an_event_that_cannot_be_is_refused_in_words(event, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.Event(**event)


def test_two_events_of_one_name_are_refused():
    with pytest.raises(kt.ModelError, match=r"'A\.angle' is taken"):
        kt.simulate(pendulum(), 0.1, events=["A.angle", "A.angle"])


def raising(t, s):
    return 1.0 / (0.0 if t > 0.5 else 1.0)


@pytest.mark.parametrize(
    "event, words",
    [
        (kt.Event(raising, name="bad"), "'bad': its function raised ZeroDivisionError"),
        (kt.Event(lambda t, s: np.nan if t > 0.5 else 1.0, name="bad"), "'bad' has no value"),
        (kt.Event("A.angle", then=lambda t, s: {"A.angle": 1.0}, name="bad"), "speed or state"),
        (kt.Event("A.angle", then=lambda t, s: [1.0, 2.0], name="bad"), "must be a dict"),
    ],
)
def test_a_function_that_fails_ends_the_run_with_what_was_done(event, words):
    with pytest.raises(kt.KinetreeError, match=words) as error:
        kt.simulate(pendulum(1.0), 2.0, events=event)
    assert 1 < len(error.value.solution.t) < 501  # nothing is computed after it


@pytest.mark.parametrize("direction", [1, -1])
def test_an_event_at_the_start_leaves_zero_opposite_to_the_next_crossing_of_its_step(direction):
    """direction * sin(pi t / 4) is zero at the start and again at 4 s, within the first step."""
    model = kt.Model("coasting", gravity=(0, 0, 0))
    body = model.body("body", kt.sphere(mass=1.0, radius=0.1))
    model.joint("rail", kt.Translational(axis="x"), model.ground, body)
    wave = kt.Event(lambda t, s: direction * np.sin(np.pi * t / 4.0), name="wave")
    sol = kt.simulate(model, 11.0, integrator="rk4", step=5.5, events=[wave])
    assert_allclose(sol.events["wave"].t, [0.0, 4.0, 8.0], rtol=0, atol=1e-6)
    assert_array_equal(sol.events["wave"].direction, [direction, -direction, direction])
