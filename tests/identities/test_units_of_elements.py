"""Results of force elements do not depend on the units.

Covered: tyres and wheels on roads, hydraulic cylinders, user code.
"""

import numpy as np
import pytest

import kinetree as kt
from elements.vehicles.test_tyre_laws import SEDAN
from support.units import assert_same_in_all_units


def struck(t, a, b, p, force, torque):
    """A spring along z that pushes below z = 0, with a damper."""
    if b.position[2] < 0.0:
        force[2] = -p[0] * b.position[2] - p[1] * b.velocity[2]


def on_a_spring(u):
    m = kt.Model("ball", gravity=(0, 0, -u.g))
    body = m.body("b", kt.sphere(u.M, 0.1 * u.L))
    m.joint("s", kt.Translational("z"), m.ground, body, start={"displacement": 0.2 * u.L})
    m.force("f", kt.UserForce(struck, (3000.0 * u.F / u.L, 10.0 * u.F * u.T / u.L)), body)
    return m


def uneven(u):
    return kt.Road(
        profile=kt.CosineBump(0.05 * u.L, 0.5 * u.L, begin=1.0 * u.L),
        obstacles=[
            kt.roads.Block(at=3.0 * u.L, length=0.3 * u.L, height=0.03 * u.L, edge=0.02 * u.L)
        ],
    )


def cart(u, tyre=True, road=None, law=None):
    """A cart with one wheel, which moves in the plane x-z without turning."""
    m = kt.Model("cart", gravity=(0, 0, -u.g))
    body = m.body("cart", kt.box(200 * u.M, (1.0 * u.L, 0.5 * u.L, 0.3 * u.L)))
    wheel = m.body("wheel", kt.cylinder(20 * u.M, 0.3 * u.L, 0.2 * u.L, along="y"))
    m.joint(
        "s",
        kt.PlanarTranslational("x", "z"),
        m.ground,
        body,
        start={"y": 0.3 * u.L},
        speed={"x": 3.0 * u.L / u.T},
    )
    m.joint("w", kt.Revolute("y"), body, wheel, speed={"angle": 10.0 / u.T})
    radial = {
        "radius": 0.3 * u.L,
        "stiffness": 1e5 * u.F / u.L,
        "damping": 300 * u.F * u.T / u.L,
        "fade": 0.01 * u.L,
        "road": road or kt.Road(),
    }
    if tyre:
        law = law or kt.tyres.Fiala(
            4e4 * u.F, 3e4 * u.F, friction=0.9, trail=0.03 * u.L, rolling=0.01 * u.L
        )
        m.force("t", kt.Tyre(law=law, slow=1.0 * u.L / u.T, calm=0.04 * u.T, **radial), wheel)
    else:
        m.force("t", kt.Wheel(friction=0.5, slow=0.01 * u.L / u.T, **radial), wheel)
    return m


def press(u):
    """Oil has absolute pressures (of the atmosphere, of vapor): the unit of pressure stays, and the
    unit of mass follows from it.
    """
    u = u._replace(M=u.L * u.T**2)
    m = kt.Model("press", gravity=(0, 0, -u.g))
    body = m.body("load", kt.sphere(3000.0 * u.M, 0.1 * u.L))
    m.joint("slide", kt.Translational("x"), m.ground, body, start={"displacement": 1.3 * u.L})
    valve = kt.Valve(
        spool=kt.Sine(0.5, 2.0 / u.T), area=1e-5 * u.L**2, density=860.0 * u.M / u.L**3
    )
    m.force(
        "c",
        kt.HydraulicCylinder(
            0.07 * u.L,
            0.04 * u.L,
            0.6 * u.L,
            2e-4 * u.L**3,
            supply=2e7,
            valve=valve,
            closed_length=1.0 * u.L,
            damping=1e3 * u.F * u.T / u.L,
            stop_stiffness=1e8 * u.F / u.L,
            stop_damping=10.0 * u.T / u.L,
        ),
        m.ground,
        body,
    )
    m.force("k", kt.TorsionSpring("slide.displacement", stiffness=2e5 * u.F / u.L, angle=1.2 * u.L))
    return m


def of_user_force(u, **how):
    sol = kt.simulate(on_a_spring(u), 1.0 * u.T, **how)
    return [*(sol["s.displacement"][::50] / u.L)]


def of_user_force_bdf(u):
    return of_user_force(u, integrator="bdf", coordinates="cartesian")


def of_tyre(u, **how):
    sol = kt.simulate(cart(u, road=uneven(u)), 1.5 * u.T, **how)
    return [*(sol["s.x"][::50] / u.L), *(sol["s.y"][::50] / u.L), *(sol["w.rate"][::50] * u.T / 10)]


def of_tyre_cartesian(u):
    return of_tyre(u, coordinates="cartesian", integrator="bdf")


def of_wheel(u):
    sol = kt.simulate(cart(u, tyre=False, road=uneven(u)), 1.5 * u.T, integrator="dop853")
    return [*(sol["s.x"][::50] / u.L), *(sol["s.y"][::50] / u.L)]


def of_press(u, **how):
    sol = kt.simulate(press(u), 2.0 * u.T, **how)
    return [*(sol["c.extension"][::50] / u.L), *(sol["c.pressure1"][::50] / 2e7)]


def of_press_bdf(u):
    return of_press(u, integrator="bdf", coordinates="cartesian")


def of_laws(u):
    """Forces and moments of the magic formula with all its coefficients, and of the brush."""
    magic = {
        **SEDAN,
        "FNOMIN": 4000.0 * u.F,
        "UNLOADED_RADIUS": 0.3135 * u.L,
        "LONGVL": 16.6 * u.L / u.T,
    }
    laws = (
        kt.tyres.MagicFormula(magic),
        kt.tyres.Fiala(4e4 * u.F, 3e4 * u.F, 0.9, trail=0.03 * u.L, rolling=0.01 * u.L),
    )
    found = [
        kt.tyres.evaluate(law, 3000.0 * u.F, 0.05, -0.04, 0.02, speed * u.L / u.T, u.L / u.T)
        for law in laws
        for speed in (-12.0, -0.3, 0.0, 0.3, 12.0)
    ]
    return np.ravel(np.array(found) / u.F / np.array([1.0, 1.0, u.L, u.L, u.L]))


def standing(u):
    """A linear tyre, because the slope of Fiala's has a kink at rest."""
    m = cart(u, law=kt.tyres.Linear(4e4 * u.F, 3e4 * u.F))
    m.force(
        "hold",
        kt.TorsionSpring(
            "s.x", stiffness=1e3 * u.F / u.L, damping=100.0 * u.F * u.T / u.L, angle=0.5 * u.L
        ),
    )
    return m


def of_standing(u):
    eq = kt.equilibrium(standing(u))
    return [eq["s.x"] / u.L, eq["s.y"] / u.L]


def of_rates_of_standing(u):
    m = standing(u)
    return sorted(
        abs(value) * u.T for value in kt.linearize(m, state=kt.equilibrium(m)).eigenvalues
    )


def of_shut_press(u):
    eq = kt.equilibrium(press(u))
    return [eq["c.extension"] / u.L, eq["c.pressure1"] / 2e7]


# rtol 1e-8 per step
RUNS = (
    of_user_force,
    of_user_force_bdf,
    of_tyre,
    of_tyre_cartesian,
    of_wheel,
    of_press,
    of_press_bdf,
)
SOLVED = {of_standing: 1e-9, of_laws: 1e-13, of_shut_press: 1e-7, of_rates_of_standing: 1e-6}
ANSWERS = {
    f.__name__.removeprefix("of_"): (f, accuracy)
    for f, accuracy in (dict.fromkeys(RUNS, 2e-6) | SOLVED).items()
}


@pytest.mark.parametrize("name", ANSWERS)
def test_units_have_no_effect(name):
    assert_same_in_all_units(*ANSWERS[name])
