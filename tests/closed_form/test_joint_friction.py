"""Friction along a joint coordinate: sliding to rest, sticking on a slope, and the work that is
lost.
"""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError


def sledge(slope: float = 0.0, speed: float = 0.0, **friction) -> kt.Model:
    """A box of 2 kg on a slide that leans."""
    m = kt.Model("sledge")
    box = m.body("box", kt.box(2.0, (0.2, 0.1, 0.1)))
    m.joint(
        "S",
        kt.Translational(axis=(math.cos(slope), 0.0, math.sin(slope))),
        m.ground,
        box,
        speed={"displacement": speed},
    )
    m.force("friction", kt.JointFriction("S.displacement", **friction))
    return m


def test_a_box_slides_to_rest_over_the_length_of_the_textbook():
    """m v^2 / 2 F, and all of its energy becomes the work of the friction."""
    sol = kt.simulate(
        sledge(speed=3.0, coulomb=4.0, transition=1e-5), 3.0, rtol=1e-8, integrator="bdf"
    )
    assert sol["S.displacement"][-1] == pytest.approx(
        2.0 * 3.0**2 / (2 * 4.0), rel=1e-4
    )  # the slope at rest
    assert abs(sol["S.rate"][-1]) < 1e-5 and sol.energy.imbalance < 1e-6


def test_it_sticks_below_the_static_friction_and_slides_above():
    """On a slope with m g sin(a) between the two: at rest it creeps by less than v0; pushed, it
    runs away.
    """
    slope = math.asin(9.0 / (2.0 * 9.81))  # 9 N along it
    friction = {"coulomb": 6.0, "static": 12.0, "stribeck": 0.05, "transition": 1e-4}
    still, pushed = (
        kt.simulate(sledge(slope, speed, **friction), 1.0, rtol=1e-8, integrator="bdf")
        for speed in (0.0, -1.0)
    )
    assert np.abs(still["S.rate"]).max() < 1e-4
    # pushed down at 1 m/s, by 9 - 6 N on 2 kg: -1 - 1.5 t
    assert pushed["S.rate"][-1] == pytest.approx(-2.5, rel=1e-5)


def test_the_curve_has_its_three_parts():
    """-(Fc + (Fs - Fc) e^{-(v/vs)^2}) tanh(v / v0) - c v, as the run reads it."""
    sol = kt.simulate(
        sledge(speed=0.4, coulomb=1.0, static=2.0, stribeck=0.2, viscous=0.5, transition=0.01),
        0.3,
        rtol=1e-8,
    )
    v = sol["friction.rate"]
    wanted = -(1.0 + np.exp(-((v / 0.2) ** 2))) * np.tanh(v / 0.01) - 0.5 * v
    np.testing.assert_allclose(sol["friction.force"], wanted, rtol=1e-12)


def test_mistakes_are_named():
    with pytest.raises(ModelError, match=r"static 1\.0 must not be less"):
        kt.JointFriction("A.angle", 2.0, static=1.0)
    with pytest.raises(ModelError, match="transition must be positive"):
        kt.JointFriction("A.angle", 2.0, transition=0.0)
