"""Drag in the air against closed forms: a fall to terminal speed, a puff of wind, a rod stopped in
its turn.
"""

import numpy as np
import pytest

import kinetree as kt

RTOL = 1e-10
CLOSE = 1e-7  # local error 1e-10 over some hundred steps


def run(model, until, **options):
    return kt.simulate(
        model, until, rtol=RTOL, output_interval=until / 50, progress=False, **options
    )


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_fall_ends_at_the_terminal_speed(coordinates):
    """v = -u tanh(g t / u),  u^2 = 2 m g / (rho cd A)."""
    mass, cd, area, density = 0.45, 0.47, 0.038, 1.2
    m = kt.Model("fall")
    ball = m.body("ball", kt.sphere(mass, 0.11))
    m.float(ball)
    m.force("air", kt.Drag(cd, area, density=density), ball)
    sol = run(m, 5.0, coordinates=coordinates)
    end = np.sqrt(2 * mass * 9.81 / (density * cd * area))
    np.testing.assert_allclose(
        sol["ball.velocity.z"], -end * np.tanh(9.81 * sol.t / end), atol=CLOSE
    )
    np.testing.assert_allclose(
        sol["air.force.z"], 0.5 * density * cd * area * sol["ball.velocity.z"] ** 2, rtol=1e-12
    )
    assert (sol["air.power"] <= 0.0).all()  # still air never pushes


def test_wind_carries_along_what_is_free():
    """u' = -k u^2 for the speed u against the wind:  u = u0 / (1 + k u0 t)."""
    wind, mass = np.array([3.0, -4.0, 0.0]), 2.0
    m = kt.Model("kite", gravity=(0, 0, 0))
    ball = m.body("ball", kt.sphere(mass, 0.2))
    m.float(ball)
    m.force("air", kt.Drag(1.1, 0.5, wind=tuple(wind)), ball)
    sol = run(m, 2.0)
    k = 0.5 * 1.225 * 1.1 * 0.5 / mass
    behind = 1.0 / (1.0 + 5.0 * k * sol.t)  # of the wind's 5 m/s
    np.testing.assert_allclose(sol["ball.velocity"], (1.0 - behind)[:, None] * wind, atol=CLOSE)
    assert (sol["air.power"][1:] > 0.0).all()  # wind does


def test_at_the_end_of_an_arm_it_brakes_the_turn():
    """I w' = -c r^3 w^2:  w = w0 / (1 + c r^3 w0 t / I)."""
    reach, rate, cd, area = 0.8, 20.0, 2.0, 0.05
    m = kt.Model("vane", gravity=(0, 0, 0))
    arm = m.body("arm", kt.mass(1.0, np.diag([0.01, 0.1, 0.1])))
    m.joint("hub", kt.Revolute(axis="z"), m.ground, arm, speed={"angle": rate})
    m.force("vane", kt.Drag(cd, area), arm.at(reach, 0, 0))
    sol = run(m, 1.0)
    c = 0.5 * 1.225 * cd * area
    np.testing.assert_allclose(
        sol["hub.angle.rate"], rate / (1.0 + c * reach**3 * rate * sol.t / 0.1), atol=CLOSE
    )


@pytest.mark.parametrize(
    "wrong",
    [{"coefficient": -1.0}, {"area": float("nan")}, {"density": "air"}, {"wind": (1.0, 2.0)}],
)
def test_numbers_that_cannot_be_are_refused_by_name(wrong):
    with pytest.raises(kt.ModelError, match=f"Drag: {next(iter(wrong))}"):
        kt.Drag(**{"coefficient": 1.0, "area": 1.0, **wrong})
