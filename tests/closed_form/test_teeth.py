"""Bearing forces of gears against hand calculation: T / r along the pitch circles, its tangents apart
and along the axes; force and moment balance of every wheel.
"""

import math

import numpy as np
import pytest

import kinetree as kt

ALPHA, BETA, T = math.radians(20.0), math.radians(15.0), 30.0
WAYS = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def pair(teeth, distance, internal=False, swapped=False, gravity=(0, 0, 0), **angles):
    """Wheel A at the origin is driven with T, wheel B at the distance along x is held."""
    m = kt.Model("pair", gravity=gravity)
    a = m.body("a", kt.rotor(inertia=0.1, mass=1.0))
    b = m.body("b", kt.rotor(inertia=0.2, mass=1.0), position=(distance, 0, 0))
    m.joint("A", kt.Revolute(axis="z"), m.ground, a)
    m.joint("B", kt.Revolute(axis="z"), m.ground.at(distance, 0, 0), b)
    names = ("B.angle", "A.angle") if swapped else ("A.angle", "B.angle")
    teeth = teeth[::-1] if swapped else teeth
    m.constraint("mesh", kt.Gear(*names, teeth, internal=internal, **angles))
    m.force("motor", kt.TorsionSpring("A.angle", torque=T))
    m.constraint("brake", kt.Driver("B.angle", 0.0))
    return m


def on_a(sol):
    """Force and torque of bearing A on its wheel, at the start."""
    return sol["A.force"][0], sol["A.torque"][0]


@WAYS
@pytest.mark.parametrize("swapped", [False, True])
def test_the_bearings_of_spur_gears_carry_the_normal_force(coordinates, swapped):
    """20 and 60 teeth at 0.2 m: r = 50 mm, F_t = 600 N."""
    model = pair((20, 60), 0.2, swapped=swapped, pressure_angle=ALPHA)
    sol = kt.simulate(model, 0.1, coordinates=coordinates)
    F = T / 0.05
    # the wheel is at the left of P: driven by +z, its tooth moves along +y and is pushed back along
    # -y and away along -x; its bearing gives the opposite
    force, torque = on_a(sol)
    np.testing.assert_allclose(force, (F * math.tan(ALPHA), F, 0.0), atol=1e-9 * F)
    np.testing.assert_allclose(torque, (0.0, 0.0, T), atol=1e-9 * F)  # the motor's, on the joint
    np.testing.assert_allclose(sol["B.force"][0], -force, atol=1e-9 * F)
    np.testing.assert_allclose(sol["B.torque"][0][:2], 0.0, atol=1e-9 * F)
    assert abs(sol["mesh.force"][0]) == pytest.approx(T if not swapped else 3 * T, rel=1e-9)


@WAYS
def test_helical_gears_also_push_along_their_axes_and_tilt_the_wheels(coordinates):
    angles = {"pressure_angle": ALPHA, "helix_angle": BETA}
    sol = kt.simulate(pair((20, 60), 0.2, **angles), 0.1, coordinates=coordinates)
    F, r = T / 0.05, 0.05
    force, torque = on_a(sol)
    # right-hand helix: the tooth of A is pushed along -y, and so along +z
    axial = F * math.tan(BETA)
    expected = (F * math.tan(ALPHA) / math.cos(BETA), F, -axial)
    np.testing.assert_allclose(force, expected, atol=1e-9 * F)
    np.testing.assert_allclose(torque, (0.0, r * axial, T), atol=1e-9 * F)  # against r x F_a
    # normal force of the tooth: F_t / (cos alpha cos beta)
    normal = F / (math.cos(ALPHA) * math.cos(BETA))
    assert np.linalg.norm(force) == pytest.approx(normal, rel=1e-12)


@WAYS
def test_a_ring_pushes_its_pinion_to_the_axis_of_the_pinion(coordinates):
    """Pinion A of 20 teeth in a ring B of 60 at 0.1 m: r = 50 mm, P at x = -50 mm."""
    model = pair((20, 60), 0.1, internal=True, pressure_angle=ALPHA)
    sol = kt.simulate(model, 0.1, coordinates=coordinates)
    F = T / 0.05
    # at the left of the pinion's axis its tooth moves along -y and is pushed along +y, and +x
    np.testing.assert_allclose(on_a(sol)[0], (-F * math.tan(ALPHA), -F, 0.0), atol=1e-9 * F)
    np.testing.assert_allclose(sol["B.force"][0], -on_a(sol)[0], atol=1e-9 * F)


def test_the_ring_as_first_wheel_gives_the_same_forces():
    first, second = (
        kt.simulate(pair((20, 60), 0.1, internal=True, swapped=s, pressure_angle=ALPHA), 0.1)
        for s in (False, True)
    )
    for name in ("A.force", "B.force"):
        np.testing.assert_allclose(second[name], first[name], atol=1e-6)


def train(pressure_angle):
    """Three wheels in a row while the first one speeds up; with weights."""
    m = kt.Model("train", gravity=(0, -9.81, 0))
    teeth, x = (18, 30, 45), (0.0, 0.12, 0.31)  # pitch radii 45, 75 and 115 mm: not all 2.5 mm
    x = (0.0, 0.12, 0.3075)
    for k in range(3):
        r = 0.0025 * teeth[k]
        wheel = m.body(f"w{k}", kt.cylinder(2.0, r, 0.02, along="z"), position=(x[k], 0, 0))
        m.joint(f"J{k}", kt.Revolute(axis="z"), m.ground.at(x[k], 0, 0), wheel)
    for k in range(2):
        gear = kt.Gear(
            f"J{k}.angle", f"J{k + 1}.angle", teeth[k : k + 2], pressure_angle=pressure_angle
        )
        m.constraint(f"G{k}", gear)
    m.force("motor", kt.TorsionSpring("J0.angle", torque=T))
    return m


@WAYS
def test_a_gear_train_that_speeds_up_balances_every_wheel(coordinates):
    """Momentum of each wheel: bearing + teeth + weight = 0, since the centers are fixed; the moments
    of the teeth speed the wheels up.
    """
    sol = kt.simulate(train(ALPHA), 0.05, coordinates=coordinates)
    radii = np.array([0.045, 0.075, 0.1125])
    inertias = 0.5 * 2.0 * radii**2
    total = inertias[0] + inertias[1] * (18 / 30) ** 2 + inertias[2] * (18 / 45) ** 2
    a0 = T / total
    speed_up = np.array([a0, -a0 * 18 / 30, a0 * 18 / 45])
    F1 = (T - inertias[0] * a0) / radii[0]  # between wheels 0 and 1
    F2 = inertias[2] * speed_up[2] / radii[2]  # between wheels 1 and 2
    np.testing.assert_allclose(F1 - F2, -inertias[1] * speed_up[1] / radii[1], rtol=1e-12)
    weight = 2.0 * 9.81
    tan = math.tan(ALPHA)
    expected = [  # bearing = -(teeth + weight)
        (F1 * tan, F1 + weight),
        (-F1 * tan + F2 * tan, -F1 - F2 + weight),
        (-F2 * tan, F2 + weight),
    ]
    for k in range(3):
        force = sol[f"J{k}.force"][-1]
        np.testing.assert_allclose(force[:2], expected[k], atol=1e-6 * F1)
        assert abs(force[2]) < 1e-9


def test_teeth_do_not_change_the_motion():
    first, second = (kt.simulate(train(angle), 0.5, rtol=1e-9) for angle in (ALPHA, None))
    np.testing.assert_array_equal(first["J2.angle"], second["J2.angle"])
    np.testing.assert_allclose(second["J0.force"][:, 0], 0.0, atol=1e-9)  # no teeth


@WAYS
@pytest.mark.parametrize("radius", [0.02, -0.02])
def test_a_rack_is_pushed_off_its_pinion(coordinates, radius):
    m = kt.Model("rack", gravity=(0, 0, 0))
    rack = m.body("rack", kt.rod(mass=1.0, length=0.5, along="x"))
    m.joint("slide", kt.Translational(axis="x"), m.ground, rack)
    wheel = m.body("wheel", kt.rotor(inertia=0.01, mass=1.0))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground.at(0, abs(radius), 0), wheel)
    pair = kt.RackAndPinion("slide.displacement", "shaft.angle", radius, pressure_angle=ALPHA)
    m.constraint("mesh", pair)
    m.force("motor", kt.TorsionSpring("shaft.angle", torque=T))
    m.constraint("stop", kt.Driver("slide.displacement", 0.0))
    sol = kt.simulate(m, 0.1, coordinates=coordinates)
    F = T / radius  # on the rack, along x; P is below or above the axis of the pinion
    side = -math.copysign(1.0, radius)
    force = sol["shaft.force"][0]
    np.testing.assert_allclose(np.abs(force), (abs(F), abs(F) * math.tan(ALPHA), 0.0), rtol=1e-9)
    assert force[0] == pytest.approx(F, rel=1e-9)  # the bearing holds the pinion against -F
    assert force[1] == pytest.approx(abs(F) * math.tan(ALPHA) * side, rel=1e-9)


def refused(match, **change):
    given = {"teeth": (20, 60), "distance": 0.2, "pressure_angle": ALPHA, **change}
    with pytest.raises(kt.ModelError, match=match):
        kt.simulate(pair(given.pop("teeth"), given.pop("distance"), **given), 0.1)


def test_teeth_that_cannot_be_are_refused_in_a_sentence():
    refused("axes of joints 'A' and 'B' coincide", distance=0.0)
    refused("pressure_angle must lie between", pressure_angle=20.0)
    refused("helix_angle must lie between", helix_angle=15.0)
    refused("helix_angle needs pressure_angle", pressure_angle=None, helix_angle=0.2)
    m = pair((20, 60), 0.2)
    c = m.body("c", kt.rotor(inertia=0.1, mass=1.0), position=(0.4, 0, 0))
    m.joint("C", kt.Revolute(axis="z"), m.bodies["a"].at(0.4, 0, 0), c)
    m.constraint("other", kt.Gear("B.angle", "C.angle", (20, 20), pressure_angle=ALPHA))
    with pytest.raises(kt.ModelError, match="need both joints on the same body"):
        kt.simulate(m, 0.1)
