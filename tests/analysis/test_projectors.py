"""I_R, P_N and P_T of a model at a state: the identities of [Kim1997, eqs. (3.1)-(3.7),
(4.11)-(4.13)].
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.models.catalogue import model_entry

MODELS = ("rssr", "four-bar", "andrews", "car")  # the four-bar and andrews have redundant rows


@pytest.mark.parametrize("name", MODELS)
def test_the_projectors_split_the_velocities(name):
    e = kt.equations(model_entry(name).build())
    rank = np.linalg.matrix_rank(e.G, 1e-9 * np.linalg.norm(e.G))
    small = 1e-9 * np.abs(e.I_R).max() * np.abs(e.G).max()
    assert_allclose(e.G @ e.I_R @ e.G, e.G, atol=small)
    assert_allclose(e.G @ e.P_N, 0.0, atol=small)
    assert_allclose(e.P_N @ e.P_N, e.P_N, atol=small)
    assert_allclose(e.P_N, e.P_N.T, atol=small)
    assert e.P_T.shape == (len(e.v), len(e.v) - rank)
    assert np.linalg.matrix_rank(e.P_T) == len(e.v) - rank
    assert all(any(np.array_equal(column, other) for other in e.P_N.T) for column in e.P_T.T)


def test_rows_that_are_independent_have_a_right_inverse():
    e = kt.equations(model_entry("rssr").build())
    assert_allclose(e.G @ e.I_R, np.eye(3), atol=1e-12)
    assert_allclose(e.I_R, e.G.T @ np.linalg.inv(e.G @ e.G.T), atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_reduced_equations_give_the_accelerations_and_multipliers(name):
    """M11 zddot = P_T^T (f - M I_R gamma),  vdot = I_R gamma + P_T zddot,  lam = I_R^T (f - M
    vdot).
    """
    e = kt.equations(model_entry(name).build())
    a = e.I_R @ e.gamma
    zddot = np.linalg.solve(e.P_T.T @ e.M @ e.P_T, e.P_T.T @ (e.f - e.M @ a))
    vdot = a + e.P_T @ zddot
    assert_allclose(vdot, e.vdot, atol=1e-8 * np.abs(e.vdot).max())
    push = e.G.T @ (e.I_R.T @ (e.f - e.M @ vdot))
    assert_allclose(push, e.G.T @ e.lam, atol=1e-8 * np.abs(e.f).max())
