"""What events change: velocities consistent with the constraints, in the mass metric, and states;
and what the ledger says.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

from .machines import G, ball, bounce, bounces, four_bar


def test_the_tip_of_a_free_rod_bounces_as_in_the_books():
    """Impulse P at the end of a uniform rod: v' = v + P / m, w' = w + 6 P / (m L) about its centre;
    tip speed reversed.
    """
    m = kt.Model("rod", gravity=(0, 0, 0))
    rod = m.body(
        "rod",
        kt.rod(mass=2.0, length=1.0, along="x", axial=1e-3),
        position=(0, 0, 1),
        velocity=(0, 0, -1),
    )
    m.float(rod)
    sol = kt.simulate(
        m,
        2.0,
        events=kt.Event(
            "rod.end+.position.z",
            direction=-1,
            name="hit",
            then=lambda t, s: {"rod.end+.velocity.z": -s["rod.end+.velocity.z"]},
        ),
    )
    hit = sol.events["hit"]
    assert_allclose(hit.t[:1], [1.0], atol=1e-8)
    P = 2 * 1.0 / (1 / 2.0 + 0.25 / (2.0 / 12))  # P (1/m + r^2/I) = 2
    momentum = hit.after["momentum.linear"][0] - hit.before["momentum.linear"][0]
    assert_allclose(momentum, [0, 0, P], atol=1e-9)
    assert_allclose(
        hit.after["energy.kinetic"][0], hit.before["energy.kinetic"][0], rtol=1e-9
    )  # fully elastic


@pytest.mark.parametrize(
    "coordinates, formulation",
    [("relative", "augmented"), ("cartesian", "augmented"), ("relative", None)],
)
def test_an_impact_on_a_closed_loop_keeps_its_constraints_and_loses_what_the_books_say(
    coordinates, formulation
):
    """Loss of an impact along one freedom: (1 - e^2) / 2 m* u^2, with m* = 1 / (J M^-1 J^T) of all
    that moves along.
    """
    e = 0.4
    sol = kt.simulate(
        four_bar(),
        1.0,
        coordinates=coordinates,
        formulation=formulation,
        rtol=1e-9,
        events=kt.Event(
            "rocker.end+.position.z",
            0.5,
            direction=-1,
            name="stop",
            then=lambda t, s: {"rocker.end+.velocity.z": -e * s["rocker.end+.velocity.z"]},
        ),
    )
    stop = sol.events["stop"]
    assert len(stop) >= 1 and sol.success
    u = stop.before["rocker.end+.velocity.z"]
    assert_allclose(stop.after["rocker.end+.velocity.z"], -e * u, rtol=1e-9)
    assert_allclose(
        stop.after["A.rate"], -e * stop.before["A.rate"], rtol=1e-8
    )  # one freedom: every speed turns with it
    kinetic = stop.before["energy.kinetic"]
    assert_allclose(
        stop.energy, -(1 - e**2) * kinetic, rtol=1e-8
    )  # all of the motion is along that freedom
    assert stop.after.violation("gdot").max() < 1e-9
    assert sol.energy.imbalance < 1e-7
    assert_allclose(sol.energy.by_source["stop"][-1], stop.energy.sum())


def test_both_coordinates_give_the_same_impacts():
    def run(coordinates):
        return kt.simulate(
            four_bar(),
            1.0,
            coordinates=coordinates,
            rtol=1e-10,
            events=kt.Event(
                "rocker.end+.position.z",
                0.5,
                direction=-1,
                name="stop",
                then=lambda t, s: {"rocker.end+.velocity.z": -0.7 * s["rocker.end+.velocity.z"]},
            ),
        )

    one, other = run("relative"), run("cartesian")
    assert len(one.events["stop"]) > 0
    assert_allclose(one.events["stop"].t, other.events["stop"].t, rtol=0, atol=1e-8)
    assert_allclose(one.events["stop"].energy, other.events["stop"].energy, rtol=1e-7)


@pytest.mark.parametrize("integrator", ["adams", "bdf", "dopri5"])
def test_a_loop_may_bounce_at_a_loose_tolerance(integrator):
    """Settling moves a state by as much as the tolerance, also across the level: no reason to
    happen again.
    """

    def run(rtol, integrator="adams"):
        return (
            kt.simulate(
                four_bar(),
                1.0,
                rtol=rtol,
                integrator=integrator,
                events=kt.Event(
                    "rocker.position.z",
                    0.25,
                    name="stop",
                    direction=-1,
                    then=lambda t, s: {"rocker.velocity.z": -0.9 * s["rocker.velocity.z"]},
                ),
            )
            .events["stop"]
            .t
        )

    exact = run(1e-9)
    assert len(exact) >= 1
    assert_allclose(
        run(1e-3, integrator), exact, rtol=0, atol=0.03
    )  # what a thousandth per step leaves after a second


def test_velocities_given_as_an_array_are_made_consistent():
    """Half of all velocities, pushed off the constraints: the nearest in the mass metric is half of
    them again.
    """
    sol = kt.simulate(
        four_bar(),
        0.5,
        rtol=1e-9,
        events=kt.Event("A.angle", -1.0, name="brake", then=lambda t, s: 0.5 * s.v),
    )
    brake = sol.events["brake"]
    assert_allclose(brake.after["A.rate"], 0.5 * brake.before["A.rate"], rtol=1e-9)
    assert brake.after.violation("gdot").max() < 1e-10


def test_the_ledger_closes_over_many_bounces():
    sol = kt.simulate(
        ball(1.0),
        3.0,
        rtol=1e-9,
        events=kt.Event("ball.position.z", direction=-1, then=bounce(0.8), name="floor"),
    )
    count = len(bounces(1.0, 0.8, 3.0))
    assert len(sol.events["floor"]) == count
    assert_allclose(sol.energy.by_source["floor"][-1], -G * (1 - 0.8 ** (2 * count)), rtol=1e-8)
    assert sol.energy.imbalance < 1e-9 and "floor: -" in str(sol.energy)


def test_between_samples_each_side_of_an_impact_is_itself():
    sol = kt.simulate(
        ball(1.0),
        0.6,
        output_interval=0.2,
        rtol=1e-9,
        events=kt.Event("ball.position.z", direction=-1, then=bounce(1.0), name="floor"),
    )
    t1 = np.sqrt(2 / G)
    times = np.linspace(0.0, 0.6, 61)
    falling = np.where(times < t1, -G * times, G * t1 - G * (times - t1))
    assert_allclose(sol.at(times)["ball.velocity.z"], falling, atol=1e-7)


def relay(t, u, x, parameters, xdot, out):
    """A switch: its state stays as it is."""
    xdot[0] = 0.0
    out[0] = parameters[0] * x[0]


def test_an_event_may_switch_a_state_by_name():
    """A thrust of twice the weight from half way down: the ball comes to rest just above the floor."""
    m = ball(1.0)
    m.controller("relay", kt.Controller(relay, (), {"on": 0.0}, ("thrust",), (2 * G,)))
    m.force("thrust", kt.PointForce((0.0, 0.0, "relay.thrust")), m.bodies["ball"])
    sol = kt.simulate(
        m,
        1.0,
        rtol=1e-9,
        events=[
            kt.Event(
                "ball.position.z",
                0.5,
                name="half",
                direction=-1,
                then=lambda t, s: {"relay.on": 1.0},
            ),
            kt.Event("ball.velocity.z", direction=1, name="rest", terminal=True),
        ],
    )
    t1 = np.sqrt(1.0 / G)
    assert_allclose(sol.events["half"].t, [t1], atol=1e-8)
    assert_allclose(sol.events["rest"].t, [2 * t1], atol=1e-8)
    assert_allclose(sol["ball.position.z"][-1], 0.0, atol=1e-8)
    assert_allclose(sol["relay.on"], sol.t >= t1)
    assert sol.energy.imbalance < 1e-7 and sol.events["half"].energy[0] == 0.0


def test_an_event_that_changes_nothing_does_not_break_the_run():
    sol = kt.simulate(
        ball(1.0), 0.4, events=kt.Event("ball.position.z", 0.5, name="half", then=lambda t, s: None)
    )
    assert len(sol.events["half"]) == 1 and not sol.result.jumps and not sol.breaks


def test_speeds_that_contradict_the_constraints_are_refused():
    with pytest.raises(kt.SimulationError, match="contradict"):
        kt.simulate(
            four_bar(),
            0.5,
            events=kt.Event(
                "A.angle", -1.0, name="no", then=lambda t, s: {"A.rate": 1.0, "D.rate": 7.0}
            ),
        )


@pytest.mark.parametrize(
    "e, integrator, rtol",
    [(0.5, "adams", 1e-9), (0.0, "adams", 1e-9), (0.5, "adams", 1e-3), (0.5, "bdf", 1e-3)],
)
def test_a_loop_that_comes_to_rest_at_a_stop_does_not_slip_through_it(e, integrator, rtol):
    """Where rebounds are smaller than what the steps leave, or none, the run ends in words, and
    soon.
    """
    with pytest.raises(kt.SimulationError, match="repeats without end") as error:
        kt.simulate(
            four_bar(),
            1.0,
            rtol=rtol,
            integrator=integrator,
            events=kt.Event(
                "A.angle",
                -1.0,
                name="stop",
                direction=1,
                then=lambda t, s: {"A.rate": -e * s["A.rate"]},
            ),
        )
    assert (
        error.value.solution["A.angle"].max() < -1.0 + 10 * rtol
        and len(error.value.solution.events["stop"]) < 100
    )
