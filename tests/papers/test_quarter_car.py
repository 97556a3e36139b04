"""The quarter car: at rest on a level road, on steps and sines, and claims that fail where the
machine is another.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.apps.papers import quarter_car as paper
from kinetree.apps.papers.references import quarter_car as reference
from kinetree.errors import NameNotFound
from kinetree.models.quarter_car import quarter_car


def test_the_drawn_position_carries_the_weight():
    """On the sine the road is level at t = 0; 9.81 m/s^2 are balanced by springs to rounding."""
    vdot = kt.assemble(quarter_car()).vdot
    np.testing.assert_allclose(vdot, 0.0, atol=1e-11)


def test_both_masses_follow_the_equations_by_hand():
    sol = kt.simulate(quarter_car(), 1.0, rtol=1e-10, output_interval=0.1)
    z, zddot = reference.histories(sol.t)
    start = {"body": 0.8, "wheel": 0.3}
    for k, name in enumerate(start):
        np.testing.assert_allclose(
            sol[f"{name}.position.z"] - start[name], z[:, k], rtol=0, atol=1e-9
        )  # rtol 1e-10
        np.testing.assert_allclose(
            sol[f"{name}.acceleration.z"], zddot[:, k], rtol=0, atol=1e-6
        )  # times L^2


def test_after_a_step_the_car_stands_on_the_higher_road():
    """A constant damper of 2 kN s/m leaves exp(-2.89 t) of the swing: 3e-13 at 10 s."""
    sol = kt.simulate(quarter_car(damper=2000.0, road="step"), 10.0, rtol=1e-9)
    assert sol["wheel.acceleration.z"][0] == pytest.approx(0.05 * 200e3 / 40.0)
    np.testing.assert_allclose(
        [sol["wheel.position.z"][-1], sol["body.position.z"][-1]], [0.35, 0.85], atol=1e-8
    )


def test_other_masses_rest_in_the_same_position():
    vdot = kt.assemble(quarter_car(body=400.0, wheel=50.0)).vdot
    np.testing.assert_allclose(vdot, 0.0, atol=1e-11)


def test_an_unknown_road_gets_a_suggestion():
    with pytest.raises(NameNotFound, match="Did you mean 'step'"):
        quarter_car(road="stepp")


def test_no_body_of_the_car_has_an_idle_rotation():
    """The wheel can slide between ground and body, which is a degree of freedom and no idle
    rotation.
    """
    assert quarter_car().topology().idle == ()


def test_the_linearized_model_has_the_damper_at_that_time():
    model = quarter_car()
    run = kt.simulate(model, 0.5, output_interval=0.25)
    eigenvalues = kt.modes(model, (run, 0.25)).eigenvalues
    expected = np.linalg.eigvals(reference.matrix(1000.0 * 10.0**0.25))
    np.testing.assert_allclose(
        np.sort_complex(eigenvalues), np.sort_complex(expected), rtol=1e-8
    )  # differences


def test_a_damper_that_grows_faster_fails_the_claims(monkeypatch):
    monkeypatch.setattr(
        paper, "quarter_car", lambda: quarter_car(damper=lambda t: 1000.0 * np.exp(3.0 * t))
    )
    failed = {c.claim.partition(":")[0] for c in paper.check() if not c.holds}
    assert failed >= {"Fig. 8", "Fig. 10"}
