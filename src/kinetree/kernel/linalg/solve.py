"""Linear equations, least squares, rank, null space and independent rows. `rcond` is relative to the
largest singular value.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.linalg import LinAlgError
from numpy.typing import ArrayLike

from ..algebra.lu import factorise_lu
from ..decorators import inline, kernel
from ..types import IntVector, Matrix, Vector
from .decompositions import Reflections, reflections_of, scaled_copy, singular_values, svd
from .products import floats, product
from .sums import sum_of_products

_EPS = float(np.finfo(float).eps)
# factor between the diagonal of R and the singular values; the diagonal estimates them to about the
# square root of their number
_GAP = 1e3
_NOTHING = 1e-13  # part of the largest that is rounding error


@inline
def subtract_row(X, i, s, k):
    """Subtract s times row k of X from row i."""
    for j in range(X.shape[1]):
        X[i, j] -= s * X[k, j]


@inline
def divide_row(X, i, s):
    """Divide row i of X by s."""
    for j in range(X.shape[1]):
        X[i, j] /= s


@kernel
def solve_columns(A: Matrix, rows: Vector, X: Matrix):
    """X <- A^-1 X; overwrites A; False if A is singular."""
    n = A.shape[0]
    if not factorise_lu(A, rows):
        return False
    for i in range(n):
        best = int(rows[i])
        if best != i:
            for j in range(X.shape[1]):
                X[i, j], X[best, j] = X[best, j], X[i, j]
    for i in range(n):
        for k in range(i):
            subtract_row(X, i, A[i, k], k)
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            subtract_row(X, i, A[i, k], k)
        divide_row(X, i, A[i, i])
    return True


@kernel
def solve_transposed(R: Matrix, X: Matrix):
    """X <- R^-T X for an upper triangular R."""
    for i in range(X.shape[0]):
        for k in range(i):
            subtract_row(X, i, R[k, i], k)
        divide_row(X, i, R[i, i])


def solve(A: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Solution x of A x = b for a regular square matrix; b is a vector or a matrix."""
    factors, x = np.array(A, float, order="C"), np.array(b, float, order="C")
    if not solve_columns(factors, np.empty(len(factors)), _columns(x)):
        raise LinAlgError("the matrix is singular.")
    return x


def _columns(b: np.ndarray) -> np.ndarray:
    """A vector as one column, in the same memory."""
    return b if b.ndim == 2 else b[:, None]


def inv(A: ArrayLike) -> np.ndarray:
    """The inverse of a regular square matrix."""
    return solve(A, np.eye(len(np.asarray(A))))


class Orthogonal(NamedTuple):
    """Complete orthogonal decomposition A P = Q S^T Z^T with a regular triangle S, for a matrix whose
    rank is certain.   [Golub2013, sec. 5.4.7]
    """

    first: Reflections
    second: Reflections
    S: np.ndarray
    size: float

    def times(self, B: np.ndarray) -> np.ndarray:
        """A^+ B; overwrites B."""
        r, n = len(self.S), len(self.second.A)
        X = np.zeros((n, B.shape[1]))
        X[:r] = self.first.transposed_times(B)[:r]
        solve_transposed(self.S, X[:r])
        X = self.second.times(X)
        found = np.empty_like(X)
        found[self.first.columns] = X / self.size
        return found


def _orthogonal(A: ArrayLike, rcond: float) -> Orthogonal | None:
    """Decomposition without singular values; None unless a gap in the diagonal of R shows how many
    of them are above rcond.
    """
    scaled, size = scaled_copy(A)
    first = reflections_of(scaled, True)
    R = first.R
    diagonal = np.abs(np.diag(R))
    most = diagonal.max(initial=0.0)
    r = int(np.count_nonzero(diagonal > rcond * most))
    if (
        not r
        or diagonal[r - 1] < _GAP * rcond * most
        or np.abs(R[r:]).max(initial=0.0) > min(rcond / _GAP, _NOTHING) * most
    ):
        return None
    second = reflections_of(np.ascontiguousarray(R[:r].T), False)
    return Orthogonal(first, second, second.R, size)


def _truncated(A: ArrayLike, rcond: float) -> tuple[np.ndarray, np.ndarray]:
    """V S^+ and U^T, without the singular values up to rcond times the largest."""
    U, s, Vt = svd(A, full_matrices=False)
    large = s > rcond * s.max(initial=0.0)
    return Vt.T * np.divide(1.0, s, out=np.zeros_like(s), where=large), U.T


def pinv(A: ArrayLike, rcond: float = 1e-15) -> np.ndarray:
    """The pseudo-inverse."""
    found = _orthogonal(A, rcond)
    return found.times(np.eye(len(found.first.A))) if found else product(*_truncated(A, rcond))


def lstsq(A: ArrayLike, b: ArrayLike, rcond: float | None = None) -> np.ndarray:
    """Least-squares solution of A x = b of minimum norm; b is a vector or a matrix."""
    right, cut = np.array(b, float, order="C"), max(np.shape(A)) * _EPS if rcond is None else rcond
    found = _orthogonal(A, cut)
    if found is None:
        VS, Ut = _truncated(A, cut)
        return product(VS, product(Ut, right))
    x = found.times(_columns(right))
    return x.reshape(len(x), *right.shape[1:])


def rank(A: ArrayLike, tol: float | None = None) -> int:
    """Number of singular values above `tol`, by default the rounding errors of the largest."""
    A = floats(A)
    s = singular_values(A)
    return int(
        np.count_nonzero(s > (s.max(initial=0.0) * max(A.shape) * _EPS if tol is None else tol))
    )


def null_space(A: ArrayLike, rcond: float | None = None) -> np.ndarray:
    """Orthonormal columns that span the null space."""
    A = floats(A)
    _, s, Vt = svd(A)
    cut = max(A.shape) * _EPS if rcond is None else rcond
    return np.ascontiguousarray(Vt[int(np.count_nonzero(s > cut * s.max(initial=0.0))) :].T)


@inline
def orthogonalise(row, basis, count):
    """Subtract from a row its components along the first rows of an orthonormal basis."""
    for k in range(count):
        along = sum_of_products(basis[k], row)
        for j in range(row.shape[0]):
            row[j] -= along * basis[k, j]


@kernel
def mark_independent(A: Matrix, bars: Vector, independent: IntVector):
    """independent[i] <- 1 if more than bars[i] of row i is orthogonal to the rows before it.
    [Golub2013, sec. 5.2.8]

    Overwrites A: its first rows become a basis.
    """
    count = 0
    for i in range(A.shape[0]):
        for _ in range(2):  # twice is enough
            orthogonalise(A[i], A, count)
        left = math.sqrt(sum_of_products(A[i], A[i]))
        independent[i] = 1 if left > bars[i] else 0
        if left > bars[i]:
            for j in range(A.shape[1]):
                A[count, j] = A[i, j] / left
            count += 1


def independent_rows(A: ArrayLike, bars: ArrayLike) -> np.ndarray:
    """(m,) bool: whether the part of a row that is orthogonal to the independent rows before it is
    longer than its bar (Gram-Schmidt).
    """
    rows, found = np.array(A, float, order="C"), np.empty(len(np.asarray(bars)), np.int64)
    mark_independent(rows, floats(bars), found)
    return found.astype(bool)
