"""The projection method as printed and as corrected: the claims can fail."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.apps.papers import projection
from kinetree.models.rssr import rssr


def test_the_printed_update_damps_by_the_cosine_of_the_turn_per_step():
    """A basis projected without renormalization shrinks by cos(w h) per step as w falls: dw/dt = -h
    w^3 / 2 to first order.
    """
    lost = projection.energy_error(
        "projection-literal", integrator="adams-fixed", order=2, step=0.001
    )
    rate = 1.0 / (1.0 + 9.0 * 0.001 * 2.0)  # w^-2 grows by h per second
    assert lost == pytest.approx(rate - 1.0, rel=0.02)  # the next order in h


def test_the_printed_update_damps_two_degrees_of_freedom_by_first_order():
    """Columns of the basis shrink and lose their right angles; reduced rates are read off them
    exactly, so that the energy lost by the RSSR mechanism goes to zero with the step.
    """
    lost = []
    for step in (0.004, 0.002, 0.001):
        run = kt.simulate(
            rssr(), 1.0, formulation="projection-literal", integrator="adams-fixed", step=step
        )
        lost.append(run.energy.total[0] - run.energy.total[-1])
    assert lost[2] > 1e-3  # J of some 4 J in motion
    np.testing.assert_allclose([lost[0] / lost[1], lost[1] / lost[2]], 2.0, rtol=0.02)


def test_steps_of_the_printed_method_are_not_rejected_for_the_change_of_its_basis():
    """The new basis changes velocities by a part of the step, however short that is."""
    run = kt.simulate(rssr(), 2.0, formulation="projection-literal", rtol=1e-6)
    assert run.statistics["rejected"] < 0.5 * run.statistics["accepted"]


@pytest.mark.parametrize("formulation", ["projection", "augmented", "svd"])
def test_corrected_formulations_conserve_the_energy_of_a_free_pendulum(formulation):
    errors = [
        abs(projection.energy_error(formulation, integrator="adams-fixed", order=2, step=h))
        for h in (0.02, 0.01)
    ]
    assert errors[0] < 1e-3 and errors[1] <= max(errors[0] / 3.5, 1e-13)  # second order or better


def test_a_driven_length_conserves_angular_momentum():
    model = projection.pendulum(2.0, kt.Sine(0.3, 3.0 / (2.0 * np.pi), offset=1.0))
    run = kt.simulate(model, 0.9, formulation="projection", rtol=1e-10)
    p, v = run["point.position"], run["point.velocity"]
    np.testing.assert_allclose(np.cross(p, v)[:, 2], 2.0, atol=1e-8)
    np.testing.assert_allclose(
        np.linalg.norm(p, axis=1), 1.0 + 0.3 * np.sin(3.0 * run.t), atol=1e-11
    )


def test_the_claims_about_the_erratum_fail_for_the_corrected_method(monkeypatch):
    """The corrected method by the name of the printed one has none of its errors."""
    run = kt.simulate
    monkeypatch.setattr(
        kt,
        "simulate",
        lambda model, until, formulation=None, **how: run(
            model, until, formulation=formulation and formulation.partition("-")[0], **how
        ),
    )
    failed = [claim.claim for claim in projection.check() if not claim.holds]
    assert [text.split(",")[0] for text in failed] == [
        "as printed",
        "that damping is of first order",
        "as printed",
        "eq. (4.11): the printed multiplier has the wrong sign",
    ]
