"""A run that starts at the time of an event, a break or a sample starts from the state after it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

G = 9.81
INTEGRATORS = {
    "adams": {"rtol": 1e-8},
    "dopri5": {"rtol": 1e-8},
    "bdf": {"rtol": 1e-8},
    "dop853": {"rtol": 1e-8},
    "switching": {"rtol": 1e-8},
    "rk4": {"step": 1e-3},
}


def ball(height=1.0):
    m = kt.Model("ball", gravity=(0, 0, -G))
    body = m.body("b", kt.sphere(1.0, 0.05))
    m.joint("s", kt.Translational("z"), m.ground, body, start={"displacement": height})
    return m


def floor(direction=-1, **more):
    return kt.Event(
        "b.position.z",
        direction=direction,
        name="floor",
        then=lambda t, s: {"b.velocity.z": 0.8 * abs(s["b.velocity.z"])},
        **more,
    )


def starts(sol, t, tmp_path):
    """The same start in the ways in which it can be given."""
    yield sol.at(t)
    yield sol, t
    sol.save(tmp_path / "run.nc")
    yield kt.open_solution(tmp_path / "run.nc").at(t)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("direction", [-1, 0])
def test_a_start_at_an_impact_is_the_state_after_it(integrator, direction, tmp_path):
    """The ball leaves the floor at 0.8 of its speed; the impact is over and does not happen again."""
    options = INTEGRATORS[integrator]
    whole = kt.simulate(ball(), 2.0, integrator=integrator, events=floor(direction), **options)
    t1 = float(whole.events["floor"].t[0])
    for state in starts(whole, t1, tmp_path):
        short = kt.simulate(
            ball(), t1 + 0.05, state=state, integrator=integrator, output_interval=0.05, **options
        )
        assert_allclose(short["b.velocity.z"][0], 0.8 * np.sqrt(2 * G), rtol=1e-6)
        rest = kt.simulate(
            ball(), 2.0, state=state, integrator=integrator, events=floor(direction), **options
        )
        assert_allclose(
            rest.events["floor"].t, whole.events["floor"].t[1:], atol=1e-6
        )  # errors of a few hundred steps
        assert_allclose(rest["b.position.z"][-1], whole["b.position.z"][-1], atol=1e-6)
        assert rest["b.position.z"].min() > -1e-6


@pytest.mark.parametrize("t", [0.3, 0.30000000000000004, 0.29999999999999993])
def test_a_time_within_rounding_of_an_impact_is_that_of_the_impact(t):
    """The ball is dropped so that it lands at t = 0.3 s."""
    whole = kt.simulate(ball(0.5 * G * 0.3**2), 0.5, rtol=1e-10, events=floor())
    shift = t - 0.3
    rest = kt.simulate(
        ball(),
        0.5,
        rtol=1e-10,
        state=(whole, float(whole.events["floor"].t[0]) + shift),
        events=floor(),
    )
    assert_allclose(rest["b.velocity.z"][0], 0.8 * G * 0.3, rtol=1e-7)
    assert len(rest.events["floor"]) == len(whole.events["floor"]) - 1


def test_a_run_goes_on_beyond_an_event_that_ended_it():
    pendulum = kt.Model("pendulum")
    rod = pendulum.body("rod", kt.rod(1.0, 1.0, along="x"))
    pendulum.joint("A", kt.Revolute("y"), pendulum.ground, rod.end("-"))
    passing = kt.Event("A.angle", 1.0, name="passing", terminal=True)
    first = kt.simulate(pendulum, 3.0, rtol=1e-9, events=passing)
    second = kt.simulate(pendulum, 3.0, rtol=1e-9, events=passing, state=first.at(first.t[-1]))
    both = (
        kt.simulate(pendulum, 3.0, rtol=1e-9, events=kt.Event("A.angle", 1.0, name="passing"))
        .events["passing"]
        .t
    )
    assert_allclose([first.t[-1], second.t[-1]], both[:2], atol=1e-7)


def relay(t, u, x, parameters, xdot, out):
    out[0] = parameters[0] * x[0]


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "bdf"])
def test_a_start_at_a_switch_has_the_switched_state(integrator, tmp_path):
    def model():
        m = ball()
        m.controller("relay", kt.Controller(relay, (), {"on": 0.0}, ("thrust",), (2 * G,)))
        m.force("thrust", kt.PointForce((0.0, 0.0, "relay.thrust")), m.bodies["b"])
        return m

    event = kt.Event("b.position.z", 0.5, name="half", then=lambda t, s: {"relay.on": 1.0})
    whole = kt.simulate(model(), 0.5, rtol=1e-8, integrator=integrator, events=event)
    t1 = float(whole.events["half"].t[0])
    rest = kt.simulate(
        model(), 0.5, rtol=1e-8, integrator=integrator, events=event, state=whole.at(t1)
    )
    assert rest["relay.on"][0] == 1.0 and len(rest.events["half"]) == 0
    assert_allclose(rest["b.position.z"][-1], whole["b.position.z"][-1], atol=1e-7)


def cart(begin, motion=None):
    """A cart with a pendulum; its driver sets off at full speed."""
    m = kt.Model("cart")
    body, rod = (
        m.body("c", kt.box(2.0, (0.2, 0.2, 0.2))),
        m.body("p", kt.rod(1.0, 1.0, along="z"), position=(0, 0, -0.5)),
    )
    m.joint("s", kt.Translational("x"), m.ground, body)
    m.joint("h", kt.Revolute("y"), body, rod, at=(0, 0, 0))
    m.constraint("d", kt.Driver("s.displacement", motion or kt.Ramp(1.0, begin=begin)))
    return m


def late(begin):
    """The same motion by user code which, at the time of the break itself, has not yet set off."""
    return kt.Function(
        lambda t: t - begin if t > begin else 0.0,
        lambda t: 1.0 if t > begin else 0.0,
        lambda t: 0.0,
        breakpoints=(begin,),
    )


@pytest.mark.parametrize("integrator", ["adams", "bdf"])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("begin, motion", [(0.5, None), (0.123456, None), (0.123456, late)])
def test_a_start_at_the_jump_of_a_driver_moves_along_with_it(
    integrator, coordinates, begin, motion
):
    model = cart(begin, motion and motion(begin))
    how = {"integrator": integrator, "coordinates": coordinates, "rtol": 1e-8}
    whole = kt.simulate(model, 1.0, **how)
    before = kt.simulate(model, begin, **how)  # ends just before the jump
    for state in (whole.at(begin), (whole, begin), before.at(begin)):
        rest = kt.simulate(model, 1.0, state=state, **how)
        assert_allclose(rest["c.velocity.x"][0], 1.0, rtol=1e-9)
        assert_allclose(rest["h.angle"][-1], whole["h.angle"][-1], atol=1e-6)


def hold(t, u, x, parameters, xnext, out):
    out[0] = u[0]
    xnext[0] = x[0] + 1.0


def test_a_start_at_a_sample_has_taken_it_once():
    def model():
        m = ball()
        m.controller(
            "c", kt.Controller(hold, ("s.displacement",), {"count": 0.0}, ("z",), period=0.1)
        )
        m.force("f", kt.PointForce((0.0, 0.0, "c.z")), m.bodies["b"])
        return m

    whole = kt.simulate(model(), 0.4, rtol=1e-9, output_interval=0.07)
    for t in (0.1, 0.2, 0.30000000000000004):
        rest = kt.simulate(model(), 0.4, rtol=1e-9, output_interval=0.07, state=whole.at(t))
        assert rest["c.count"][0] == round(t / 0.1) + 1
        assert_allclose(rest["b.position.z"][-1], whole["b.position.z"][-1], atol=1e-8)
    ended = kt.simulate(model(), 0.2, rtol=1e-9)
    rest = kt.simulate(model(), 0.4, rtol=1e-9, state=ended.at(0.2))
    assert_allclose(rest["b.position.z"][-1], whole["b.position.z"][-1], atol=1e-8)


def test_the_state_after_an_event_can_be_taken_from_the_event():
    whole = kt.simulate(ball(), 0.6, rtol=1e-9, events=floor())
    rest = kt.simulate(ball(), 0.6, rtol=1e-9, state=whole.events["floor"].after)
    assert_allclose(rest["b.position.z"][-1], whole["b.position.z"][-1], atol=1e-8)
