"""Strains of many elements at once, with NumPy (formulas of kernel/algebra/strain.py)."""

from __future__ import annotations

import numpy as np

TINY = 1e-30  # complex step: derivatives of polynomials are exact to rounding


def strains(
    x1: np.ndarray, R1: np.ndarray, x2: np.ndarray, R2: np.ndarray, length: np.ndarray | float
) -> np.ndarray:
    """Strains (gamma, length times curvature), (..., 6), of elements.

    The nodes are at x (..., 3), with frames R (..., 3, 3).
    """
    D, Q, L = x2 - x1, np.einsum("...ki,...kj->...ij", R1, R2), np.asarray(length)[..., None]
    a = 0.5 * np.stack(
        [Q[..., 2, 1] - Q[..., 1, 2], Q[..., 0, 2] - Q[..., 2, 0], Q[..., 1, 0] - Q[..., 0, 1]], -1
    )
    b = np.einsum("...ki,...k->...i", R1 + R2, D) / (2.0 * L)
    y = 0.5 * (1.0 - 0.5 * (np.trace(Q, axis1=-2, axis2=-1) - 1.0))[..., None]
    s = 1.0 + y * (2 / 3 + y * (8 / 15 + y * 16 / 35))
    t = 0.25 * (2 / 3 + y * (6 / 5 + y * 58 / 35))
    return np.concatenate([s * b - t * (a * b).sum(-1, keepdims=True) * a, s * a], -1)


def strain_rates(x1, R1, x2, R2, V1, V2, length) -> np.ndarray:
    """Rates of the strains by a complex step.

    V = (angular, linear) are the velocities of the nodes in world axes.
    """

    def moved(x, R, V):
        return x + 1j * TINY * V[..., 3:], R + 1j * TINY * np.cross(
            V[..., None, :3], np.swapaxes(R, -1, -2)
        ).swapaxes(-1, -2)

    (y1, S1), (y2, S2) = moved(x1, R1, V1), moved(x2, R2, V2)
    return strains(y1, S1, y2, S2, length).imag / TINY
