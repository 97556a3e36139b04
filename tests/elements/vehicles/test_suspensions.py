"""Suspensions from tables of hard points: freedoms, symmetry, curves against closed forms; starts
and figures of drives.
"""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.car import car
from kinetree.models.vehicles import (
    DoubleWishbone,
    Part,
    Rod,
    Strut,
    Wheel,
    add_double_wishbone,
    add_rack,
    both_sides,
    constant_radius,
    over_bump,
    rolling_start,
    standing,
    step_steer,
    suspension_curves,
    understeer_gradient,
    wheel_loads,
)

PARALLEL = (
    DoubleWishbone(  # equal level arms of 0.4 m: the knuckle moves without turning, on a circle
        lower_front=(0.2, 0.3, -0.1),
        lower_rear=(-0.2, 0.3, -0.1),
        lower_ball=(0.0, 0.7, -0.1),
        upper_front=(0.2, 0.3, 0.15),
        upper_rear=(-0.2, 0.3, 0.15),
        upper_ball=(0.0, 0.7, 0.15),
        wheel=(0.0, 0.75, 0.0),
        tie_inner=(-0.15, 0.3, 0.0),
        tie_outer=(-0.15, 0.7, 0.0),
        spring_low=(0.0, 0.5, -0.1),
        spring_top=(0.0, 0.45, 0.4),
        arm=Part(3.0, (0.03, 0.03, 0.05)),
        knuckle=Part(12.0, (0.2, 0.2, 0.1)),
        tie=Rod(1.0, 0.015, 1e-4),
        strut=Strut(40e3, 2500.0, 3500.0),
    )
)
TYRE = kt.Tyre(0.32, 2e5, kt.tyres.Linear(5e4, 8e4), damping=500.0, rolling_radius=0.31)


def buggy(corner=PARALLEL, steer=0.0):
    """Two wheels in front of a block that slides up and down on a post."""
    m = kt.Model("buggy")
    origin = (0.0, 0.0, 0.3)
    chassis = m.body("chassis", kt.mass(700.0, (100.0, 300.0, 300.0)), position=origin)
    m.float(chassis)
    sides = both_sides("F", origin, 0.0)
    rack = add_rack(m, chassis, sides[0].at((-0.15, 0.0, 0.0)), Part(5.0, (0.1, 0.01, 0.1)), steer)
    for side in sides:
        add_double_wishbone(
            m, chassis, rack, side, corner, Wheel(Part(25.0, (0.5, 0.9, 0.5)), TYRE)
        )
    return m


def test_a_double_wishbone_corner_has_one_freedom_beside_the_spin():
    assert kt.assemble(buggy()).mobility == 6 + 2 * 2


def test_parallel_arms_keep_camber_and_toe_and_move_on_a_circle():
    curves = suspension_curves(buggy(), "FL", (-0.08, 0.08), steps=9)
    np.testing.assert_allclose(curves["camber"], 0.0, atol=1e-9)
    np.testing.assert_allclose(curves["toe"], 0.0, atol=1e-9)
    circle = 0.4 * (np.cos(np.arcsin(curves["travel"] / 0.4)) - 1.0)
    np.testing.assert_allclose(
        curves["track_change"], circle, atol=2e-6
    )  # a spline through nine points
    assert curves["roll_centre"][4] == pytest.approx(
        0.0, abs=1e-5
    )  # level parallel arms: on the ground


def test_both_sides_are_mirror_images():
    left, right = (
        suspension_curves(car(), wheel, (-0.06, 0.06), steps=7) for wheel in ("FL", "FR")
    )
    for name in ("camber", "toe", "track_change", "recession"):
        np.testing.assert_allclose(right[name], left[name], atol=1e-8)


def test_the_car_hardly_steers_over_bumps_and_turns_with_its_rack():
    bump = suspension_curves(car(), "FL", (-0.05, 0.05), steps=7)
    assert abs(math.degrees(bump.gradient("toe"))) < 1.0  # deg/m
    rack = suspension_curves(car(), "FL", rack=(-0.01, 0.01), steps=5)
    # m, from the tie rod to the axis through ball and strut top, at the height of the tie rod
    arm = 0.2079
    assert rack["toe"][-1] - rack["toe"][0] == pytest.approx(2.0 * math.atan(0.01 / arm), rel=0.02)
    assert "camber [deg]" in str(rack)


def test_a_curve_that_is_not_there_is_named():
    with pytest.raises(kt.NameNotFound, match="camber"):
        suspension_curves(car(), "FL", (-0.01, 0.01), steps=3)["cambre"]
    with pytest.raises(kt.ModelError, match="is not free to move"):
        suspension_curves(car(), "FL", chassis="hull")


def test_the_car_stands_with_its_weight_on_four_wheels_and_rolls_from_there():
    m = car(steer=0.0)
    found = standing(m)
    loads = wheel_loads(found)
    assert sum(loads.values()) == pytest.approx(
        9.81 * sum(b.properties.mass for b in m.bodies.values()), rel=1e-9
    )
    sol = kt.simulate(m, 0.5, state=rolling_start(m), integrator="switching", output_interval=0.01)
    assert (
        np.abs(sol["chassis.acceleration"]).max() < 1e-3
    )  # m/s^2: toe of 2e-6 rad pushes a little
    assert sol["hub RL.rate"][0] == pytest.approx(40.0 / 3.6 / 0.31)


def test_a_step_of_the_rack_to_the_right_turns_the_car_to_the_left():
    turn = step_steer(car, 40.0 / 3.6, -0.002, until=3.0)
    steady = turn.steady
    assert steady["yaw rate"] > 0.0 and steady["steer angle"] == pytest.approx(
        0.002 / 0.2079, rel=0.02
    )
    assert steady["lateral acceleration"] == pytest.approx(
        steady["speed"] * steady["yaw rate"], rel=2e-3
    )
    assert steady["roll angle"] > 0.0  # it leans to the outside: the left side comes up
    assert set(turn.figures) == {
        "speed",
        "lateral acceleration",
        "yaw rate",
        "roll angle",
        "sideslip angle",
        "lateral displacement",
    }


def test_a_driver_who_looks_ahead_follows_a_path():
    path = kt.CosineBump(3.0, 40.0, 40.0, begin=20.0)
    m = car(steer=None)
    m.force(
        "driver",
        kt.PathFollower("rack slide.displacement", path, preview=6.0, gain=-0.02),
        m.bodies["chassis"],
    )
    sol = kt.simulate(m, 9.5, state=rolling_start(m), integrator="switching", output_interval=0.05)
    wanted = kt.Road(path).height(sol["chassis.position.x"])
    assert (
        wanted.max() == pytest.approx(3.0, abs=0.01) and sol["chassis.position.x"][-1] > 100.0
    )  # all of it was driven
    assert np.abs(sol["chassis.position.y"] - wanted).max() < 0.1


def test_a_steady_turn_is_found_on_a_given_radius():
    slow, fast = constant_radius(car, 60.0, (8.0, 11.0), until=4.0)
    assert slow.steady["radius"] == pytest.approx(60.0, rel=2e-4) and fast.steady[
        "radius"
    ] == pytest.approx(60.0, rel=2e-4)
    assert (
        0.0 < understeer_gradient([slow, fast], 2.75717) < 3e-3
    )  # rad s^2/m: it understeers, by 0.7 deg per g


def test_a_bump_lifts_the_car_off_the_road():
    drive = over_bump(car, 11.0, kt.Road(obstacles=[kt.roads.HalfRound(5.0, 0.05)]), until=1.0)
    load = drive.sol["tyre FL.load"]
    assert load.max() > 2.0 * load[0] and load.min() == 0.0
    assert drive.sol.energy.imbalance < 1e-4  # at the usual tolerance
