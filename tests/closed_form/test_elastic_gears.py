"""Elastic teeth and belts against hand calculation: forces at rest, frequencies, backlash, bearings."""

import math

import numpy as np
import pytest

import kinetree as kt

ALPHA, T, K = math.radians(20.0), 30.0, 1e7


def wheels(distance, inertias=(0.01, 0.1), drive=T, held=True, **start):
    m = kt.Model("wheels", gravity=(0, 0, 0))
    a = m.body("a", kt.rotor(inertia=inertias[0], mass=1.0))
    b = m.body("b", kt.rotor(inertia=inertias[1], mass=1.0), position=(distance, 0, 0))
    m.joint("A", kt.Revolute(axis="z"), m.ground, a, **start)
    m.joint("B", kt.Revolute(axis="z"), m.ground.at(distance, 0, 0), b)
    if drive:
        m.force("motor", kt.TorsionSpring("A.angle", torque=drive))
    if held:
        m.constraint("brake", kt.Driver("B.angle", 0.0))
    return m, a, b


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("internal, distance", [(False, 0.2), (True, 0.1)])
@pytest.mark.parametrize("beta", [0.0, 0.3])
def test_elastic_teeth_load_the_bearings_like_rigid_ones(internal, distance, beta, coordinates):
    angles = {"pressure_angle": ALPHA, "helix_angle": beta}
    rigid, _, _ = wheels(distance)
    gear = kt.Gear("A.angle", "B.angle", (20, 60), internal=internal, **angles)
    rigid.constraint("mesh", gear)
    soft, a, b = wheels(distance)
    mesh = kt.GearMesh((20, 60), K, 3e3, internal=internal, **angles)
    soft.force("teeth", mesh, a, b)
    first = kt.simulate(rigid, 0.2, coordinates=coordinates)
    second = kt.simulate(soft, 0.2, coordinates=coordinates, rtol=1e-8)
    for channel in ("A.force", "B.force"):
        np.testing.assert_allclose(second[channel][-1], first[channel][-1], atol=1e-3)
    assert second["teeth.force"][-1] == pytest.approx(T / 0.05, rel=1e-6)


def test_the_frequency_of_a_mesh():
    """k r_1^2 (1 / J_1 + r^2 / J_2) = w^2 with r = z_1 / z_2."""
    speed = 1.0
    m, a, b = wheels(0.2, drive=0, held=False, speed={"angle": speed})
    m.force("teeth", kt.GearMesh((20, 60), K), a, b)
    sol = kt.simulate(m, 0.01, rtol=1e-9)
    w = math.sqrt(K * 0.05**2 * (1 / 0.01) + K * 0.15**2 / 0.1)
    overlap = 0.05 * speed / w * np.sin(w * sol.t)
    np.testing.assert_allclose(sol["teeth.overlap"], overlap, atol=1e-3 * overlap.max())
    assert sol.energy.drift < 1e-6


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "dop853", "bdf", "switching"])
def test_a_wheel_flies_through_the_backlash_and_bounces(integrator):
    """Elastic impacts between both flanks against a wheel that is held: a period of 2 b / v plus the
    contact times pi / w.
    """
    play, speed = 1e-3, 2.0
    m, a, b = wheels(0.2, drive=0, speed={"angle": speed})
    m.force("teeth", kt.GearMesh((20, 60), 1e9, backlash=play), a, b)
    v, w = 0.05 * speed, math.sqrt(1e9 * 0.05**2 / 0.01)
    period = 2.0 * play / v + 2.0 * math.pi / w
    sol = kt.simulate(m, 4.0 * period, integrator=integrator, rtol=1e-8)
    assert sol["A.angle"][-1] == pytest.approx(0.0, abs=1e-3 * play / 0.05)
    assert sol["A.angle.rate"][-1] == pytest.approx(speed, rel=1e-3)
    assert np.abs(sol["teeth.overlap"]).max() < 0.51 * play


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_the_strands_of_a_belt_load_the_bearings(crossed, coordinates):
    r, d, T0 = (0.05, 0.1), 0.5, 400.0
    m, a, b = wheels(d)
    belt = kt.Belt(r, 1e6, 3e3, pretension=T0, crossed=crossed)
    m.force("belt", belt, a, b)
    sol = kt.simulate(m, 0.3, coordinates=coordinates, rtol=1e-8)
    half = 0.5 * T / r[0]
    tight, slack = sol["belt.tension1"][-1], sol["belt.tension2"][-1]
    assert tight == pytest.approx(T0 + half, rel=1e-6)
    assert slack == pytest.approx(T0 - half, rel=1e-6)
    lean = math.asin((r[0] + r[1] if crossed else r[0] - r[1]) / d)
    force = -(tight + slack) * math.cos(lean), (tight - slack) * math.sin(lean), 0.0
    np.testing.assert_allclose(sol["A.force"][-1], force, rtol=1e-6, atol=1e-3)
    np.testing.assert_allclose(sol["B.force"][-1], -np.array(force), rtol=1e-6, atol=1e-3)


def test_an_elastic_belt_has_the_ratio_of_its_radii_and_keeps_energy():
    m, a, b = wheels(0.5, drive=0, held=False, speed={"angle": 10.0})
    m.force("belt", kt.Belt((0.05, 0.1), 1e5, pretension=500.0), a, b)
    sol = kt.simulate(m, 1.0, rtol=1e-9)
    momentum = 0.01 * 10.0  # of the first wheel; the stretch swings about the mean
    common = momentum / (0.01 + 0.1 * 0.25)
    assert sol["A.angle"][-1] == pytest.approx(common, abs=0.06)
    assert sol["B.angle"][-1] == pytest.approx(0.5 * common, abs=0.03)
    assert sol.energy.drift < 1e-6


def test_a_slack_strand_has_no_force():
    m, a, b = wheels(0.5)
    m.force("chain", kt.Belt((0.05, 0.1), 1e6, 3e3), a, b)
    sol = kt.simulate(m, 0.3, integrator="switching")
    assert sol["chain.tension2"][-1] == 0.0
    assert sol["chain.tension1"][-1] == pytest.approx(T / 0.05, rel=1e-5)


def test_gears_and_belts_that_cannot_be_are_refused():
    for make, match in (
        (lambda: kt.GearMesh((20, -3), 1e6), "teeth must be positive"),
        (lambda: kt.GearMesh((20, 20), 1e6, internal=True), "different numbers of teeth"),
        (lambda: kt.GearMesh((20, 60), 0.0), "stiffness"),
        (lambda: kt.GearMesh((20, 60), 1e6, pressure_angle=2.0), "pressure_angle must lie"),
        (lambda: kt.Belt((0.0, 0.1), 1e6), "radii must be positive"),
        (lambda: kt.Belt((0.1, 0.1), 1e6, pretension=-1.0), "pretension"),
    ):
        with pytest.raises(kt.ModelError, match=match):
            make()
