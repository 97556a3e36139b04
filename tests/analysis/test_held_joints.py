"""Equilibria with held coordinates: the other coordinates balance, and the holding efforts are
computed.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

G = 9.81


def double_pendulum():
    """Two rods of one meter and one kilogram; the lower one hangs."""
    m = kt.Model("double pendulum", gravity=(0, 0, -G))
    upper = m.body("upper", kt.rod(mass=1.0, length=1.0, along="z", axial=1e-3))
    lower = m.body("lower", kt.rod(mass=1.0, length=1.0, along="z", axial=1e-3))
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(0, 0, 0), upper.end("+"), start={"angle": 0.4})
    m.joint("B", kt.Revolute(axis="y"), upper.end("-"), lower.end("+"), start={"angle": 0.3})
    return m


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("hold, angle", [(["A.angle"], 0.4), ({"A.angle": 1.1}, 1.1)])
def test_the_lower_rod_hangs_vertically_from_a_held_upper_rod(hold, angle, coordinates):
    eq = kt.equilibrium(double_pendulum(), hold=hold, coordinates=coordinates)
    assert_allclose(eq.coordinates["A.angle"], angle, atol=1e-9)
    assert_allclose(eq.coordinates["B.angle"], -angle, atol=1e-9)
    # levers of both weights about A
    assert_allclose(eq.efforts["A.angle"], (0.5 + 1.0) * G * np.sin(angle), rtol=1e-9)
    assert eq.stable and "Held: A.angle, with an effort of" in str(eq)


def test_a_simulation_from_the_result_has_no_held_coordinates():
    model = double_pendulum()
    eq = kt.equilibrium(model, hold=["A.angle"])
    sol = kt.simulate(model, 0.3, state=eq)
    assert_allclose(sol["A.angle"][0], 0.4, atol=1e-12)
    # the coordinate is no longer held
    assert sol["A.angle"][-1] < 0.3 and abs(sol["A.rate"][0]) < 1e-12


def test_the_holding_effort_of_a_loop_is_the_gradient_of_its_energy():
    """Virtual work: the effort that holds a four-bar is dV/dangle, by the difference of two
    assemblies.
    """
    m = kt.Model("four-bar", gravity=(0, 0, -G))
    bodies = {
        name: m.body(name, kt.rod(mass=mass, length=length, along="x", axial=1e-3))
        for name, mass, length in (
            ("crank", 0.5, 0.5),
            ("coupler", 1.0, 1.2),
            ("rocker", 0.75, 0.75),
        )
    }
    m.joint(
        "A",
        kt.Revolute(axis="y"),
        m.ground.at(0, 0, 0),
        bodies["crank"].end("-"),
        start={"angle": -1.0},
    )
    m.joint("B", kt.Revolute(axis="y"), bodies["crank"].end("+"), bodies["coupler"].end("-"))
    m.joint("C", kt.Revolute(axis="y"), bodies["coupler"].end("+"), bodies["rocker"].end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), bodies["rocker"].end("-"))

    def height(angle):
        eq = kt.equilibrium(m, hold={"A.angle": angle})
        return sum(
            body.properties.mass * G * eq.solution[f"{name}.position.z"][0]
            for name, body in bodies.items()
        )

    slope = (height(-1.0 + 1e-4) - height(-1.0 - 1e-4)) / 2e-4
    # difference quotient
    assert_allclose(kt.equilibrium(m, hold=["A.angle"]).efforts["A.angle"], slope, rtol=1e-6)


@pytest.mark.parametrize(
    "hold, words",
    [
        (["A.angel"], "Did you mean"),
        ({"A.angle": "x"}, "number"),
        ([3], "hold must be"),
    ],
)
def test_a_coordinate_that_cannot_be_held_is_refused_with_the_reason(hold, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.equilibrium(double_pendulum(), hold=hold)
