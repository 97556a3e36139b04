"""Linear equations, modes and equilibria know the states of controllers."""

import numpy as np
import pytest

import kinetree as kt

from .machines import GOAL, KI, G, controlled_pendulum, lagged_mass


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_eigenvalues_of_a_mass_with_lag_are_the_roots_of_its_polynomial(coordinates):
    """m s'' = f, T f' = -k s - f:   m T p^3 + m p^2 + k = 0."""
    found = kt.linearize(lagged_mass(2.0, 50.0, 0.3), coordinates=coordinates)
    roots = np.roots([2.0 * 0.3, 2.0, 0.0, 50.0])
    assert found.states[-1] == "drive.force"
    assert len(found.states) == 3  # and no turn counters
    np.testing.assert_allclose(
        np.sort_complex(found.eigenvalues), np.sort_complex(roots), rtol=1e-8, atol=1e-8
    )


def test_modes_report_the_spectral_radius_with_the_states():
    roots = np.roots([2.0 * 0.3, 2.0, 0.0, 50.0])
    assert kt.modes(lagged_mass(2.0, 50.0, 0.3)).spectral_radius == pytest.approx(
        np.abs(roots).max(), rel=1e-8
    )


def test_equilibrium_brings_controllers_to_rest_with_the_machine():
    """At the goal the integral alone holds the weight: KI x = m g l / 2 sin(goal)."""
    found = kt.equilibrium(controlled_pendulum())
    weight = 0.5 * G * np.sin(GOAL)
    assert found.coordinates["A.angle"] == pytest.approx(GOAL, abs=1e-9)
    assert found["pid.integral"] == pytest.approx(weight / KI, rel=1e-9)
    assert found["lag.level"] == pytest.approx(weight, rel=1e-9)
    assert found["follower.level"] == pytest.approx(weight / KI, rel=1e-9)
    sol = kt.simulate(controlled_pendulum(), until=20.0)
    assert found["pid.integral"] == pytest.approx(sol["pid.integral"][-1], abs=1e-4)
    assert found.stable


def test_kinematic_analysis_refuses_states_by_name():
    m = controlled_pendulum()
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(1.0, start=0.3)))
    with pytest.raises(
        kt.ModelError, match=r"pid\.integral, lag\.level, follower\.level follow from the history"
    ):
        kt.kinematics(m, until=1.0)


def test_inverse_dynamics_of_a_run_takes_the_states_as_they_were():
    """With the motor at its state, no further effort is needed at the joint."""
    m = controlled_pendulum()
    sol = kt.simulate(m, until=0.5)
    effort = kt.inverse_dynamics(m, sol, drives=["A.angle"])["A.angle"]
    assert np.abs(effort).max() < 1e-9 * np.abs(sol["motor.torque"]).max()


def test_a_state_that_never_rests_is_named():
    def clock(t, u, x, parameters, xdot, out):
        xdot[0] = 1.0

    m = lagged_mass()
    m.controller("clock", kt.Controller(clock, (), {"time": 0.0}))
    with pytest.raises(kt.SimulationError, match=r"clock\.time did not come to rest"):
        kt.equilibrium(m)


def test_relaxation_is_refused_where_there_are_states():
    with pytest.raises(kt.ModelError, match=r"states besides \(drive\.force\)"):
        kt.equilibrium(lagged_mass(), method="relaxation")
