"""Driven mechanisms compared with closed forms and with the integrated motion, and the errors if
they cannot move.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.kinematics import kinematics
from kinetree.models.four_bar import four_bar
from kinetree.models.n_four_bar import n_four_bar
from kinetree.models.rssr import rssr
from kinetree.models.slider_crank import slider_crank

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
R, L, SPEED = 0.15, 0.5, 10.0  # the slider-crank


def driven(model: kt.Model, coordinate: str, motion) -> kt.Model:
    model.constraint("motor", kt.Driver(coordinate, motion))
    return model


def universal_rssr() -> kt.Model:
    """The RSSR without the idle rotation: one ball joint becomes a universal joint."""
    model = rssr()
    spec = model.joints["C"]
    line = np.array(spec.M.X_Bm.p) - np.array(spec.F.X_Bm.p)
    del model.joints["C"]
    first = np.cross((1.0, 0.0, 0.0), line)
    model.joint("C", kt.Universal(tuple(first), tuple(np.cross(line, first))), spec.F, spec.M)
    return model


@both
def test_a_driven_slider_crank_moves_as_its_closed_form(coordinates):
    """x = r cos a + sqrt(l^2 - r^2 sin^2 a), a = w t, and its two derivatives; 1e-12 m, derivatives
    scaled by w, w^2.
    """
    sol = kinematics(
        slider_crank(SPEED, driven=True), 1.0, output_interval=0.01, coordinates=coordinates
    )
    a, w = SPEED * sol.t, SPEED
    s, c = np.sin(a), np.cos(a)
    root = np.sqrt(L * L - R * R * s * s)
    first = -R * s - R * R * s * c / root
    second = -R * c - R * R * (c * c - s * s) / root - R**4 * s * s * c * c / root**3
    np.testing.assert_allclose(sol["piston.position.x"], R * c + root, atol=1e-12)
    np.testing.assert_allclose(sol["piston.velocity.x"], w * first, atol=1e-12 * w)
    np.testing.assert_allclose(sol["piston.acceleration.x"], w * w * second, atol=1e-12 * w * w)
    np.testing.assert_allclose(sol["crankshaft.angle"], a, atol=1e-12)  # full turns are counted
    assert sol.success and sol.constraint_error.max() < 1e-14


@both
def test_the_power_of_the_motor_is_the_rate_of_the_energy(coordinates):
    """torque * rate = dE/dt: each sample compared with the exact power of inertia and weight, sum
    of m (a - g).v over the bodies.
    """
    model = driven(four_bar(), "A.angle", kt.Sine(0.8, 0.7, offset=1.2))
    sol = kinematics(model, 2.0, output_interval=0.02, coordinates=coordinates)
    gain = np.zeros(len(sol.t))
    for name, body in model.bodies.items():
        I = body.properties.inertia[1, 1]  # about y, planar motion
        force = body.properties.mass * (sol[f"{name}.acceleration"] + (0, 0, 9.81))
        gain += np.einsum("ti,ti->t", force, sol[f"{name}.velocity"])
        gain += I * sol[f"{name}.angular_acceleration.y"] * sol[f"{name}.angular_velocity.y"]
    power = sol["motor.force"] * sol["A.angle.rate"]
    np.testing.assert_allclose(power, gain, atol=1e-11 * np.abs(power).max())


def test_kinematics_agrees_with_the_integrated_motion():
    model = driven(four_bar(), "A.angle", kt.Sine(0.8, 0.7, offset=1.2))
    sol = kinematics(model, 1.0, output_interval=0.05)
    run = kt.simulate(model, 1.0, rtol=1e-10, output_interval=0.05, progress=False)
    for channel in ("rocker.position", "coupler.acceleration", "D.angle", "motor.force", "C.force"):
        # drift of the integrated motion from the driver
        np.testing.assert_allclose(sol[channel], run[channel], atol=1e-8)


def test_a_spatial_loop_with_a_universal_joint_follows_its_driver_through_full_turns():
    sol = kinematics(
        driven(universal_rssr(), "A.angle", kt.Ramp(slope=2.0)), 4.0, output_interval=0.1
    )
    np.testing.assert_allclose(sol["A.angle"], 2.0 * sol.t, atol=1e-12)
    tips = sol["crank.end+.position"] - sol["rocker.end+.position"]
    # the rigid coupler
    np.testing.assert_allclose(np.linalg.norm(tips, axis=1), np.linalg.norm(tips[0]), atol=1e-13)
    assert sol.violation("g").max() < 1e-13 and sol.violation("gdot").max() < 1e-12


def test_coarse_samples_give_the_same_motion_as_fine_ones():
    """Samples half a turn apart are reached in smaller steps, on the same turn and the same
    assembly branch.
    """
    model = slider_crank(SPEED, driven=True)
    fine, coarse = (kinematics(model, 3.0, output_interval=h) for h in (0.02, 0.6))
    for channel in ("crankshaft.angle", "wristpin.angle", "piston.position.x"):
        np.testing.assert_allclose(coarse[channel], fine[channel][::30], atol=1e-12)


def test_folding_windows_pass_the_position_with_additional_degrees_of_freedom():
    """A parallelogram driven through its flat position: G loses rank for an instant, and the motion
    continues.
    """
    model = driven(n_four_bar(1), "foot0.angle", kt.Ramp(slope=1.0))
    sol = kinematics(model, 3.0, output_interval=0.05)
    # the beam of a parallelogram remains horizontal
    np.testing.assert_allclose(sol["beam0.angular_velocity"], 0.0, atol=1e-9)
    np.testing.assert_allclose(sol["foot1.angle"], sol["foot0.angle"], atol=1e-9)


@both
def test_a_driven_length_lifts_a_boom_by_the_law_of_cosines(coordinates):
    """A boom on a hinge, a cylinder from 0.4 m below the hinge to 0.6 m along it: l^2 = a^2 + b^2 -
    2 a b cos(angle).
    """
    model = kt.Model("boom")
    boom = model.body("boom", kt.rod(5.0, 2.0, along="x"))
    model.joint("hinge", kt.Revolute(axis="-y"), model.ground, boom.end("-"), start={"angle": 0.3})
    cylinder = kt.Distance(kt.Ramp(slope=0.1, start=0.75))
    model.constraint("cylinder", cylinder, model.ground.at(0, 0, -0.4), boom.at(-0.4, 0, 0))
    sol = kinematics(model, 1.0, output_interval=0.1, coordinates=coordinates)
    length = 0.75 + 0.1 * sol.t
    np.testing.assert_allclose(
        sol["hinge.angle"], np.arccos((0.36 + 0.16 - length**2) / 0.48) - np.pi / 2, atol=1e-12
    )
    gain = (
        5.0 * 9.81 * sol["boom.velocity.z"]
        + 5.0 * 4.0 / 3.0 * sol["hinge.rate"] * sol["hinge.acceleration"]
    )
    np.testing.assert_allclose(sol.energy.power, gain, atol=1e-10)  # the power of the cylinder


def test_a_driver_beyond_the_reach_ends_with_the_time_and_a_joint():
    """Links 0.5, 1.2, 0.75 over 1.1: driven at D, the rocker rotates until crank and coupler are in
    line (law of cosines).
    """
    begin = kt.assemble(four_bar()).coordinates["D.angle"]
    model = driven(four_bar(), "D.angle", lambda t: begin - t)
    with pytest.raises(kt.SimulationError, match=r"at t = .* cannot follow 'motor'.*'C'") as caught:
        kinematics(model, 6.0, output_interval=0.1)
    end = begin - caught.value.t
    # at the base
    reach = [
        np.arccos((1.1**2 + 0.75**2 - r * r) / (2 * 1.1 * 0.75)) for r in (1.2 + 0.5, 1.2 - 0.5)
    ]
    rocker = np.pi - np.abs(np.mod(end + np.pi, 2 * np.pi) - np.pi)
    assert min(abs(rocker - b) for b in reach) < 1e-6
    assert caught.value.element == "C" and len(caught.value.solution.t) > 3
    assert caught.value.solution.t[-1] <= caught.value.t


def test_undriven_degrees_of_freedom_are_named():
    with pytest.raises(
        kt.ModelError, match=r"1 degree.*A\.angle.*can still move\. Add a Driver for '\w\.angle'"
    ):
        kinematics(four_bar(), 1.0)
    with pytest.raises(kt.ModelError, match=r"2 degree.*B\.wx.*1 cannot be driven.*Universal"):
        kinematics(rssr(), 1.0)


def test_the_result_reads_like_that_of_a_simulation():
    sol = kinematics(slider_crank(SPEED, driven=True), 0.5)
    assert len(sol.t) == 501 and sol.t[-1] == 0.5
    assert "kinematics" in str(sol) and sol.statistics["dof"] == 0
    assert sol.energy.imbalance < 1e-6  # work from a spline through the samples
    np.testing.assert_allclose(sol.at(0.1234)["crankshaft.angle"], 1.234, atol=1e-12)
