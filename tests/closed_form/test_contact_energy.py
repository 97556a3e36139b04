"""The energy balance closes with every law of contact, rolling and unilateral element."""

import math

import numpy as np
import pytest

import kinetree as kt

S = kt.shapes
CLOSED = 1e-9  # of the largest energy of the run


def thrown(law, shape, spin=(1.0, 2.0, 3.0)):
    """A body that is thrown onto the floor, slides, tumbles and comes to rest."""
    m = kt.Model("thrown")
    body = m.body(
        "body",
        kt.sphere(1.0, 0.1),
        position=(0, 0, 0.6),
        velocity=(1.0, 0.3, 0),
        angular_velocity=spin,
    )
    m.float(body)
    m.contact("floor", S.HalfSpace().on(m.ground), shape.on(body), law)
    return m


BOX, BALL, CAPSULE = S.Box((0.2, 0.2, 0.1)), S.Ball(0.1), S.Capsule(0.05, 0.2)


@pytest.mark.parametrize("shape", [BOX, BALL, CAPSULE], ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("impact, several", [("newton", "simultaneous"), ("poisson", "sequential")])
def test_the_balance_closes_from_a_throw_to_rest(impact, several, shape):
    law = kt.RigidContact(0.3, friction=0.3, impact=impact, several=several)
    sol = kt.simulate(thrown(law, shape), 2.0, rtol=1e-10, output_interval=0.1)
    assert len(sol.events["floor.impact"].t) > 5
    assert sol.energy.imbalance < CLOSED
    assert sol["floor.gap"].min() > -1e-12


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "dop853"])
@pytest.mark.parametrize("shape", [BOX, BALL], ids=lambda s: type(s).__name__)
def test_the_balance_closes_with_compliant_contact(shape, integrator):
    law = kt.Contact(1e6, restitution=0.6, friction=0.3, static=0.4, rolling=1e-3)
    m = thrown(law, shape)
    sol = kt.simulate(m, 1.0, rtol=1e-10, integrator=integrator, output_interval=0.1)
    assert sol["floor.impact_speed"].max() > 2.0
    assert sol.energy.imbalance < CLOSED


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "dop853"])
def test_a_sliding_box_stops_with_all_corners_at_once(integrator):
    """The corners stop within rounding of each other; no corner starts the others again."""
    law = kt.RigidContact(0.3, friction=0.3, several="simultaneous")
    for rtol in (1e-6, 1e-8):
        sol = kt.simulate(thrown(law, BOX), 2.0, rtol=rtol, integrator=integrator)
        assert not sol["body.velocity"][-1].any()


def lever(element) -> kt.Model:
    """A rod on a hinge that a torque moves to and fro, with a unilateral element."""
    m = kt.Model("lever")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x"))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"))
    m.force("motor", kt.TorsionSpring("A.angle", torque=kt.Sine(8.0, frequency=1.0, offset=-3.0)))
    if isinstance(element, kt.Rope):
        ball = m.body("ball", kt.sphere(1.0, 0.05), position=(1.0, 0, -0.3))
        m.float(ball)
        m.force("element", element, rod.end("+"), ball)
    else:
        m.force("element", element)
    return m


@pytest.mark.parametrize(
    "element",
    [
        kt.JointStop("A.angle", 0.0, 0.5, restitution=0.6),
        kt.Ratchet("A.angle", pitch=0.1, restitution=0.3),
        kt.OneWayClutch("A.angle"),
        kt.Rope(0.6, restitution=0.5),
    ],
    ids=lambda e: type(e).__name__,
)
def test_the_balance_closes_with_every_unilateral_element(element):
    sol = kt.simulate(lever(element), 3.0, rtol=1e-11)
    assert "element.lift" in sol.events or "element.impact" in sol.events
    assert sol.energy.imbalance < CLOSED


@pytest.mark.parametrize(
    "element",
    [
        kt.GearMesh((20, 40), stiffness=1e6, damping=10.0, backlash=1e-4),
        kt.Belt((0.1, 0.2), stiffness=1e5, damping=5.0, pretension=50.0),
    ],
    ids=lambda e: type(e).__name__,
)
def test_the_balance_closes_with_teeth_and_belts(element):
    m, ends = kt.Model("wheels", gravity=(0, 0, 0)), []
    for k, x in enumerate((0.0, 0.3)):
        wheel = m.body(f"wheel{k}", kt.cylinder(1.0, 0.1, 0.02, along="z"), position=(x, 0, 0))
        m.joint(
            f"axle{k}",
            kt.Revolute("z"),
            m.ground,
            wheel,
            at=(x, 0, 0),
            speed={"angle": 2.0 * (k == 0)},
        )
        ends.append(wheel.at(0, 0, 0))
    m.force("element", element, *ends)
    sol = kt.simulate(m, 1.0, rtol=1e-10, integrator="dop853")
    assert abs(sol["axle1.rate"]).max() > 0.1
    assert sol.energy.imbalance < CLOSED


@pytest.mark.parametrize("crown", [0.0, 0.03, 0.1])
def test_rolling_does_no_work_but_on_a_driven_plane(crown):
    m = kt.Model("turntable")
    table = m.body("table", kt.cylinder(5.0, 1.0, 0.05, along="z"))
    m.joint("axle", kt.Revolute("z"), m.ground, table)
    m.constraint("motor", kt.Driver("axle.angle", kt.Ramp(2.0)))
    tilt = 0.0 if crown == 0.1 else 0.1
    up = 0.1 if crown == 0.1 else crown + (0.1 - crown) * math.cos(tilt)
    wheel = m.body(
        "wheel",
        kt.sphere(1.0, 0.1),
        position=(0.3, 0, up),
        rotation=("x", tilt),
        velocity=(0.0, 0.6, 0),
        angular_velocity=(0, 8.0, 0),
    )
    m.float(wheel)
    m.constraint("road", kt.Rolling(0.1, crown=crown), table, wheel)
    sol = kt.simulate(m, 1.0, rtol=1e-11)
    assert np.ptp(sol.energy.total) > 1e-3
    assert sol.energy.imbalance < CLOSED
