"""Motions of one body whose solution is written down: pendulum, tops, projectile, oscillators,
screw.
"""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import kinetree as kt
from support.results import coordinate, positions, states

RTOL = 1e-11
CLOSE = 1e-8  # local error 1e-11 over some thousand steps
both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def run(model, until, **options):
    return kt.simulate(
        model, until, rtol=RTOL, output_interval=until / 50, progress=False, **options
    )


def pendulum(angle: float, rate: float = 0.0) -> tuple[kt.Model, float]:
    """A rod hung at one end; `angle` counts from hanging down.  Returns the model and w0 = sqrt(m g
    d / I).
    """
    model = kt.Model("pendulum")
    rod = model.body("rod", kt.rod(mass=2.0, length=1.5, along="x", axial=1e-3))
    model.joint(
        "A",
        kt.Revolute(axis="y"),
        model.ground.at(0.3, 0.2, 0.1),
        rod.end("-"),
        start={"angle": np.pi / 2 + angle},
        speed={"angle": rate},
    )
    return model, np.sqrt(1.5 * 9.81 / 1.5)  # m g (l / 2) / (m l^2 / 3)


@both
def test_a_swinging_pendulum_follows_elliptic_functions(coordinates):
    """sin(phi / 2) = k sn(w0 t + K, k), k = sin(phi0 / 2)  [Whittaker, Analytical Dynamics, art.
    44].
    """
    amplitude = 2.5
    model, w0 = pendulum(amplitude)
    sol = run(model, 5.0, coordinates=coordinates)
    k = np.sin(amplitude / 2)
    expected = 2 * np.arcsin(k * ellipj(w0 * sol.t + ellipk(k * k), k * k)[0])
    np.testing.assert_allclose(coordinate(sol, "A.angle") - np.pi / 2, expected, atol=CLOSE)


@both
def test_a_pendulum_that_goes_over_the_top_counts_its_turns(coordinates):
    """phi = 2 am(W t / 2, m = (2 w0 / W)^2) for a start at the bottom with rate W > 2 w0."""
    rate = 8.0
    model, w0 = pendulum(0.0, rate)
    sol = run(model, 5.0, coordinates=coordinates)
    expected = 2 * ellipj(0.5 * rate * sol.t, (2 * w0 / rate) ** 2)[3]
    assert expected[-1] > 4 * np.pi
    np.testing.assert_allclose(coordinate(sol, "A.angle") - np.pi / 2, expected, atol=10 * CLOSE)


def top(inertia, spin) -> kt.Model:
    model = kt.Model("top", gravity=(0, 0, 0))
    body = model.body("top", kt.mass(3.0, inertia))
    model.float(body, speed=dict(zip(("wx", "wy", "wz"), spin)))
    return model


@both
def test_a_symmetric_top_without_torque_precesses_steadily(coordinates):
    """w1 + i w2 turns at (C - A) / A w3 in the body; the axis turns about L at |L| / A  [Goldstein,
    sec. 5.6].
    """
    A, C, spin = 0.4, 0.7, np.array([0.8, 0.0, 5.0])
    sol = run(top((A, A, C), spin), 3.0, coordinates=coordinates)
    rate = (C - A) / A * spin[2]
    found = states(sol)
    w = np.array([s.pose("top").R.T @ s.twist("top")[:3] for s in found])
    angle = rate * sol.t
    expected = np.column_stack(
        [spin[0] * np.cos(angle), spin[0] * np.sin(angle), np.full(len(angle), spin[2])]
    )
    np.testing.assert_allclose(w, expected, atol=10 * CLOSE)
    L = np.array([A, A, C]) * spin
    n, angle = L / np.linalg.norm(L), np.linalg.norm(L) / A * sol.t
    axis = np.array([0.0, 0.0, 1.0])
    along = n * (n @ axis)
    around = (
        np.outer(np.cos(angle), axis - along) + np.outer(np.sin(angle), np.cross(n, axis)) + along
    )
    np.testing.assert_allclose([s.pose("top").R[:, 2] for s in found], around, atol=10 * CLOSE)


def test_a_top_of_three_inertias_follows_elliptic_functions():
    """w = (a cn, b sn, c dn)(p t) for I1 < I2 < I3 started at w2 = 0  [Landau & Lifshitz,
    Mechanics, sec. 37].
    """
    I, w0 = np.array([0.5, 0.8, 1.1]), np.array([1.0, 0.0, 3.0])
    energy, L2 = (
        I @ w0**2,
        (I * w0) @ (I * w0),
    )  # twice the energy, square of the momentum; L2 > energy * I2 here
    p = np.sqrt((I[2] - I[1]) * (L2 - energy * I[0]) / I.prod())
    m = (I[1] - I[0]) * (energy * I[2] - L2) / ((I[2] - I[1]) * (L2 - energy * I[0]))
    b = np.sqrt((energy * I[2] - L2) / (I[1] * (I[2] - I[1])))
    sol = run(top(tuple(I), w0), 6.0)
    sn, cn, dn, _ = ellipj(p * sol.t, m)
    assert L2 > energy * I[1]
    w = [s.pose("top").R.T @ s.twist("top")[:3] for s in states(sol)]
    np.testing.assert_allclose(
        w, np.column_stack([w0[0] * cn, b * sn, w0[2] * dn]), atol=10 * CLOSE
    )


@both
def test_a_thrown_ball_flies_a_parabola(coordinates):
    model = kt.Model("throw", gravity=(0.5, 0, -9.81))
    model.body(
        "ball",
        kt.sphere(0.4, 0.1),
        position=(1, 2, 3),
        velocity=(4, -1, 6),
        angular_velocity=(1, 2, 3),
    )
    model.float("ball")
    sol = run(model, 2.0, coordinates=coordinates)
    expected = (
        np.array([1, 2, 3])
        + np.outer(sol.t, [4, -1, 6])
        + 0.5 * np.outer(sol.t**2, [0.5, 0, -9.81])
    )
    np.testing.assert_allclose(positions(sol, "ball"), expected, atol=CLOSE)
    np.testing.assert_allclose(
        [s.twist("ball")[:3] for s in states(sol)], np.tile([1, 2, 3], (51, 1)), atol=CLOSE
    )


def test_the_mass_centre_of_a_tumbling_body_falls_freely():
    """Origin far from the centre of mass, three inertias: the centre knows nothing of the tumbling."""
    model = kt.Model("tumble")
    com = np.array([0.4, -0.3, 0.2])
    body = model.body(
        "stone", kt.mass(2.0, (0.3, 0.5, 0.6), com), velocity=(0, 0, 0), angular_velocity=(3, -2, 4)
    )
    model.float(body)
    sol = run(model, 2.0)
    centre = np.array([s.pose("stone").p + s.pose("stone").R @ com for s in states(sol)])
    start = np.cross((3, -2, 4), com)
    expected = com + np.outer(sol.t, start) + 0.5 * np.outer(sol.t**2, (0, 0, -9.81))
    np.testing.assert_allclose(centre, expected, atol=CLOSE)


@both
def test_a_damped_oscillator_decays_as_it_should(coordinates):
    """x = e^(-d t) (x0 cos w t + (v0 + d x0) / w sin w t), d = c / 2m, w^2 = k / m - d^2."""
    m, c, k, x0, v0 = 2.0, 1.2, 80.0, 0.2, -0.5
    model = kt.Model("oscillator", gravity=(0, 0, 0))
    block = model.body("block", kt.box(m, (0.1, 0.2, 0.3)))
    model.joint(
        "slide",
        kt.Translational(axis="x"),
        model.ground.at(1, 0, 0),
        block,
        start={"displacement": x0},
        speed={"displacement": v0},
    )
    model.force("spring", kt.SpringDamper(stiffness=k, damping=c, length=1.0), model.ground, block)
    sol = run(model, 6.0, coordinates=coordinates)
    d = c / (2 * m)
    w = np.sqrt(k / m - d * d)
    expected = np.exp(-d * sol.t) * (x0 * np.cos(w * sol.t) + (v0 + d * x0) / w * np.sin(w * sol.t))
    np.testing.assert_allclose(positions(sol, "block")[:, 0] - 1.0, expected, atol=CLOSE)


def test_a_torsion_spring_driven_by_a_sine_answers_with_its_transfer_function():
    """J phi'' + k phi = a sin(W t): from rest, phi = a / (k - J W^2) (sin W t - W / w sin w t)."""
    J, k, a, W = 0.4 * 2.0 * 0.3**2, 5.0, 0.7, 2 * np.pi * 0.8
    model = kt.Model("torsion", gravity=(0, 0, 0))
    model.joint(
        "A", kt.Revolute(axis=(1, 2, 3)), model.ground, model.body("ball", kt.sphere(2.0, 0.3))
    )
    model.force("bar", kt.TorsionSpring("A.angle", stiffness=k, torque=kt.Sine(a, 0.8)))
    sol = run(model, 4.0)
    w = np.sqrt(k / J)
    expected = a / (k - J * W * W) * (np.sin(W * sol.t) - W / w * np.sin(w * sol.t))
    np.testing.assert_allclose(coordinate(sol, "A.angle"), expected, atol=CLOSE)


@both
def test_a_nut_on_a_vertical_screw_accelerates_steadily(coordinates):
    """(I + m h^2) phi'' = -m g h, h = pitch / 2 pi."""
    model = kt.Model("screw")
    nut = model.body("nut", kt.cylinder(1.5, 0.2, 0.1, along="z"))
    model.joint("S", kt.Screw(axis="z", pitch=0.25), model.ground, nut)
    sol = run(model, 3.0, coordinates=coordinates)
    h = 0.25 / (2 * np.pi)
    angle = -0.5 * 1.5 * 9.81 * h / (0.5 * 1.5 * 0.04 + 1.5 * h * h) * sol.t**2
    assert abs(angle[-1]) > 4 * np.pi  # several turns, so that a cut screw must count them
    np.testing.assert_allclose(coordinate(sol, "S.angle"), angle, atol=100 * CLOSE)
    np.testing.assert_allclose(positions(sol, "nut")[:, 2], h * angle, atol=100 * CLOSE)


def test_a_conical_pendulum_goes_round_in_a_circle():
    """A ball on a massless rod: w^2 = g / (l cos a)."""
    length, a = 1.2, 0.6
    w = np.sqrt(9.81 / (length * np.cos(a)))
    r, z = length * np.sin(a), -length * np.cos(a)
    model = kt.Model("conical")
    model.body("ball", kt.sphere(0.7, 0.05), position=(r, 0, z), velocity=(0, r * w, 0))
    model.float("ball")
    model.constraint("rod", kt.Distance(length), model.ground, model.bodies["ball"])
    sol = run(model, 5.0)
    expected = np.column_stack(
        [r * np.cos(w * sol.t), r * np.sin(w * sol.t), np.full(len(sol.t), z)]
    )
    np.testing.assert_allclose(positions(sol, "ball"), expected, atol=10 * CLOSE)
    pull = 0.7 * (
        9.81 * np.cos(a) + w * w * r * np.sin(a)
    )  # the multiplier of a distance is the force in the rod
    np.testing.assert_allclose(sol.lam[:, 0], pull, rtol=1e-7)
