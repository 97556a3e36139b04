"""Events, controllers and hydraulic states under the structural integrators."""

import numpy as np
import pytest

import kinetree as kt


def pendulum(flexible=True):
    """A stiff beam on a hinge, or the rigid body of its mass."""
    m = kt.Model("pendulum")
    beam = m.beam(
        "arm",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section([1e8, 1e8, 1e8, 1e6, 1e6, 1e6], 1.0, (2e-3, 1e-3, 1e-3)),
        elements=2,
    )
    if not flexible:
        m = kt.Model("pendulum")
        beam = m.body(
            "arm", kt.mass(beam.properties.mass, beam.properties.inertia, beam.properties.com)
        )
    m.joint("pin", kt.Revolute(axis="y"), m.ground, beam.at(0, 0, 0))
    return m


def test_an_event_of_a_flexible_model_ends_the_run():
    event = kt.Event("pin.angle", level=1.0, terminal=True, name="low")
    bent = kt.simulate(pendulum(), 1.0, step=1e-3, events=event)
    rigid = kt.simulate(pendulum(False), 1.0, rtol=1e-10, events=event)
    assert bent.result.ended == "low"
    # order two, and the beam gives a little
    assert bent.t[-1] == pytest.approx(rigid.t[-1], abs=2e-6)


def hold(t, u, x, parameters, xdot, out):
    out[0] = -parameters[0] * u[0] - parameters[1] * u[1] - x[0]
    xdot[0] = parameters[2] * u[0]


def servo(flexible):
    m = pendulum(flexible)
    m.controller(
        "pid",
        kt.Controller(
            hold, ("pin.angle", "pin.angle.rate"), {"sum": 0.0}, ("torque",), (40.0, 4.0, 30.0)
        ),
    )
    m.force("motor", kt.TorsionSpring("pin.angle", torque="pid.torque"))
    return m


@pytest.mark.parametrize("rule", ["energy-conserving", "trapezoidal", "generalized-alpha"])
def test_a_controller_with_a_state_moves_a_flexible_arm(rule):
    bent = kt.simulate(servo(True), 0.5, integrator=rule, step=1e-3)
    rigid = kt.simulate(servo(False), 0.5, rtol=1e-10)
    for name in ("pin.angle", "pid.sum"):
        assert bent[name][-1] == pytest.approx(rigid[name][-1], abs=2e-5)  # steps of order two


def jack():
    """A mass on a slide, pushed by a hydraulic cylinder with an open valve against a spring."""
    m = kt.Model("jack", gravity=(0, 0, 0))
    body = m.body("mass", kt.sphere(300.0, 0.1))
    m.joint("slide", kt.Translational(axis="x"), m.ground, body, start={"displacement": 1.3})
    cylinder = kt.HydraulicCylinder(
        0.07,
        0.04,
        0.6,
        2e-4,
        supply=2e7,
        closed_length=1.0,
        pressure=(2e6, 3e6),
        valve=kt.Valve(spool=0.2, area=1e-5),
    )
    m.force("cylinder", cylinder, m.ground, body)
    m.force("spring", kt.SpringDamper(stiffness=2e5, damping=500.0, length=1.3), m.ground, body)
    return m


@pytest.mark.parametrize("rule", ["energy-conserving", "generalized-alpha"])
def test_hydraulic_states_are_of_order_two_and_energy_balances(rule):
    exact = kt.simulate(jack(), 0.1, integrator="bdf", rtol=1e-10)
    names = [name for name in exact.names() if name.startswith("cylinder.pressure")]
    assert names
    errors = []
    for h in (1e-3, 5e-4):
        sol = kt.simulate(jack(), 0.1, integrator=rule, step=h)
        errors.append(
            [abs(sol[name][-1] / exact[name][-1] - 1.0) for name in (*names, "slide.displacement")]
        )
        assert sol.energy.imbalance < (1e-9 if rule == "energy-conserving" else 1e-2)
    rates = np.log2(np.array(errors[0]) / errors[1])
    assert max(errors[1]) < 1e-2 and np.all((rates > 1.7) & (rates < 2.5)), (errors, rates)


def test_a_step_that_cannot_converge_names_the_body_and_keeps_the_run():
    """Two rods of half a meter whose end is driven out of their reach."""
    m = kt.Model("reach", gravity=(0, 0, 0))
    upper, lower = (
        m.body(name, kt.rod(1.0, 0.5, along="x", axial=1e-3)) for name in ("upper", "lower")
    )
    block = m.body("block", kt.box(1.0, (0.1, 0.1, 0.1)))
    y = kt.Revolute(axis="y")
    m.joint("A", y, m.ground, upper.end("-"), start={"angle": 0.6})
    m.joint("B", y, upper.end("+"), lower.end("-"), start={"angle": -1.2})
    m.joint("C", kt.Spherical(), lower.end("+"), block)
    m.joint("slide", kt.Translational(axis="x"), m.ground, block)
    m.constraint("pull", kt.Driver("slide.displacement", kt.Ramp(slope=1.0, start=0.8)))
    with pytest.raises(
        kt.SimulationError,
        match=r"step did not converge.*the largest motion is that of '.*smaller step",
    ) as caught:
        kt.simulate(m, 1.0, integrator="energy-conserving", step=0.01)
    assert caught.value.element in ("upper", "lower", "block")
    # a step or two short of it
    assert caught.value.solution["slide.displacement"][-1] == pytest.approx(1.0, abs=0.02)
