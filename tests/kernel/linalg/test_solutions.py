"""Solutions satisfy what defines them, and NumPy finds the same ones."""

import numpy as np
import pytest

from kinetree.kernel import linalg as algebra

from .matrices import SHAPES, deficient, random

cases = pytest.mark.parametrize("m, n", SHAPES)
EPS = np.finfo(float).eps


def close(found, expected, condition=1.0):
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=100.0 * EPS * condition * scale)


@pytest.mark.parametrize(
    "shapes",
    [
        ((4,), (4,)),
        ((3, 4), (4,)),
        ((3,), (3, 4)),
        ((3, 4), (4, 5)),
        ((7, 3, 4), (7, 4, 2)),
        ((7, 3, 4), (4,)),
        ((7, 3, 4), (4, 5)),
        ((2, 3), (5, 3, 3)),
        ((0, 3), (3, 2)),
        ((3, 0), (0, 2)),
        ((2, 3, 0), (0,)),
        ((0, 3, 2), (0, 2, 4)),
        ((9, 17), (17, 11)),
    ],
)
def test_products_are_those_of_numpy(shapes):
    rng = np.random.default_rng(0)
    A, B = (rng.normal(size=shape) for shape in shapes)
    found = algebra.product(A, B)
    assert np.shape(found) == np.shape(A @ B)
    close(found, A @ B)


def test_products_go_from_the_left_to_the_right_and_take_transposes():
    A, x = random(6, 4), random(6, 1)[:, 0]
    close(algebra.product(x, A, A.T, x), x @ A @ A.T @ x)
    close(algebra.product(A.T, A), A.T @ A)


def test_squares_of_matrices_are_symmetric_to_the_bit():
    A = random(19, 11)
    np.testing.assert_array_equal(algebra.product(A.T, A), algebra.product(A.T, A).T)


def test_products_take_complex_numbers():
    A, B = random(3, 4) + 1j * random(3, 4)[::-1], random(4, 2)
    close(algebra.product(A, B).imag, (A @ B).imag)
    close(algebra.product(A, A.T), A @ A.T)


def test_products_of_shapes_that_do_not_fit_are_refused():
    for A, B in (((3, 4), (3,)), ((3,), (4,)), ((2, 3, 3), (3, 3, 3)), ((3, 2), (5, 3, 3))):
        with pytest.raises(ValueError):
            algebra.product(np.zeros(A), np.zeros(B))


def test_lengths_are_those_of_numpy():
    for x in (np.zeros(0), np.array([3.0, -4.0]), random(5, 7)):
        assert algebra.norm(x) == pytest.approx(float(np.linalg.norm(x)), rel=1e-15)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 40])
def test_regular_equations_are_solved(n):
    A, B = random(n, n), random(n, 3)
    condition = np.linalg.cond(A)
    close(algebra.solve(A, B), np.linalg.solve(A, B), condition)
    close(algebra.solve(A, B[:, 0]), np.linalg.solve(A, B[:, 0]), condition)
    close(algebra.inv(A) @ A, np.eye(n), condition)


def test_no_equations_have_no_solution_vector():
    assert algebra.solve(np.zeros((0, 0)), np.zeros(0)).shape == (0,)
    assert algebra.inv(np.zeros((0, 0))).shape == (0, 0)


def test_singular_equations_are_refused():
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        algebra.solve(np.ones((3, 3)), np.ones(3))


@pytest.mark.parametrize("kind", [random, deficient])
@cases
def test_pseudo_inverses_satisfy_the_four_equations_of_penrose(kind, m, n):
    A = kind(m, n)
    s = np.linalg.svd(A, compute_uv=False)
    condition = s[0] / s[s > 1e-9 * s[0]].min()
    for rcond in (
        1e-9,
        0.999e-15 if kind is random else 1e-11,
    ):  # by reflections, or by singular values
        X = algebra.pinv(A, rcond)
        close(A @ X @ A, A, condition)
        close(X @ A @ X, X, condition)
        close(A @ X, (A @ X).T, condition)
        close(X @ A, (X @ A).T, condition)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12, 1e-200])
@pytest.mark.parametrize("kind", [random, deficient])
@cases
def test_least_squares_are_those_of_numpy(kind, m, n, scale):
    A, b = kind(m, n), random(m, 2)
    s = np.linalg.svd(A, compute_uv=False)
    condition = s[0] / s[s > 1e-9 * s[0]].min()
    expected = np.linalg.lstsq(A, b, rcond=1e-9)[0]
    close(scale * algebra.lstsq(scale * A, b, rcond=1e-9), expected, condition**2)
    close(scale * algebra.lstsq(scale * A, b[:, 0], rcond=1e-9), expected[:, 0], condition**2)


def test_singular_values_beside_the_limit_decide_as_in_numpy():
    """Where the diagonal of R leaves doubt, the singular values count themselves."""
    U, V = np.linalg.qr(random(6, 4))[0], np.linalg.qr(random(4, 4))[0]
    for small in (0.9e-6, 1.1e-6, 1e-8, 1e-4):
        A = U * [1.0, 0.5, 1e-3, small] @ V.T
        close(algebra.pinv(A, 1e-6), np.linalg.pinv(A, rcond=1e-6), 1e9)
        assert algebra.rank(A, 1e-6) == (3 if small < 1e-6 else 4)


@cases
def test_null_spaces_are_orthonormal_and_complete(m, n):
    A = deficient(m, n)
    N = algebra.null_space(A)
    assert N.shape == (n, n - algebra.rank(A)) == (n, n - np.linalg.matrix_rank(A))
    close(N.T @ N, np.eye(N.shape[1]))
    close(A @ N, np.zeros((m, N.shape[1])), np.linalg.norm(A))


def test_rows_that_repeat_others_are_marked_in_their_order():
    A = random(9, 9)
    A[3] = 2.0 * A[0] - A[2]
    A[5] = A[4] - A[3] + 1e-12 * A[6]
    found = algebra.independent_rows(A, np.full(9, 1e-9))
    assert found.tolist() == [True, True, True, False, True, False, True, True, True]
    assert np.cumsum(found).tolist() == [
        np.linalg.matrix_rank(A[: k + 1], tol=1e-9) for k in range(9)
    ]
    assert algebra.independent_rows(A[:6], np.full(6, 1e-14)).tolist() == [
        True,
        True,
        True,
        False,
        True,
        True,
    ]
