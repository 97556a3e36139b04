"""The flyball governor: its data, the equations by hand, and the comparison of both."""

import numpy as np
import pytest
from workshop.problems.governor import HEIGHTS, SPIN, TILT

import kinetree as kt
from kinetree.apps.papers import flyball as paper
from kinetree.apps.papers.references import flyball as reference
from kinetree.assembly.prepare import prepare
from kinetree.models import flyball_governor as governor
from kinetree.models.flyball_governor import flyball_governor


def test_bodies_have_the_masses_of_their_density():
    masses = {name: body.properties.mass for name, body in flyball_governor().bodies.items()}
    assert masses == pytest.approx(
        {
            "shaft": 0.3,
            "slider": 3.0,
            "right rod": 0.3,
            "right ball": 5.0,
            "left rod": 0.3,
            "left ball": 5.0,
        }
    )


def test_the_springs_start_at_their_free_length():
    start = prepare(flyball_governor()).coordinates
    assert (
        start["slide.displacement"] == 0.5
        and start["left hinge.angle"] == start["right hinge.angle"]
    )
    sol = kt.simulate(flyball_governor(), 1e-3)
    assert sol["right spring.length"][0] == pytest.approx(0.5) and sol["left spring.length"][
        0
    ] == pytest.approx(0.5)
    np.testing.assert_allclose(
        sol["right ball.position"][0], (0.05 + np.cos(np.pi / 6), 0, 0.5), atol=1e-14
    )
    np.testing.assert_allclose(
        sol["left ball.position"][0], (-0.05 - np.cos(np.pi / 6), 0, 0.5), atol=1e-14
    )


def test_the_governor_follows_the_known_heights():
    sol = kt.simulate(flyball_governor(), 10.0, rtol=1e-10, output_interval=0.1)
    for t, height in HEIGHTS.items():
        assert sol["slide.displacement"][round(10 * t)] == pytest.approx(height, abs=2e-9), (
            t
        )  # 35 000 steps at rtol 1e-10
    assert sol["spin.angle.rate"][-1] == pytest.approx(SPIN, abs=2e-9)
    assert sol["right hinge.angle"][-1] == pytest.approx(TILT, abs=2e-9)


def test_the_equations_by_hand_agree_with_them():
    found = reference.states((0.1, 0.5, 1.0))
    np.testing.assert_allclose(found[:, 0], list(HEIGHTS.values())[:3], rtol=0, atol=2e-10)


def test_the_equations_by_hand_lose_the_energy_that_the_dampers_dissipate():
    """dE/dt = -2 c d'^2 at a state away from rest, by a central difference along the motion."""
    y, h = np.array([0.6, 0.45, 0.3, -0.2]), 1e-7
    _, d_s, d_a = reference.spring(y)
    ydot = reference.rates(0.0, y)
    slope = (reference.energy(y + h * ydot) - reference.energy(y - h * ydot)) / (2.0 * h)
    assert slope == pytest.approx(
        -2.0 * reference.C * (d_s * y[2] + d_a * y[3]) ** 2, rel=1e-5
    )  # h^2 times 1e9


def test_the_claims_fail_for_a_governor_of_slender_rods(monkeypatch):
    """Without the thickness of the rods the height at 10 s is off by 3e-6 m."""
    solid = governor._bar
    monkeypatch.setattr(
        governor, "_bar", lambda sides: kt.rod(0.3, 1.0) if sides[0] == 1.0 else solid(sides)
    )
    failed = [c.claim for c in paper.check() if not c.holds]
    assert any(text.startswith("height of the slider") for text in failed)
