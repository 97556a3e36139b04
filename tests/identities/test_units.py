"""Results do not depend on the units of length, time and mass.

Covered: loops, beams, events, static equilibrium, modes.
"""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from support.units import OTHERS, SI, assert_same_in_all_units


def four_bar(u, start=True):
    m = kt.Model("four-bar", gravity=(0, 0, -u.g))
    crank, coupler, rocker = (
        m.body(name, kt.rod(a * u.M, b * u.L, along="x"))
        for name, a, b in (("crank", 0.5, 0.5), ("coupler", 1.0, 1.2), ("rocker", 0.75, 0.75))
    )
    m.joint(
        "A",
        kt.Revolute("y"),
        m.ground,
        crank.end("-"),
        **({"start": {"angle": -1.2}} if start else {}),
    )
    m.joint("B", kt.Revolute("y"), crank.end("+"), coupler.end("-"))
    m.joint("C", kt.Revolute("y"), coupler.end("+"), rocker.end("+"))
    m.joint("D", kt.Revolute("y"), m.ground.at(1.1 * u.L, 0, 0), rocker.end("-"))
    m.force(
        "spring",
        kt.SpringDamper(20 * u.F / u.L, 0.5 * u.F * u.T / u.L, length=0.8 * u.L),
        m.ground.at(0.5 * u.L, 0, 0),
        coupler,
    )
    return m


def spatial(u):
    """A crank turns in x-z, a rocker in y-z, a rod with two balls between them."""
    m = kt.Model("rssr", gravity=(0, 0, -u.g))
    crank = m.body("crank", kt.rod(1.0 * u.M, 0.2 * u.L, along="z", axial=1e-3 * u.M * u.L**2))
    rod = m.body("rod", kt.rod(0.5 * u.M, 1.2 * u.L, along="x", axial=1e-3 * u.M * u.L**2))
    rocker = m.body("rocker", kt.rod(1.0 * u.M, 0.8 * u.L, along="z", axial=1e-3 * u.M * u.L**2))
    m.joint(
        "A",
        kt.Revolute("y"),
        m.ground,
        crank.end("-"),
        start={"angle": 0.5},
        speed={"angle": 3.0 / u.T},
    )
    m.joint("B", kt.Spherical(), crank.end("+"), rod.end("-"))
    m.joint("C", kt.Universal("y", "z"), rod.end("+"), rocker.end("+"))
    m.joint("D", kt.Revolute("x"), m.ground.at(1.0 * u.L, 0.4 * u.L, 0), rocker.end("-"))
    return m


def beam(u, gravity=1.0, slender=50.0):
    m = kt.Model("beam", gravity=(0, 0, -gravity * u.g))
    section = kt.Section.circle(radius=u.L / slender, E=2e8 * u.stress, density=7800 * u.M / u.L**3)
    b = m.beam("b", [(0, 0, 0), (u.L, 0, 0)], section, elements=4)
    m.joint("c", kt.Fixed(), m.ground, b.end("-"))
    m.force("p", kt.PointForce((0, 0.3 * u.F, -0.5 * u.F)), b.end("+"))
    return m


def ball(u):
    m = kt.Model("ball", gravity=(0, 0, -u.g))
    m.joint(
        "s",
        kt.Translational("z"),
        m.ground,
        m.body("b", kt.sphere(u.M, 0.1 * u.L)),
        start={"displacement": u.L},
    )
    return m


def pushed(t, u, x, p, xdot, out):
    xdot[0] = p[0] * (p[1] - u[0])
    out[0] = p[2] * (p[1] - u[0]) + p[3] * x[0]


def controlled(u):
    m = ball(u)
    p = (1.0 / u.T / u.L, 0.5 * u.L, 30.0 * u.F / u.L, 10.0 * u.F)
    m.controller("c", kt.Controller(pushed, ("s.displacement",), {"e": 0.0}, ("f",), p))
    m.force("f", kt.TorsionSpring("s.displacement", torque="c.f"))
    return m


def of_four_bar(u):
    sol = kt.simulate(four_bar(u), 2.0 * u.T)
    return [
        *sol["A.angle"][::50],
        *(sol["A.rate"][::50] * u.T),
        *(sol["rocker.position"][-1] / u.L),
    ]


def of_four_bar_cartesian(u):
    sol = kt.simulate(four_bar(u), 2.0 * u.T, coordinates="cartesian", integrator="dopri5")
    return [*sol["A.angle"][::50], *(sol["coupler.velocity"][-1] / u.L * u.T)]


def of_spatial(u):
    sol = kt.simulate(spatial(u), 1.0 * u.T, integrator="bdf")
    return [*sol["A.angle"][::50], *sol["D.angle"][::50]]


def of_overdetermined(u):
    sol = kt.simulate(spatial(u), 1.0 * u.T, formulation="overdetermined", coordinates="cartesian")
    return [*sol["A.angle"][::50], *sol["D.angle"][::50]]


def of_beam_with_chosen_steps(u):
    sol = kt.simulate(beam(u), 0.1 * u.T, integrator="generalized-alpha", rtol=1e-4)
    return sol["b.4.position"][-1] / u.L


def of_impact(u):
    """A four-bar that falls onto a floor under its coupler, with restitution 0.6."""
    hit = kt.Event(
        "coupler.position.z",
        level=0.3 * u.L,
        direction=-1,
        name="hit",
        then=lambda t, s: {"coupler.velocity.z": -0.6 * s["coupler.velocity.z"]},
    )
    sol = kt.simulate(four_bar(u), 2.0 * u.T, events=hit, coordinates="cartesian")
    assert len(sol.events["hit"].t) >= 2
    return [*(sol.events["hit"].t / u.T)[:2], *sol["A.angle"][::50]]


def of_deflect(u):
    shape = kt.deflect(beam(u))
    return shape["b.4.position"] / u.L


def of_beam_run(u):
    sol = kt.simulate(beam(u), 0.1 * u.T, integrator="energy-conserving", step=0.005 * u.T)
    return [*(sol["b.4.position"][-1] / u.L), *(sol["b.4.velocity"][-1] / u.L * u.T)]


def of_ball(u):
    sol = kt.simulate(
        ball(u),
        2.0 * u.T,
        events=kt.Event(
            "s.displacement",
            direction=-1,
            name="hit",
            then=lambda t, s: {"s.rate": -0.7 * s["s.rate"]},
        ),
    )
    return [*(sol.events["hit"].t / u.T), sol["s.displacement"][-1] / u.L]


def of_controller(u):
    sol = kt.simulate(controlled(u), 3.0 * u.T)
    return [*(sol["s.displacement"][::50] / u.L)]


def of_equilibrium(u):
    eq = kt.equilibrium(four_bar(u))
    return [
        eq["A.angle"],
        *(eq["rocker.position"] / u.L),
        eq.stiffness[0] / u.F / u.L,
        eq.iterations,
    ]


def of_controlled_equilibrium(u):
    eq = kt.equilibrium(controlled(u))
    return [eq["s.displacement"] / u.L, *(eq.eigenvalues * u.T)]


def of_modes(u):
    eq = kt.equilibrium(four_bar(u))
    lin = kt.linearize(four_bar(u), state=eq)
    return [*(kt.modes(four_bar(u), eq).eigenvalues * u.T), *(lin.eigenvalues * u.T)]


def of_vibrations(u):
    return kt.vibrations(beam(u)).frequencies[:4] * u.T


def of_assembly(u):
    m = four_bar(u, start=False)
    a = kt.assemble(m, targets={"A.angle": -0.9, "D.angle": -1.3})
    return [*a.coordinates.values()]


# rtol 1e-8
RUNS = (
    of_overdetermined,
    of_impact,
    of_four_bar,
    of_four_bar_cartesian,
    of_spatial,
    of_ball,
    of_controller,
)
SOLVED = (
    of_deflect,
    of_beam_run,
    of_equilibrium,
    of_controlled_equilibrium,
    of_modes,
    of_vibrations,
    of_assembly,
)
# modes are differences over 1e-7 of the speeds, which round to 1e-9
ACCURACY = {
    **dict.fromkeys(RUNS, 2e-6),
    of_beam_with_chosen_steps: 1e-3,  # rtol 1e-4 per step
    of_modes: 1e-8,
}
RESULTS = {
    f.__name__.removeprefix("of_"): (f, ACCURACY.get(f, 1e-9))
    for f in (*RUNS, of_beam_with_chosen_steps, *SOLVED)
}


@pytest.mark.parametrize("name", RESULTS)
def test_units_have_no_effect(name):
    answer, accuracy = RESULTS[name]
    assert_same_in_all_units(answer, accuracy)


@pytest.mark.parametrize("length", [1e-6, 1e-5, 1e-4, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize("slender", [100, 1e3, 1e4])
def test_slender_beams_of_any_length_bend_by_the_closed_form(length, slender):
    """P l^3 / 3 E I = l / 1000; elements of constant strain have an error of 1 / (4 n^2), and shear
    adds about (r / l)^2.
    """
    r, E = length / slender, 2e11
    I = math.pi * r**4 / 4
    P = 1e-3 * 3 * E * I / length**2
    m = kt.Model("cantilever", gravity=(0, 0, 0))
    b = m.beam(
        "b",
        [(0, 0, 0), (length, 0, 0)],
        kt.Section.circle(radius=r, E=E, density=7800.0),
        elements=10,
    )
    m.joint("c", kt.Fixed(), m.ground, b.end("-"))
    m.force("p", kt.PointForce((0, 0, -P)), b.end("+"))
    bent = -kt.deflect(m)["b.10.position"][2] / length
    assert_allclose(bent, 1e-3, rtol=1.1 / (4 * 10**2) + 3 / slender**2)


def test_a_soft_spring_extends_by_many_lengths_of_the_model():
    """Equilibrium of a weight on a spring: x = m g / k, a hundred thousand lengths away."""
    m = kt.Model("soft", gravity=(0, 0, -10.0))
    m.joint("s", kt.Translational("z"), m.ground, m.body("b", kt.sphere(1.0, 0.01)))
    m.force("k", kt.TorsionSpring("s.displacement", stiffness=0.01))
    assert_allclose(kt.equilibrium(m)["s.displacement"], -1000.0, rtol=1e-9)


def test_a_driver_in_picoseconds_is_differenced_over_a_small_part_of_its_period():
    """A crank of a micrometer driven by sin(w t): the acceleration is -w^2 sin(w t)."""
    w = 1e12
    m = kt.Model("crank", gravity=(0, 0, 0))
    m.joint("A", kt.Revolute("y"), m.ground, m.body("b", kt.rod(1e-18, 1e-6, along="x")).end("-"))
    m.constraint(
        "d", kt.Driver("A.angle", kt.Function(lambda t: math.sin(1e12 * t), difference=1e-4 / w))
    )
    sol = kt.simulate(m, 3.0 / w)
    assert_allclose(sol["A.angle"], np.sin(w * sol.t), atol=1e-7)
    assert_allclose(sol["A.rate"] / w, np.cos(w * sol.t), atol=1e-6)


@pytest.mark.parametrize("other", [SI, *OTHERS.values()], ids=["SI", *OTHERS])
def test_contradictory_drivers_raise_an_error_in_every_unit(other):
    """One driver prescribes 0.1 % more speed than the other, or another acceleration."""
    a = 1.0 / (2 * math.pi * math.cos(0.5))
    for second in (
        kt.Ramp(1.001 / other.T),
        kt.Sine(a, 1.0 / other.T, phase=0.5, offset=-a * math.sin(0.5)),
    ):
        m = kt.Model("crank", gravity=(0, 0, 0))
        m.joint(
            "A",
            kt.Revolute("y"),
            m.ground,
            m.body("b", kt.rod(other.M, other.L, along="x")).end("-"),
        )
        m.constraint("one", kt.Driver("A.angle", kt.Ramp(1.0 / other.T)))
        m.constraint("two", kt.Driver("A.angle", second))
        with pytest.raises(kt.KinetreeError, match=r"'one', 'two'"):
            kt.simulate(m, 0.1 * other.T)
