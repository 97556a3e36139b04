"""Flexible joints with coupled and nonlinear laws: energy, momentum, and the rigid model."""

import numpy as np
import pytest

import kinetree as kt

A = np.random.default_rng(3).normal(size=(6, 6))
K = A @ A.T * 3.0 + np.diag([100.0, 200.0, 300.0, 5.0, 6.0, 7.0])
SPACE = np.eye(3)
QUARTIC = {
    "x": kt.Polynomial(0.0, 0.0, 900.0),
    "about_z": kt.Polynomial(4.0, 0.0, 30.0),
    "y": kt.Characteristic((-1.0, 0.0, 1.0), (-50.0, 0.0, 90.0)),
}


def turn(R=SPACE, damping=0.0, **laws):
    """Two bodies that fly and rotate far against each other, in a frame rotated by R."""
    m = kt.Model("two bodies", gravity=(0, 0, 0))
    one = m.body("one", kt.box(1.0, (0.2, 0.3, 0.4)), position=R @ [0, 0, 0], rotation=R)
    two = m.body("two", kt.box(2.0, (0.4, 0.3, 0.2)), position=R @ [0.6, 0.1, 0.0], rotation=R)
    m.float(one, speed={"wx": 3.0, **dict(zip(("vx", "vy", "vz"), R @ [0.0, 1.0, 0.3]))})
    m.float(two, speed={"wz": -4.0, "wy": 2.0})
    m.force(
        "joint", kt.Bushing(K, damping * K, **laws), one.at(0.2, 0.1, 0.0), two.at(-0.3, 0.0, 0.1)
    )
    return m


@pytest.mark.parametrize("h", [0.002, 0.02, 0.06])
def test_energy_and_momentum_are_exact_with_coupled_and_nonlinear_laws(h):
    sol = kt.simulate(turn(**QUARTIC), 150 * h, integrator="energy-conserving", step=h)
    assert np.ptp(sol["joint.energy"]) > 1.0
    assert sol.energy.drift < 1e-11  # what Newton leaves, over 150 steps
    for p in (sol.momentum.linear, sol.momentum.angular):
        assert np.ptp(p, axis=0).max() < 1e-11 * np.abs(p).max()


def test_the_energy_balance_with_damping_is_exact_at_a_large_step():
    sol = kt.simulate(turn(damping=0.01, **QUARTIC), 3.0, integrator="energy-conserving", step=0.03)
    assert sol.energy.imbalance < 1e-11
    assert np.all(np.diff(sol.energy.total) < 0.0)


def test_the_motion_is_the_same_in_a_rotated_world():
    R = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    plain, turned = (
        kt.simulate(
            turn(of, damping=0.01, **QUARTIC), 1.0, integrator="energy-conserving", step=0.01
        )
        for of in (SPACE, R)
    )
    # Newton, over 100 steps
    np.testing.assert_allclose(turned["two.position"], plain["two.position"] @ R.T, atol=1e-10)
    np.testing.assert_allclose(turned["joint.energy"], plain["joint.energy"], atol=1e-8)


def test_the_rigid_model_moves_the_same_to_second_order():
    exact = kt.simulate(turn(damping=0.01, **QUARTIC), 0.5, rtol=1e-11)["two.position"][-1]
    errors = [
        np.abs(
            kt.simulate(turn(damping=0.01, **QUARTIC), 0.5, integrator="energy-conserving", step=h)[
                "two.position"
            ][-1]
            - exact
        ).max()
        for h in (0.004, 0.002)
    ]
    assert 3.7 < errors[0] / errors[1] < 4.3 and errors[1] < 1e-3


def test_small_loads_deflect_it_by_the_inverse_of_its_stiffness():
    m = kt.Model("mount", gravity=(0, 0, 0))
    body = m.body("body", kt.box(1.0, (0.2, 0.3, 0.4)))
    load = 1e-5 * np.array([1.0, -2.0, 3.0, 0.4, 0.5, -0.6])
    m.float(body)
    m.force("mount", kt.Bushing(K), m.ground, body)
    m.force("push", kt.PointForce(tuple(load[:3])), body)
    m.force("twist", kt.Torque(tuple(load[3:])), body)
    bent, expected = kt.deflect(m), np.linalg.solve(K, load)
    # second order
    np.testing.assert_allclose(
        bent["body.position"], expected[:3], atol=1e-5 * np.abs(expected).max()
    )
    np.testing.assert_allclose(
        2.0 * bent["body.quaternion"][1:], expected[3:], atol=1e-5 * np.abs(expected).max()
    )


def test_a_beam_on_a_joint_with_a_coupled_law_conserves_energy():
    m = kt.Model("held", gravity=(0, 0, -9.81))
    arm = m.beam(
        "arm",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section.circle(radius=0.01, E=1e9, density=2000.0),
        elements=4,
    )
    m.float(arm)
    m.force("clamp", kt.Bushing(100.0 * K, z=kt.Polynomial(0, 0, 1e5)), m.ground, arm.end("-"))
    sol = kt.simulate(m, 0.5, step=0.005)
    assert sol.energy.drift < 1e-10


def test_a_matrix_that_is_not_symmetric_is_refused():
    with pytest.raises(kt.ModelError, match="Bushing: stiffness is not symmetric"):
        kt.Bushing(np.arange(36.0).reshape(6, 6))
