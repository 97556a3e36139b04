"""Energy and momentum: conserved where they must be, balanced by work elsewhere."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

from .machines import pendulum, rssr


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_conservative_mechanism_keeps_its_energy(coordinates):
    sol = kt.simulate(rssr(), 2.0, coordinates=coordinates, rtol=1e-9)
    assert sol.energy.drift < 1e-7  # accumulated from rtol 1e-9 over some hundred steps
    assert not sol.energy.work.any()
    assert sol.energy.scale > 1.0


def test_energies_of_a_pendulum_are_those_of_the_textbook():
    sol = kt.simulate(pendulum(rate=1.0), 1.0)
    w = sol["A.rate"]
    assert_allclose(sol.energy.kinetic, 0.5 * (2.0 * 0.8**2 / 3.0) * w**2, rtol=1e-12)
    assert_allclose(sol.energy.potential, -2.0 * 9.81 * 0.4 * np.sin(sol["A.angle"]), atol=1e-12)


def test_a_spring_stores_what_it_takes():
    m = pendulum()
    m.force("bar", kt.TorsionSpring("A.angle", stiffness=30.0))
    m.force("spring", kt.SpringDamper(stiffness=200.0, length=0.5), m.ground.at(0, 0, 1), m.bodies["rod"].end("+"))
    sol = kt.simulate(m, 1.0, rtol=1e-10)
    assert sol.energy.drift < 1e-8
    assert sol.energy.imbalance < 1e-6  # a cubic through the power every 2 ms


def test_the_work_of_a_damper_is_what_the_machine_loses():
    m = pendulum(rate=3.0)
    damper = kt.SpringDamper(stiffness=20.0, damping=15.0, length=0.5)
    m.force("damper", damper, m.ground.at(0, 0, 1), m.bodies["rod"].end("+"))
    sol = kt.simulate(m, 1.0, rtol=1e-10)
    assert sol.energy.drift > 0.1
    assert sol.energy.imbalance < 1e-6  # a cubic through the power every 2 ms
    assert sol.energy.work[-1] < 0.0


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_work_of_a_driver_is_what_the_machine_gains(coordinates):
    m = pendulum()
    m.constraint("motor", kt.Driver("A.angle", kt.Sine(0.7, 1.0)))
    sol = kt.simulate(m, 1.0, coordinates=coordinates)
    assert sol.energy.drift > 0.1 and sol.energy.imbalance < 1e-6
    assert_allclose(sol.energy.power, sol["motor.force"] * sol["A.rate"], atol=1e-7)


def test_a_free_body_keeps_its_momenta():
    m = kt.Model("top", gravity=(0, 0, 0))
    m.body("top", kt.box(2.0, (0.1, 0.2, 0.4)), position=(1, 2, 3), velocity=(0.3, -0.2, 0.5),
           angular_velocity=(3.0, 0.1, 4.0))
    m.float("top")
    sol = kt.simulate(m, 2.0, rtol=1e-10)
    J = np.diag(2.0 / 12.0 * np.array([0.2, 0.17, 0.05]))
    L = J @ [3.0, 0.1, 4.0] + np.cross([1, 2, 3], 2.0 * np.array([0.3, -0.2, 0.5]))
    assert_allclose(sol.momentum.linear, np.tile([0.6, -0.4, 1.0], (len(sol.t), 1)), atol=1e-9)
    assert_allclose(sol.momentum.angular, np.tile(L, (len(sol.t), 1)), atol=1e-7)  # rtol 1e-10 over 2 s


def test_momentum_changes_with_gravity_and_reactions():
    sol = kt.simulate(rssr(), 0.4, rtol=1e-10, output_interval=1e-3)
    force = sol["A.force"] + sol["D.force"] + 3.0 * np.array([0.0, 0.0, -9.81])
    p = sol["momentum.linear"]
    assert_allclose((p[2:] - p[:-2]) / 2e-3, force[1:-1], atol=2e-3)  # central difference over 1 ms
