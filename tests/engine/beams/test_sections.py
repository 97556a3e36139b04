"""Strains, forces and moments of beam sections against statics."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError


def cantilever(elements=8, damping=0.0, force=(0, 0, 0), torque=(0, 0, 0)):
    m = kt.Model("cantilever", gravity=(0, 0, 0))
    beam = m.beam(
        "b",
        [(0, 0, 0), (2, 0, 0)],
        kt.Section([1e4, 4e3, 5e3, 3.0, 20.0, 30.0], 1.0),
        elements=elements,
        damping=damping,
    )
    m.joint("root", kt.Fixed(), m.ground, beam.end("-"))
    m.force("push", kt.PointForce(force), beam.end("+"))
    m.force("turn", kt.Torque(torque), beam.end("+"))
    return m


def test_forces_and_moments_of_a_section_balance_the_load_at_the_tip():
    bent = kt.deflect(cantilever(force=(0.3, 0.5, 1.0)), load_steps=2).solution
    beam = bent.beams["b"]
    middle = 0.5 * (beam.position[0, 1:] + beam.position[0, :-1])
    arms = beam.position[0, -1] - middle
    for k in range(8):
        n = np.linalg.norm(beam.force[0, k])
        # constant along the element
        assert n == pytest.approx(np.linalg.norm([0.3, 0.5, 1.0]), rel=1e-3)
        assert np.linalg.norm(beam.moment[0, k]) == pytest.approx(
            np.linalg.norm(np.cross(arms[k], [0.3, 0.5, 1.0])), rel=2e-2
        )
        # the middle of the chord is not that of the arc


def test_a_pure_moment_bends_every_section_alike():
    bent = kt.deflect(cantilever(torque=(0, 0, 6.0))).solution
    for k in range(8):
        assert bent[f"b.element{k}.curvature.z"][0] == pytest.approx(6.0 / 30.0, rel=1e-6)
        assert bent[f"b.element{k}.moment.z"][0] == pytest.approx(6.0, rel=1e-9)
    assert bent.unit("b.element3.curvature") == "1/m"
    assert bent.beams["b"].energy.sum() == pytest.approx(bent["b.energy"][0], rel=1e-12)


def test_a_damped_section_adds_the_force_of_its_strain_rate():
    beta = 0.02
    m = cantilever(elements=3, damping=beta, torque=(0, 0, 6.0))
    sol = kt.simulate(m, 0.2, integrator="energy-conserving", step=1e-3, output_interval=1e-3)
    kappa, moment = sol["b.element1.curvature.z"], sol["b.element1.moment.z"]
    late = slice(20, -2)  # the jump at the start excites what samples cannot show
    rate = np.gradient(kappa, 1e-3)[late]
    expected = 30.0 * (kappa[late] + beta * rate)
    # differences of samples, of order two
    assert np.abs(moment[late] - expected).max() < 1e-3 * np.abs(expected).max()


def test_the_error_of_a_missing_beam_names_it():
    bent = kt.deflect(cantilever(elements=2))
    with pytest.raises((KeyError, ModelError), match="no beam named 'c'"):
        bent.solution.beams["c"]
