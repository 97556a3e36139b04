"""Published systems: every claim holds, and a claim can fail."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kinetree.apps.papers import rssr as rssr_paper
from kinetree.apps.papers.catalogue import PAPERS, paper_entry
from kinetree.apps.papers.claim import Claim, agrees
from kinetree.apps.papers.references import five_dof as five_dof_reference
from kinetree.apps.papers.references import rssr as rssr_reference
from kinetree.errors import NameNotFound
from kinetree.models.rssr import rssr


@cache
def claims(name):
    return paper_entry(name).check()


@pytest.mark.parametrize("name", [entry.name for entry in PAPERS])
def test_every_claim_of_the_paper_holds(name):
    assert [c for c in claims(name) if not c.holds] == []


@pytest.mark.parametrize("name", [entry.name for entry in PAPERS])
def test_claims_have_plain_values_for_json(name):
    import json

    for claim in claims(name):
        assert set(json.loads(json.dumps(claim.to_dict()))) == {
            "claim",
            "paper",
            "ours",
            "holds",
            "note",
        }


def test_claims_about_the_motion_fail_in_weaker_gravity(monkeypatch):
    def on_the_moon():
        model = rssr()
        model.gravity = model.gravity / 6.0
        return model

    monkeypatch.setattr(rssr_paper, "rssr", on_the_moon)
    failed = [c.claim for c in rssr_paper.check() if not c.holds]
    assert [text.startswith("Fig. 5") for text in failed] == [True, True]


def test_an_unknown_paper_gets_a_suggestion():
    with pytest.raises(NameNotFound, match="Did you mean 'rssr'"):
        paper_entry("rsrs")


def test_agreement_needs_finite_numbers():
    assert agrees([1.0, 2.0], [1.0, 2.0 + 1e-9], atol=1e-8)
    assert not agrees([1.0, np.nan], [1.0, np.nan], atol=1e9)
    assert not agrees([1.0, 2.0], [1.0, 2.1], rtol=1e-2)


def test_a_claim_turns_numpy_values_into_plain_ones():
    claim = Claim("x", np.float64(1.5), [np.arange(2), np.int64(3)], np.bool_(True))
    assert claim.to_dict() == {
        "claim": "x",
        "paper": 1.5,
        "ours": [[0, 1], 3],
        "holds": True,
        "note": "",
    }
    assert replace(claim, note="y").note == "y"


def test_the_reference_of_the_mechanism_conserves_length_and_energy():
    """Distance of the tips and energy of the equations by hand are constant along the motion."""
    from scipy.integrate import solve_ivp

    start = [rssr_reference.CRANK_ANGLE, rssr_reference.ROCKER_ANGLE, 0.0, 0.0]
    run = solve_ivp(
        lambda _, y: np.concatenate([y[2:], rssr_reference.accelerations(y)]),
        (0, 1),
        start,
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    values = np.array([_length_and_energy(y) for y in run.y.T])
    np.testing.assert_allclose(
        values, np.broadcast_to(values[0], values.shape), rtol=0, atol=1e-9
    )  # m and J


def _length_and_energy(y):
    a, b, u, w = y
    arm1, arm3, d1, d3 = rssr_reference.tips(a, b)
    v1, v3 = d1 * u, d3 * w
    kinetic = (v1 @ v1 + v3 @ v3) / 6 + (
        v1 @ v1 + v1 @ v3 + v3 @ v3
    ) / 6  # rods about their pivots, and the coupler
    return np.linalg.norm(arm1 - rssr_reference.ROCKER_PIVOT - arm3), kinetic + 9.81 * (
        arm1[2] + arm3[2]
    )


def test_the_linear_vehicle_has_its_natural_frequencies():
    """0.859, 1.223, 1.918, 13.505 and 13.511 Hz without dampers, from the generalized eigenvalue
    problem.
    """
    K, _ = five_dof_reference.matrices()
    frequencies = np.sqrt(np.linalg.eigvals(K / five_dof_reference.MASS[:, None]).real) / (
        2 * np.pi
    )
    np.testing.assert_allclose(
        np.sort(frequencies), [0.859, 1.223, 1.918, 13.505, 13.511], atol=5e-4
    )
