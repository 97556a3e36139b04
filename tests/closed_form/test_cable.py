"""A cable through several eyes: one tension everywhere, nothing when slack, any number of markers."""

import numpy as np
import pytest

import kinetree as kt
from support.machine import machine


def pulleys(eyes: int) -> kt.Model:
    """A weight in the bight of a cable that runs up and down between eyes on the ground and on the
    weight.
    """
    m = kt.Model("tackle")
    weight = m.body("weight", kt.box(3.0, (0.4, 0.4, 0.2)))
    m.joint("guide", kt.Translational(axis="z"), m.ground, weight)
    places = [m.ground.at(0, 0, 2) if k % 2 == 0 else weight.at(0, 0, 0) for k in range(eyes)]
    m.force("cable", kt.Cable(stiffness=200.0, length=2.0 * (eyes - 1)), *places)
    return m


@pytest.mark.parametrize("eyes", [2, 3, 5])
def test_in_a_tackle_every_stretch_bears_its_part(eyes):
    """n stretches: the force is n T and the cable gives n times the travel, so that the weight
    swings with w^2 = n^2 k / m.
    """
    n = eyes - 1
    w, sag = n * np.sqrt(200.0 / 3.0), 3.0 * 9.81 / (200.0 * n**2)
    sol = kt.simulate(pulleys(eyes), 1.0, rtol=1e-10, output_interval=0.02, progress=False)
    expected = -sag * (1.0 - np.cos(w * sol.t))
    np.testing.assert_allclose(
        sol["guide.displacement"], expected, atol=1e-8
    )  # rtol 1e-10, some ten swings
    np.testing.assert_allclose(sol["cable.tension"], -n * 200.0 * expected, atol=1e-5)
    assert sol.energy.drift < 1e-8


def test_a_slack_cable_does_nothing():
    m = kt.Model("slack")
    ball = m.body("ball", kt.sphere(1.0, 0.1))
    m.float(ball, start={"z": -1.0})
    m.force("cable", kt.Cable(100.0, damping=5.0, length=2.0), m.ground, ball)
    sol = kt.simulate(m, 0.4, progress=False)  # falls 0.78 m
    np.testing.assert_allclose(sol["ball.position.z"], -1.0 - 0.5 * 9.81 * sol.t**2, atol=1e-9)
    assert not sol["cable.force"].any() and not sol["cable.energy"].any()


def test_through_four_bodies_it_is_minus_the_gradient_of_its_energy():
    rng = np.random.default_rng(4)
    m = kt.Model("cable", gravity=(0, 0, 0))
    bodies = [
        m.body(name, kt.box(1.0, (0.2, 0.3, 0.4)), position=3.0 * rng.normal(size=3))
        for name in "abcd"
    ]
    for b in bodies:
        m.float(b)
    m.force(
        "cable",
        kt.Cable(50.0, length=1.0),
        *(b.at(*rng.uniform(-0.3, 0.3, 3)) for b in (*bodies, bodies[1])),
    )
    state = machine(m, v=rng.normal(size=24))
    h = 1e-6  # central difference: h^2 = 1e-12, rounding 1e-13 / h
    rate = (state.moved(h * state.v).energy - state.moved(-h * state.v).energy) / (2 * h)
    assert state.applied @ state.v == pytest.approx(-rate, rel=1e-7)


def test_the_free_length_left_open_is_that_of_the_path_as_drawn():
    m = kt.Model("open")
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, -1))
    m.float(ball)
    m.force("cable", kt.Cable(100.0), m.ground.at(1, 0, 0), ball, m.ground.at(-1, 0, 0))
    assert kt.assemble(m).compiled.initial_values["cable.rest"] == pytest.approx(2.0 * np.sqrt(2.0))


def test_a_cable_on_one_body_alone_is_refused():
    m = kt.Model("one")
    ball = m.body("ball", kt.sphere(1.0, 0.1))
    with pytest.raises(kt.ModelError, match="all markers are on body 'ball'"):
        m.force("cable", kt.Cable(1.0), ball.at(0, 0, 0), ball.at(1, 0, 0), ball.at(2, 0, 0))
