"""Eigenvalues of linear equations whose entries are known to some digits only.

A direction in which nothing holds a machine has the eigenvalue zero twice with one eigenvector. An
error e of A splits the two into +- sqrt(e), real or imaginary by the sign of that error: nothing
that follows may depend on which. To first order

    |d lambda| <= |y|^T |dA| |x| / |y^H x|          y, x   left and right eigenvector
                                                    [Golub2013, sec. 7.2.2]

and y^H x is small where eigenvalues are about to meet, so that the error tells by itself that they
do.
"""

from __future__ import annotations

import numpy as np

# of derivatives by differences, of the largest in their row: 3e-10 was seen beside the inertia of a
# thin rod
ACCURACY = 1e-9
MARGIN = 3.0  # errors that count as one: the estimate is of first order


def eigenpairs(A: np.ndarray, freedoms: int) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and right eigenvectors (columns) of z' = .., u' = .., x' = ..; eigenvalues within
    their error are zero.
    """
    if not A.size:
        return np.zeros(0, complex), np.zeros((0, 0), complex)
    from scipy.linalg import eig  # slow to import

    values, left, right = eig(A, left=True, right=True)
    together = np.abs(np.einsum("ij,ij->j", left.conj(), right))
    moved = np.einsum("ij,ik,kj->j", np.abs(left), _errors(A, freedoms), np.abs(right))
    error = MARGIN * moved / np.maximum(together, np.finfo(float).tiny)
    return np.where(np.abs(values) <= error, 0.0, values), right


def _errors(A: np.ndarray, n: int) -> np.ndarray:
    """Of the entries of A: none in z' = u, and those of each kind of state (which have a unit)
    alike in every other row.
    """
    found = np.zeros_like(A)
    for first, last in ((0, n), (n, 2 * n), (2 * n, len(A))):
        found[n:, first:last] = ACCURACY * np.abs(A[n:, first:last]).max(
            axis=1, initial=0.0, keepdims=True
        )
    return found
