"""Constraints by user code against closed forms, against built-in elements, and in error."""

import math
import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kinetree as kt
from kinetree.elements.constraints.user_check import NotSmooth
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.kernel.usercode.registry import SlowCallback

G = 9.81
SETTINGS = {"slow": 1.0}
WAYS = [
    *({"formulation": f.name} for f in FORMULATIONS if f.exact and f.name != "tree"),
    *({"integrator": i} for i in ("dopri5", "dop853", "bdf", "switching", "bdf-direct")),
    {"coordinates": "cartesian"},
    {"coordinates": "cartesian", "formulation": "qr", "integrator": "bdf"},
]
ways = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))


def rod(t, a, b, p):
    """Distance of two points from a length that changes in time."""
    total = 0.0
    for k in range(3):
        total += (b.position[k] - a.position[k]) ** 2
    return math.sqrt(total) - p[0] - p[1] * math.sin(3.0 * t)


def slow_rod(t, a, b, p):
    return SETTINGS["slow"] * rod(t, a, b, p)


def edge(t, a, b, p):
    """Velocity of b along its own y axis."""
    total = 0.0
    for k in range(3):
        total += b.rotation[k, 1] * b.velocity[k]
    return total


def sphere(t, a, b, p):
    return math.sqrt(b.position[0] ** 2 + b.position[1] ** 2 + b.position[2] ** 2) - p[0]


def pendulum(constraint):
    m = kt.Model("pendulum")
    bob = m.body("bob", kt.box(1.0, (0.1, 0.2, 0.1)), position=(0.6, 0, -0.8))
    m.float(bob)
    m.constraint("rod", constraint, m.ground.at(0, 0.1, 0), bob.at(0.02, 0, 0.03))
    return m


LENGTH = math.sqrt(0.62**2 + 0.1**2 + 0.77**2)
WINCH = kt.Distance(kt.Sine(0.1, 3.0 / (2.0 * math.pi), offset=LENGTH))


@ways
def test_a_rod_of_changing_length_is_the_built_in_one(way):
    model = pendulum(kt.UserConstraint(rod, (LENGTH, 0.1)))
    sol = kt.simulate(model, 0.5, rtol=1e-9, output_interval=0.1, **way)
    expected = kt.simulate(pendulum(WINCH), 0.5, rtol=1e-10, output_interval=0.1)
    for channel in ("bob.position", "bob.angular_velocity"):
        np.testing.assert_allclose(sol[channel], expected[channel], atol=1e-6)
    force = expected["rod.force"]
    np.testing.assert_allclose(sol["rod.force"], force, atol=1e-4 * abs(force).max())
    assert np.abs(sol.energy.imbalance).max() < 1e-6


@pytest.mark.parametrize(
    "integrator", ["energy-conserving", "midpoint", "trapezoidal", "generalized-alpha"]
)
def test_structural_integrators_converge_with_order_two(integrator):
    model = pendulum(kt.UserConstraint(rod, (LENGTH, 0.1)))
    expected = kt.simulate(model, 0.3, rtol=1e-11)["bob.position"][-1]
    errors = [
        np.abs(
            kt.simulate(model, 0.3, integrator=integrator, step=h)["bob.position"][-1] - expected
        ).max()
        for h in (4e-3, 2e-3)
    ]
    assert errors[1] < 1e-4 and 3.0 < errors[0] / errors[1] < 5.0


def test_a_structural_run_conserves_energy_and_momentum_with_a_constraint_at_rest():
    model = pendulum(kt.UserConstraint(rod, (LENGTH, 0.0)))
    sol = kt.simulate(model, 1.0, integrator="energy-conserving", step=5e-3)
    assert sol.energy.drift < 1e-10
    assert sol.constraint_error.max() < 1e-12


def test_a_function_that_is_not_compiled_gives_the_same_motion():
    expected = kt.simulate(pendulum(WINCH), 0.3, rtol=1e-10, output_interval=0.1)
    with pytest.warns(SlowCallback, match="a dict is not a value of the kernel language"):
        model = pendulum(kt.UserConstraint(slow_rod, (LENGTH, 0.1)))
        sol = kt.simulate(model, 0.3, rtol=1e-9, output_interval=0.1)
    np.testing.assert_allclose(sol["bob.position"], expected["bob.position"], atol=1e-8)


def sleigh(constraint, at):
    m = kt.Model("sleigh")
    body = m.body("sleigh", kt.box(2.0, (0.8, 0.4, 0.1)))
    m.joint("ice", kt.Planar(axis="z"), m.ground, body, speed={"x": 1.0, "angle": 2.0})
    m.constraint("blade", constraint, *at(m, body))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_an_equation_of_velocities_is_a_knife_edge(coordinates):
    blade = sleigh(kt.KnifeEdge(), lambda m, body: (m.ground, body.at(-0.3, 0, 0)))
    user = sleigh(kt.UserConstraint(edge, velocity=True), lambda m, body: (body.at(-0.3, 0, 0),))
    first, second = (
        kt.simulate(m, 2.0, rtol=1e-10, output_interval=0.2, coordinates=coordinates)
        for m in (blade, user)
    )
    for channel in ("sleigh.position", "sleigh.velocity", "blade.force"):
        np.testing.assert_allclose(second[channel], first[channel], atol=1e-7)
    assert kt.assemble(user).mobility == kt.assemble(blade).mobility


def test_a_knife_edge_is_linearized_with_all_its_positions():
    blade = sleigh(kt.KnifeEdge(), lambda m, body: (m.ground, body.at(-0.3, 0, 0)))
    user = sleigh(kt.UserConstraint(edge, velocity=True), lambda m, body: (body.at(-0.3, 0, 0),))
    at = {"ice.x.rate": 1.0}
    first, second = (np.sort_complex(np.linalg.eigvals(kt.linearize(m).A)) for m in (blade, user))
    np.testing.assert_allclose(second, first, atol=1e-6)
    assert at and len(first) == 5  # three positions and two speeds


def test_a_particle_on_a_sphere_has_the_conical_motion():
    height, radius = 0.6, 1.0
    across = math.sqrt(radius**2 - height**2)
    speed = across * math.sqrt(G / height)
    m = kt.Model("bowl")
    p = m.body("p", kt.sphere(0.3, 0.01), position=(across, 0, -height), velocity=(0, speed, 0))
    m.joint("free", kt.SpatialTranslational(), m.ground, p)
    m.constraint("bowl", kt.UserConstraint(sphere, (radius,)), p)
    sol = kt.simulate(m, 3.0, rtol=1e-10)
    angle = speed / across * sol.t
    exact = np.column_stack([across * np.cos(angle), across * np.sin(angle), 0 * angle - height])
    np.testing.assert_allclose(sol["p.position"], exact, atol=1e-7)
    np.testing.assert_allclose(sol["bowl.force"], -0.3 * G * radius / height, rtol=1e-6)


def ellipse(t, a, b, p):
    x, z = b.position[0] - a.position[0], b.position[2] - a.position[2]
    return (x / p[0]) ** 2 + (z / p[1]) ** 2 - 1.0


def test_a_particle_on_an_ellipse_has_its_equation_in_the_eccentric_angle():
    """x = A sin u, z = -B cos u: (A^2 cos^2 u + B^2 sin^2 u) u'' + (B^2 - A^2) sin u cos u u'^2
    + g B sin u = 0, integrated by SciPy.
    """
    A, B, u_0 = 0.8, 0.5, 1.2
    m = kt.Model("track")
    place = (A * math.sin(u_0), 0.0, -B * math.cos(u_0))
    p = m.body("p", kt.sphere(0.3, 0.01), position=place)
    m.joint("plane", kt.PlanarTranslational("x", "z"), m.ground, p, at=place)
    m.constraint("track", kt.UserConstraint(ellipse, (A, B)), m.ground, p)
    sol = kt.simulate(m, 2.0, rtol=1e-10)

    def rate(_, y):
        s, c = math.sin(y[0]), math.cos(y[0])
        force = -G * B * s - (B * B - A * A) * s * c * y[1] ** 2
        return y[1], force / (A * A * c * c + B * B * s * s)

    u = solve_ivp(rate, (0, 2.0), (u_0, 0.0), "DOP853", sol.t, rtol=1e-12, atol=1e-12).y[0]
    np.testing.assert_allclose(sol["p.position.x"], A * np.sin(u), atol=1e-7)
    np.testing.assert_allclose(sol["p.position.z"], -B * np.cos(u), atol=1e-7)


def hooke(t, s, p):
    """A Cardan joint between two shafts at the angle p[0], without its cross."""
    return math.sin(s[1]) * math.cos(s[0]) - math.cos(p[0]) * math.sin(s[0]) * math.cos(s[1])


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_relation_of_two_angles_is_a_cardan_joint(coordinates):
    m = kt.Model("shafts", gravity=(0, 0, 0))
    for name in ("first", "second"):
        body = m.body(name, kt.rotor(inertia=0.1))
        m.joint(name[0].upper(), kt.Revolute(axis="z"), m.ground, body)
    m.constraint("motor", kt.Driver("F.angle", kt.Ramp(2.0)))
    shafts = kt.UserConstraint(hooke, (0.5,), ("F.angle", "S.angle"), angle=True)
    m.constraint("cross", shafts)
    sol = kt.simulate(m, 5.0, rtol=1e-9, coordinates=coordinates)
    exact = np.unwrap(np.arctan2(math.cos(0.5) * np.sin(2.0 * sol.t), np.cos(2.0 * sol.t)))
    np.testing.assert_allclose(sol["S.angle"], exact, atol=1e-9)
    rate = 2.0 * math.cos(0.5) / (1.0 - math.sin(0.5) ** 2 * np.sin(2.0 * sol.t) ** 2)
    np.testing.assert_allclose(sol["S.angle.rate"], rate, atol=1e-8)
    # power of the motor = power into the second shaft
    torque = sol["motor.force"] * 2.0 - 0.1 * sol["second.angular_acceleration"][:, 2] * rate
    np.testing.assert_allclose(torque, 0.0, atol=1e-7)


def test_kinematics_and_inverse_dynamics_take_user_equations():
    m = kt.Model("shafts", gravity=(0, 0, 0))
    for name in ("first", "second"):
        m.joint(name[0].upper(), kt.Revolute(), m.ground, m.body(name, kt.rotor(inertia=0.1)))
    m.constraint("motor", kt.Driver("F.angle", kt.Ramp(2.0)))
    m.constraint("cross", kt.UserConstraint(hooke, (0.5,), ("F.angle", "S.angle")))
    sol = kt.kinematics(m, 1.0)
    exact = np.arctan2(math.cos(0.5) * np.sin(2.0 * sol.t), np.cos(2.0 * sol.t))
    np.testing.assert_allclose(sol["S.angle"], exact, atol=1e-12)
    run = kt.simulate(m, 1.0, rtol=1e-9)
    np.testing.assert_allclose(run["motor.force"], sol["motor.force"], atol=1e-6)


def test_an_equation_that_repeats_another_one_is_redundant():
    m = pendulum(kt.UserConstraint(rod, (LENGTH, 0.0)))
    m.constraint("same", kt.Distance(), *m.constraints["rod"].markers)
    sol = kt.simulate(m, 0.2, rtol=1e-9)
    assert "redundant" in str(kt.assemble(m))
    assert sol.constraint_error.max() < 1e-10


def three_rows(t, a, b, p):
    return (
        b.position[0] - a.position[0],
        b.position[1] - a.position[1],
        b.position[2] - a.position[2],
    )


def belt(t, a, b, p):
    """A belt carries the point along x."""
    return b.velocity[0] - p[0]


def test_an_equation_of_velocities_that_are_not_zero_does_work():
    m = kt.Model("belt", gravity=(0, 0, 0))
    load = m.body("load", kt.sphere(2.0, 0.1))
    m.joint("slide", kt.SpatialTranslational(), m.ground, load, speed={"x": 0.5})
    m.force("drag", kt.SpringDamper(damping=3.0, stiffness=0.0), m.ground.at(-1, 0, 0), load)
    m.constraint("belt", kt.UserConstraint(belt, (0.5,), velocity=True), load)
    sol = kt.simulate(m, 2.0, rtol=1e-9)
    np.testing.assert_allclose(sol["load.position.x"], 0.5 * sol.t, atol=1e-9)
    np.testing.assert_allclose(sol["belt.force"], 3.0 * 0.5, atol=1e-9)
    assert np.abs(sol.energy.imbalance).max() < 1e-8
    assert sol.energy.work[-1] == pytest.approx(0.0, abs=1e-8)  # in by the belt, out by the damper


def test_three_rows_are_a_ball_joint():
    def model(joint):
        m = kt.Model("ball")
        body = m.body("b", kt.box(1.0, (0.3, 0.2, 0.1)), position=(0.2, 0, 0))
        if joint:
            m.joint("J", kt.Spherical(), m.ground, body.at(-0.2, 0, 0))
        else:
            m.float(body)
            pin = kt.UserConstraint(three_rows, rows=3)
            m.constraint("J", pin, m.ground.at(0, 0, 0), body.at(-0.2, 0, 0))
        return m

    first, second = (kt.simulate(model(j), 0.5, rtol=1e-10) for j in (True, False))
    np.testing.assert_allclose(second["b.position"], first["b.position"], atol=1e-8)
    forces = np.column_stack([second[f"J.force{k}"] for k in (1, 2, 3)])
    np.testing.assert_allclose(forces, first["J.force"], atol=1e-6)


# --- what is refused


def squared(t, a, b, p):
    return b.velocity[0] ** 2


def polygon(t, a, b, p):
    return abs(b.position[0] - a.position[0] - 0.62)


def reads_velocity(t, a, b, p):
    return b.velocity[0]


def raises(t, a, b, p):
    if t > 0.1:
        raise ValueError("out of range")
    return rod(t, a, b, p)


def refused(match, constraint):
    with pytest.raises(kt.ModelError, match=match):
        kt.simulate(pendulum(constraint), 0.1)


def test_what_cannot_be_a_constraint_is_refused_in_a_sentence():
    refused("is not linear in the velocities", kt.UserConstraint(squared, velocity=True))
    refused("reads 'velocity', .* velocity=True", kt.UserConstraint(reads_velocity))
    refused("does not return 1 value; .* rows=", kt.UserConstraint(three_rows))
    m = kt.Model("m")
    m.float(m.body("b", kt.sphere(1.0, 0.1)))
    m.constraint("c", kt.UserConstraint(rod))
    with pytest.raises(kt.ModelError, match="needs one or two markers, or coordinates="):
        kt.simulate(m, 0.1)
    with pytest.raises(kt.ModelError, match="rows must"):
        kt.UserConstraint(rod, rows=0)
    with pytest.raises(kt.ModelError, match="must be callable"):
        kt.UserConstraint(3.0)


def test_a_function_with_a_kink_in_the_drawn_position_is_warned_of():
    with pytest.warns(NotSmooth, match="differ from differences"), warnings.catch_warnings():
        kt.assemble(pendulum(kt.UserConstraint(polygon, (LENGTH,))))


def test_an_exception_of_the_function_ends_the_run_with_its_text():
    model = pendulum(kt.UserConstraint(raises, (LENGTH, 0.0)))
    with pytest.raises(kt.SimulationError, match="user code of 'rod' raised ValueError: out of ra"):
        kt.simulate(model, 0.3)
