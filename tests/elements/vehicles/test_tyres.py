"""A tyre on a road: signs, slip and relaxation, rest on a slope, energy; laws of the user."""

import math

import numpy as np
import pytest

import kinetree as kt

LAW = kt.tyres.Fiala(50e3, 80e3, 0.9)
SIZES = {"radius": 0.32, "stiffness": 2e5, "damping": 500.0, "rolling_radius": 0.31}
MASS = 400.0  # kg on one wheel


def rig(speed=10.0, spin=None, yaw=0.0, side=0.0, road=None, grade=0.0, **tyre):
    """One wheel under a mass that moves along x and y, up, and does not turn but about its axle;
    axle across, turned by `yaw`.
    """
    options = {**SIZES, "law": LAW, "road": road or kt.Road(grade=grade), **tyre}
    sunk = MASS * 9.81 / 2e5 * math.cos(math.atan(grade))
    m = kt.Model("rig", gravity=(0, 0, -9.81))
    x, y, z = (m.body(name, kt.mass(1e-3, (1e-3,) * 3)) for name in "abc")
    wheel = m.body("wheel", kt.mass(MASS, (1.0, 1.0, 1.0)))
    m.joint("x", kt.Translational(axis="x"), m.ground, x, speed={"displacement": speed})
    m.joint("y", kt.Translational(axis="y"), x, y, speed={"displacement": side})
    m.joint(
        "z",
        kt.Translational(axis="z"),
        y,
        z,
        start={"displacement": (0.32 - sunk) * math.sqrt(1.0 + grade**2)},
    )
    axle = (-math.sin(yaw), math.cos(yaw), 0.0)
    m.joint(
        "hub",
        kt.Revolute(axis=axle),
        z,
        wheel,
        speed={"angle": speed / 0.31 if spin is None else spin},
    )
    third = np.cross(axle, (0.0, 0.0, 1.0))
    m.force(
        "tyre",
        kt.Tyre(**options),
        wheel.at(0, 0, 0, rotation=np.column_stack([third, axle, (0.0, 0.0, 1.0)])),
    )
    return m


def first(m, *names):
    sol = kt.simulate(m, 1e-9)
    return [float(sol[f"tyre.{name}"][0]) for name in names]


def test_a_wheel_that_rolls_straight_has_no_slip():
    slip, angle, camber, fx, fy = first(
        rig(), "slip", "slip_angle", "camber", "longitudinal_force", "lateral_force"
    )
    assert (slip, angle, camber, fx, fy) == pytest.approx((0, 0, 0, 0, 0), abs=1e-9)


def test_signs_are_those_of_iso_8855():
    """Faster spin drives; a wheel turned to the left that goes straight on drifts to its right and
    is pushed to the left.
    """
    slip, fx = first(rig(spin=10.0 / 0.31 * 1.02), "slip", "longitudinal_force")
    assert slip == pytest.approx(0.02) and fx > 0.0
    angle, fy = first(rig(yaw=0.04), "slip_angle", "lateral_force")
    assert angle == pytest.approx(-0.04, rel=1e-6) and fy > 0.0
    angle, fy = first(rig(side=0.5), "slip_angle", "lateral_force")
    assert angle == pytest.approx(math.atan(0.05)) and fy < 0.0


def test_forces_on_the_road_are_those_of_the_law():
    m = rig(spin=10.0 / 0.31 * 1.03, side=-0.4)
    load, kappa, alpha, fx, fy = first(
        m, "load", "slip", "slip_angle", "longitudinal_force", "lateral_force"
    )
    assert (
        load == pytest.approx(MASS * 9.81)
        and kappa == pytest.approx(0.03)
        and alpha == pytest.approx(-math.atan(0.04))
    )
    assert (fx, fy) == pytest.approx(tuple(kt.tyres.evaluate(LAW, load, kappa, alpha)[:2]))


def test_standstill_has_no_slip_and_divides_by_nothing():
    assert first(rig(speed=0.0, spin=0.0), "slip", "slip_angle", "longitudinal_force") == [
        0.0,
        0.0,
        0.0,
    ]


def braked(grade: float, **tyre):
    """A wheel locked on its hub by a stiff spring, on a slope."""
    m = rig(0.0, 0.0, grade=grade, **tyre)
    m.force("brake", kt.TorsionSpring("hub.angle", stiffness=1e6, damping=1e3))
    return m


def test_without_relaxation_a_car_creeps_down_a_slope_as_stated():
    """V = m g sin(slope) V_0 / C: the tyre at rest is a damper."""
    sol = kt.simulate(braked(0.1), 4.0, integrator="switching", rtol=1e-8)
    along = MASS * 9.81 * math.sin(math.atan(0.1))
    speed = -np.hypot(sol["wheel.velocity.x"][-1], sol["wheel.velocity.z"][-1])
    exact = _slip_of(along, MASS * 9.81 * math.cos(math.atan(0.1)))
    assert speed == pytest.approx(
        -exact * 1.0, rel=2e-3
    )  # V_0 = 1 m/s; the hub gives by a thousandth


def _slip_of(force: float, load: float) -> float:
    from scipy.optimize import brentq

    return brentq(lambda k: kt.tyres.evaluate(LAW, load, k, 0.0)[0] - force, 0.0, 0.1, xtol=1e-15)


def test_with_relaxation_a_car_stays_on_a_slope_without_noise():
    sol = kt.simulate(
        braked(0.1, relaxation=(0.3, 0.3)),
        6.0,
        integrator="switching",
        rtol=1e-8,
        output_interval=0.01,
    )
    late = sol.t > 4.0
    assert np.abs(sol["wheel.velocity"][late]).max() < 1e-6
    held = MASS * 9.81 * math.sin(math.atan(0.1))
    assert sol["tyre.longitudinal_force"][late] == pytest.approx(held, rel=1e-5)  # 3 g ride along
    assert abs(sol["x.displacement"][-1]) < 0.02


def test_relaxed_slip_follows_over_its_length():
    """A step of the side slip: F goes to its value as 1 - exp(-x / s)."""
    m = rig(side=0.01, law=kt.tyres.Linear(1e-3, 8e4), relaxation=(0.2, 0.5))
    sol = kt.simulate(m, 0.2, rtol=1e-9, output_interval=0.01)
    expected = 0.001 * (1.0 - np.exp(-10.0 * sol.t / 0.5))
    np.testing.assert_allclose(
        np.tan(sol["tyre.slip_angle"]), expected, atol=1e-8
    )  # the force is nothing: the speeds stay


def test_a_rolling_tyre_takes_energy_and_never_gives_any():
    """Braked, driven, drifting and over a bump, with a rolling radius that is not the loaded one."""
    road = kt.Road(obstacles=[kt.roads.HalfRound(3.0, 0.03)])
    for tyre in ({}, {"law": kt.tyres.Linear(5e4, 8e4)}, {"rolling_radius": None}):
        sol = kt.simulate(
            rig(spin=30.0, side=0.6, yaw=0.05, road=road, **tyre),
            1.0,
            rtol=1e-9,
            output_interval=1e-3,
        )
        given = sol.energy.by_source["tyre"]
        assert given[-1] < -10.0 and np.diff(given).max() <= 1e-6 * abs(given[-1])
        assert sol.energy.imbalance < 1e-7


def test_a_law_of_the_user_equals_the_built_in_one():
    built_in = rig(spin=33.0, side=0.4, law=kt.tyres.Linear(4e4, 8e4))
    own = rig(
        spin=33.0,
        side=0.4,
        law=lambda load, kappa, alpha, camber, parameters, out: _fill(kappa, alpha, out),
    )
    a, b = (kt.simulate(m, 0.3, rtol=1e-9, output_interval=0.05) for m in (built_in, own))
    np.testing.assert_allclose(b["wheel.velocity"], a["wheel.velocity"], atol=1e-8)


def _fill(kappa, alpha, out):
    out[0] = 8e4 * kappa
    out[1] = -4e4 * math.tan(alpha)


def test_a_law_of_the_user_that_fails_is_named():
    def broken(load, kappa, alpha, camber, parameters, out):
        out[0] = parameters[7]

    with pytest.raises(kt.SimulationError, match="tyre"):
        kt.simulate(rig(law=broken, parameters=(1.0,)), 0.1)


# --- the other elements of a running gear
# -----------------------------------------------------------------------------------


def lever(*forces, rate=0.0, angle=0.0):
    m = kt.Model("lever", gravity=(0, 0, 0))
    arm = m.body("arm", kt.mass(10.0, (1.0, 2.0, 1.0)))
    m.joint(
        "A", kt.Revolute(axis="y"), m.ground, arm, start={"angle": angle}, speed={"angle": rate}
    )
    for k, force in enumerate(forces):
        m.force(f"f{k}", force)
    return m


@pytest.mark.parametrize(
    "angle, expected",
    [
        (0.0, 1.0),
        (0.3, (1 - 0.3 * 1.1781) ** -1.3),
        (-0.4, (1 + 0.4 * 1.1781) ** -1.3),
        (0.8, 0.1**-1.3 * (1 + 13.0 * (0.8 * 1.1781 - 0.9))),
    ],
)
def test_a_gas_unit_follows_its_polytrope_and_then_its_tangent(angle, expected):
    unit = kt.HydropneumaticUnit("A.angle", 5000.0, 0.1, 1e-3, lever=0.15)
    sol = kt.simulate(lever(unit, angle=angle), 1e-9)
    share = 0.25 * math.pi * 0.01 * 0.15 / 1e-3
    exact = (
        (1 - share * angle) ** -1.3
        if share * angle < 0.9
        else 0.1**-1.3 * (1 + 13.0 * (share * angle - 0.9))
    )
    assert exact == pytest.approx(expected, rel=1e-4)  # the hand has five digits
    assert sol["f0.torque"][0] == pytest.approx(-5000.0 * exact) and sol["f0.pressure"][
        0
    ] == pytest.approx(unit.pressure * exact)


@pytest.mark.parametrize(
    "more, damping",
    [
        ({}, 6e3 * 2.0),
        ({"limit": 5e3}, 5e3 * math.tanh(12.0 / 5.0)),
        ({"orifice": True}, 6e3 * 4.0),
    ],
)
def test_a_gas_unit_damps_linearly_with_relief_or_by_an_orifice(more, damping):
    unit = kt.HydropneumaticUnit("A.angle", 5000.0, 0.1, 1e-3, damping=6e3, **more)
    assert kt.simulate(lever(unit, rate=2.0), 1e-9)["f0.torque"][0] == pytest.approx(
        -5000.0 - damping
    )


def test_a_stop_throws_back_as_a_spring_would():
    """Half a period of the spring after touching, the speed is reversed."""
    sol = kt.simulate(
        lever(kt.BumpStop("A.angle", 0.2, 800.0), rate=1.0), 0.2 + math.pi / 20.0 + 0.1, rtol=1e-10
    )
    assert sol["A.rate"][-1] == pytest.approx(-1.0, abs=1e-7)
    assert sol["A.angle"].max() == pytest.approx(0.2 + 1.0 / 20.0, abs=2e-4)  # between two samples


def test_a_drive_brings_a_vehicle_to_its_speed():
    m = rig(5.0, law=kt.tyres.Linear(5e4, 8e4))
    m.force("drive", kt.Drive(8.0, 200.0, integral=50.0), m.bodies["c"], m.bodies["wheel"])
    sol = kt.simulate(m, 40.0, integrator="switching")
    assert sol["wheel.velocity.x"][-1] == pytest.approx(8.0, abs=1e-4)
    assert sol["drive.torque"][0] == pytest.approx(600.0)
