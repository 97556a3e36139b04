"""Roads: heights, slopes and normals; what a wheel feels of them; steps that pass nothing unseen;
bad input.
"""

import math

import numpy as np
import pytest

import kinetree as kt

X = np.linspace(-3.0, 12.0, 301)


def wavy(x):
    return 0.05 * math.sin(0.7 * x)


ROADS = {
    "flat": (kt.Road(), lambda x: 0.0 * x),
    "raised": (kt.Road(0.3), lambda x: 0.3 + 0.0 * x),
    "slope": (kt.Road(grade=0.1), lambda x: 0.1 * x),
    "cosine": (
        kt.Road(kt.CosineBump(0.2, 2.0, 3.0, begin=1.0)),
        lambda x: np.where(
            (x > 1) & (x < 3),
            0.1 * (1 - np.cos(np.pi * (x - 1) / 2)),
            np.where((x >= 3) & (x < 6), 0.1 * (1 + np.cos(np.pi * (x - 3) / 3)), 0.0),
        ),
    ),
    "function": (kt.Road(wavy), lambda x: 0.05 * np.sin(0.7 * x)),
    "sine": (kt.Road(kt.Sine(0.02, 0.25)), lambda x: 0.02 * np.sin(0.5 * np.pi * x)),
}


@pytest.mark.parametrize("name", ROADS)
def test_a_road_has_the_height_and_slope_of_its_formula(name):
    road, height = ROADS[name]
    np.testing.assert_allclose(road.height(X), height(X), atol=1e-14)
    h = 1e-6
    smooth = (
        np.abs(X[:, None] - (1.0, 3.0, 6.0)).min(axis=1) > 1e-3
    )  # where the curvature of the cosine does not jump
    np.testing.assert_allclose(
        road.slope(X)[smooth], ((height(X + h) - height(X - h)) / (2 * h))[smooth], atol=1e-8
    )
    n = road.normal(X)
    np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(-n[:, 0] / n[:, 2], road.slope(X), atol=1e-14)


def test_a_table_of_points_is_a_spline_and_each_track_may_have_its_own():
    x = np.linspace(0.0, 6.0, 13)
    road = kt.Road((x, 0.03 * np.cos(x)), right=(x, 0.02 * np.sin(x)))
    np.testing.assert_allclose(road.height(x, 0.7), 0.03 * np.cos(x), atol=1e-15)
    np.testing.assert_allclose(road.height(x, -0.7), 0.02 * np.sin(x), atol=1e-15)
    assert road.height(-4.0, 0.7) == pytest.approx(0.03)  # constant beyond the ends


def test_obstacles_stand_on_the_road():
    road = kt.Road(
        grade=0.1,
        obstacles=[
            kt.roads.HalfRound(5.0, 0.25),
            kt.roads.Block(9.0, 0.1, 0.4, edge=0.02, across=(-1, 0)),
        ],
    )
    assert road.surface(5.0) == pytest.approx(0.5 + 0.25)
    assert road.surface(5.0 + 0.15) == pytest.approx(0.5 + 0.2)  # 3-4-5
    assert road.surface(9.0, -0.5) == pytest.approx(
        0.9 + 0.1 * math.sqrt(1.01)
    )  # upright on the slope
    assert road.surface(9.0, 0.5) == pytest.approx(0.9)


def test_a_random_road_has_the_spectrum_of_its_class_and_repeats():
    road = kt.roads.random_road("C", length=600.0, seed=5, waves=(1.0, 50.0), track=1.5)
    same = kt.roads.random_road("C", length=600.0, seed=5, waves=(1.0, 50.0), track=1.5)
    x = np.linspace(20.0, 600.0, 1 << 13)
    left, right = road.height(x, 1.0), road.height(x, -1.0)
    np.testing.assert_array_equal(left, same.height(x, 1.0))
    assert not np.allclose(
        left, kt.roads.random_road("C", length=600.0, seed=6, waves=(1.0, 50.0)).height(x, 1.0)
    )
    variance = 256e-6 * 0.01 * (50.0 - 1.0)  # integral of Gd(n0) (n / n0)^-2 over the waves
    for z in (left, right):
        assert z.var() == pytest.approx(
            variance, rel=0.5
        )  # one draw: the longest waves, of which there are twelve, weigh most
    assert 0.3 < np.corrcoef(left, right)[0, 1] < 0.999


# --- a wheel on it
# -------------------------------------------------------------------------------------------------------


def sled(
    road: kt.Road,
    z: float,
    speed: float,
    radius: float = 0.3,
    stiffness: float = 1e5,
    at: float = 0.0,
    **wheel,
):
    """A wheel without spin that slides along x, from `at`, and is free to move up."""
    m = kt.Model("sled", gravity=(0, 0, -9.81))
    carrier = m.body("carrier", kt.mass(1.0, (1, 1, 1)))
    body = m.body("body", kt.mass(100.0, (1.0, 1.0, 1.0)))
    m.joint(
        "along",
        kt.Translational(axis="x"),
        m.ground,
        carrier,
        start={"displacement": at},
        speed={"displacement": speed},
    )
    m.joint("up", kt.Translational(axis="z"), carrier, body, start={"displacement": z})
    m.force("wheel", kt.Wheel(radius, stiffness, road=road, **wheel), body)
    return m


@pytest.mark.parametrize("lean", [0.0, 0.3, -0.6])
@pytest.mark.parametrize("crown", [0.0, 0.1, 0.3])
def test_a_leaning_wheel_stands_on_its_edge(lean, crown):
    """Depth by hand: the lowest point of a torus with the radii R - C and C."""
    m = kt.Model("leaning", gravity=(0, 0, 0))
    body = m.body("body", kt.mass(1.0, (1, 1, 1)), position=(0, 0, 0.25), rotation=("x", [lean]))
    m.float(body)
    m.force("wheel", kt.Wheel(0.3, 1e4, crown=crown), body)
    depth = (0.3 - crown) * math.cos(lean) + crown - 0.25
    got = kt.assemble(m)
    sol = kt.simulate(m, 1e-6)
    assert sol["wheel.deflection"][0] == pytest.approx(depth, abs=1e-14)
    assert sol["wheel.load"][0] == pytest.approx(max(1e4 * depth, 0.0))
    side = (0.3 - crown) * math.sin(lean)  # of the contact: the moment about x is load times that
    assert got.vdot[
        3 if len(got.vdot) == 6 and abs(got.vdot[3]) > abs(got.vdot[0]) else 0
    ] == pytest.approx(max(1e4 * depth, 0.0) * side, abs=1e-9)


def test_ground_and_bump_hold_the_rim_in_their_corner():
    """The rim's center by hand: at R above the ground and R + r from the middle of the bump; the
    spring pulls it to the hub.
    """
    road = kt.Road(obstacles=[kt.roads.HalfRound(0.4, 0.2)])
    sol = kt.simulate(sled(road, 0.28, 0.0), 1e-6)
    assert sol["wheel.deflection"][0] == pytest.approx(0.02)
    assert sol["wheel.deflection1"][0] == pytest.approx(0.3 + 0.2 - math.hypot(0.4, 0.28))
    x, z = 0.4 - math.sqrt(0.5**2 - 0.3**2), 0.02
    assert x == pytest.approx(
        0.0, abs=1e-15
    )  # the rim that is lifted out of the ground just touches the bump: 3-4-5
    assert sol["wheel.load"][0] == pytest.approx(1e5 * z)
    sol = kt.simulate(sled(road, 0.26, 0.0, at=0.03), 1e-6)
    x, z = -0.03, 0.04  # 0.03 m ahead both are entered
    assert sol["wheel.load"][0] == pytest.approx(1e5 * math.hypot(x, z))
    assert sol["carrier.acceleration.x"][0] == pytest.approx(1e5 * x / 101.0)


def test_a_wheel_on_a_cosine_touches_at_the_nearest_point():
    """On the flank the nearest point lies beside the centre: found by brute force."""
    road, z = kt.Road(kt.CosineBump(0.2, 1.0, begin=-0.5)), 0.4
    sol = kt.simulate(sled(road, z, 0.0), 1e-6)
    s = np.linspace(-0.6, 0.6, 2_000_001)
    assert sol["wheel.deflection"][0] == pytest.approx(
        0.3 - np.hypot(s, z - road.height(s)).min(), abs=1e-12
    )


def test_a_wheel_without_damping_conserves_energy_over_bump_and_flight():
    road = kt.Road(obstacles=[kt.roads.HalfRound(1.0, 0.05)])
    sol = kt.simulate(sled(road, 0.3 - 100.0 * 9.81 / 1e5, 4.0), 1.0, rtol=1e-10)
    assert sol["wheel.load"].min() == 0.0 and sol["body.position.z"].max() > 0.35  # it does fly
    assert (
        sol.energy.drift < 1e-8
    )  # contacts are not smooth: steps are cut there, and a hundredth of the tolerance is left


@pytest.mark.parametrize("integrator", ["adams", "bdf", "switching", "dopri5"])
def test_no_method_steps_over_a_bump(integrator):
    """At a loose tolerance and a high speed on a smooth way a method without bounds takes steps
    longer than the bump.
    """
    road = kt.Road(obstacles=[kt.roads.HalfRound(60.0, 0.05)])
    sol = kt.simulate(
        sled(road, 0.3 - 100.0 * 9.81 / 1e5, 20.0, damping=2e4),
        6.0,
        integrator=integrator,
        rtol=1e-3,
    )
    assert sol["body.position.z"].max() > 0.31
    assert sol.steps.h.max() > 0.2  # while nothing is near they are long


def test_touching_down_is_an_event():
    m = sled(kt.Road(), 0.5, 0.0, damping=1e3)
    sol = kt.simulate(m, 0.5, events=kt.kinks(m))
    fall = math.sqrt(2.0 * 0.2 / 9.81)
    assert sol.events["wheel.deflection = 0"].t[0] == pytest.approx(fall, abs=1e-9)


def test_friction_brings_a_locked_wheel_to_rest():
    """A block that slides with mu: v^2 / (2 mu g)."""
    m = sled(kt.Road(), 0.3 - 100.0 * 9.81 / 1e5, 2.0, friction=0.5, damping=1e3)
    sol = kt.simulate(m, 1.5, rtol=1e-8)
    assert sol["along.displacement"][-1] == pytest.approx(
        2.0**2 / (2 * 0.5 * 9.81) * 1.01, rel=0.02
    )  # 101 kg ride on 100 kg


# --- bad input
# -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda: kt.Road(profile=([], [])), "the profile is empty"),
        (lambda: kt.Road(profile=kt.Ramp(0.1)), "without corners"),
        (lambda: kt.Road(profile=kt.Table((0, 1, 2), (0, 1, 0), smooth=False)), "without corners"),
        (lambda: kt.Road(obstacles=[3]), "obstacles must be several"),
        (lambda: kt.roads.HalfRound(1.0, -0.1), "HalfRound: radius must be positive"),
        (lambda: kt.roads.Block(1.0, 0.1, 0.4, edge=0.3), "Block: edge must lie between"),
        (lambda: kt.roads.HalfRound(1.0, 0.1, across=(1, 0)), "across must be"),
        (lambda: kt.roads.random_road("Z"), "no road class"),
        (lambda: kt.Wheel(-0.3, 1e5), "Wheel: radius must be positive"),
        (lambda: kt.Wheel(0.3, 1e5, crown=0.4), "crown must lie between 0 and the radius"),
        (lambda: kt.Wheel(0.3, 1e5, road=0.0), "road must be a kt.Road"),
        (lambda: kt.Tyre(-0.3, 2e5, kt.tyres.Linear(5e4, 8e4)), "Tyre: radius must be positive"),
        (lambda: kt.Tyre(0.3, 2e5, "fiala"), "law must be one of kt.tyres"),
        (
            lambda: kt.Tyre(0.3, 2e5, kt.tyres.Linear(5e4, 8e4), relaxation=(0.0, 0.3)),
            "relaxation must be two positive lengths",
        ),
        (lambda: kt.tyres.Fiala(5e4, 8e4, 0.9, 1.2), "least_friction must lie between"),
        (
            lambda: kt.tyres.MagicFormula({"FNOMIN": 4e3}),
            "PCX1, PDX1, PKX1, PCY1, PDY1, PKY1, PKY2 must be given",
        ),
        (lambda: kt.tyres.MagicFormula({"PKY9": 4e3}), "no coefficient"),
        (lambda: kt.HydropneumaticUnit("A.angle", 1e4, 0.1, -1e-3), "volume must be positive"),
        (lambda: kt.BumpStop("A.angle", 0.5, 0.0), "stiffness must be positive"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(make, sentence):
    with pytest.raises(kt.KinetreeError) as error:
        make()
    assert sentence in str(error.value)


def test_a_wheel_under_the_road_at_the_start_is_refused_with_its_name():
    with pytest.raises(
        kt.AssemblyError,
        match=r"force 'wheel': its centre starts 0\.1 m under the road, at x = 0 m",
    ):
        kt.simulate(sled(kt.Road(0.5), 0.4, 1.0), 1.0)
