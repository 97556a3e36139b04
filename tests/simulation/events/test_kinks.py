"""Laws that are not smooth: steps end where elements say so."""

import numpy as np
from numpy.testing import assert_allclose

import kinetree as kt


def on_a_wall(stiffness):
    m = kt.Model("ball on a wall", gravity=(0, 0, -9.81))
    ball = m.body("ball", kt.sphere(mass=1.0, radius=0.05))
    m.joint("slide", kt.Translational(axis="z"), m.ground, ball, start={"displacement": 0.1})

    def push(t, u, x, parameters, xdot, out):
        out[0] = -parameters[0] * min(u[0], 0.0)

    m.controller("wall", kt.Controller(push, ("slide.displacement",), {}, ("force",), (stiffness,)))
    m.force("push", kt.PointForce((0.0, 0.0, "wall.force")), ball)
    return m


def test_steps_end_at_a_kink():
    told = kt.simulate(
        on_a_wall(1e5),
        1.0,
        rtol=1e-8,
        events=kt.Event("slide.displacement", restart=True, name="contact"),
    )
    t = told.events["contact"].t
    assert len(t) >= 6 and all(np.abs(told.steps.t - one).min() == 0.0 for one in t)
    assert (
        not sum(happened.energy.any() for happened in told.events.values())
        and told.energy.imbalance < 1e-7
    )
    fall, w = np.sqrt(0.2 / 9.81), np.sqrt(1e5)  # contact lasts until the spring is free again
    v = 9.81 * fall
    lasts = (np.pi + 2 * np.arctan(9.81 / (v * w))) / w
    assert_allclose(t[:4], np.cumsum([fall, lasts, 2 * fall, lasts]), atol=1e-7)


def test_a_cylinder_says_where_its_stops_begin():
    m = kt.Model("cylinder")
    body = m.body("load", kt.sphere(mass=100.0, radius=0.1))
    m.joint("slide", kt.Translational(axis="x"), m.ground, body, start={"displacement": 1.3})
    m.force(
        "ram",
        kt.HydraulicCylinder(
            bore=0.1, rod=0.05, stroke=0.5, dead_volume=1e-4, supply=1e7, closed_length=1.0
        ),
        m.ground,
        body,
    )
    found = kt.kinks(m)
    assert [(event.what, event.level, event.restart) for event in found] == [
        ("ram.extension", 0.0, True),
        ("ram.extension", 0.5, True),
    ]
    assert kt.simulate(m, 0.01, events=found).success
