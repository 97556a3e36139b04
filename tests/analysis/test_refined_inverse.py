"""Equations solved with an inverse of nearby equations: the same solutions as by a direct solution,
or none.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.linear.independent_coordinates import IndependentCoordinates
from kinetree.analysis.linear.refined_inverse import RefinedInverse
from kinetree.models.catalogue import model_entry


def redundant(rng: np.random.Generator, turn: float) -> np.ndarray:
    """Seven equations of rank five in five unknowns, rotated from those at zero."""
    A = np.random.default_rng(7).normal(size=(5, 5)) + turn * rng.normal(size=(5, 5))
    return np.vstack([A, A[0] + A[1], 2.0 * A[2]])


@pytest.mark.parametrize("turn", [0.0, 1e-3, 1e-2])
def test_refinement_converges_to_the_solution_of_the_present_equations(turn):
    rng = np.random.default_rng(1)
    near = RefinedInverse.of(redundant(rng, 0.0))
    A = redundant(rng, turn)
    v = rng.normal(size=(5, 3))
    # rounding times the condition of A, about 100
    assert np.allclose(near.solve(A, A @ v), v, rtol=1e-11, atol=1e-12)


def test_a_transposed_inverse_solves_the_transposed_equations():
    rng = np.random.default_rng(2)
    near, A, f = RefinedInverse.of(redundant(rng, 0.0)), redundant(rng, 1e-2), rng.normal(size=5)
    assert np.allclose(A.T @ near.transposed.solve(A.T, f), f, atol=1e-12)


def test_far_away_refinement_fails_and_a_direct_solution_is_used():
    rng = np.random.default_rng(3)
    near, A, v = RefinedInverse.of(redundant(rng, 0.0)), redundant(rng, 5.0), rng.normal(size=5)
    assert near.corrected(A, A @ v) is None
    assert np.allclose(near.solve(A, A @ v), v, rtol=1e-11)


def test_a_force_is_projected_as_the_tangent_projects_it():
    """T^T f by one transposed solution, and by the tangent itself, away from the base position of
    the inverse.
    """
    chart = IndependentCoordinates.of(kt.assemble(model_entry("andrews").build()))
    chart.at(np.full(chart.freedoms, 0.05))
    f = np.random.default_rng(4).normal(size=len(chart.system.natural))
    assert np.allclose(chart.projected(f), chart.tangent().T @ f, rtol=1e-11)
