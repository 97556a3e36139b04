"""Deflected shapes, buckling and vibrations against exact and published values."""

import numpy as np
import pytest
from workshop.problems.beams import (
    BEND,
    COMPOSITE_TIP,
    EXACT_BEND,
    THICK_TIP,
    arc,
    cantilever,
    composite,
    rolled_up,
    thick,
    tip,
)

import kinetree as kt
from kinetree.errors import ModelError


@pytest.mark.parametrize("load", EXACT_BEND)
def test_the_45_degree_bend_converges_to_its_exact_arc(load):
    """Bathe and Bolourchi 1979 (inches, pounds); exact values of the arc recomputed independently
    by shooting.
    """
    errors = []
    for n in (8, 16):
        moved = tip(cantilever(arc, BEND, n, (0, 0, load)), n, load_steps=6) - arc(1.0)
        errors.append(float(np.abs(moved - EXACT_BEND[load]).max()))
    assert errors[1] <= 3e-3
    assert 3.0 < errors[0] / errors[1] < 5.5  # order two


def test_an_end_moment_rolls_a_beam_up_into_a_circle():
    errors = []
    for n in (8, 16):
        model = rolled_up(n)
        errors.append(float(np.abs(tip(model, n, load_steps=10)).max()))
    # the series of phi / sin(phi) ends at the sixth power
    assert errors[1] < 1e-4 and errors[0] > 50.0 * errors[1]


def test_a_composite_cantilever_bends_and_twists_as_published():
    """Wang et al. 2017: a full matrix that couples twist and bending; verified to all digits by
    shooting.
    """
    moved = tip(composite(), 16) - [10.0, 0.0, 0.0]
    np.testing.assert_allclose(moved, COMPOSITE_TIP, atol=2e-5)


def test_the_cantilever_of_geradin_and_cardona_under_600_kilonewton():
    found = kt.deflect(thick(), load_steps=4)
    p, q = found["b.16.position"], found["b.16.quaternion"]
    assert [5.0 - p[0], p[2]] == pytest.approx(THICK_TIP[:2], abs=2e-6)
    assert 2.0 * np.arccos(q[0]) == pytest.approx(THICK_TIP[2], abs=2e-5)


def test_reactions_of_a_deflected_beam_balance_its_loads():
    found = kt.deflect(cantilever(arc, BEND, 8, (30.0, -20.0, 100.0)), load_steps=2)
    np.testing.assert_allclose(found["root.force"], [-30.0, 20.0, -100.0], rtol=1e-7)
    arm = found["b.8.position"] - found["b.0.position"]
    np.testing.assert_allclose(
        found["root.torque"], -np.cross(arm, [30.0, -20.0, 100.0]), rtol=1e-6
    )


def test_a_strut_buckles_at_the_load_of_euler():
    factors = kt.buckling(
        cantilever([(0, 0, 0), (1, 0, 0)], [1e7, 5e6, 5e6, 1e3, 1e3, 2e3], 10, (-1.0, 0, 0))
    )
    euler = np.pi**2 / 4.0 * np.array([1e3, 2e3])  # about both axes
    # shear takes P / GA = 5e-4 off at most
    np.testing.assert_allclose(factors[:2], euler, rtol=3e-4)


def test_a_strut_in_tension_does_not_buckle():
    with pytest.raises(ModelError, match="no load factor"):
        kt.buckling(
            cantilever([(0, 0, 0), (1, 0, 0)], [1e7, 5e6, 5e6, 1e3, 1e3, 2e3], 2, (0.0, 0, 0))
        )


def test_a_cantilever_has_the_frequencies_of_euler_and_bernoulli():
    model = cantilever([(0, 0, 0), (1, 0, 0)], [1e9, 1e9, 1e9, 1e5, 1e2, 1e2], 24)
    found = kt.vibrations(model, count=4).frequencies
    w = np.array([1.875104068711961, 4.694091132974174]) ** 2 * np.sqrt(1e2) / (2.0 * np.pi)
    # lumped masses: order two in 1/24
    np.testing.assert_allclose(found, np.repeat(w, 2), rtol=4e-3)


def test_a_tension_raises_the_frequency_of_a_hanging_chain_of_elements():
    """Tension P raises the first frequency squared of a cantilever by about (5/14)(P L^2 / EI)."""
    model = cantilever([(0, 0, 0), (1, 0, 0)], [1e9, 1e9, 1e9, 1e5, 1e2, 1e2], 16, (1.0, 0, 0))
    plain, pulled = (
        kt.vibrations(model, state=s, count=1).frequencies[0] for s in (None, kt.deflect(model))
    )
    # a Rayleigh quotient
    assert (pulled / plain) ** 2 - 1.0 == pytest.approx(5.0 / 14.0 * 1.0 / 1e2, rel=0.1)


@pytest.mark.parametrize(
    "analysis, word",
    [
        (kt.equilibrium, "kt.deflect"),
        (kt.linearize, "kt.vibrations"),
        (kt.modes, "kt.vibrations"),
        (lambda model: kt.kinematics(model, 1.0), "structural integrator"),
        (lambda model: kt.inverse_dynamics(model, []), "structural integrator"),
    ],
)
def test_analyses_of_rigid_models_refuse_beams(analysis, word):
    model = cantilever(np.array([[0.0, 0, 0], [1.0, 0, 0]]), np.ones(6), 2)
    with pytest.raises(kt.ModelError, match=f"rigid, and '.*is a beam.*{word}"):
        analysis(model)


def test_a_distributed_load_gives_the_deflection_of_euler_and_bernoulli():
    """Even: w L^4 / 8 EI; falling linearly to zero at the tip: w L^4 / 30 EI."""
    for load, share in (((0, 0, -0.1), 8.0), (lambda s: (0, 0, -0.1 * (1.0 - s)), 30.0)):
        model = cantilever([(0, 0, 0), (1, 0, 0)], [1e9, 1e9, 1e9, 1e5, 1e2, 1e2], 16)
        model.line_load("snow", model.bodies["b"], load)
        # of order two in 1/16
        assert tip(model, 16)[2] == pytest.approx(-0.1 / share / 1e2, rel=5e-3)
        assert kt.deflect(model)["root.force"][2] == pytest.approx(
            0.1 * (1.0 if share == 8.0 else 0.5), rel=1e-9
        )


def test_a_load_in_body_axes_rotates_with_the_sections():
    model = cantilever([(0, 0, 0), (1, 0, 0)], [1e6, 1e6, 1e6, 10.0, 10.0, 10.0], 8)
    model.line_load("wind", model.bodies["b"], (0, 0, 20.0), frame="body")
    bent = kt.deflect(model, load_steps=4)
    assert bent["wind8.force"][0] < -0.2  # it leans back with the tip
    np.testing.assert_allclose(np.linalg.norm(bent["wind8.force"]), 20.0 / 16, rtol=1e-12)


def test_a_distributed_load_on_a_rigid_body_is_refused():
    model = cantilever([(0, 0, 0), (1, 0, 0)], np.ones(6), 2)
    with pytest.raises(ModelError, match="line_load 'snow': give a beam of this model"):
        model.line_load("snow", "b", (0, 0, -1.0))
    assert "snow0" not in model.forces
