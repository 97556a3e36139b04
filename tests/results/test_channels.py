"""Channels by name: they are each other's derivatives, and the same in any coordinates."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.kernel.frames import quaternion_matrix
from kinetree.results.sources import catalogue

from .machines import pendulum, rssr, zoo

STEP = 1e-3


@cache
def run(name, coordinates="relative"):
    model = {"rssr": rssr, "zoo": lambda: zoo(False), "swapped": lambda: zoo(True)}[name]()
    return kt.simulate(model, 40 * STEP, coordinates=coordinates, rtol=1e-11, output_interval=STEP)


def slope(values):
    """Fourth-order central difference at the inner samples."""
    return (values[:-4] - 8.0 * values[1:-3] + 8.0 * values[3:-1] - values[4:]) / (12.0 * STEP)


def assert_derivative(sol, first, second):
    rate = sol[second][2:-2]
    assert_allclose(
        slope(sol[first]),
        rate,
        atol=2e-6 * (1.0 + np.abs(rate).max()),  # rtol 1e-11 over 1 ms, step^4
        err_msg=f"d/dt {first} is not {second}",
    )


RUNS = [
    (name, coordinates)
    for name in ("rssr", "zoo", "swapped")
    for coordinates in ("relative", "cartesian")
]


@pytest.mark.parametrize(("name", "coordinates"), RUNS)
def test_joint_rates_and_accelerations_are_derivatives(name, coordinates):
    sol = run(name, coordinates)
    for joint, place in sol.compiled.joints.items():
        kind = place.spec.joint
        for speed in kind.speeds:
            if kind.labels == kind.speeds:
                assert_derivative(sol, f"{joint}.{speed}", f"{joint}.{speed}.rate")
                assert_derivative(sol, f"{joint}.{speed}.rate", f"{joint}.{speed}.acceleration")
            else:
                assert_derivative(sol, f"{joint}.{speed}", f"{joint}.{speed}.rate")


@pytest.mark.parametrize(("name", "coordinates"), RUNS)
def test_body_and_point_motions_are_derivatives(name, coordinates):
    sol = run(name, coordinates)
    for body in sol.model.bodies:
        points = [body, f"{body}.end+", f"{body}.tip", f"{body}.knob"]
        for point in points:
            if f"{point}.position" in sol:
                assert_derivative(sol, f"{point}.position", f"{point}.velocity")
                assert_derivative(sol, f"{point}.velocity", f"{point}.acceleration")
        assert_derivative(sol, f"{body}.angular_velocity", f"{body}.angular_acceleration")


@pytest.mark.parametrize(("name", "coordinates"), RUNS)
def test_quaternions_turn_with_the_angular_velocity(name, coordinates):
    """qdot = 1/2 (0, w) o q in world axes."""
    sol = run(name, coordinates)
    for body in sol.model.bodies:
        q, w = sol[f"{body}.quaternion"], sol[f"{body}.angular_velocity"]
        expected = 0.5 * np.column_stack(
            [-np.sum(w * q[:, 1:], axis=1), q[:, :1] * w + np.cross(w, q[:, 1:])]
        )
        assert_allclose(
            slope(q), expected[2:-2], atol=2e-6 * (1.0 + np.abs(w).max())
        )  # as for the others


@pytest.mark.parametrize("name", ["zoo", "swapped"])
def test_coordinates_measured_on_frames_are_those_of_the_tree(name):
    tree, frames = run(name), run(name, "cartesian")
    for joint, place in tree.compiled.joints.items():
        labels = [label for label in place.spec.joint.labels if not label.startswith("q")]
        for channel in [f"{joint}.{label}" for label in (*labels, *place.spec.joint.speeds)]:
            assert_allclose(
                frames[channel], tree[channel], atol=1e-8, err_msg=channel
            )  # two runs at rtol 1e-11
        if "qw" in place.spec.joint.labels:
            a, b = tree[f"{joint}.quaternion"], frames[f"{joint}.quaternion"]
            assert_allclose(np.abs(np.sum(a * b, axis=1)), 1.0, atol=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_angles_count_their_turns(coordinates):
    sol = kt.simulate(pendulum(rate=25.0), 1.0, coordinates=coordinates)
    assert sol["A.angle"][-1] > 6.0 * np.pi
    assert_allclose(
        np.diff(sol["A.angle"]), sol["A.rate"][:-1] * 0.002, atol=0.01
    )  # no jump from sample to sample


def test_a_body_point_moves_with_its_body():
    sol = run("rssr")
    R = np.array([quaternion_matrix(q) for q in sol["crank.quaternion"]])
    assert_allclose(
        sol["crank.knob.position"],
        sol["crank.position"] + R @ np.array([0.1, 0.2, 0.3]),
        atol=1e-14,
    )
    assert_allclose(
        sol["crank.end+.position"], sol["coupler.end-.position"], atol=1e-11
    )  # joint B, closed to 1e-12


def test_components_are_columns():
    sol = run("rssr")
    assert sol["crank.position"].shape == (len(sol.t), 3) and sol["crank.position.z"].shape == (
        len(sol.t),
    )
    assert_allclose(sol["crank.position.z"], sol["crank.position"][:, 2])
    assert_allclose(sol["crank.quaternion.w"], sol["crank.quaternion"][:, 0])


def test_relative_displacement_of_two_points():
    sol = run("rssr")
    rod = sol.between("crank.end+", "rocker.end+")
    assert_allclose(rod.distance, rod.distance[0], atol=1e-11)  # the coupler is rigid
    assert_allclose(rod.rate, 0.0, atol=1e-10)
    assert_allclose(sol.between("ground", "crank").displacement, sol["crank.position"])
    with pytest.raises(kt.NameNotFound, match="no point named 'hand' on body 'crank'"):
        sol.between("crank.hand", "rocker")


def test_a_spring_tells_its_length_rate_force_energy_and_power():
    sol = run("zoo")
    both = sol.between("b1.tip", "b5.tip")
    assert_allclose(sol["spring.length"], both.distance, atol=1e-13)
    assert_allclose(sol["spring.rate"], both.rate, atol=1e-12)
    force = -80.0 * (both.distance - 0.4) - 3.0 * both.rate
    assert_allclose(sol["spring.force"], force, atol=1e-11)
    assert_allclose(sol["spring.energy"], 40.0 * (both.distance - 0.4) ** 2, atol=1e-12)
    assert_allclose(sol["spring.power"], force * both.rate, atol=1e-10)
    assert (
        sol.unit("spring.force") == "N"
        and sol.unit("bar.torque") == "N m"
        and sol.unit("coil.force") == "N"
    )


def test_point_forces_and_torques_are_vectors_in_world_axes():
    sol = run("zoo")
    assert_allclose(np.linalg.norm(sol["push.force"], axis=1), np.sqrt(14.0), rtol=1e-12)
    assert_allclose(sol["twist.torque"], np.tile([0.5, 0.2, -0.7], (len(sol.t), 1)), atol=1e-12)


def test_the_pull_in_a_rod_that_is_let_out_is_the_weight_on_it():
    """Lowered at a steady speed to twice the length: m g all the way, whatever the length was at
    the start.
    """
    m = kt.Model("winch")
    load = m.body("load", kt.sphere(2.0, 0.1), position=(0, 0, -1))
    m.joint(
        "guide",
        kt.Translational(axis="z"),
        m.ground,
        load,
        start={"displacement": -1.0},
        speed={"displacement": -0.5},
    )
    m.constraint("rope", kt.Distance(kt.Ramp(0.5, start=1.0)), m.ground, load)
    sol = kt.simulate(m, 2.0, output_interval=0.25)
    assert_allclose(sol["load.position.z"][-1], -2.0, atol=1e-9)
    assert_allclose(sol["rope.tension"], 2.0 * 9.81, rtol=1e-9)


def test_the_pull_in_a_rod_is_the_force_that_keeps_a_mass_on_its_circle():
    m = kt.Model("conical", gravity=(0, 0, 0))
    ball = m.body("ball", kt.sphere(2.0, 0.1), position=(0.5, 0, 0), velocity=(0, 3.0, 0))
    m.float(ball)
    m.constraint("rope", kt.Distance(), m.ground, ball)
    sol = kt.simulate(m, 0.2, output_interval=0.05)
    assert_allclose(sol["rope.tension"], 2.0 * 3.0**2 / 0.5, rtol=1e-7)  # m v^2 / r, rtol 1e-8


def test_names_come_with_units_and_all_of_them_have_values():
    sol = run("zoo")
    names = sol.names(components=True)
    assert (
        names["revolute.angle"] == "rad"
        and names["b0.acceleration.y"] == "m/s^2"
        and names["motor.force"] == "N m"
    )
    assert set(sol.names()) < set(names)
    for name in names:
        values = sol[name]
        assert (
            len(values) == len(sol.steps if name.startswith("step.") else sol.t)
            and np.isfinite(values).all()
        ), name


def test_an_unknown_channel_is_answered_with_the_nearest_and_what_there_is():
    sol = run("rssr")
    with pytest.raises(
        kt.NameNotFound,
        match=r"no channel named 'crank.postion.z' .*Did you mean 'crank.position.z'",
    ):
        sol["crank.postion.z"]
    with pytest.raises(
        kt.NameNotFound, match=r"no channel named 'crnk.position' .* Did you mean 'crank'\?"
    ):
        sol["crnk.position"]
    with pytest.raises(kt.NameNotFound, match="no joint named 'Z'"):
        sol.reactions["Z"]


@pytest.mark.parametrize("name", ["rssr", "zoo"])
def test_a_channel_asked_for_alone_is_the_one_that_is_listed(name):
    """The channels of one element are made for a name, all of them for a list: they have the same
    units and words.
    """
    alone, listed = run(name).channels, dict(catalogue(run(name)).items())
    for known, channel in listed.items():
        assert alone[known]._replace(values=channel.values) == channel
    assert "nothing.position" not in alone and "crank.nothing" not in alone and 3 not in run(name)
