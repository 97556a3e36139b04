"""Spatial inertias: packed products against matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kinetree.kernel.algebra.spatial import apply, apply_rigid, rigid_inertia, store6
from kinetree.kernel.algebra.vec3 import load3, load9
from kinetree.kernel.decorators import kernel
from kinetree.kernel.types import Vector, float64


@kernel
def products(m: float64, c: Vector, R: Vector, J: Vector, a: Vector, plain: Vector, rigid: Vector):
    """I a with all numbers of I, and without those that are zero."""
    I = rigid_inertia(m, load3(c), load9(R), (J[0], J[1], J[2], J[3], J[4], J[5]))
    b = (a[0], a[1], a[2], a[3], a[4], a[5])
    store6(plain, apply(I, b))
    store6(rigid, apply_rigid(I, b))


def tilde(c):
    return np.array([[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]])


@pytest.mark.parametrize("seed", range(20))
def test_zeros_of_a_rigid_inertia_are_left_out_without_a_change_of_a_bit(seed):
    rng = np.random.default_rng(seed)
    R, c, a, m = (
        np.linalg.qr(rng.normal(size=(3, 3)))[0],
        rng.normal(size=3),
        rng.normal(size=6),
        2.5,
    )
    root = rng.normal(size=(3, 3))
    J = root @ root.T
    plain, rigid = np.zeros(6), np.zeros(6)
    products(m, c, R.ravel().copy(), J[np.triu_indices(3)].copy(), a, plain, rigid)
    exact = np.block(
        [
            [R @ J @ R.T - m * tilde(c) @ tilde(c), m * tilde(c)],
            [-m * tilde(c), m * np.eye(3)],
        ]
    )
    assert_allclose(rigid, exact @ a, rtol=0.0, atol=1e-13)  # rounding of numbers of order ten
    assert (rigid == plain).all()
