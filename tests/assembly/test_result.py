"""Assembly from a drawing to a consistent state, with a printed result that lists the changes."""

import numpy as np
import pytest

import kinetree as kt
from support.linkages import LENGTHS, four_bar, four_bar_rocker
from support.machine import Machine
from support.random_models import random_joint, random_mass

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def state_of(receipt) -> Machine:
    return Machine(receipt.compiled, receipt.q, receipt.v, receipt.x, receipt.t)


@both
def test_a_four_bar_drawn_straight_is_closed(coordinates):
    receipt = kt.assemble(four_bar(), coordinates=coordinates)
    state = state_of(receipt)
    # 0.5 + 1.2 against 1.1 + 0.75
    assert receipt.violation_before == pytest.approx(0.15, abs=1e-12)
    assert receipt.violation <= 1e-12 and np.abs(state.g).max() <= 1e-12
    assert np.abs(state.G @ state.v).max() <= 1e-12
    assert receipt.mobility == 1
    assert set(receipt.moved) == {"A.angle", "B.angle", "C.angle", "D.angle"}
    for name, (before, after) in receipt.moved.items():
        assert before == 0.0 and after == pytest.approx(receipt.coordinates[name])


def test_the_result_lists_what_moved():
    text = str(kt.assemble(four_bar()))
    assert (
        "four-bar" in text and "A.angle moved from 0 to" in text and "1 degree of freedom" in text
    )


def test_the_same_drawing_gives_the_same_assembly_bit_for_bit():
    one, two = kt.assemble(four_bar()), kt.assemble(four_bar())
    assert one.y.tobytes() == two.y.tobytes()


@both
@pytest.mark.parametrize("angle", [-2.5, -1.0, 0.3, 0.7, 1.9, 3.0, 7.0])
def test_a_given_angle_is_kept_exactly_and_the_loop_closes_around_it(coordinates, angle):
    receipt = kt.assemble(four_bar(A=angle), coordinates=coordinates)
    assert receipt.coordinates["A.angle"] == pytest.approx(angle, abs=1e-11)
    state = state_of(receipt)
    meet = (state.pose("coupler").p + state.pose("coupler").R @ (LENGTHS["coupler"] / 2, 0, 0))[
        [0, 2]
    ]
    assert np.linalg.norm(four_bar_rocker(angle) - meet, axis=1).min() <= 1e-10
    assert receipt.violation <= 1e-11


def test_a_drawing_that_fits_is_left_alone():
    receipt = kt.assemble(four_bar(A=0.7))
    model = four_bar()
    for name, spec in list(model.joints.items()):
        spec.start["angle"] = receipt.coordinates[f"{name}.angle"]
    again = kt.assemble(model)
    assert again.moved == {} and again.iterations == 0
    assert "drawn position already satisfies all" in str(again)


def test_start_values_that_are_slightly_wrong_give_the_nearest_closed_position():
    """Rounded to two digits, three start values contradict each other by millimeters; the loop
    still closes nearby.
    """
    receipt = kt.assemble(four_bar(A=0.7))
    rounded = {name: round(receipt.coordinates[f"{name}.angle"], 2) + 0.05 for name in ("A", "D")}
    model = four_bar(**rounded)
    model.joints["B"].start["angle"] = round(receipt.coordinates["B.angle"], 2)
    again = kt.assemble(model)
    assert again.violation <= 1e-11
    for name, value in rounded.items():
        assert again.coordinates[f"{name}.angle"] == pytest.approx(value, abs=0.15)


def test_start_values_far_from_closing_give_the_nearest_closed_position():
    """A slider-crank with all three tree coordinates given, 14 cm apart."""
    model = kt.Model("slider-crank")
    crank, rod = (
        model.body("crank", kt.rod(0.5, 0.3, axial=1e-3)),
        model.body("rod", kt.rod(1.0, 0.9, axial=1e-3)),
    )
    slider = model.body("slider", kt.box(2.0, (0.1, 0.1, 0.1)))
    model.joint("A", kt.Revolute(axis="z"), model.ground, crank.end("-"), start={"angle": 0.4})
    model.joint("B", kt.Revolute(axis="z"), crank.end("+"), rod.end("-"), start={"angle": -0.5})
    model.joint("C", kt.Revolute(axis="z"), rod.end("+"), slider)
    model.joint("D", kt.Translational(axis="x"), model.ground, slider, start={"displacement": 1.0})
    receipt = kt.assemble(model)
    assert receipt.violation <= 1e-11 and abs(receipt.coordinates["A.angle"] - 0.4) < 1.0


@both
def test_a_given_speed_sets_the_speeds_of_the_whole_loop(coordinates):
    model = four_bar(A=0.7)
    model.joints["A"].speed["angle"] = 2.5
    receipt = kt.assemble(model, coordinates=coordinates)
    state, h = state_of(receipt), 1e-6
    assert state.twist("crank")[1] == pytest.approx(2.5, abs=1e-11)
    assert receipt.velocity_violation <= 1e-11 and receipt.velocity_missed <= 1e-10
    nearby = [kt.assemble(four_bar(A=0.7 + s * 2.5 * h)).coordinates["D.angle"] for s in (-1, 1)]
    assert state.twist("rocker")[1] == pytest.approx((nearby[1] - nearby[0]) / (2 * h), abs=1e-7)


def test_speeds_that_cannot_be_satisfied_are_reported():
    model = four_bar(A=0.7)
    model.joints["A"].speed["angle"], model.joints["D"].speed["angle"] = 1.0, 5.0
    receipt = kt.assemble(model)
    assert receipt.velocity_missed > 0.1 and receipt.velocity_violation <= 1e-11
    assert str(receipt).count(
        "Start values that had to change: A.angle.rate is"
    ) == 1 and "instead of 5." in str(receipt)


@both
def test_velocities_of_bodies_are_satisfied_where_the_joints_allow(coordinates):
    model = kt.Model("two")
    rod = kt.rod(1.0, 1.0, along="x", axial=1e-3)
    upper = model.body("upper", rod, position=(0.5, 0, 0), angular_velocity=(0, 3, 0))
    lower = model.body("lower", rod, position=(1.5, 0, 0), velocity=(0, 0, -9))
    model.joint("A", kt.Revolute(axis="y"), model.ground, upper.end("-"))
    model.joint("B", kt.Revolute(axis="y"), upper.end("+"), lower.end("-"))
    receipt = kt.assemble(model, coordinates=coordinates)
    state = state_of(receipt)
    assert state.twist("upper")[1] == pytest.approx(3.0) and state.twist("lower")[
        5
    ] == pytest.approx(-9.0)
    assert receipt.velocity_missed <= 1e-12


@both
def test_a_driver_decides_position_and_speed_at_the_start(coordinates):
    model = four_bar()
    model.constraint("drive", kt.Driver("A.angle", kt.Sine(0.5, 0.4, offset=0.7)))
    receipt = kt.assemble(model, coordinates=coordinates)
    assert receipt.coordinates["A.angle"] == pytest.approx(0.7, abs=1e-11)
    assert state_of(receipt).twist("crank")[1] == pytest.approx(0.5 * 2 * np.pi * 0.4, abs=1e-10)
    assert receipt.mobility == 0


def test_lengths_and_offsets_that_are_not_given_are_measured_in_the_drawing():
    model = kt.Model("open")
    arm, wheel = (
        model.body("arm", kt.rod(1.0, 1.0, axial=1e-3)),
        model.body("wheel", kt.sphere(1.0, 0.2)),
    )
    model.joint("A", kt.Revolute(axis="y"), model.ground, arm.end("-"), start={"angle": 0.3})
    model.joint("W", kt.Revolute(axis="y"), model.ground.at(0, 0, 1), wheel, start={"angle": -0.2})
    model.constraint("mesh", kt.Coupling("A.angle", "W.angle", ratio=2.0))
    model.force("spring", kt.SpringDamper(stiffness=100.0), model.ground.at(0, 0, 2), arm.end("+"))
    receipt = kt.assemble(model)
    assert receipt.moved == {} and receipt.violation <= 1e-14
    assert state_of(receipt).energy == pytest.approx(0.0, abs=1e-20)


def test_joints_placed_by_global_point_and_axis_close_in_the_reference_pose():
    rng = np.random.default_rng(4)
    model = kt.Model("placed")
    bodies = [model.ground]
    for k in range(3):
        bodies.append(
            model.body(
                f"b{k}",
                random_mass(rng, 1.0),
                position=rng.normal(size=3),
                rotation=("zyx", rng.normal(size=3)),
            )
        )
    for k, kind in enumerate(("revolute", "cylindrical", "spherical", "universal")):
        joint = random_joint(kind, rng)
        model.joint(f"j{k}", joint, bodies[k], bodies[(k + 1) % 4], at=rng.normal(size=3))
    receipt = kt.assemble(model)
    assert receipt.violation_before <= 1e-14 and receipt.moved == {}
    assert all(
        abs(value) <= 1e-14 for name, value in receipt.coordinates.items() if name[-2:] != "qw"
    )
