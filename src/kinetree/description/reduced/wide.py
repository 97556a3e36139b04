"""The wide basis of a flexible body: its n modes, the travels e_j and the affine shapes X_i e_j.

The second-order displacement is projected onto it. With the affine shapes the projection keeps
int u2 and int X_i u2_j exactly, which contain all stiffening by rotation of the body.
"""

from __future__ import annotations

import numpy as np


def travel(n: int, j: int) -> int:
    """Column of e_j in the wide basis of n modes."""
    return n + j


def affine(n: int, i: int, j: int) -> int:
    """Column of X_i e_j."""
    return n + 3 + 3 * i + j


def wide_second_moments(
    mass: float, S0: np.ndarray, A00: np.ndarray, a: np.ndarray, A0: np.ndarray, A: np.ndarray
) -> np.ndarray:
    """(3, 3, w, w) [i, j, l, k]: int Phi_li Phi_kj of the wide basis, from the integrals of modes."""
    n = len(A[0, 0])
    wide = np.zeros((3, 3, n + 12, n + 12))
    wide[:, :, :n, :n] = A
    weights = np.block([[np.array([[mass]]), S0[None]], [S0[:, None], A00]])  # of 1, X_1, X_2, X_3
    of_modes = np.concatenate([a[None], A0])  # the same products with phi_ki
    for r in range(3):
        columns = [travel(n, r), *(affine(n, p, r) for p in range(3))]
        wide[:, r, :n, columns] = of_modes
        wide[r, :, columns, :n] = of_modes
        for t in range(3):
            others = [travel(n, t), *(affine(n, p, t) for p in range(3))]
            wide[r, t][np.ix_(columns, others)] = weights
    return wide


def narrow(
    wide: np.ndarray,
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """mass, S0, A00, a, A0 and A of a wide matrix: the inverse of `wide_second_moments`."""
    n = wide.shape[2] - 12
    columns = [travel(n, 0), *(affine(n, p, 0) for p in range(3))]
    weights = wide[0, 0][np.ix_(columns, columns)]
    of_modes = np.stack([wide[:, 0, :n, column] for column in columns])
    A = np.ascontiguousarray(wide[:, :, :n, :n])
    return float(weights[0, 0]), weights[0, 1:], weights[1:, 1:], of_modes[0], of_modes[1:], A
