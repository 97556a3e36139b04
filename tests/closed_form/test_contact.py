"""Compliant contact: impacts, sliding, sticking and rolling against closed forms."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kinetree as kt
from kinetree.elements.forces.contact import damping_factor

S = kt.shapes
G = 9.81
ADAPTIVE = ("adams", "dopri5", "dop853", "bdf", "switching")


def thrown(law: kt.Contact, speed: float, gap: float, mass: float = 1.0) -> kt.Model:
    """A ball of radius 0.1 m on its way to the ground, without gravity."""
    m = kt.Model("impact", gravity=(0, 0, 0))
    place = {"position": (0, 0, 0.1 + gap), "velocity": (0, 0, -speed)}
    ball = m.body("ball", kt.sphere(mass, 0.1), **place)
    m.float(ball)
    m.contact("touch", S.HalfSpace().on(m.ground), S.Ball(0.1).on(ball), law)
    return m


@pytest.mark.parametrize("restitution", [1.0, 0.9, 0.5, 0.1])
@pytest.mark.parametrize("stiffness, exponent, mass", [(1e8, 1.5, 1.0), (1e5, 1.0, 7.0)])
def test_the_speed_after_an_impact_is_the_restitution_times_the_speed_before(
    restitution, stiffness, exponent, mass
):
    law = kt.Contact(stiffness, exponent, restitution)
    speed, gap = 3.0, 0.05
    lasts = math.pi * math.sqrt(mass / 1e5) + 0.1  # longer than half a period of the softer spring
    sol = kt.simulate(thrown(law, speed, gap, mass), gap / speed + 4 * lasts, rtol=1e-9)
    # the speed at the touch is caught to about 1e-9, steps of the impact add some tolerances
    assert sol["ball.velocity.z"][-1] == pytest.approx(restitution * speed, rel=1e-6)


@pytest.mark.parametrize("e", [0.99, 0.7, 0.3, 0.05])
def test_the_damping_factor_satisfies_its_equation(e):
    chi = damping_factor(e)
    assert 0.0 < chi < 1.0 / e
    # the logarithm of a small difference near chi = 1 / e loses digits
    assert chi * (1 + e) == pytest.approx(math.log((1 + chi) / (1 - e * chi)), rel=1e-6)


def test_the_depth_of_an_elastic_impact_follows_from_the_energy():
    law = kt.Contact(1e7, 1.5, 1.0)
    sol = kt.simulate(
        thrown(law, 2.0, 0.01), 0.008, rtol=1e-9, output_interval=1e-6, integrator="dop853"
    )
    deepest = (2.5 * 0.5 * 2.0**2 / 1e7) ** 0.4  # k d^2.5 / 2.5 = m v^2 / 2
    # parabola between samples 1e-6 s apart: error (1e-6)^2 d'' / 8 of the depth
    assert -sol["touch.gap"].min() == pytest.approx(deepest, rel=1e-4)


def sliding(mu=0.3, speed=2.0, slope=0.0, **options) -> kt.Model:
    """A block on a plane that is inclined by `slope`."""
    m = kt.Model("block", gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
    # it starts at rest on its four corners: k d^1.5 = m g cos(slope) / 4
    depth = (G * math.cos(slope) / 4 / 1e8) ** (2 / 3)
    place = {"position": (0, 0, 0.05 - depth), "velocity": (speed, 0, 0)}
    block = m.body("block", kt.box(mass=1.0, sides=(0.2, 0.2, 0.1)), **place)
    m.float(block)
    law = kt.Contact(1e8, restitution=0.3, friction=mu, **options)
    m.contact("touch", S.HalfSpace().on(m.ground), S.Box((0.2, 0.2, 0.1)).on(block), law)
    return m


@pytest.mark.parametrize("integrator", ["bdf", "switching", "dop853"])
def test_a_block_stops_after_the_distance_of_coulomb_friction_and_stands(integrator):
    sol = kt.simulate(sliding(), 1.0, integrator=integrator, rtol=1e-7)
    distance = 2.0**2 / (2 * 0.3 * G)
    # presliding of 1e-5 m adds about as much, front corners carry more than rear ones
    assert sol["block.position.x"][-1] == pytest.approx(distance, abs=3e-5)
    assert abs(sol["block.velocity.x"][-1]) < 1e-9


def test_a_block_that_sticks_does_not_creep():
    sol = kt.simulate(sliding(speed=0.0, slope=math.radians(16.0)), 20.0, integrator="switching")
    x = sol["block.position.x"][sol.t > 1.0]
    assert np.ptp(x) < 1e-10  # regularized friction creeps millimeters here
    assert 0.0 < x[0] < 2e-5  # it gave way by less than twice the presliding


def test_a_block_slides_beyond_the_angle_of_friction():
    slope = math.radians(17.0)  # atan(0.3) is 16.70 degrees
    sol = kt.simulate(sliding(speed=0.0, slope=slope), 2.0, integrator="switching", rtol=1e-7)
    a = G * (math.sin(slope) - 0.3 * math.cos(slope))
    # the block gives way by 1e-5 m first, which leaves it with some mm/s; then it accelerates with a
    v = sol.at([1.0, 2.0])["block.velocity.x"]
    assert v[1] - v[0] == pytest.approx(a, rel=1e-4)  # friction is 50 times a, to rtol


def test_static_friction_holds_beyond_the_angle_of_sliding_friction():
    slope = math.radians(18.0)
    held = sliding(speed=0.0, slope=slope, static=0.4)  # atan(0.4) is 21.8 degrees
    sol = kt.simulate(held, 2.0, integrator="switching")
    assert abs(sol["block.velocity.x"][-1]) < 1e-9


def test_a_ball_slides_and_then_rolls_with_five_sevenths_of_its_speed():
    m = kt.Model("bowling")
    ball = m.body("ball", kt.sphere(2.0, 0.1), position=(0, 0, 0.1), velocity=(2.0, 0, 0))
    m.float(ball)
    law = kt.Contact(1e9, friction=0.2)
    m.contact("touch", S.HalfSpace().on(m.ground), S.Ball(0.1).on(ball), law)
    sol = kt.simulate(m, 1.0, integrator="switching", rtol=1e-6)
    # the lever arm of the friction is shorter by the depth, 7e-6 m of 0.1 m
    assert sol["ball.velocity.x"][-1] == pytest.approx(2.0 * 5 / 7, rel=1e-4)
    assert abs(sol.energy.imbalance) < 1e-4


def test_rolling_resistance_decelerates_a_ball():
    m = kt.Model("roll")
    motion = {"velocity": (1.0, 0, 0), "angular_velocity": (0, 10.0, 0)}
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, 0.1), **motion)
    m.float(ball)
    law = kt.Contact(1e9, friction=0.5, rolling=1e-3)
    m.contact("touch", S.HalfSpace().on(m.ground), S.Ball(0.1).on(ball), law)
    sol = kt.simulate(m, 1.0, integrator="switching", rtol=1e-6)
    # 7/5 m r a = -b m g; the smooth onset near rest does not matter at 1 m/s (1e-2 of it: 5e-5)
    assert sol["ball.velocity.x"][-1] == pytest.approx(1.0 - 5 / 7 * 1e-3 * G / 0.1, rel=1e-3)


@pytest.mark.parametrize(
    "shape, height",
    [
        (S.Capsule(0.05, 0.2), 0.05),
        (S.Box((0.2, 0.1, 0.06)), 0.03),
        (S.Cylinder(0.1, 0.05), 0.025),
    ],
)
def test_a_shape_rests_on_the_floor_with_the_force_of_its_weight(shape, height):
    m = kt.Model("rest")
    turned = ("zyx", (0.0, math.pi / 2, 0.0)) if isinstance(shape, S.Capsule) else None
    body = m.body("b", kt.box(1.0, (0.2, 0.1, 0.06)), position=(0, 0, height), rotation=turned)
    m.float(body)
    law = kt.Contact(1e6, restitution=0.1)
    m.contact("touch", S.HalfSpace().on(m.ground), shape.on(body), law)
    sol = kt.simulate(m, 2.0, integrator="switching", rtol=1e-7)
    assert sol["touch.normal"][-1] == pytest.approx(G, rel=1e-3)  # the rest of an oscillation
    n = 2 if isinstance(shape, S.Capsule) else 4  # times the stiffness, on a line and on a face
    depth = (G / n / 1e6) ** (2 / 3)
    assert sol["b.position.z"][-1] == pytest.approx(height - depth, abs=0.02 * depth)


def glancing(seed: int) -> tuple[kt.Model, float, dict]:
    """Two balls on paths that overlap by 1e-5 to 0.5 radii, after a flight of 1 to 20 m."""
    rng = np.random.default_rng(seed)
    overlap = 0.1 * 10 ** rng.uniform(-5, -0.3)
    way, speed = rng.uniform(1, 20), rng.uniform(0.5, 20)
    along = rng.normal(size=3)
    along /= np.linalg.norm(along)
    across = np.cross(along, rng.normal(size=3))
    across *= (0.2 - overlap) / np.linalg.norm(across)
    m = kt.Model("shot", gravity=(0, 0, 0))
    target = m.body("target", kt.sphere(1.0, 0.1))
    shot = m.body(
        "shot",
        kt.sphere(1.0, 0.1),
        position=tuple(across - way * along),
        velocity=tuple(speed * along),
    )
    m.float(target)
    m.float(shot)
    law = kt.Contact(10 ** rng.uniform(6, 10))
    m.contact("touch", S.Ball(0.1).on(target), S.Ball(0.1).on(shot), law)
    options = {"integrator": ADAPTIVE[seed % 5], "rtol": 10 ** rng.uniform(-9, -3)}
    return m, 2 * way / speed, options


def test_no_integrator_steps_over_a_glancing_contact():
    missed = []
    for seed in range(200):
        model, until, options = glancing(seed)
        sol = kt.simulate(model, until, **options)
        if not np.any(sol["target.velocity"][-1]):
            missed.append((seed, options))
    assert missed == []


@pytest.mark.parametrize("integrator", ["adams", "bdf", "switching"])
def test_a_fast_shot_leaves_its_contact_at_a_small_tolerance(integrator):
    """The state of the next impact speed has no jump where the shapes separate."""
    m = kt.Model("fast shot", gravity=(0, 0, 0))
    target = m.body("target", kt.sphere(1.0, 0.05))
    place = {"position": (-120.0, 0, 0.079), "velocity": (19.7, 0, 0)}
    shot = m.body("shot", kt.sphere(1.0, 0.05), **place)
    m.float(target)
    m.float(shot)
    law = kt.Contact(1e7, restitution=1.0)
    m.contact("touch", S.Ball(0.05).on(target), S.Ball(0.05).on(shot), law)
    sol = kt.simulate(m, 8.0, integrator=integrator, rtol=1e-9, output_interval=2.0)
    assert np.linalg.norm(sol["target.velocity"][-1]) > 5.0
    assert sol.energy.drift < 1e-6


def test_an_elastic_oblique_impact_keeps_momentum_and_energy_and_its_rigid_limit():
    m = kt.Model("oblique", gravity=(0, 0, 0))
    target = m.body("target", kt.sphere(1.0, 0.1))
    place = {"position": (-1.0, 0, 0.12), "velocity": (2.0, 0, 0)}
    shot = m.body("shot", kt.sphere(1.0, 0.1), **place)
    m.float(target)
    m.float(shot)
    law = kt.Contact(1e12, restitution=1.0)
    m.contact("touch", S.Ball(0.1).on(target), S.Ball(0.1).on(shot), law)
    sol = kt.simulate(m, 1.0, rtol=1e-9)
    normal = np.array([0.8, 0.0, -0.6])  # of the centers at the touch: sin = 0.12 / 0.2
    expected = 2.0 * 0.8 * normal  # equal masses exchange their speeds along the normal
    # the contact of finite stiffness turns its normal by about v t / R, t = 1e-5 s
    np.testing.assert_allclose(sol["target.velocity"][-1], expected, atol=2e-3)
    total = sol["target.velocity"][-1] + sol["shot.velocity"][-1]
    np.testing.assert_allclose(total, (2.0, 0.0, 0.0), atol=1e-12)
    assert sol.energy.drift < 1e-6


def test_the_stiffness_of_hertz_gives_the_depth_of_a_pressed_ball():
    E, nu, R, load = 2.1e11, 0.3, 0.01, 100.0
    star = E / (2 * (1 - nu**2))
    depth = (9 * load**2 / (16 * R * star**2)) ** (1 / 3)  # [Johnson1985, eq. (4.23)]
    assert kt.shapes.hertz(R, E=E, poisson=nu) * depth**1.5 == pytest.approx(load, rel=1e-12)
    assert kt.shapes.hertz(R, R, E=E) == pytest.approx(
        kt.shapes.hertz(R, E=E) / math.sqrt(2.0), rel=1e-12
    )
    hollow = kt.shapes.hertz(R, -2 * R, E=E)
    assert hollow == pytest.approx(kt.shapes.hertz(2 * R, E=E), rel=1e-12)


def test_shapes_without_a_pair_are_refused_by_name():
    m = kt.Model("walls")
    wall = m.body("wall", kt.sphere(1.0, 0.1))
    with pytest.raises(
        kt.ModelError, match=r"contact 'x': .*contact of HalfSpace and HalfSpace is not available"
    ):
        m.contact("x", S.HalfSpace().on(m.ground), S.HalfSpace().on(wall), kt.Contact(1e5))


def stack(count: int, law: kt.Contact, turn: float = 0.0) -> kt.Model:
    """Boxes on each other, on a plate, each turned and shifted a little."""
    m = kt.Model("stack")
    below = S.Box((1.0, 1.0, 0.1)).on(m.ground.at(0, 0, -0.05))
    for k in range(count):
        place = {"position": (0.02 * k, 0, 0.05 + 0.1 * k), "rotation": ("z", turn * k)}
        box = m.body(f"box{k}", kt.box(1.0, (0.2, 0.2, 0.1)), **place)
        m.float(box)
        shape = S.Box((0.2, 0.2, 0.1)).on(box)
        m.contact(f"c{k}", below, shape, law)
        below = shape
    return m


@pytest.mark.parametrize("turn", [0.0, 0.25])
def test_a_stack_of_boxes_stands_with_the_weight_of_all_boxes_above(turn):
    law = kt.Contact(1e7, restitution=0.2, friction=0.4)
    sol = kt.simulate(stack(4, law, turn), 1.0, integrator="switching", rtol=1e-6)
    for k in range(4):
        # a rest of an oscillation at rtol
        assert sol[f"c{k}.normal"][-1] == pytest.approx((4 - k) * G, rel=1e-4)
        assert np.abs(sol[f"box{k}.angular_velocity"][-1]).max() < 1e-5  # it does not rock
        assert sol[f"box{k}.position.x"][-1] == pytest.approx(0.02 * k, abs=2e-4)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_block_on_a_turntable_does_not_creep(coordinates):
    """Its presliding displacement turns with the table."""
    m = kt.Model("turntable")
    table = m.body("table", kt.cylinder(10.0, 0.5, 0.1, along="z"))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground, table)
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(slope=2.0)))
    depth = (G / 4 / 1e8) ** (2 / 3)
    block = m.body(
        "block",
        kt.box(1.0, (0.1, 0.1, 0.1)),
        position=(0.3, 0, 0.1 - depth),
        velocity=(0, 0.6, 0),
        angular_velocity=(0, 0, 2.0),
    )
    m.float(block)
    plate = S.Cylinder(0.5, 0.1).on(table)
    law = kt.Contact(1e8, restitution=0.3, friction=0.5)
    m.contact("touch", plate, S.Box((0.1, 0.1, 0.1)).on(block), law)
    sol = kt.simulate(m, 6.0, integrator="switching", coordinates=coordinates, rtol=1e-7)
    p, angle = sol["block.position"], sol["shaft.angle"]
    x = np.cos(angle) * p[:, 0] + np.sin(angle) * p[:, 1]
    y = -np.sin(angle) * p[:, 0] + np.cos(angle) * p[:, 1]
    late = sol.t > 3.0
    assert np.ptp(x[late]) < 1e-6 and np.ptp(y[late]) < 1e-6  # creep of 1e-5 m times 2 rad/s: 6e-5


@pytest.mark.parametrize("law", [{}, {"friction": 0.3}, {"friction": 0.3, "rolling": 1e-3}])
def test_the_energy_balance_of_a_contact_closes(law):
    m = kt.Model("thrown")
    place = {"position": (0, 0, 0.15), "velocity": (1.0, 0.2, -1.0)}
    ball = m.body("ball", kt.sphere(1.0, 0.1), **place)
    m.float(ball)
    m.contact("touch", S.HalfSpace().on(m.ground), S.Ball(0.1).on(ball), kt.Contact(1e7, **law))
    sol = kt.simulate(m, 0.4, integrator="dop853", rtol=1e-10)
    assert sol.energy.imbalance < 1e-9


def test_elastic_balls_of_a_cradle_part_with_the_speeds_of_the_law_of_hertz():
    """Three equal balls that touch, F = K d^1.5: the speeds are those of three points, by SciPy."""
    K, speed, radius = 1e9, 1.0, 0.1
    m, balls = kt.Model("cradle", gravity=(0, 0, 0)), []
    for k in range(3):
        ball = m.body(f"ball{k}", kt.sphere(1.0, radius), position=(2 * radius * k, 0, 0))
        at, start = (2 * radius * k, 0, 0), {"displacement": -0.01} if k == 0 else {}
        moving = {"displacement": speed} if k == 0 else {}
        rail = kt.Translational("x")
        m.joint(f"rail{k}", rail, m.ground, ball, at=at, start=start, speed=moving)
        balls.append(S.Ball(radius).on(ball))
    for k in range(2):
        m.contact(f"pair{k}", balls[k], balls[k + 1], kt.Contact(K, restitution=1.0))
    sol = kt.simulate(m, 0.05, rtol=1e-9, output_interval=0.05)
    found = [sol[f"ball{k}.velocity.x"][-1] for k in range(3)]

    def rate(_, y):
        F, P = (K * max(y[k] - y[k + 1], 0.0) ** 1.5 for k in range(2))
        return *y[3:], -F, F - P, P

    y = solve_ivp(rate, (0, 0.04), (0, 0, 0, speed, 0, 0), "DOP853", rtol=1e-11, max_step=1e-5).y
    np.testing.assert_allclose(found, y[3:, -1], atol=1e-5)
    np.testing.assert_allclose(found, (-0.071, 0.076, 0.995), atol=1e-3)


def bearing(t, a, b, p, force, torque):
    """Elastic bearing with the clearance p[0] and the stiffness p[1]."""
    x, y = b.position[0] - a.position[0], b.position[1] - a.position[1]
    d = np.sqrt(x * x + y * y)
    if d > p[0]:
        force[0], force[1] = p[1] * (p[0] - d) / d * x, p[1] * (p[0] - d) / d * y


def clearance(t, a, b, p):
    x, y = b.position[0] - a.position[0], b.position[1] - a.position[1]
    return p[0] - np.sqrt(x * x + y * y + 1e-20)


def test_a_slider_crank_with_a_clearance_joint_moves_as_its_three_equations():
    """Crank a, rod b, slider s with the bearing force F along the clearance (x, z), by SciPy.

    m_r a^2 a'' + k cos(a - b) b'' = ..., k = m_r r l / 2: Lagrange's equations of three coordinates.
    """
    r, l, J, rod, slider, gap, K, w = 0.05, 0.12, 1e-3, 0.2, 0.3, 5e-4, 1e6, 50.0
    start = r + l + 1e-4
    m = kt.Model("clearance", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rotor(inertia=J, mass=1.0))
    link = m.body("link", kt.rod(rod, l, along="x"), position=(r + l / 2, 0, 0))
    block = m.body("block", kt.mass(slider, (1e-3,) * 3), position=(start, 0, 0))
    m.joint("A", kt.Revolute("z"), m.ground, crank, speed={"angle": w})
    back = {"angle": -w * (1 + r / l)}
    m.joint("B", kt.Revolute("z"), crank.at(r, 0, 0), link.end("-"), speed=back)
    m.joint("C", kt.Translational("x"), m.ground, block, at=(start, 0, 0))
    law = kt.UserForce(bearing, (gap, K), gap=clearance)
    m.force("bearing", law, link.end("+"), block)
    sol = kt.simulate(m, 0.04, rtol=1e-10, output_interval=5e-4)

    def rate(_, y):
        a, b, s, wa, wb, vs = y
        x, z = r * math.cos(a) + l * math.cos(b) - s, r * math.sin(a) + l * math.sin(b)
        d = math.hypot(x, z)
        F = K * max(d - gap, 0.0) / d if d > 0.0 else 0.0
        k, n = 0.5 * rod * r * l * math.cos(a - b), 0.5 * rod * r * l * math.sin(a - b)
        A, B = J + rod * r * r, rod * l * l / 3
        f = -n * wb * wb + F * r * (x * math.sin(a) - z * math.cos(a))
        g = n * wa * wa + F * l * (x * math.sin(b) - z * math.cos(b))
        D = A * B - k * k
        return wa, wb, vs, (B * f - k * g) / D, (A * g - k * f) / D, F * x / slider

    begin = (0.0, 0.0, start, w, -w * r / l, 0.0)
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14, "max_step": 1e-4}
    exact = solve_ivp(rate, (0, 0.04), begin, t_eval=sol.t, **options).y
    # impacts multiply the differences of the two integrations
    np.testing.assert_allclose(sol["A.angle"], exact[0], atol=1e-6)
    np.testing.assert_allclose(sol["block.position.x"], exact[2], atol=1e-7)
    assert np.abs(np.diff(sol["block.velocity.x"])).max() > 0.3  # it has been struck
    assert sol.energy.imbalance < 1e-8
