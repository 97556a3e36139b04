"""Machines with a written solution: double pendulum, gear trains, rack and pinion, driven
slider-crank, four-bar.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kinetree as kt
from support.physics import energy
from support.results import coordinate, positions, speed, states

CLOSE = 1e-8
both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def run(model, until, rtol=1e-11, **options):
    return kt.simulate(
        model, until, rtol=rtol, output_interval=until / 40, progress=False, **options
    )


def double_pendulum(t, y, m=(1.0, 0.6), l=(0.8, 0.5), g=9.81):
    """Two uniform rods, absolute angles from the vertical; Lagrange's equations by hand."""
    a, I = [0.5 * x for x in l], [mk * lk * lk / 12 for mk, lk in zip(m, l)]
    c, s = np.cos(y[0] - y[1]), np.sin(y[0] - y[1])
    k = m[1] * l[0] * a[1]
    M = np.array(
        [[I[0] + m[0] * a[0] ** 2 + m[1] * l[0] ** 2, k * c], [k * c, I[1] + m[1] * a[1] ** 2]]
    )
    f = [
        -k * s * y[3] ** 2 - (m[0] * a[0] + m[1] * l[0]) * g * np.sin(y[0]),
        k * s * y[2] ** 2 - m[1] * a[1] * g * np.sin(y[1]),
    ]
    return [y[2], y[3], *np.linalg.solve(M, f)]


@both
def test_a_double_pendulum_follows_lagranges_equations(coordinates):
    model = kt.Model("double pendulum")
    upper = model.body("upper", kt.rod(1.0, 0.8, along="z", axial=1e-3))
    lower = model.body("lower", kt.rod(0.6, 0.5, along="z", axial=1e-3))
    model.joint(
        "A",
        kt.Revolute(axis="y"),
        model.ground,
        upper.end("+"),
        start={"angle": 1.2},
        speed={"angle": 0.5},
    )
    model.joint(
        "B",
        kt.Revolute(axis="y"),
        upper.end("-"),
        lower.end("+"),
        start={"angle": -0.7},
        speed={"angle": 2.0},
    )
    sol = run(model, 2.0, coordinates=coordinates)
    exact = solve_ivp(
        double_pendulum, (0, 2.0), [1.2, 0.5, 0.5, 2.5], "DOP853", sol.t, rtol=1e-12, atol=1e-13
    )
    np.testing.assert_allclose(coordinate(sol, "A.angle"), exact.y[0], atol=10 * CLOSE)
    np.testing.assert_allclose(coordinate(sol, "B.angle"), exact.y[1] - exact.y[0], atol=10 * CLOSE)


@both
def test_a_gear_train_turns_as_its_reduced_inertia_says(coordinates):
    """Three wheels in a row: J = sum I_k n_k^2, n_k = w_k / w_1; a torque on the first wheel."""
    model, teeth, inertias = kt.Model("train", gravity=(0, 0, 0)), (20, 50, 15), (0.01, 0.3, 0.02)
    for k, I in enumerate(inertias):
        wheel = model.body(f"wheel{k}", kt.mass(1.0, (I, I, I)))
        model.joint(f"axle{k}", kt.Revolute(axis="z"), model.ground.at(k, 0, 0), wheel)
    model.constraint("mesh01", kt.Gear("axle1.angle", "axle0.angle", teeth=(teeth[1], teeth[0])))
    model.constraint("mesh12", kt.Gear("axle2.angle", "axle1.angle", teeth=(teeth[2], teeth[1])))
    model.force("motor", kt.TorsionSpring("axle0.angle", torque=2.0))
    sol = run(model, 2.0, coordinates=coordinates)
    n = [1.0, -20 / 50, 20 / 15]
    angle = 0.5 * 2.0 / sum(I * r * r for I, r in zip(inertias, n)) * sol.t**2
    for k in range(3):
        np.testing.assert_allclose(coordinate(sol, f"axle{k}.angle"), n[k] * angle, atol=1e-7)


@both
def test_a_rack_that_falls_on_its_pinion(coordinates):
    """(m + I / r^2) x'' = -m g."""
    m, I, r = 3.0, 0.02, 0.15
    model = kt.Model("rack")
    rack, pinion = (
        model.body("rack", kt.box(m, (0.1, 0.1, 1.0))),
        model.body("pinion", kt.mass(1.0, (I, I, I))),
    )
    model.joint("slide", kt.Translational(axis="z"), model.ground, rack)
    model.joint("axle", kt.Revolute(axis="y"), model.ground.at(r, 0, 0), pinion)
    model.constraint("mesh", kt.RackAndPinion("slide.displacement", "axle.angle", radius=r))
    sol = run(model, 1.5, coordinates=coordinates)
    x = -0.5 * m * 9.81 / (m + I / r**2) * sol.t**2
    np.testing.assert_allclose(coordinate(sol, "slide.displacement"), x, atol=CLOSE)
    np.testing.assert_allclose(coordinate(sol, "axle.angle"), x / r, atol=10 * CLOSE)


def slider_crank(driver=None) -> kt.Model:
    model = kt.Model("slider-crank", gravity=(0, -9.81, 0))
    crank = model.body("crank", kt.rod(0.5, 0.3, along="x", axial=1e-3))
    rod = model.body("rod", kt.rod(1.0, 0.9, along="x", axial=1e-3))
    slider = model.body("slider", kt.box(2.0, (0.1, 0.1, 0.1)))
    model.joint("A", kt.Revolute(axis="z"), model.ground, crank.end("-"), start={"angle": 0.4})
    model.joint(
        "B",
        kt.Revolute(axis="z"),
        crank.end("+"),
        rod.end("-"),
        start={"angle": -0.4 - np.arcsin(0.3 * np.sin(0.4) / 0.9)},
    )
    model.joint("C", kt.Revolute(axis="z"), rod.end("+"), slider)
    model.joint("D", kt.Translational(axis="x"), model.ground, slider)
    if driver is not None:
        model.constraint("drive", kt.Driver("A.angle", driver))
    return model


@both
@pytest.mark.parametrize(
    "driver, angle",
    [
        (kt.Ramp(6.0, start=0.4), lambda t: 0.4 + 6.0 * t),
        (kt.Sine(0.8, 0.7, offset=0.4), lambda t: 0.4 + 0.8 * np.sin(2 * np.pi * 0.7 * t)),
    ],
    ids=["steady", "swinging"],
)
def test_a_driven_slider_crank_follows_its_geometry(coordinates, driver, angle):
    """x = r cos a + sqrt(l^2 - r^2 sin^2 a) and its rate; the motion is prescribed, so only
    rounding remains.
    """
    sol = run(slider_crank(driver), 2.0, rtol=1e-9, coordinates=coordinates)
    r, l, a = 0.3, 0.9, angle(sol.t)
    x = r * np.cos(a) + np.sqrt(l * l - (r * np.sin(a)) ** 2)
    np.testing.assert_allclose(positions(sol, "slider")[:, 0], x, atol=1e-11)
    np.testing.assert_allclose(positions(sol, "slider")[:, 1:], 0.0, atol=1e-11)
    np.testing.assert_allclose(coordinate(sol, "A.angle"), a, atol=1e-11)
    h = 1e-6
    rate = (angle(sol.t + h) - angle(sol.t - h)) / (2 * h)
    xdot = -r * np.sin(a) * rate - r * r * np.sin(a) * np.cos(a) * rate / np.sqrt(
        l * l - (r * np.sin(a)) ** 2
    )
    found = np.array([s.twist("slider")[3] for s in states(sol)])
    np.testing.assert_allclose(found, xdot, atol=1e-8)  # difference quotient of the angle


@both
def test_the_torque_of_a_driver_does_the_work_of_the_machine(coordinates):
    """Power of the driver = rate of the energy: the multiplier of a driver is minus its torque."""
    sol = run(slider_crank(kt.Sine(0.8, 0.7, offset=0.4)), 1.0, rtol=1e-10, coordinates=coordinates)
    row = sol.assembly.compiled.row_owner.index("drive")
    power = -sol.lam[:, row] * 0.8 * 2 * np.pi * 0.7 * np.cos(2 * np.pi * 0.7 * sol.t)
    found, h = states(sol), 1e-6
    for k, state in enumerate(found):
        before, after = (
            state.moved(
                s * h * state.v + 0.5 * h * h * sol.vdot[k], v=state.v + s * h * sol.vdot[k]
            )
            for s in (-1, 1)
        )
        assert (energy(after) - energy(before)) / (2 * h) == pytest.approx(power[k], abs=1e-6)


@both
def test_a_free_slider_crank_keeps_its_energy(coordinates):
    sol = run(slider_crank(), 2.0, coordinates=coordinates)
    found = [energy(s) for s in states(sol)]
    np.testing.assert_allclose(found, found[0], atol=1e-8)
    assert np.ptp(coordinate(sol, "A.angle")) > 1.0


def test_relative_and_cartesian_coordinates_give_one_motion():
    sols = [run(slider_crank(), 2.0, coordinates=c) for c in ("relative", "cartesian")]
    np.testing.assert_allclose(*(positions(sol, "slider") for sol in sols), atol=10 * CLOSE)
    np.testing.assert_allclose(*(positions(sol, "rod") for sol in sols), atol=10 * CLOSE)


def test_a_pendulum_by_its_rate_is_the_pendulum_by_its_angle():
    """The speed channel is the derivative of the angle."""
    model = kt.Model("pendulum")
    model.joint(
        "A",
        kt.Revolute(axis="y"),
        model.ground,
        model.body("rod", kt.rod(1.0, 1.0, axial=1e-3)).end("-"),
    )
    sol = kt.simulate(model, 1.0, rtol=1e-11, output_interval=1e-3, progress=False)
    slope = np.gradient(coordinate(sol, "A.angle"), sol.t, edge_order=2)
    np.testing.assert_allclose(
        speed(sol, "A.angle")[1:-1], slope[1:-1], atol=2e-5
    )  # h^2 / 6, third derivative 80
