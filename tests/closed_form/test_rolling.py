"""Rolling wheels, balls and blades against closed forms and published values.

The constraints have equations of velocities alone. Turntable: a ball on a table that turns at W
describes a circle with 2/7 W. Coin: steady rolling of a leaning disc. Sleigh of Chaplygin:
w = W sech(b t). Skate tied to a line: I s^3 + k a^2 s + k a u = 0. Bicycle: M, C1, K0, K2 of
[Meijaard2007].
"""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.bicycle import bicycle

G = 9.81


def turntable(W=2.0, r=0.1):
    m = kt.Model("turntable")
    table = m.body("table", kt.cylinder(5.0, 1.0, 0.02, along="z"))
    ball = m.body(
        "ball",
        kt.sphere(0.5, r),
        position=(0.5, 0, r),
        velocity=(0.3, 0.2, 0),
        angular_velocity=(0, 0, 0.7),
    )
    m.joint("axis", kt.Revolute(axis="z"), m.ground, table)
    m.float(ball)
    m.constraint("motor", kt.Driver("axis.angle", kt.Ramp(slope=W)))
    m.constraint("roll", kt.Rolling(r, crown=r), table, ball)
    return m


WAYS = [
    *({"formulation": f} for f in ("augmented", "projection", "qr", "svd", "svd-velocity")),
    *({"formulation": f} for f in ("svd-update", "partitioning", "partitioning-qr", "baumgarte")),
    {"formulation": "overdetermined"},
    *({"integrator": i} for i in ("dopri5", "bdf", "switching", "bdf-direct")),
    {"coordinates": "cartesian"},
    {"coordinates": "cartesian", "formulation": "qr", "integrator": "bdf"},
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
def test_a_ball_on_a_turntable_describes_a_circle_at_two_sevenths_of_its_speed(way):
    sol = kt.simulate(turntable(), 3.0, rtol=1e-9, **way)
    p, v, w = sol["ball.position"], sol["ball.velocity"], 2.0 / 7.0 * 2.0
    np.testing.assert_allclose(v[0], (0.3, 0.2, 0.0), atol=1e-12)
    center = p[0, :2] - np.array([v[0, 1], -v[0, 0]]) / w
    turned = np.exp(1j * w * sol.t) * complex(*(p[0, :2] - center))
    found = (p[:, :2] - center) @ (1, 1j)
    np.testing.assert_allclose(found, turned, atol=1e-6)  # rtol 1e-9 over 3 s, errors accumulate
    np.testing.assert_allclose(p[:, 2], 0.1, atol=1e-12)
    np.testing.assert_allclose(sol["ball.angular_velocity"][:, 2], 0.7, atol=3e-6)
    assert np.abs(sol.energy.imbalance).max() < 1e-6


def leaning(th, W, r=0.2, mass=1.5, crown=0.0, spin=1.0):
    """A disc whose axis is inclined by th to the vertical, with precession W and `spin` times the
    spin of steady motion.
    """
    A, C = mass * r * r / 4, mass * r * r / 2
    n = A * W * W * np.sin(th) * np.cos(th) - mass * G * r * np.cos(th)
    n *= spin / ((C + mass * r * r) * W * np.sin(th))
    lean = np.pi / 2 - th
    R = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    a, z = R[:, 1], np.array([0, 0, 1.0])
    w = W * z + (n - W * a[2]) * a
    up = r * (z - a[2] * a) / np.sin(th)
    m = kt.Model("coin")
    coin = m.body(
        "coin",
        kt.mass(mass, (A, C, A)),
        position=(0, 0, up[2]),
        rotation=R,
        velocity=np.cross(w, up),
        angular_velocity=w,
    )
    m.float(coin)
    m.constraint("roll", kt.Rolling(r, crown), m.ground, coin)
    return m, up[2]


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_coin_in_steady_motion_keeps_its_height(coordinates):
    """(C + m r^2) n W sin = A W^2 sin cos - m g r cos; angles from the vertical."""
    m, height = leaning(np.radians(60), 4.0)
    sol = kt.simulate(m, 5.0, rtol=1e-10, coordinates=coordinates)
    assert not sol.assembly.told
    np.testing.assert_allclose(sol["coin.position.z"], height, atol=1e-8)


@pytest.mark.parametrize("crown", [0.0, 0.05])
def test_a_wobbling_disc_keeps_its_energy_and_stays_on_the_plane(crown):
    """Euler's disc without losses, far from steady motion; with a crown the wheel is a torus."""
    m, _ = leaning(np.radians(50), 6.0, crown=crown, spin=1.3)
    sol = kt.simulate(m, 2.0, rtol=1e-10)
    w, x, y, z = sol["coin.quaternion"].T
    sine = np.sqrt(1.0 - 4.0 * (y * z + w * x) ** 2)  # of the angle between axis and normal
    np.testing.assert_allclose(sol["coin.position.z"], (0.2 - crown) * sine + crown, atol=1e-10)
    energy = sol.energy.total
    assert np.ptp(sine) > 1e-2
    assert np.ptp(energy) < 1e-7 * abs(energy[0])


def sleigh(a, mass, inertia, rate):
    m = kt.Model("sleigh", gravity=(0, 0, 0))
    body = m.body("sleigh", kt.mass(mass, (1.0, 1.0, inertia)))
    start = {"x": 0.0, "y": a * rate, "angle": rate}  # the blade stands still, the body turns
    m.joint("ice", kt.Planar(axis="z"), m.ground, body, speed=start)
    m.constraint("blade", kt.KnifeEdge(), m.ground, body.at(-a, 0, 0))
    return m


@pytest.mark.parametrize("way", [{}, {"coordinates": "cartesian"}, {"integrator": "bdf"}])
def test_a_sleigh_turns_into_a_straight_line_like_the_hyperbolic_secant(way):
    """m u' = m a w^2, (I + m a^2) w' = -m a u w:  w = W sech(b t), b = a W sqrt(m / (I + m a^2))."""
    a, mass, rate = 0.3, 2.0, 2.0
    inertia = 0.15
    b = a * rate * np.sqrt(mass / (mass * a * a + inertia))
    sol = kt.simulate(sleigh(a, mass, inertia, rate), 4.0, rtol=1e-10, **way)
    np.testing.assert_allclose(sol["ice.angle.rate"], rate / np.cosh(b * sol.t), atol=1e-7)
    # about the center of mass: I w' = -a F
    wdot = -b * rate * np.sinh(b * sol.t) / np.cosh(b * sol.t) ** 2
    np.testing.assert_allclose(sol["blade.force"], -inertia * wdot / a, atol=1e-6)


M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])


def published(v):
    """Eigenvalues of M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, lean and steer."""
    stiff, damp = np.linalg.solve(M, G * K0 + v * v * K2), np.linalg.solve(M, v * C1)
    return np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-stiff, -damp]]))


@pytest.mark.parametrize("v", [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10])
def test_eigenvalues_of_the_benchmark_bicycle(v):
    linear = kt.linearize(bicycle(float(v), 0.0))
    assert (linear.positions, linear.freedoms) == (7, 3)
    found = linear.eigenvalues
    # differences of fourth order give 1e-11; the six other eigenvalues are ignorable coordinates
    assert max(np.abs(found - e).min() for e in published(v)) < 1e-10
    assert np.count_nonzero(found) == 4


def test_the_bicycle_has_the_same_eigenvalues_in_cartesian_coordinates():
    found = kt.linearize(bicycle(5.0, 0.0), coordinates="cartesian").eigenvalues
    for e in (-0.775341882 + 4.464867714j, -0.322866429, -14.078389693):
        assert np.abs(found - e).min() < 1e-9  # the published digits


def test_the_pushed_bicycle_moves_as_its_linear_equations():
    """Small push: lean and steer follow exp(A t), whose matrix is that of the paper."""
    from scipy.linalg import expm

    v, rate = 4.6, 1e-4
    sol = kt.simulate(bicycle(v, rate), 2.0, rtol=1e-11, atol=1e-13)
    stiff, damp = np.linalg.solve(M, G * K0 + v * v * K2), np.linalg.solve(M, v * C1)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiff, -damp]])
    # lean to the right and steer to the right are positive in the paper; our steering axis is up
    exact = (expm(A * 2.0) @ (0, 0, rate, 0))[1]
    assert sol["steer.angle"][-1] == pytest.approx(-exact, abs=1e-3 * rate)


def skate(u=3.0, k=400.0, a=0.5, r=0.2, Iz=0.8, Iw=0.01):
    m = kt.Model("skate")
    deck = m.body("deck", kt.mass(10.0, (1, 1, Iz)), position=(0, 0, r))
    wheel = m.body("wheel", kt.mass(1.0, (Iw, 0.02, Iw)), position=(0, 0, r))
    m.joint("table", kt.Planar(axis="z"), m.ground, deck, at=(0, 0, r))
    m.joint("hub", kt.Revolute(axis="y"), deck, wheel, speed={"angle": u / r})
    m.constraint("roll", kt.Rolling(r), m.ground, wheel)

    def tie(t, A, B, p, force, torque):
        force[1] = -p[0] * B.position[1]

    m.force("tie", kt.UserForce(tie, parameters=(k,)), deck.at(a, 0, 0))
    return m, np.roots([Iz + Iw, 0.0, k * a * a, k * a * u])


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_skate_tied_to_a_line_has_a_cubic_characteristic_equation(coordinates):
    """Heading, its rate and the place across the line: more positions than velocities."""
    m, roots = skate()
    linear = kt.linearize(m, coordinates=coordinates)
    assert (linear.positions, linear.freedoms, len(linear.A)) == (4, 2, 6)
    assert max(np.abs(linear.eigenvalues - e).min() for e in roots) < 1e-9
    assert np.count_nonzero(linear.eigenvalues) == 3
    found = kt.modes(m)
    assert max(min(abs(mode.eigenvalue - e) for mode in found) for e in roots[:1]) < 1e-9


@pytest.mark.parametrize("n", [2.0, 9.0])
def test_an_upright_wheel_is_stable_above_its_critical_speed(n):
    """Lean p and yaw y at the spin n:  A y'' = C n p',  (A + m r^2) p'' = m g r p - (C + m r^2) n y'.

    A body that does not spin carries the wheel, so that the coordinates do not turn with it.
    """
    r, mass, wheel, carrier = 0.2, 2.0, (0.015, 0.03, 0.015), (0.01, 0.02, 0.01)
    m = kt.Model("wheel")
    frame = m.body("frame", kt.mass(0.5, carrier), position=(0, 0, r), angular_velocity=(0, 0, 0))
    disc = m.body("disc", kt.mass(1.5, wheel), position=(0, 0, r))
    m.float(frame)
    m.joint("hub", kt.Revolute(axis="y"), frame, disc, speed={"angle": n})
    m.constraint("roll", kt.Rolling(r), m.ground, disc)
    A, C, J = wheel[0] + carrier[0], wheel[1], mass * r * r
    square = (mass * G * r - (C + J) * C * n * n / A) / (A + J)
    found = kt.linearize(m).eigenvalues
    assert np.abs(found - np.sqrt(complex(square))).min() < 1e-8


def test_a_redundant_height_is_reported_and_the_model_has_two_mobilities():
    report = skate()[0].topology()
    assert (report.mobility, report.mobility_positions, report.gruebler) == (2, 4, 1)
    assert report.redundant == (("roll", 1),)
    assert "Positions have the mobility 4, velocities 2" in str(report)
    found = kt.assemble(skate()[0])
    assert (found.rank, found.mobility, found.mobility_positions) == (2, 2, 4)
    assert "Positions have 4 degrees of freedom" in str(found)
    assert turntable().topology().to_dict()["mobility_positions"] == 5


def tied_ball(k=50.0, m=1.0, r=0.1, at=0.3):
    model = kt.Model("tied ball")
    ball = model.body("ball", kt.sphere(m, r), position=(at, 0, r))
    model.float(ball)
    model.constraint("roll", kt.Rolling(r, crown=r), model.ground, ball)
    model.force("tie", kt.SpringDamper(k, 0.0, 0.0), model.ground.at(0, 0, r), ball)
    return model


def test_equilibrium_and_frequency_of_a_ball_on_a_spring():
    """The ball rolls to the middle; 7/5 of its mass vibrates."""
    model = tied_ball()
    found = kt.equilibrium(model)
    np.testing.assert_allclose(found["ball.position"], (0, 0, 0.1), atol=1e-8)
    values = kt.modes(model, state=found)
    w = np.sqrt(50.0 / 1.4)
    assert np.abs(values.eigenvalues - 1j * w).min() < 1e-7
    assert np.nanmax(values.undamped_frequencies) == pytest.approx(w / (2 * np.pi), rel=1e-9)


def test_reactions_of_a_ball_on_a_slope():
    """5/7 of the acceleration, 2/7 of the downhill force by friction, all of the normal force."""
    slope = 0.2
    m = kt.Model("slope", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    ball = m.body("ball", kt.sphere(0.7, 0.1), position=(0, 0, 0.1))
    m.float(ball)
    m.constraint("roll", kt.Rolling(0.1, crown=0.1), m.ground, ball)
    sol = kt.simulate(m, 1.0, rtol=1e-9)
    force = 0.7 * G * np.array([-2 / 7 * np.sin(slope), 0, np.cos(slope)])
    np.testing.assert_allclose(sol["roll.force"], np.tile(force, (len(sol.t), 1)), atol=1e-8)
    assert sol["ball.position.x"][-1] == pytest.approx(5 / 14 * G * np.sin(slope), abs=1e-7)


def test_inverse_dynamics_of_a_driven_wheel():
    """tau = (m r + J / r) a for a cart with one driven wheel."""
    r, J, mass, a = 0.2, 0.02, 11.0, 1.5
    m = skate(u=0.0, k=0.0)[0]
    m.constraint("motor", kt.Driver("hub.angle", lambda t: 0.5 * a / r * t * t))
    sol = kt.simulate(m, 0.5, rtol=1e-9)
    found = kt.inverse_dynamics(m, sol, drives=["hub.angle"])
    np.testing.assert_allclose(found["hub.angle"], (mass * r + J / r) * a, rtol=1e-6)
    assert sol["deck.position.x"][-1] == pytest.approx(0.5 * a * 0.25, abs=1e-6)


def test_many_rolling_balls_are_solved_by_sparse_algebra():
    """Balls on a slope in a row, tied by springs at rest: each has 5/7 of the acceleration."""
    m = kt.Model("row", gravity=(0, G * 0.1, -G))
    balls = []
    for k in range(60):
        ball = m.body(f"b{k}", kt.sphere(1.0, 0.1), position=(0.3 * k, 0, 0.13))
        m.float(ball)
        m.constraint(f"c{k}", kt.Rolling(0.1, crown=0.1), m.ground, ball)
        balls.append(ball)
    for k in range(59):
        m.force(f"s{k}", kt.SpringDamper(10.0), balls[k], balls[k + 1])
    sol = kt.simulate(m, 0.5, rtol=1e-8)
    assert sol.compiled.tables.settings[0]["sparse"] == 1
    for k in (0, 30, 59):
        assert sol[f"b{k}.position.y"][-1] == pytest.approx(5 / 56 * G * 0.1, abs=1e-7)
        assert sol[f"b{k}.position.z"][-1] == pytest.approx(0.1, abs=1e-10)


@pytest.mark.parametrize("formulation", ["augmented", "projection", "qr", "partitioning"])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_rows_of_velocity_do_not_displace_rows_of_position(formulation, coordinates):
    """Rail and rack imply all rows of the wheel: positions must stay on rail and rack.

    4 kg, J = m r^2 / 2 of the 1 kg wheel:  a = 4 / 4.5 of the block that slides.
    """
    m, r = kt.Model("cart", gravity=(1.0, 0, -G)), 0.2
    deck = m.body("deck", kt.box(3.0, (0.4, 0.2, 0.1)), position=(0, 0, r))
    wheel = m.body("wheel", kt.cylinder(1.0, r, 0.05, along="y"), position=(0, 0, r))
    m.joint("rail", kt.Translational(axis="x"), m.ground, deck, at=(0, 0, r))
    m.joint("hub", kt.Revolute(axis="y"), deck, wheel)
    m.constraint("roll", kt.Rolling(r), m.ground, wheel)
    m.constraint("rack", kt.RackAndPinion("rail.displacement", "hub.angle", r))
    how = {"formulation": formulation, "coordinates": coordinates}
    sol = kt.simulate(m, 3.0, rtol=1e-7, **how)
    assert sol.constraint_error.max() < 1e-10
    assert sol["rail.displacement"][-1] == pytest.approx(4.0, abs=1e-5)


def test_the_velocity_of_a_body_has_priority_over_its_rotation():
    m = kt.Model("ball")
    ball = m.body("ball", kt.sphere(0.5, 0.1), position=(0, 0, 0.1), velocity=(0.3, 0.2, 0))
    m.float(ball)
    m.constraint("roll", kt.Rolling(0.1, crown=0.1), m.ground, ball)
    found = kt.assemble(m)
    np.testing.assert_allclose(found.v, (0.3, 0.2, 0, -2.0, 3.0, 0), atol=1e-12)
    assert not found.told
    told = kt.assemble(turntable()).told
    assert "ball.angular_velocity.x" in told and "ball.velocity" not in told


def test_positions_are_closed_without_the_rows_of_velocity():
    """A wheel on a slider, drawn above the plane, falls onto it although it does not turn."""
    m = kt.Model("wheel")
    wheel = m.body("wheel", kt.cylinder(1.0, 0.2, 0.05, along="y"), position=(0, 0, 0.25))
    m.joint("ramp", kt.Translational(axis=(1, 0, 1)), m.ground, wheel)
    m.constraint("roll", kt.Rolling(0.2), m.ground, wheel)
    found = kt.assemble(m)
    np.testing.assert_allclose(found.coordinates["ramp.displacement"], 0.2 * np.sqrt(2))
    assert (found.mobility, found.mobility_positions) == (0, 0)


def flat_disc(**options):
    m = kt.Model("disc")
    disc = m.body("disc", kt.cylinder(0.5, 0.1, 0.01, along="z"), position=(0, 0, 0.1))
    m.float(disc)
    m.constraint("roll", kt.Rolling(0.1, axis="z", **options), m.ground, disc)
    return m


def test_what_has_no_contact_point_is_refused():
    with pytest.raises(kt.AssemblyError, match="constraint 'roll': the wheel lies flat"):
        kt.assemble(flat_disc())
    kt.assemble(flat_disc(crown=0.1))  # a ball
    for radius in (0.0, -1.0, float("nan")):
        with pytest.raises(kt.ModelError, match="Rolling: radius"):
            kt.Rolling(radius)
    with pytest.raises(kt.ModelError, match="Rolling: crown"):
        kt.Rolling(0.1, crown=-0.1)


def test_a_disc_that_falls_over_ends_the_run_with_that_sentence():
    m = kt.Model("coin")
    disc = kt.cylinder(0.5, 0.1, 0.01, along="y")
    coin = m.body("coin", disc, position=(0, 0, 0.1), rotation=("x", [0.2]))
    m.float(coin)
    m.constraint("roll", kt.Rolling(0.1), m.ground, coin)
    with pytest.raises(kt.SimulationError, match="'roll': the wheel has fallen over") as caught:
        kt.simulate(m, 1.0)
    assert caught.value.solution["coin.position.z"][-1] < 0.03


STRUCTURAL = ("energy-conserving", "midpoint", "trapezoidal", "generalized-alpha")


@pytest.mark.parametrize("integrator", STRUCTURAL)
@pytest.mark.parametrize("name", ["turntable", "coin"])
def test_structural_integrators_roll_with_order_two(name, integrator):
    model = turntable() if name == "turntable" else leaning(1.2, 2.0)[0]
    body = "ball" if name == "turntable" else "coin"
    expected = kt.simulate(model, 0.5, rtol=1e-10)[f"{body}.position"][-1]
    errors = []
    for h in (4e-3, 2e-3):
        sol = kt.simulate(model, 0.5, integrator=integrator, step=h)
        errors.append(np.abs(sol[f"{body}.position"][-1] - expected).max())
        assert sol.constraint_error.max() < 1e-13
        if integrator != "generalized-alpha":  # the contact does no work, the motor's is counted
            assert np.abs(sol.energy.imbalance).max() < 1e-9
    assert errors[1] < 1e-4 and 3.5 < errors[0] / errors[1] < 4.5


def test_a_structural_integrator_chooses_its_steps_for_a_rolling_coin():
    model = leaning(1.2, 2.0)[0]
    expected = kt.simulate(model, 0.5, rtol=1e-10)["coin.position"][-1]
    sol = kt.simulate(model, 0.5, integrator="energy-conserving", rtol=1e-6)
    np.testing.assert_allclose(sol["coin.position"][-1], expected, atol=1e-4)


def test_a_wheel_on_an_elastic_axle_rolls():
    """A beam carries the hub: at rest it bends under the weight of the wheel, then the wheel rolls."""
    m = kt.Model("axle")
    steel = kt.Section.circle(0.01, E=2.1e11, density=7800.0)
    cart = m.body("cart", kt.box(1.0, (0.1, 0.1, 0.1)), position=(0, 0, 0.2))
    m.joint("rail", kt.Translational(axis="x"), m.ground.at(0, 0, 0.2), cart)
    axle = m.beam("axle", [(0, 0, 0.2), (0, 0.5, 0.2)], steel, elements=3)
    m.joint("clamp", kt.Fixed(), cart, axle.end("-"))
    wheel = m.body("wheel", kt.cylinder(0.5, 0.2, 0.02, along="y"), position=(0, 0.5, 0.2))
    m.joint("hub", kt.Revolute(axis="y"), axle.end("+"), wheel)
    m.constraint("roll", kt.Rolling(0.2), m.ground, wheel)
    m.force("push", kt.PointForce((1.0, 0, 0)), cart)
    sol = kt.simulate(m, 0.5, step=5e-3)
    way, turn = sol["wheel.position.x"], sol["hub.angle"]
    # the wheel turns by way / radius; the axle bends by micrometers under 1 N
    np.testing.assert_allclose(np.abs(turn), way / 0.2, atol=1e-4)
    mass = 1.0 + 0.5 + 0.5 * 0.5 + 7800.0 * np.pi * 0.01**2 * 0.5  # disc: J / r^2 = m / 2
    assert way[-1] == pytest.approx(0.5 / mass * 0.5**2, rel=0.02)
    assert np.abs(sol.energy.imbalance).max() < 1e-6


def test_kinematics_refuses_positions_that_depend_on_the_path():
    m = skate(u=0.0, k=0.0)[0]
    m.constraint("motor", kt.Driver("hub.angle", kt.Ramp(slope=1.0)))
    m.constraint("steer", kt.Driver("table.angle", kt.Ramp(slope=1.0)))
    with pytest.raises(kt.ModelError, match="'roll' restrict velocities alone"):
        kt.kinematics(m, 1.0)


def touches(t, a, b, p):
    x, y = b.position[0] - a.position[0], b.position[1] - a.position[1]
    z = b.position[2] - a.position[2]
    return math.sqrt(x * x + y * y + z * z) - p[0]


def rolls(t, a, b, p):
    s = p[1] / p[0]
    x, y = s * (b.position[0] - a.position[0]), s * (b.position[1] - a.position[1])
    z = s * (b.position[2] - a.position[2])
    v, w = b.velocity, b.angular_velocity
    return v[0] + w[1] * z - w[2] * y, v[1] + w[2] * x - w[0] * z


def test_a_ball_that_rolls_in_a_bowl_is_a_pendulum_of_seven_fifths_of_the_length():
    """T = 4 K(sin(amplitude / 2)) sqrt(7 (R - r) / (5 g))."""
    D, r, amplitude = 0.9, 0.1, 0.6
    m = kt.Model("bowl")
    place = (D * math.sin(amplitude), 0, -D * math.cos(amplitude))
    ball = m.body("ball", kt.sphere(0.5, r), position=place)
    m.float(ball)
    m.constraint("touch", kt.UserConstraint(touches, (D,)), m.ground, ball)
    rolling = kt.UserConstraint(rolls, (D, r), velocity=True, rows=2)
    m.constraint("roll", rolling, m.ground, ball)
    rises = kt.Event("ball.position.x", name="rises", direction=1)
    sol = kt.simulate(m, 5.0, rtol=1e-9, events=rises)
    a, b = 1.0, math.cos(0.5 * amplitude)
    while a - b > 1e-15:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    period = 2 * math.pi / a * math.sqrt(1.4 * D / 9.81)
    assert np.diff(sol.events["rises"].t)[0] == pytest.approx(period, rel=1e-8)
    assert sol.energy.imbalance < 1e-8
    assert (m.topology().mobility, m.topology().mobility_positions) == (3, 5)
