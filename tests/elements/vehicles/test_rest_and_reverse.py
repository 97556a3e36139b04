"""Tyres at rest, backwards and in the air: every law with every adaptive integrator; wheels on
plates, banks and tracks.
"""

import math

import numpy as np
import pytest

import kinetree as kt

from .test_tyre_laws import PLAIN, SEDAN

MAGIC = kt.tyres.MagicFormula(
    {**PLAIN, "UNLOADED_RADIUS": 0.3, "QDZ1": 0.12, "QBZ1": 9.0, "QCZ1": 1.2, "QSY1": 0.02}
)
LAWS = {
    "linear": kt.tyres.Linear(2e4, 3e4, camber=1e3, trail=0.04),
    "fiala": kt.tyres.Fiala(2e4, 3e4, 1.0, 0.8, camber=1e3, trail=0.04, rolling=0.006),
    "magic formula": MAGIC,
}
WEIGHT = 405.0 * 9.81


def trolley(law, road=None, speed=0.0, side=0.0, lift=-0.01, torque=0.0, brake=0.0, **tyre):
    """400 kg on one wheel of 0.3 m that moves without turning but about its axle."""
    m = kt.Model("trolley", gravity=(0, 0, -9.81))
    cart = m.body("cart", kt.mass(400.0, (4.0, 4.0, 4.0)), position=(0, 0, 0.3))
    wheel = m.body("wheel", kt.mass(5.0, (0.2, 0.3, 0.2)), position=(0, 0, 0.3))
    m.joint(
        "rail",
        kt.SpatialTranslational(),
        m.ground.at(0, 0, 0.3),
        cart,
        start={"z": lift},
        speed={"x": speed, "y": side},
    )
    m.joint("hub", kt.Revolute(axis="y"), cart, wheel, speed={"angle": speed / 0.3})
    options = {"damping": 4000.0, "rolling_radius": 0.3, **tyre}
    m.force("tyre", kt.Tyre(0.3, 2e5, law, road or kt.Road(), **options), wheel)
    m.force("motor", kt.TorsionSpring("hub.angle", torque=torque, damping=brake))
    return m


# --- laws
# ------------------------------------------------------------------------------------------------------------------


SYMMETRIC = {
    **SEDAN,
    **dict.fromkeys(("PHX1", "PHX2", "PVX1", "PVX2", "PEX4", "RHY1", "RHY2", "RVY3"), 0.0),
}  # drive as brake


@pytest.mark.parametrize(
    "law",
    [*LAWS.values(), kt.tyres.MagicFormula(SYMMETRIC).symmetric()],
    ids=[*LAWS, "all coefficients"],
)
def test_rolling_backwards_is_rolling_forwards_seen_from_behind(law):
    """Half a turn about z: V_x, V_y, Omega and camber change their signs, so do F_x, F_y, M_x, M_y;
    M_z does not.
    """
    rng = np.random.default_rng(5)
    load, kappa, alpha, camber, speed = (
        rng.uniform(*r, 400) for r in ((500, 8000), (-0.9, 0.9), (-1, 1), (-0.1, 0.1), (-3, 20))
    )
    there, back = (
        kt.tyres.evaluate(law, load, s * kappa, s * alpha, s * camber, s * speed)
        for s in (1.0, -1.0)
    )
    np.testing.assert_allclose(back, there * (-1, -1, -1, -1, 1), rtol=1e-9, atol=1e-9 * load.max())


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_the_trail_lies_behind_the_contact_in_either_direction(law):
    for speed in (10.0, -10.0):
        fy, mz = kt.tyres.evaluate(law, 4000.0, 0.0, 0.02, 0.0, speed)[[1, 4]]
        assert fy < 0.0 and mz * speed > 0.0  # M_z = x F_y at x = -trail, or +trail backwards


@pytest.mark.parametrize(
    "law", [*LAWS.values(), kt.tyres.MagicFormula(SEDAN)], ids=[*LAWS, "all coefficients"]
)
def test_a_law_is_continuous_from_backwards_to_forwards(law):
    speed = np.linspace(-2.0, 2.0, 40_001)
    got = kt.tyres.evaluate(law, 4000.0, 0.0, 0.05, 0.02, speed)
    steepest = np.abs(np.diff(got, axis=0)).max(axis=0) / 1e-4  # per m/s
    size = np.abs(got).max(axis=0)
    assert np.all(steepest[[0, 1, 2, 4]] <= 5.0 * size[[0, 1, 2, 4]])  # over V_0 = 1 m/s
    assert steepest[3] <= 500.0 * size[3]  # rolling resistance over V_0 / 100


def test_at_rest_without_slip_no_law_pushes_and_without_load_none_does_anything():
    for law in (*LAWS.values(), kt.tyres.MagicFormula(SEDAN)):
        got = kt.tyres.evaluate(law, 4000.0, 0.0, 0.0, 0.0, 0.0)
        np.testing.assert_allclose(got[[0, 1, 4]], 0.0, atol=1e-9)
        np.testing.assert_array_equal(kt.tyres.evaluate(law, 0.0, 0.2, 0.1, 0.02, 10.0), 0.0)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_castor_aligns_itself_in_either_direction(law):
    """A wheel on a kingpin without mechanical trail; by symmetry both directions end alike."""
    ends = []
    for speed in (5.0, -5.0):
        m = kt.Model("castor")
        cart = m.body("cart", kt.box(mass=50.0, sides=(0.2, 0.2, 0.2)), position=(0, 0, 0.3))
        fork = m.body("fork", kt.box(mass=2.0, sides=(0.2, 0.2, 0.2)), position=(0, 0, 0.3))
        wheel = m.body(
            "wheel", kt.cylinder(mass=5.0, radius=0.3, length=0.1, along="y"), position=(0, 0, 0.3)
        )
        m.joint(
            "rail",
            kt.PlanarTranslational("x", "z"),
            m.ground.at(0, 0, 0.3),
            cart,
            speed={"x": speed},
        )
        m.constraint("tow", kt.Driver("rail.x", kt.Ramp(speed)))
        m.joint("pin", kt.Revolute(axis="z"), cart, fork, start={"angle": 0.05})
        m.joint("hub", kt.Revolute(axis="y"), fork, wheel, speed={"angle": speed / 0.3})
        m.force("tyre", kt.Tyre(0.3, 2e5, law, damping=500.0), wheel)
        m.force("damper", kt.TorsionSpring("pin.angle", damping=2.0))
        ends.append(kt.simulate(m, 2.0, integrator="switching", rtol=1e-7)["pin.angle"][-1])
    assert abs(ends[0]) < 0.01
    assert ends[1] == pytest.approx(ends[0], abs=1e-5)  # two runs at rtol 1e-7


# --- rest, reverse, air
# ------------------------------------------------------------------------------------------------------


RUNS = {
    "standing on a slope": {"road": kt.Road(grade=0.05), "brake": 50.0},
    "starting": {"torque": 100.0},
    "reversing": {"speed": 1.0, "torque": -150.0},
    "coasting": {"speed": 0.3, "side": 0.1},
    "landing": {"speed": 2.0, "side": 0.3, "lift": 0.1},
    "spinning up in the air": {"torque": 100.0, "lift": 0.05},
    "over obstacles": {
        "speed": 3.0,
        "road": kt.Road(
            obstacles=[kt.roads.Block(0.8, 0.08, 0.4, edge=0.01), kt.roads.HalfRound(1.6, 0.05)]
        ),
    },
}


@pytest.mark.parametrize("relaxation", [None, (0.1, 0.3)], ids=["at once", "relaxed"])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_runs_at_rest_backwards_and_in_the_air_go_through_with_every_adaptive_integrator(
    run, law, relaxation
):
    """Explicit and implicit methods end with the same speeds."""
    m = trolley(law, relaxation=relaxation, **run)
    ends = []
    for integrator in ("switching", "bdf", "adams", "dopri5", "dop853"):
        sol = kt.simulate(m, 0.8, integrator=integrator, rtol=1e-6)
        ends.append(
            [
                sol["cart.velocity.x"][-1],
                sol["cart.velocity.y"][-1],
                0.3 * sol["wheel.angular_velocity.y"][-1],
            ]
        )
    np.testing.assert_allclose(
        ends, np.tile(ends[-1], (5, 1)), atol=2e-3
    )  # contacts and limits are not smooth: 1e-3 is seen


@pytest.mark.parametrize("relaxation", [None, (0.1, 0.3)], ids=["at once", "relaxed"])
@pytest.mark.parametrize(
    "law, arm", [(LAWS["fiala"], 0.006), (MAGIC, 0.3 * 0.02)], ids=["fiala", "magic formula"]
)
def test_a_trolley_coasts_to_rest_by_its_rolling_resistance(law, arm, relaxation):
    """V_0 - a t with a = M_y / (R (m + I / R^2)), then rest."""
    m = trolley(law, speed=0.5, relaxation=relaxation)
    sol = kt.simulate(m, 4.0, integrator="switching", rtol=1e-7, output_interval=0.05)
    a = WEIGHT * arm / 0.3 / (405.0 + 0.3 / 0.09)
    v, early, late = sol["cart.velocity.x"], sol.t < 0.9 * 0.5 / a, sol.t > 0.5 / a + 1.0
    assert late.sum() > 3
    np.testing.assert_allclose(
        v[early], 0.5 - a * sol.t[early], atol=6e-3
    )  # the load swings as it settles
    assert np.all(
        np.abs(v[late]) < 1e-3
    )  # resistance fades below 0.01 m/s: the rest of the speed decays with 15 1/s
    assert v.min() > -3e-3  # relaxed, the tyre swings back as a spring


# --- one contact, or a corner
# ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [1e-4, 1e-3, 5e-3, 0.05])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_plate_on_the_road_is_a_road_at_its_height(law, height):
    """Side force, load and deflection on a long plate are those on the flat."""
    found = []
    for z in (0.0, height):
        road = (
            kt.Road(obstacles=[kt.roads.Block(at=2.0, height=z, length=10.0)]) if z else kt.Road()
        )
        sol = kt.simulate(trolley(law, road, 1.0, 0.03, lift=z - WEIGHT / 2e5), 1e-9)
        found.append(
            [
                sol[f"tyre.{name}"][0]
                for name in ("load", "lateral_force", "longitudinal_force", "aligning_moment")
            ]
        )
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9, atol=1e-9)


def test_the_force_is_continuous_over_plates_and_bumps():
    """A wheel that is carried across at a constant height, deep in the ground: steps of the load
    shrink with the samples.
    """
    road = kt.Road(
        obstacles=[
            kt.roads.Block(1.0, 1e-3, 0.6),
            kt.roads.Block(2.0, 0.02, 0.3, edge=0.01),
            kt.roads.HalfRound(3.0, 0.06),
        ]
    )
    m = kt.Model("carried", gravity=(0, 0, 0))
    body = m.body("body", kt.mass(1.0, (1, 1, 1)))
    m.joint(
        "along",
        kt.Translational(axis="x"),
        m.ground.at(0, 0, 0.27),
        body,
        speed={"displacement": 1.0},
    )
    m.constraint("drive", kt.Driver("along.displacement", kt.Ramp(1.0)))
    m.force("wheel", kt.Wheel(0.3, 1e5, road=road), body)
    sol = kt.simulate(m, 4.0, integrator="rk4", step=2e-4, output_interval=2e-4)
    x, load, U = sol["body.position.x"], sol["wheel.load"], sol["wheel.energy"]
    assert load[0] == pytest.approx(3000.0) and load[np.abs(x - 1.0) < 0.2] == pytest.approx(3100.0)
    assert (
        np.abs(np.diff(load)).max() < 150.0
    )  # 1e5 N/m and 1 m/s allow 20 N; a corner between near planes 5 times that
    np.testing.assert_allclose(U, 0.5e-5 * load**2, rtol=1e-9)  # k |x|^2 / 2


@pytest.mark.parametrize(
    "obstacles",
    [
        [kt.roads.Block(1.0, 1e-3, 0.5)],
        [kt.roads.Block(1.0, 0.05, 0.2, edge=0.02), kt.roads.HalfRound(1.5, 0.04)],
        [kt.roads.HalfRound(1.0, 0.05), kt.roads.HalfRound(1.3, 0.05)],
    ],
    ids=["plate", "block and bump", "two bumps"],
)
@pytest.mark.parametrize("rtol", [1e-8, 1e-11])
def test_a_wheel_in_corners_conserves_energy(obstacles, rtol):
    """The spring is a gradient wherever features change places: the drift is that of the steps and
    falls with their tolerance.
    """
    m = kt.Model("sled", gravity=(0, 0, -9.81))
    body = m.body("body", kt.mass(100.0, (1.0, 1.0, 1.0)))
    m.joint(
        "rail",
        kt.PlanarTranslational("x", "z"),
        m.ground.at(0, 0, 0.3),
        body,
        start={"y": -0.00981},
        speed={"x": 2.0},
    )
    m.force("wheel", kt.Wheel(0.3, 1e5, road=kt.Road(grade=0.02, obstacles=obstacles)), body)
    sol = kt.simulate(m, 1.5, rtol=rtol)
    assert sol["body.position.x"].max() > 1.0
    assert sol.energy.drift < 60 * rtol  # 1 to 15 are seen: some ten kinks are met inside steps


# --- obstacles stand on the road
# -----------------------------------------------------------------------------------------------


STANDING = {
    "bank": kt.Road(bank=0.1),
    "right track": kt.Road(kt.CosineBump(0.1, rise=2.0, begin=4.0), right=0.0),
    "grade and bank": kt.Road(grade=0.1, bank=-0.2),
    "tracks and bank": kt.Road(([0, 5, 9], [0, 0.2, 0]), right=0.3, bank=0.1),
}


@pytest.mark.parametrize("road", STANDING.values(), ids=STANDING)
def test_obstacles_stand_on_the_road_at_every_place_across(road):
    for one in (kt.roads.HalfRound(5.5, 0.05), kt.roads.Block(5.5, 0.05, 0.02, edge=0.005)):
        with_it = kt.Road(
            road.profile, right=road.right, grade=road.grade, bank=road.bank, obstacles=[one]
        )
        for y in (-0.75, -0.1, 0.0, 0.4, 0.75):
            above = float(with_it.surface(5.5, y) - road.height(5.5, y))
            leaning = (
                1.0
                if isinstance(one, kt.roads.HalfRound)
                else math.hypot(1.0, float(road.slope(5.5, y)))
            )
            assert above == pytest.approx(0.05 * leaning, rel=1e-12)


def test_a_long_plate_lies_on_a_slope():
    road = kt.Road(grade=0.1, bank=0.05, obstacles=[kt.roads.Block(10.0, 0.01, 16.0)])
    x, y = np.meshgrid(np.linspace(3.0, 17.0, 15), (-1.0, 0.0, 1.0))
    np.testing.assert_allclose(
        road.surface(x, y) - road.height(x, y), 0.01 * math.sqrt(1.01), rtol=1e-10
    )


@pytest.mark.parametrize(
    "road", [kt.Road(bank=0.1), kt.Road(0.0, right=0.2)], ids=["bank", "right track"]
)
def test_a_wheel_rises_alike_on_both_sides(road):
    """Depth in the obstacle of a wheel whose center is one radius above its road, and one radius
    above the flat.
    """
    depths = []
    for base in (kt.Road(), road):
        road = kt.Road(
            base.profile,
            right=base.right,
            bank=base.bank,
            obstacles=[kt.roads.HalfRound(0.1, 0.05)],
        )
        for y in (-0.75, 0.75):
            m = kt.Model("wheel", gravity=(0, 0, 0))
            m.float(
                m.body(
                    "body",
                    kt.mass(1.0, (1, 1, 1)),
                    position=(0, y, 0.29 + float(base.height(0.0, y))),
                    rotation=("x", [math.atan(base.bank)]),
                )
            )
            m.force("wheel", kt.Wheel(0.3, 1e4, road=road), m.bodies["body"])
            depths.append(kt.simulate(m, 1e-6)["wheel.deflection1"][0])
    np.testing.assert_allclose(
        depths, depths[0], atol=2e-3
    )  # a bank of 0.1 tilts the section: 0.5 % of 0.35 m
