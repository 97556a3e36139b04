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
    m.force(
        "spring",
        kt.SpringDamper(stiffness=200.0, length=0.5),
        m.ground.at(0, 0, 1),
        m.bodies["rod"].end("+"),
    )
    sol = kt.simulate(m, 1.0, rtol=1e-10)
    assert sol.energy.drift < 1e-8
    assert sol.energy.imbalance < 1e-8  # work is carried along by the steps, rtol 1e-10


def test_the_work_of_a_damper_is_what_the_machine_loses():
    m = pendulum(rate=3.0)
    damper = kt.SpringDamper(stiffness=20.0, damping=15.0, length=0.5)
    m.force("damper", damper, m.ground.at(0, 0, 1), m.bodies["rod"].end("+"))
    sol = kt.simulate(m, 1.0, rtol=1e-10)
    assert sol.energy.drift > 0.1
    assert sol.energy.imbalance < 1e-8  # work is carried along by the steps, rtol 1e-10
    assert sol.energy.work[-1] < 0.0


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_work_of_a_driver_is_what_the_machine_gains(coordinates):
    m = pendulum()
    m.constraint("motor", kt.Driver("A.angle", kt.Sine(0.7, 1.0)))
    sol = kt.simulate(m, 1.0, coordinates=coordinates)
    assert (
        sol.energy.drift > 0.1 and sol.energy.imbalance < 5e-7
    )  # rtol 1e-8, the ledger ten times as loose
    assert_allclose(sol.energy.power, sol["motor.force"] * sol["A.rate"], atol=1e-7)


def test_a_free_body_keeps_its_momenta():
    m = kt.Model("top", gravity=(0, 0, 0))
    m.body(
        "top",
        kt.box(2.0, (0.1, 0.2, 0.4)),
        position=(1, 2, 3),
        velocity=(0.3, -0.2, 0.5),
        angular_velocity=(3.0, 0.1, 4.0),
    )
    m.float("top")
    sol = kt.simulate(m, 2.0, rtol=1e-10)
    J = np.diag(2.0 / 12.0 * np.array([0.2, 0.17, 0.05]))
    L = J @ [3.0, 0.1, 4.0] + np.cross([1, 2, 3], 2.0 * np.array([0.3, -0.2, 0.5]))
    assert_allclose(sol.momentum.linear, np.tile([0.6, -0.4, 1.0], (len(sol.t), 1)), atol=1e-9)
    assert_allclose(
        sol.momentum.angular, np.tile(L, (len(sol.t), 1)), atol=1e-7
    )  # rtol 1e-10 over 2 s


def test_momentum_changes_with_gravity_and_reactions():
    sol = kt.simulate(rssr(), 0.4, rtol=1e-10, output_interval=1e-3)
    force = sol["A.force"] + sol["D.force"] + 3.0 * np.array([0.0, 0.0, -9.81])
    p = sol["momentum.linear"]
    assert_allclose((p[2:] - p[:-2]) / 2e-3, force[1:-1], atol=2e-3)  # central difference over 1 ms


def stop(t, a, b, parameters, force, torque):
    """A stiff floor that gives back what it takes, which only its author knows."""
    if b.position[2] < 0.0:
        force[2] = -parameters[0] * b.position[2]


def bouncing() -> kt.Model:
    m = kt.Model("bouncing")
    ball = m.body("ball", kt.mass(1.0, (1, 1, 1)))
    m.joint("fall", kt.Translational(axis="z"), m.ground, ball, start={"displacement": 0.5})
    m.force("floor", kt.UserForce(stop, (1e7,)), ball)
    return m


@pytest.mark.parametrize(
    "integrator, options",
    [
        ("adams", {"rtol": 1e-9}),
        ("dopri5", {"rtol": 1e-9}),
        ("bdf", {"rtol": 1e-10}),
        ("switching", {"rtol": 1e-9}),
        ("rk4", {"step": 2e-6}),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_the_ledger_of_a_bouncing_mass_closes_at_every_output_interval(integrator, options):
    runs = [
        kt.simulate(bouncing(), 0.7, integrator=integrator, output_interval=h, **options)
        for h in (None, 0.1, 0.0077, 0.3)
    ]
    for sol in runs:
        assert sol.energy.imbalance < 1e-6  # one contact of 1 ms, within which the ball turns round
    ends = [sol.ledger[-1] for sol in runs]
    assert_allclose(ends, [ends[0]] * 4, rtol=0, atol=0)  # a property of the run, not of the output
    assert (
        runs[2]["fall.displacement.rate"].max() > 3.0
    )  # it has bounced, and the floor gave back what it took


def test_the_budget_says_who_put_in_and_who_took_out():
    m = kt.Model("budget", gravity=(0, 0, 0))
    cart = m.body("cart", kt.mass(2.0, (1, 1, 1)))
    m.joint("slide", kt.Translational(axis="x"), m.ground, cart, start={"displacement": 0.1})
    m.force("spring", kt.TorsionSpring("slide.displacement", stiffness=50.0))
    m.force("damper", kt.TorsionSpring("slide.displacement", damping=3.0))
    m.force("motor", kt.PointForce((kt.Sine(4.0, 1.0), 0.0, 0.0)), cart)
    sol = kt.simulate(m, 2.0, rtol=1e-10, output_interval=1.0)
    energy, budget = sol.energy, sol.energy.budget
    x, v = sol["slide.displacement"], sol["slide.displacement.rate"]
    assert energy.by_source["motor"][-1] > 0.0 > energy.by_source["damper"][-1]
    assert abs(energy.by_source["spring"][-1]) < 1e-9  # what it took it has stored
    ends = [energy.by_source["motor"][-1], -energy.by_source["damper"][-1]]
    assert_allclose([budget.put_in, budget.taken_out], ends, rtol=1e-7)
    assert_allclose(budget.stored, np.diff(v**2 + 25.0 * x**2).sum(), rtol=1e-12)
    assert abs(budget.imbalance) < 1e-8 * energy.scale
    assert "motor" in str(energy) and "put in" in str(sol)


def test_a_machine_at_rest_has_no_drift_to_speak_of():
    m = kt.Model("at rest")
    block = m.body("block", kt.mass(100.0, (1, 1, 1)))
    m.joint("slide", kt.Translational(axis="z"), m.ground, block)
    m.force(
        "spring", kt.TorsionSpring("slide.displacement", stiffness=1e5, angle=100.0 * 9.81 / 1e5)
    )
    sol = kt.simulate(m, 1.0)
    assert sol.energy.scale > 0.0
    assert sol.energy.drift < 1e-6 and sol.energy.imbalance < 1e-6


def test_a_cylinder_a_controller_and_a_driver_are_in_the_ledger():
    m = kt.Model("press")
    ram, table = m.body("ram", kt.mass(20.0, (1, 1, 1))), m.body("table", kt.mass(5.0, (1, 1, 1)))
    m.joint("slide", kt.Translational(axis="z"), m.ground, ram)
    m.joint("turn", kt.Revolute(axis="z"), ram, table)
    m.constraint("motor", kt.Driver("turn.angle", kt.Sine(1.0, 2.0)))
    m.controller(
        "spool", kt.Controller(_spool, inputs=("slide.displacement",), outputs=("command",))
    )
    jack = kt.HydraulicCylinder(
        bore=0.04,
        rod=0.02,
        stroke=1.0,
        extension=0.5,
        dead_volume=1e-4,
        supply=1e7,
        pressure=(3e5, 2e5),
        valve=kt.Valve(spool="spool.command", area=2e-6),
    )
    m.force("jack", jack, m.ground.at(0, 0, -2), ram)
    sol = kt.simulate(m, 1.0, integrator="bdf", rtol=1e-9, output_interval=0.1)
    assert sol.energy.imbalance < 1e-5  # BDF, rtol 1e-9, on a machine with pressures
    assert (
        np.abs(sol.energy.by_source["jack"]).max() > 1.0
        and np.abs(sol.energy.by_source["drivers"]).max() > 1e-3
    )


def _spool(t, u, x, parameters, xdot, out):
    out[0] = 5.0 * (0.1 - u[0])


def test_work_at_other_times_lies_between_that_of_the_samples():
    m = pendulum(rate=3.0)
    m.force("damper", kt.TorsionSpring("A.angle", damping=2.0))
    coarse, fine = (kt.simulate(m, 1.0, rtol=1e-10, output_interval=h) for h in (0.02, 0.001))
    assert_allclose(coarse.at(0.511).energy.by_source["damper"], 0.0)  # since the first sample
    found, ref = coarse.at([0.1, 0.511, 0.9]).energy.work, fine.at([0.1, 0.511, 0.9]).energy.work
    assert_allclose(found, ref, atol=1e-6)  # a cubic over 20 ms


def test_the_printed_peak_is_that_of_the_kinetic_energy():
    """A motor works against a damper: the work is far more than the kinetic energy."""
    m = kt.Model("rotor", gravity=(0, 0, 0))
    wheel = m.body("wheel", kt.rotor(0.01, along="z"))
    m.joint("axle", kt.Revolute(axis="z"), m.ground, wheel)
    m.force("motor", kt.TorsionSpring("axle.angle", torque=1.0))
    m.force("brake", kt.TorsionSpring("axle.angle", damping=0.1))
    sol = kt.simulate(m, until=10.0)
    peak = float(sol.energy.kinetic.max())
    assert peak == pytest.approx(0.5 * 0.01 * 10.0**2, rel=1e-6)  # at the speed torque / damping
    assert sol.energy.scale > 50.0 * peak
    assert f"Peak kinetic energy {peak:.4g} J" in str(sol)
    assert f"exchanged energy, {sol.energy.scale:.4g} J" in str(sol)
    assert f"peak kinetic {peak:.4g} J" in repr(sol.energy)
