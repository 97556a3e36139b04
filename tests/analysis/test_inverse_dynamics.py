"""Inverse dynamics after forward dynamics recovers the torques, in trees and loops."""

from dataclasses import replace

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.inverse_dynamics import inverse_dynamics
from kinetree.analysis.kinematics import kinematics
from kinetree.models.andrews import andrews
from kinetree.models.double_pendulum import double_pendulum
from kinetree.models.four_bar import four_bar
from kinetree.models.rssr import rssr
from kinetree.models.slider_crank import slider_crank

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
LOOPS = [
    (four_bar, "A.angle", ["A.angle"]),
    (four_bar, "A.angle", ["D.angle"]),
    (andrews, "O.angle", ["O.angle"]),
    (rssr, "A.angle", ["A.angle", "B.wx"]),
    (slider_crank, "crankshaft.angle", ["cylinder.displacement"]),
]


def pushed(build, coordinate: str, torque: float) -> kt.Model:
    """The model in motion, with a motor at a coordinate."""
    model = build()
    spec = model.joints[coordinate.split(".")[0]]
    start = spec.start if build is andrews else {"angle": 0.6}
    model.joints[spec.name] = replace(spec, start=start, speed={"angle": 2.0})
    if torque:
        model.force("extra motor", kt.TorsionSpring(coordinate, torque=torque))
    return model


@both
@pytest.mark.parametrize(
    "build, coordinate, drives", LOOPS, ids=lambda x: getattr(x, "__name__", str(x))
)
def test_the_torque_of_a_forward_simulation_of_a_loop_is_recovered(
    build, coordinate, drives, coordinates
):
    """Forward accelerations with a torque at one joint; inverse dynamics with given drives has the
    same power.
    """
    torque = 0.7 if build is not andrews else 0.02
    state = kt.assemble(pushed(build, coordinate, torque), coordinates=coordinates)
    plain = pushed(build, coordinate, 0.0)
    found = inverse_dynamics(
        plain, state.q, state.v, state.vdot, drives=drives, coordinates=coordinates
    )
    given = (
        torque
        * inverse_dynamics(
            plain,
            state.q,
            state.v,
            state.vdot,
            drives=[coordinate, *drives],
            coordinates=coordinates,
        ).rates[0]
    )
    assert found.power.sum() == pytest.approx(given, rel=1e-10)
    if drives[0] == coordinate:
        np.testing.assert_allclose(
            found.efforts, [torque, *np.zeros(len(drives) - 1)], atol=1e-10 * torque
        )


def test_random_torques_on_a_tree_are_recovered():
    rng = np.random.default_rng(5)
    for _ in range(5):
        model, tau = double_pendulum(), rng.normal(size=2)
        for name, value in zip(("shoulder", "elbow"), tau):
            model.force(f"at {name}", kt.TorsionSpring(f"{name}.angle", torque=float(value)))
        state = kt.assemble(
            model, targets={"shoulder.angle": rng.normal(), "elbow.angle": rng.normal()}
        )
        found = inverse_dynamics(
            double_pendulum(),
            state.q,
            state.v,
            state.vdot,
            drives=["elbow.angle", "shoulder.angle"],
        )
        np.testing.assert_allclose(found.efforts, tau[::-1], atol=1e-11)


def test_redundant_drives_have_efforts_of_least_norm():
    """Two motors on one degree of freedom: tau along the row of transmission ratios, tau = s F /
    (s.s).
    """
    state = kt.assemble(pushed(four_bar, "A.angle", 1.5))
    plain = pushed(four_bar, "A.angle", 0.0)
    found = inverse_dynamics(plain, state.q, state.v, state.vdot, drives=["A.angle", "D.angle"])
    ratio = found.rates[1] / found.rates[0]
    np.testing.assert_allclose(
        found.efforts, 1.5 * np.array([1.0, ratio]) / (1.0 + ratio**2), rtol=1e-10
    )


def test_too_few_drives_raise_an_error_that_names_the_missing_effort():
    state = kt.assemble(double_pendulum())
    with pytest.raises(
        kt.ModelError, match=r"shoulder\.angle cannot produce this motion.*elbow\.angle is missing"
    ):
        inverse_dynamics(
            double_pendulum(), state.q, state.v, state.vdot + 1.0, drives=["shoulder.angle"]
        )
    quiet = inverse_dynamics(
        double_pendulum(), state.q, state.v, state.vdot, drives=["shoulder.angle"]
    )
    assert abs(quiet["shoulder.angle"]) < 1e-12  # the free motion needs no effort


def test_a_state_off_the_constraints_is_refused_with_the_joint():
    state = kt.assemble(four_bar())
    with pytest.raises(kt.ModelError, match="accelerations violate 'C'"):
        inverse_dynamics(four_bar(), state.q, state.v, state.vdot + [1.0, 0, 0], drives=["A.angle"])
    with pytest.raises(kt.ModelError, match="positions violate 'C'"):
        inverse_dynamics(four_bar(), state.q + 0.1, state.v, state.vdot, drives=["A.angle"])
    with pytest.raises(kt.NameNotFound, match="Did you mean"):
        inverse_dynamics(four_bar(), state.q, state.v, state.vdot, drives=["A.angel"])


@both
def test_driver_efforts_of_a_kinematic_analysis_agree_with_its_channels(coordinates):
    model = slider_crank(driven=True)
    sol = kinematics(model, 0.7, output_interval=0.01, coordinates=coordinates)
    found = inverse_dynamics(model, sol)
    np.testing.assert_allclose(found["crankshaft.angle"], sol["motor.force"], atol=1e-11)
    other = inverse_dynamics(model, sol, drives=["cylinder.displacement", "crankshaft.angle"])
    # the same motion, with shared efforts
    np.testing.assert_allclose(other.power.sum(axis=1), found.power[:, 0], atol=1e-10)


def test_a_free_run_needs_no_drive():
    run = kt.simulate(rssr(), 0.5, output_interval=0.05, progress=False)
    found = inverse_dynamics(rssr(), run, drives=["A.angle", "B.wx", "B.wy", "B.wz"])
    np.testing.assert_allclose(found.efforts, 0.0, atol=1e-10)
