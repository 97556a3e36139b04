"""QR, singular value and symmetric eigenvalue decompositions.

Signs: in each row of V^T and in each eigenvector, the first entry of at least half the largest size
is positive.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import ArrayLike

from .reflections import factorise_qr, multiply_by_q
from .singular_values import orthogonal_rows, singular_values_of
from .symmetric import symmetric_eigen

LARGEST = 200  # largest number of rows or columns, whichever is smaller, for `svd` by rotations


class Reflections(NamedTuple):
    """A P = Q R: R on and above the diagonal of `A`, the vectors of the reflections below it."""

    A: np.ndarray
    tau: np.ndarray
    columns: np.ndarray

    @property
    def R(self) -> np.ndarray:
        return np.triu(self.A[: len(self.tau)])

    def Q(self, count: int) -> np.ndarray:
        """The first columns of Q."""
        return self.times(np.eye(len(self.A), count))

    def times(self, X: np.ndarray) -> np.ndarray:
        """Q X; overwrites X."""
        multiply_by_q(self.A, self.tau, X, np.empty(X.shape[1]), False)
        return X

    def transposed_times(self, X: np.ndarray) -> np.ndarray:
        """Q^T X; overwrites X."""
        multiply_by_q(self.A, self.tau, X, np.empty(X.shape[1]), True)
        return X


def scaled_copy(given: ArrayLike) -> tuple[np.ndarray, float]:
    """Copy whose squares neither overflow nor underflow, and the power of two that divided it."""
    A = np.array(given, float, order="C")
    most = float(np.abs(A).max(initial=0.0))
    if not math.isfinite(most):
        raise LinAlgError("the matrix has entries that are not finite.")
    power = math.frexp(most)[1]
    if not most or abs(power) <= 100:
        return A, 1.0
    return np.ldexp(A, 1 - power), math.ldexp(1.0, power - 1)


def reflections_of(A: np.ndarray, exchanges: bool) -> Reflections:
    """QR factors of a matrix, which is overwritten."""
    m, n = A.shape
    found = Reflections(A, np.empty(min(m, n)), np.empty(n, np.int64))
    factorise_qr(A, found.tau, found.columns, exchanges, np.empty((3, n)))
    return found


def qr(A: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Reduced QR decomposition A = Q R: orthonormal columns Q, upper triangular R."""
    scaled, size = scaled_copy(A)
    found = reflections_of(scaled, False)
    return found.Q(len(found.tau)), size * found.R


def triangle(A: ArrayLike) -> np.ndarray:
    """The factor R of `qr`."""
    scaled, size = scaled_copy(A)
    return size * reflections_of(scaled, False).R


def pivoted_qr(A: ArrayLike, full: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q, R and the order of the columns, A[:, columns] = Q R, with a decreasing diagonal of R; with
    `full`, Q is square.

    Of columns that have equal lengths, up to 1e-8, the first is the pivot.
    """
    scaled, size = scaled_copy(A)
    found = reflections_of(scaled, True)
    return found.Q(len(scaled) if full else len(found.tau)), size * found.R, found.columns


def svd(A: ArrayLike, full_matrices: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U, the singular values s in decreasing order and V^T, A = U diag(s) V^T, as numpy.linalg.svd.

        A P = Q R,   W R = S Z^T,   A = (Q W^T) S (P Z)^T

    Rotations take ten times as long as LAPACK for matrices of 300 rows and columns, so LAPACK
    computes those larger than `LARGEST`.
    """
    scaled, size = scaled_copy(A)
    m, n = scaled.shape
    if min(m, n) > LARGEST:
        U, s, Vt = np.linalg.svd(scaled, full_matrices=full_matrices)
    elif m < n:
        V, s, Ut = _tall(np.ascontiguousarray(scaled.T), full_matrices)
        U, Vt = Ut.T, V.T
    else:
        U, s, Vt = _tall(scaled, full_matrices)
    sign = _signs(Vt)
    count = len(s)
    Vt = Vt * sign[:, None]
    U = np.hstack([U[:, :count] * sign[:count], U[:, count:]])
    return U, size * s, Vt


def _tall(A: np.ndarray, full: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U, s, V^T of a matrix with at least as many rows as columns, which is overwritten."""
    m, n = A.shape
    found = reflections_of(A, True)
    X, W, s = found.R, np.eye(n), np.empty(n)
    if not orthogonal_rows(X, W, s):
        raise LinAlgError("the singular values did not converge.")
    order = np.argsort(-s, kind="stable")
    X, W, s = X[order], W[order], s[order]
    count = int(np.count_nonzero(s))
    Zt = X[:count] / s[:count, None]
    if count < n:
        Zt = np.vstack([Zt, _completion(Zt)])
    Vt = np.empty((n, n))
    Vt[:, found.columns] = Zt
    inside = np.zeros((m, m if full else n))
    inside[:n, :n] = W.T
    inside[n:, n:] = np.eye(m - n, inside.shape[1] - n)
    return found.times(inside), s, Vt


def _completion(rows: np.ndarray) -> np.ndarray:
    """Orthonormal rows that complete orthonormal rows to a square matrix."""
    count, n = rows.shape
    return np.ascontiguousarray(
        reflections_of(np.ascontiguousarray(rows.T), False).Q(n)[:, count:].T
    )


def singular_values(A: ArrayLike) -> np.ndarray:
    """Singular values of matrices (.., m, n) in decreasing order, accurate to rounding errors of the
    largest.
    """
    scaled, size = scaled_copy(A)
    *stack, m, n = scaled.shape
    least = min(m, n)
    tall = scaled if m >= n else np.ascontiguousarray(scaled.swapaxes(-1, -2))
    values = np.zeros((math.prod(stack), 2 * least))
    if not singular_values_of(
        tall.reshape(len(values), max(m, n), least), values, np.empty((2, 2 * least))
    ):
        raise LinAlgError("the singular values did not converge.")
    return size * np.maximum(values[:, ::-1][:, :least], 0.0).reshape(*stack, least)


def _signs(rows: np.ndarray) -> np.ndarray:
    """Sign of each row: that of its first entry of at least half the largest absolute value."""
    sizes = np.abs(rows)
    first = (
        np.argmax(sizes >= 0.5 * sizes.max(axis=1, initial=0.0)[:, None], axis=1)
        if rows.size
        else np.zeros(len(rows), int)
    )
    return np.copysign(1.0, rows[np.arange(len(rows)), first]) if rows.size else np.ones(len(rows))


def eigh(A: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues in increasing order, and orthonormal eigenvectors as columns, of symmetric matrices
    (.., n, n).
    """
    values, rows = _symmetric(A, True)
    flat = rows.reshape(values.size, rows.shape[-1])
    flat *= _signs(flat)[:, None]
    return values, rows.swapaxes(-1, -2)


def eigvalsh(A: ArrayLike) -> np.ndarray:
    """Eigenvalues of symmetric matrices (.., n, n) in increasing order."""
    return _symmetric(A, False)[0]


def _symmetric(A: ArrayLike, vectors: bool) -> tuple[np.ndarray, np.ndarray]:
    scaled, size = scaled_copy(A)
    shape, n = scaled.shape, scaled.shape[-1]
    stack = scaled.reshape(math.prod(shape[:-2]), n, n)
    values, rows = np.empty((len(stack), n)), np.empty((len(stack), n, n) if vectors else (1, 0, 0))
    if not symmetric_eigen(stack, values, rows, vectors, np.empty((2, n))):
        raise LinAlgError("the eigenvalues did not converge.")
    return size * values.reshape(shape[:-1]), rows.reshape(shape) if vectors else rows
