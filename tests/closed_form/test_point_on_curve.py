"""A point on a curve against equations of motion written by hand: beads on a circle, a parabola and
a helix; relative against Cartesian coordinates.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import kinetree as kt
from kinetree.elements.joints.curve import curve_numbers, nearest_place, place_at
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import INTEGRATORS

G = 9.81
RTOL = 1e-10
CLOSE = 2e-7  # m: 300 points give a circle to h^4 / 384 = 5e-10, and phases to that over the time
WAYS = {"in the tree": {}, "cut": {"coordinates": "cartesian"}}
ways = pytest.mark.parametrize("way", WAYS)


def circle(radius: float, count: int = 300) -> np.ndarray:
    """Upright, the first point at the bottom, running towards +x."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return radius * np.column_stack([np.sin(angle), 0.0 * angle, -np.cos(angle)])


def bead(points, closed=False, start=0.0, speed=0.0) -> kt.Model:
    """A ball whose center slides along a curve without friction: a mass point."""
    m = kt.Model("bead")
    ball = m.body("ball", kt.sphere(0.3, 0.05))
    m.joint(
        "wire",
        kt.PointOnCurve(points, closed=closed),
        m.ground,
        ball,
        start={"displacement": start},
        speed={"displacement": speed},
    )
    return m


def run(model, until, way, **options):
    return kt.simulate(
        model, until, rtol=RTOL, output_interval=until / 20, progress=False, **options, **WAYS[way]
    )


def by_hand(rhs, y0, t):
    return solve_ivp(rhs, (0.0, t[-1]), y0, t_eval=t, rtol=1e-12, atol=1e-13, method="DOP853").y


@ways
def test_a_bead_on_a_circle_is_a_pendulum(way):
    """s = R phi,  phi'' = -g sin(phi) / R."""
    radius, start = 0.8, 1.4
    sol = run(bead(circle(radius), True, start), 3.0, way)
    phi, rate = by_hand(lambda t, y: [y[1], -G / radius * np.sin(y[0])], [start / radius, 0], sol.t)
    np.testing.assert_allclose(sol["wire.displacement"], radius * phi, atol=CLOSE)
    np.testing.assert_allclose(sol["wire.displacement.rate"], radius * rate, atol=5 * CLOSE)
    np.testing.assert_allclose(
        sol["wire.displacement.acceleration"], -G * np.sin(phi), atol=1e-3
    )  # c'' of a cubic spline: h^2 v^2 / (8 R^3) = 2e-4 at the highest speed
    np.testing.assert_allclose(sol["ball.position.z"], -radius * np.cos(phi), atol=CLOSE)


@ways
def test_the_displacement_counts_the_rounds_of_a_closed_curve(way):
    """A bead that is fast enough goes round; the displacement grows by the length of the curve."""
    radius = 0.5
    sol = run(bead(circle(radius), True, 0.2, 7.0), 2.0, way)
    phi, _ = by_hand(lambda t, y: [y[1], -G / radius * np.sin(y[0])], [0.4, 14.0], sol.t)
    assert phi[-1] > 6.0 * np.pi
    np.testing.assert_allclose(sol["wire.displacement"], radius * phi, atol=20 * CLOSE)


@ways
def test_a_bead_on_a_parabola_follows_its_lagrangian(way):
    """z = x^2 / 2:  (1 + x^2) x'' + x x'^2 + g x = 0."""
    x = np.linspace(-2.0, 2.0, 401)
    length = lambda x: 0.5 * (x * np.hypot(1.0, x) + np.arcsinh(x))  # noqa: E731
    start = length(0.9) - length(-2.0)
    points = np.column_stack([x, 0.0 * x, 0.5 * x * x])
    sol = run(bead(points, start=start), 2.0, way)
    rhs = lambda t, y: [y[1], -y[0] * (y[1] ** 2 + G) / (1.0 + y[0] ** 2)]  # noqa: E731
    known = by_hand(rhs, [0.9, 0.0], sol.t)[0]
    np.testing.assert_allclose(sol["ball.position.x"], known, atol=5 * CLOSE)
    np.testing.assert_allclose(
        sol["wire.displacement"], length(known) - length(-2.0), atol=5 * CLOSE
    )


@ways
def test_a_bead_on_a_helix_falls_evenly(way):
    """s'' = -g b / sqrt(a^2 + b^2) on (a cos, a sin, b) of an angle, whatever the speed."""
    a, b, start = 0.4, 0.15, 2.0
    angle = np.linspace(0.0, 6.0 * np.pi, 400)
    points = np.column_stack([a * np.cos(angle), a * np.sin(angle), b * angle])
    sol = run(bead(points, start=start, speed=3.0), 1.0, way)
    known = start + 3.0 * sol.t - 0.5 * G * b / np.hypot(a, b) * sol.t**2
    np.testing.assert_allclose(sol["wire.displacement"], known, atol=5 * CLOSE)
    drift = np.ptp(sol.energy.total)
    assert drift < 1e-6 * np.ptp(sol.energy.potential)


def test_beyond_its_ends_an_open_curve_goes_on_straight():
    points = [(0, 0, 1), (1, 0, 0), (3, 0, -1)]
    m = bead(points, start=5.0, speed=1.0)
    sol = run(m, 1.0, "in the tree")
    u = np.array(place_at(np.array(curve_numbers(np.array(points, float), False)), 9.0)[3:6])
    moved = sol["ball.position"] - sol["ball.position"][0]
    along = moved @ u / (u @ u)
    np.testing.assert_allclose(moved, np.outer(along, u), atol=1e-12)


def ride(way: str, **options):
    """A heavy arm whose eye slides along a closed spatial curve on a turning table, with a spring
    and friction along the curve: everything moves.
    """
    t = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    points = np.column_stack([np.cos(t), 0.7 * np.sin(t), 0.2 * np.sin(2.0 * t)])
    m = kt.Model("ride")
    table, arm = (
        m.body("table", kt.cylinder(5.0, 1.0, 0.2)),
        m.body("arm", kt.box(1.0, (0.6, 0.2, 0.1))),
    )
    m.joint("hub", kt.Revolute(axis="z"), m.ground, table, speed={"angle": 1.5})
    m.joint(
        "wire",
        kt.PointOnCurve(points, closed=True),
        table.at(0.1, 0.0, 0.3),
        arm.at(0.25, 0.0, 0.0),
        start={"displacement": 0.4},
        speed={"displacement": 1.0, "wx": 0.3, "wy": 0.5, "wz": -0.2},
    )
    m.force("spring", kt.TorsionSpring("wire.displacement", stiffness=3.0, damping=0.4, angle=1.0))
    return kt.simulate(m, 0.4, output_interval=0.1, progress=False, **options, **WAYS[way])


@pytest.fixture(scope="module")
def reference():
    return ride("in the tree", rtol=1e-11)


def test_cut_and_in_the_tree_the_joint_moves_the_same(reference):
    other = ride("cut", rtol=1e-11)
    for name in ("wire.displacement", "arm.position", "arm.angular_velocity", "hub.angle"):
        np.testing.assert_allclose(other[name], reference[name], atol=1e-7)
    for name in ("wire.displacement.rate", "wire.displacement.acceleration"):
        np.testing.assert_allclose(other[name], reference[name], atol=1e-5)
    np.testing.assert_allclose(
        other["wire.force"], reference["wire.force"], atol=1e-4
    )  # of size ten; accelerations have two digits less


# "partitioning-printed" keeps its independent coordinates for a number of steps, however far the
# normals of the curve have turned away from them
EXACT = [f.name for f in FORMULATIONS if f.loops and f.exact and f.name != "partitioning-printed"]


@pytest.mark.parametrize("formulation", EXACT)
def test_every_formulation_takes_a_cut_point_on_a_curve(formulation, reference):
    other = ride("cut", rtol=1e-9, formulation=formulation)
    np.testing.assert_allclose(other["arm.position"], reference["arm.position"], atol=1e-6)


@pytest.mark.parametrize("entry", INTEGRATORS, ids=lambda e: e.name)
def test_every_integrator_takes_a_cut_point_on_a_curve(entry, reference):
    """Fixed steps of 2 ms and an order p: errors of about 0.002^p, times rates of up to ten."""
    options = {"rtol": 1e-9} if entry.adaptive else {"step": 0.002}
    other = ride("cut", integrator=entry.name, **options)
    close = 1e-6 if entry.adaptive else 30.0 * max(0.002**entry.order, 1e-8)
    np.testing.assert_allclose(other["arm.position"], reference["arm.position"], atol=close)


@pytest.mark.parametrize(
    "joint", [*kt.PointOnCurve.examples(), *kt.VariableScrew.examples()], ids=lambda j: j.kind
)
def test_the_energy_conserving_rule_keeps_the_energy_at_any_step(joint):
    """Two bodies without gravity: energy and momentum stay to the tolerance of Newton's method."""
    m = kt.Model("two", gravity=(0, 0, 0))
    a, b = m.body("a", kt.box(2.0, (0.3, 0.4, 0.2))), m.body("b", kt.box(1.0, (0.6, 0.2, 0.1)))
    m.float(a, speed={"wx": 0.4, "wz": 1.0})
    label = joint.labels[0]
    m.joint("joint", joint, a.at(0.1, 0, 0), b.at(0, 0.1, 0), start={label: 0.3}, speed={label: 2})
    sol = kt.simulate(
        m, 1.0, coordinates="cartesian", integrator="energy-conserving", step=0.02, progress=False
    )
    assert np.ptp(sol.energy.total) < 1e-10 * sol.energy.total[0]
    momentum = 2.0 * sol["a.velocity"] + sol["b.velocity"]
    np.testing.assert_allclose(momentum, momentum[:1] + 0.0 * momentum, atol=1e-10)


def test_a_curve_passes_through_its_points_and_the_nearest_place_is_found_on_it():
    """Against SciPy's spline over the same arc lengths, and its derivatives."""
    rng = np.random.default_rng(3)
    points = np.cumsum(rng.uniform(0.2, 1.0, (9, 3)), axis=0) * [1.0, -1.0, 0.5]
    numbers = np.array(curve_numbers(points, False))
    s = numbers[3:12]
    spline = CubicSpline(s, points)
    for where in np.linspace(0.0, s[-1], 50):
        found = np.array(place_at(numbers, where)).reshape(3, 3)
        np.testing.assert_allclose(found, [spline(where, k) for k in range(3)], atol=1e-12)
        across = np.cross(found[1], [0.3, -0.2, 0.9])
        away = found[0] + 0.05 * across / np.linalg.norm(across)
        assert nearest_place(numbers, *away) == pytest.approx(where, abs=1e-12)
    speeds = np.linalg.norm(spline(np.linspace(0.0, s[-1], 1000), 1), axis=1)
    assert np.abs(speeds.mean() - 1.0) < 1e-3  # the parameter is the arc length but for ripples


@pytest.mark.parametrize(
    "given, sentence",
    [
        ({"points": [(0, 0, 0)]}, "an open curve needs at least 2 points, got 1"),
        ({"points": [(0, 0, 0), (1, 0, 0)], "closed": True}, "needs at least 3 points"),
        ({"points": [(0, 0, 0), (0, 0, 0)]}, "two successive points are equal"),
        ({"points": 3.0}, "points must be a list of points"),
        ({"points": [(0, 0), (1, 1)]}, "a point"),
    ],
)
def test_wrong_points_are_refused(given, sentence):
    with pytest.raises(kt.ModelError, match=sentence):
        kt.PointOnCurve(**given)
