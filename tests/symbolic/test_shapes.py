"""Mode shapes: end conditions, orthogonality, and the exact frequencies of a uniform beam."""

import numpy as np
import pytest
from scipy.linalg import eigh

import kinetree as kt
from kinetree.description.arm_shapes import SHAPES, integrals, shapes
from kinetree.errors import ModelError, NameNotFound

L = 2.5
ROOTS = {  # b of w^2 = b^4 EI / (rho A l^4), as textbooks of vibrations print them
    "clamped-free": (1.87510407, 4.69409113, 7.85475744),
    "pinned-pinned": (np.pi, 2 * np.pi, 3 * np.pi),
    "clamped-clamped": (4.73004074, 7.85320462, 10.9956078),
    "clamped-pinned": (3.92660231, 7.06858275, 10.21017612),
    "free-free": (4.73004074, 7.85320462, 10.9956078),
}


@pytest.mark.parametrize("kind", ROOTS)
def test_frequencies_and_orthogonality_are_exact(kind):
    modes = shapes(kind, 6, L)
    found = integrals(modes, L, 3.0, 7.0)
    # printed digits
    np.testing.assert_allclose([one.root for one in modes[:3]], ROOTS[kind], rtol=1e-8)
    size = np.sqrt(np.diag(found.n))
    np.testing.assert_allclose(found.n / np.outer(size, size), np.eye(6), atol=1e-12)
    size = np.sqrt(np.diag(found.k))
    np.testing.assert_allclose(found.k / np.outer(size, size), np.eye(6), atol=1e-12)
    w2 = np.array([one.root for one in modes]) ** 4 * 7.0 / (3.0 * L**4)
    np.testing.assert_allclose(np.diag(found.k) / np.diag(found.n), w2, rtol=1e-12)


@pytest.mark.parametrize("kind", SHAPES)
def test_slope_and_curvature_are_the_derivatives(kind):
    x, h = np.linspace(0.2, 2.3, 7), 1e-5
    for one in shapes(kind, 4, L):
        for f, derivative in ((one.psi, one.slope), (one.slope, one.curvature)):
            seen = (f(x + h) - f(x - h)) / (2 * h)
            # central difference
            np.testing.assert_allclose(derivative(x), seen, atol=1e-7 * np.abs(seen).max())


def test_high_modes_of_a_cantilever_satisfy_their_end_conditions():
    """cosh - s sinh loses all digits beyond about ten modes; the form with 1 - s does not."""
    one = shapes("clamped-free", 25, L)[-1]
    assert abs(one.psi(0.0)) < 1e-9 and abs(one.slope(0.0)) < 1e-9 * one.root
    assert abs(one.curvature(L)) < 1e-9 * one.root**2


def test_polynomials_need_the_full_stiffness():
    """x^2 and x^3: 3.533 (exact 3.516) with K_12; without it at best 4.472 = sqrt(20), as of x^2
    alone.
    """
    found = integrals(shapes("polynomial", 2, 1.0), 1.0, 1.0, 1.0)
    full = np.sqrt(eigh(found.k, found.n, eigvals_only=True)[0])
    diagonal = np.sqrt(eigh(np.diag(np.diag(found.k)), found.n, eigvals_only=True)[0])
    assert full == pytest.approx(3.5327, abs=1e-4)
    assert diagonal == pytest.approx(4.028, abs=1e-3)


def test_shapes_of_the_user_are_scaled_and_checked():
    own = [(lambda x: 5 * x**2, lambda x: 10 * x, lambda x: 10 + 0 * x)]
    one = shapes(own, 1, 2.0)[0]
    assert one.psi(2.0) == pytest.approx(1.0) and one.curvature(1.0) == pytest.approx(0.5)
    with pytest.raises(ModelError, match="curvature of mode 1 is not the derivative"):
        shapes([(own[0][0], own[0][1], lambda x: 3 + 0 * x)], 1, 2.0)
    with pytest.raises(NameNotFound, match="Did you mean 'clamped-free'"):
        shapes("clamped-fre", 1, 2.0)


def test_functions_of_scalars_are_accepted_and_failing_ones_are_named():
    import math

    own = [(lambda x: math.sin(x) ** 2, lambda x: math.sin(2 * x), lambda x: 2 * math.cos(2 * x))]
    assert shapes(own, 1, 1.0)[0].psi(np.array([0.5]))[0] == pytest.approx(
        (math.sin(0.5) / math.sin(1.0)) ** 2
    )
    with pytest.raises(ModelError, match=r"mode 1: its function fails at x = .*"):
        shapes([(lambda x: math.sqrt(-1.0 - x), *own[0][1:])], 1, 1.0)


def test_linearly_dependent_modes_are_refused():
    one = (lambda x: x**2, lambda x: 2 * x, lambda x: 2 + 0 * x)
    with pytest.raises(ModelError, match="linearly dependent"):
        kt.Arm("arm").link("boom", "A", length=1.0, density=1.0, EI=1.0, modes=2, shape=[one, one])


def test_a_shape_that_is_not_zero_at_the_joint_is_refused():
    with pytest.raises(ModelError, match="not zero at x = 0"):
        kt.Arm("arm").link("boom", "A", length=1.0, density=1.0, EI=1.0, modes=1, shape="free-free")
