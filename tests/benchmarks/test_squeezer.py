"""IFToMM benchmark A03, Andrews' squeezing mechanism (Schiehlen 1990; Test Set for IVP Solvers 2.4,
problem "andrews").

Model and numbers: `workshop.problems.squeezer`.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from workshop.problems.squeezer import (
    ANGLES,
    BETA_03,
    BETA_05,
    END,
    END_RATE,
    START,
    START_ACCELERATION,
    START_PUSH,
    TORQUE,
    angles,
    mass_matrix,
    rr,
    squeezer,
)

import kinetree as kt
from support.machine import machine


@pytest.mark.parametrize("q", [START, END])
def test_the_bodies_have_the_mass_matrix_of_the_test_set(q):
    state = machine(squeezer())
    order = [ANGLES.index(joint) for joint, _ in state.compiled.dof_owner]
    M = state.at(np.array(q)[order]).M
    assert_allclose(M, mass_matrix(q)[np.ix_(order, order)], rtol=0, atol=1e-18)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_start_is_consistent_with_the_published_accelerations_and_multipliers(coordinates):
    sol = kt.simulate(squeezer(), 1e-4, coordinates=coordinates)
    assert not sol.assembly.moved and sol.assembly.mobility == 1
    assert_allclose(angles(sol, "angle", 0), START, rtol=0, atol=1e-15)
    assert_allclose(angles(sol, "acceleration", 0), START_ACCELERATION, rtol=1e-13, atol=1e-9)
    assert_allclose(sol.reactions["E3"].force[0], START_PUSH, rtol=0, atol=1e-11)
    for joint in ("E4", "E6"):
        assert_allclose(sol.reactions[joint].force[0], 0.0, atol=1e-11)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_squeezer_ends_where_the_test_set_says(coordinates):
    sol = kt.simulate(squeezer(), 0.05, coordinates=coordinates, rtol=1e-12, output_interval=1e-4)
    assert_allclose(angles(sol, "angle", 300), END, rtol=0, atol=1.5e-9)
    assert_allclose(angles(sol, "rate", 300), END_RATE, rtol=0, atol=6e-7)
    assert abs(sol["O.angle"][300] - BETA_03) < 2e-10
    assert abs(sol["O.angle"][-1] - BETA_05) < 5e-10
    assert_allclose(
        rr * np.array([np.cos(sol["O.angle"][-1]), np.sin(sol["O.angle"][-1])]),
        (-0.0052085047, 0.0046766953),
        rtol=0,
        atol=1e-10,
    )
    assert sol.constraint_error.max() < 1e-12


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_what_the_motor_puts_in_is_what_the_squeezer_has(coordinates):
    sol = kt.simulate(squeezer(), 0.05, coordinates=coordinates, rtol=1e-10)
    work = TORQUE * (sol["O.angle"] - sol["O.angle"][0])
    assert_allclose(
        sol.energy.total - sol.energy.total[0], work, rtol=0, atol=1e-9 * sol.energy.scale
    )
