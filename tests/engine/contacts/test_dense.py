"""Inverse and pseudo-inverse of small matrices against their definitions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kinetree.engine.contacts.dense import invert
from kinetree.kernel.decorators import kernel


@kernel
def inverse(A, n, X, space):
    return invert(A, n, X, space)


def found(A):
    n = len(A)
    X, space = np.zeros((n, n)), np.zeros((2, n, n))
    return inverse(A, n, X, space), X


@pytest.mark.parametrize("rank", [0, 1, 4, 7])
def test_the_pseudo_inverse_satisfies_the_conditions_of_penrose(rank):
    rng = np.random.default_rng(rank)
    A = rng.normal(size=(8, rank)) * np.logspace(0, -3, rank) @ rng.normal(size=(rank, 8))
    regular, X = found(A)
    assert regular == 0
    # pivots differ by a thousand, so that X is known to a thousand roundings of its size
    scale = max(np.abs(X).max(), 1.0)
    assert_allclose(A @ X @ A, A, atol=1e-11)
    assert_allclose(X @ A @ X, X, atol=1e-11 * scale)
    assert_allclose(A @ X, (A @ X).T, atol=1e-11)
    assert_allclose(X @ A, (X @ A).T, atol=1e-11)


def test_a_regular_matrix_has_its_inverse():
    A = np.random.default_rng(3).normal(size=(6, 6))
    regular, X = found(A)
    assert regular == 1
    assert_allclose(A @ X, np.eye(6), atol=1e-12)
