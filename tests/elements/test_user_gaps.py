"""Gap functions of user code: contacts that no integrator steps over.

The glancing shots of benchmarks/glancing.py, in a small sample; springs and gravity that accelerate
a body towards a thin wall; a controller as contact law; warnings.
"""

import importlib.util
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
from kinetree.simulation.switches import SwitchedInside

ADAPTIVE = ("adams", "dopri5", "dop853", "bdf", "switching")
PATH = Path(__file__).parents[2] / "benchmarks" / "glancing.py"
_spec = importlib.util.spec_from_file_location("glancing", PATH)
glancing = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(glancing)


@pytest.mark.parametrize("rtol", [1e-3, 1e-7])
@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("law", ["contact", "user"])
def test_no_glancing_shot_is_missed(law, integrator, rtol):
    lost, failed, steps = glancing.missed(law, integrator, rtol, range(300, 303))
    assert (lost, failed) == (0, 0)
    assert steps < 3 * 1500  # and the long flight before costs little


def test_a_shot_along_the_line_of_centers_passes_on_all_speed():
    """Equal balls; the offset changes the result by its square."""
    speed = 3.0
    m = kt.Model("shot", gravity=(0, 0, 0))
    a = m.body("a", kt.sphere(1.0, 0.05))
    b = m.body("b", kt.sphere(1.0, 0.05), position=(-30.0, 0, 0), velocity=(speed, 0, 0))
    m.float(a)
    m.float(b)
    m.force("touch", kt.UserForce(glancing.hertz, (0.1, 1e7), gap=glancing.distance), a, b)
    sol = kt.simulate(m, 12.0, rtol=1e-8)
    np.testing.assert_allclose(sol["a.velocity.x"][-1], speed, rtol=1e-6)
    np.testing.assert_allclose(sol["b.velocity.x"][-1], 0.0, atol=1e-5)


def wall(t, a, b, p, force, torque):
    if b.position[0] > p[0]:
        force[0] = -p[1] * (b.position[0] - p[0])


def to_wall(t, a, b, p):
    return p[0] - b.position[0]


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_a_body_that_a_spring_accelerates_does_not_pass_a_stiff_wall(integrator):
    """At the start the gap does not change and gravity is across: only the spring moves the body."""
    stiffness, k, mass, place = 4.0, 1e10, 1.0, 0.9
    m = kt.Model("wall", gravity=(0, 0, 0))
    body = m.body("b", kt.sphere(mass, 0.05))
    m.joint("s", kt.Translational("x"), m.ground, body, start={"displacement": -1.0})
    spring = kt.SpringDamper(stiffness=stiffness, length=0.0)
    m.force("spring", spring, m.ground.at(0, 0, 0), body)
    m.force("wall", kt.UserForce(wall, (place, k), gap=to_wall), body)
    sol = kt.simulate(m, 12.0, integrator=integrator, rtol=1e-4, max_steps=200_000)
    assert sol["s.displacement"].max() < place + 1e-4
    first = math.acos(-place) / math.sqrt(stiffness / mass)  # time of the first touch
    assert sol.t[np.argmax(sol["s.displacement"] > place - 0.02)] == pytest.approx(first, abs=0.05)


def stop(t, u, x, p, xdot, out):
    if u[0] > p[0]:
        out[0] = -p[1] * (u[0] - p[0])


def to_stop(t, u, x, p):
    return p[0] - u[0]


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_a_controller_with_a_gap_bounces_a_body_after_a_long_flight(integrator):
    m = kt.Model("stop", gravity=(0, 0, 0))
    body = m.body("b", kt.sphere(1.0, 0.05))
    m.joint("s", kt.Translational("x"), m.ground, body, speed={"displacement": 2.0})
    law = kt.Controller(stop, ["s.displacement"], {}, ["f"], (50.0, 1e7), gap=to_stop)
    m.controller("c", law)
    m.force("f", kt.TorsionSpring("s.displacement", torque="c.f"))
    sol = kt.simulate(m, 60.0, integrator=integrator, rtol=1e-6)
    assert sol["s.displacement.rate"][-1] == pytest.approx(-2.0, abs=1e-3)
    assert sol["s.displacement"].max() < 50.01
    assert sol.steps.steps.sum() < 2000  # the contact lasts for 1 ms of 60 s


def test_a_gap_that_fails_is_reported_with_its_element():
    def wrong(t, a, b, p):
        return math.sqrt(-1.0 - b.position[0] ** 2)

    m = kt.Model("m")
    body = m.body("b", kt.sphere(1.0, 0.05))
    m.float(body)
    m.force("wall", kt.UserForce(wall, (1.0, 1.0), gap=wrong), body)
    with pytest.raises(kt.SimulationError, match="'wall'"):
        kt.simulate(m, 0.1)


def box(t, a, b, p, force, torque):
    if 0.3101 < t < 0.3108:
        force[0] = 1.0


def test_a_switch_inside_a_step_is_warned_of_unless_a_gap_is_declared():
    def model(**more):
        m = kt.Model("m", gravity=(0, 0, 0))
        body = m.body("b", kt.sphere(1.0, 0.05))
        m.float(body)
        m.force("f", kt.UserForce(box, **more), body)
        return m

    with pytest.warns(SwitchedInside, match=r"shorter than .* s may have been missed"):
        kt.simulate(model(), 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kt.simulate(model(breakpoints=(0.3101, 0.3108), longest_step=0.01), 1.0)
