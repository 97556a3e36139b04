"""Decompositions put together again give the matrix, their factors are what they are called, and
NumPy finds the same values.
"""

import numpy as np
import pytest

from kinetree.kernel import linalg as algebra

from .matrices import KINDS, NAMES, SHAPES, random, repeated

ROUNDING = (
    30.0 * np.finfo(float).eps
)  # of the largest singular value, and times the root of the number of rows and columns

cases = pytest.mark.parametrize("m, n", SHAPES)
kinds = pytest.mark.parametrize("kind", KINDS, ids=NAMES)


def bar(A: np.ndarray) -> float:
    return ROUNDING * np.sqrt(sum(A.shape[-2:]))


def size(A: np.ndarray) -> float:
    return float(np.abs(A).max(initial=0.0)) or 1.0


def assert_orthonormal(columns: np.ndarray) -> None:
    np.testing.assert_allclose(
        columns.T @ columns, np.eye(columns.shape[1]), rtol=0, atol=bar(columns)
    )


@kinds
@cases
def test_singular_vectors_and_values_give_the_matrix(kind, m, n):
    A = kind(m, n)
    U, s, Vt = algebra.svd(A)
    count = min(m, n)
    assert U.shape == (m, m) and s.shape == (count,) and Vt.shape == (n, n)
    assert_orthonormal(U)
    assert_orthonormal(Vt.T)
    large = size(A) * np.sqrt(m * n)
    np.testing.assert_allclose(
        U[:, :count] * (s / large) @ Vt[:count], A / large, rtol=0, atol=bar(A)
    )
    assert (np.diff(s) <= 0.0).all() and (s >= 0.0).all()


@kinds
@cases
def test_singular_values_are_those_of_numpy(kind, m, n):
    A = kind(m, n)
    theirs = np.linalg.svd(A / size(A), compute_uv=False)
    for found in (algebra.singular_values(A), algebra.svd(A, full_matrices=False)[1]):
        np.testing.assert_allclose(
            found / size(A), theirs, rtol=0, atol=bar(A) * max(theirs[0], 1.0)
        )


@cases
def test_small_singular_values_of_graded_columns_keep_their_digits(m, n):
    """Plane rotations find them to the precision of the columns: scaling by powers of two changes
    nothing but the scale.
    """
    if m < n:
        pytest.skip("the columns are dependent")
    D = 2.0 ** -np.linspace(0, 60, n).round()
    Q = np.linalg.qr(random(m, n))[0]
    s = algebra.svd(Q * D)[1]
    np.testing.assert_allclose(
        s, np.sort(D)[::-1], rtol=1e-13
    )  # columns of Q are orthogonal to rounding


def test_large_matrices_are_decomposed_too():
    A = random(230, 220)
    U, s, Vt = algebra.svd(A)
    assert_orthonormal(U)
    assert_orthonormal(Vt.T)
    np.testing.assert_allclose(U[:, :220] * s @ Vt, A, rtol=0, atol=bar(A) * s[0])
    for row in Vt:
        assert row[np.abs(row) >= 0.5 * np.abs(row).max()][0] > 0.0
    np.testing.assert_allclose(algebra.singular_values(A), s, rtol=0, atol=bar(A) * s[0])


def test_reduced_decompositions_have_no_more_columns_than_needed():
    for m, n in ((7, 3), (3, 7)):
        U, s, Vt = algebra.svd(random(m, n), full_matrices=False)
        assert U.shape == (m, 3) and s.shape == (3,) and Vt.shape == (3, n)


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0)])
def test_matrices_without_entries_have_decompositions(shape):
    U, s, Vt = algebra.svd(np.zeros(shape))
    assert_orthonormal(U)
    assert_orthonormal(Vt)
    assert (
        s.size
        == algebra.singular_values(np.zeros(shape)).size
        == algebra.rank(np.zeros(shape))
        == 0
    )
    assert U.shape == (shape[0],) * 2 and Vt.shape == (shape[1],) * 2
    assert algebra.pinv(np.zeros(shape)).shape == shape[::-1]
    assert algebra.qr(np.zeros(shape))[0].shape == (shape[0], 0)
    assert algebra.lstsq(np.zeros(shape), np.ones(shape[0])).tolist() == [0.0] * shape[1]


@kinds
@cases
def test_reflections_give_the_matrix(kind, m, n):
    A = kind(m, n)
    Q, R = algebra.qr(A)
    assert_orthonormal(Q)
    np.testing.assert_array_equal(R, np.triu(R))
    np.testing.assert_array_equal(R, algebra.triangle(A))
    np.testing.assert_allclose(Q @ (R / size(A)), A / size(A), rtol=0, atol=bar(A) * np.sqrt(m))


@kinds
@cases
def test_exchanged_columns_fall_in_length(kind, m, n):
    A = kind(m, n)
    Q, R, columns = algebra.pivoted_qr(A, full=True)
    assert_orthonormal(Q)
    assert Q.shape == (m, m) and sorted(columns) == list(range(n))
    np.testing.assert_allclose(
        Q[:, : len(R)] @ (R / size(A)), A[:, columns] / size(A), rtol=0, atol=bar(A) * np.sqrt(m)
    )
    diagonal = np.abs(np.diag(R)) / size(A)
    assert (
        diagonal[1:] <= diagonal[:-1] * (1.0 + 1e-7) + bar(A)
    ).all()  # columns alike to 1e-8 are taken in their order


def test_of_columns_that_differ_by_rounding_the_first_is_taken():
    A = np.eye(4)
    A[:, 2] *= 1.0 + 1e-15
    assert algebra.pivoted_qr(A)[2].tolist() == [0, 1, 2, 3]
    A[:, 2] *= 1.0 + 1e-6
    assert algebra.pivoted_qr(A)[2].tolist()[0] == 2


def test_eigenvectors_of_matrices_of_low_rank_are_orthonormal():
    """Couplings of eigenvalues that are zero fall until their squares underflow."""
    for n in range(2, 90):
        A = repeated(n, n) + repeated(n, n).T
        values, Z = algebra.eigh(A)
        assert_orthonormal(Z)
        np.testing.assert_allclose(Z * values @ Z.T, A, rtol=0, atol=bar(A) * size(A) * n)


@kinds
@pytest.mark.parametrize("n", [1, 2, 3, 6, 30, 60])
def test_eigenvectors_and_eigenvalues_give_the_matrix(kind, n):
    A = kind(n, n)
    A = (
        A + A.T if kind is not KINDS[1] else A @ A.T
    )  # the latter has many eigenvalues that are zero
    values, Z = algebra.eigh(A)
    assert_orthonormal(Z)
    large = size(A) * n
    np.testing.assert_allclose(Z * (values / large) @ Z.T, A / large, rtol=0, atol=bar(A))
    np.testing.assert_allclose(values / large, np.linalg.eigvalsh(A / large), rtol=0, atol=bar(A))
    np.testing.assert_allclose(algebra.eigvalsh(A) / large, values / large, rtol=0, atol=bar(A))


def test_stacks_of_matrices_are_taken_one_by_one():
    stack = np.array(
        [random(3, 3) + random(3, 3).T * k for k in (1, 1)] + [np.diag([3.0, 1.0, 2.0])]
    )
    stack = stack + stack.swapaxes(1, 2)
    values, vectors = algebra.eigh(stack)
    for A, d, Z in zip(stack, values, vectors):
        np.testing.assert_array_equal(algebra.eigh(A)[0], d)
        np.testing.assert_array_equal(algebra.eigh(A)[1], Z)
    for shape in ((0, 3, 3), (2, 0, 0), (0, 0)):
        assert [x.shape for x in algebra.eigh(np.zeros(shape))] == [shape[:-1], shape]


def test_the_first_large_entry_of_a_vector_is_positive():
    for vectors in (algebra.svd(random(6, 9))[2], algebra.eigh(random(7, 7) + random(7, 7).T)[1].T):
        for row in vectors:
            assert row[np.abs(row) >= 0.5 * np.abs(row).max()][0] > 0.0


def test_numbers_that_are_not_finite_are_refused():
    for function in (algebra.svd, algebra.eigh, algebra.qr, algebra.pinv, algebra.singular_values):
        for bad in (np.nan, np.inf):
            with pytest.raises(np.linalg.LinAlgError):
                function(np.full((2, 2), bad))
