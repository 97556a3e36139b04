"""Eigenvalues of a matrix whose entries have known errors.

A direction without stiffness has a double eigenvalue zero with one eigenvector. An error e of A
splits it into +- sqrt(e), real or imaginary depending on the sign of the error. No result may
depend on that. To first order

    |d lambda| <= |y|^T |dA| |x| / |y^H x|          y, x   left and right eigenvector
                                                    [Golub2013, sec. 7.2.2]

and y^H x is small near a defective eigenvalue, so that the estimate covers this case.

A vehicle that rolls has several such directions in a chain: the place depends on the heading, which
depends on the lean. Their zeros are exact, since nothing depends on the place, but errors would move
them by the third or fourth root of e. Entries below their error count as exact zeros there.
"""

from __future__ import annotations

import numpy as np

# error of derivatives by differences, relative to the largest in their row: 3e-10 was measured next
# to the inertia of a thin rod
ACCURACY = 1e-9
MARGIN = 3.0  # factor on the error estimate, which is of first order


def eigenpairs(
    A: np.ndarray, n_positions: int, n_velocities: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and right eigenvectors (columns) of z' = .., u' = .., x' = ..; eigenvalues
    smaller than their error are zero. By default there are as many velocities u as positions z.
    """
    n_velocities = n_positions if n_velocities is None else n_velocities
    if not A.size:
        return np.zeros(0, complex), np.zeros((0, 0), complex)
    from scipy.linalg import eig  # slow to import

    errors = _errors(A, n_positions, n_velocities)
    if n_positions > n_velocities:
        known = np.abs(A) > errors
        rounding = np.finfo(float).eps * np.abs(A).max()
        A, errors = np.where(known, A, 0.0), np.where(known, errors, rounding)
    values, left, right = eig(A, left=True, right=True)
    together = np.abs(np.einsum("ij,ij->j", left.conj(), right))
    moved = np.einsum("ij,ik,kj->j", np.abs(left), errors, np.abs(right))
    error = MARGIN * moved / np.maximum(together, np.finfo(float).tiny)
    return np.where(np.abs(values) <= error, 0.0, values), right


def _errors(A: np.ndarray, nz: int, nu: int) -> np.ndarray:
    """Errors of the entries of A: zero in z' = u, and equal within each row for states of the same
    kind (same unit). With more positions than velocities z' is differentiated too.
    """
    found, exact = np.zeros_like(A), nz if nz == nu else 0
    for first, last in ((0, nz), (nz, nz + nu), (nz + nu, len(A))):
        found[exact:, first:last] = ACCURACY * np.abs(A[exact:, first:last]).max(
            axis=1, initial=0.0, keepdims=True
        )
    return found
