"""Error of a reduced part: its response to loads at the markers beside that of the full model.

The response of the full model with the frame held, to loads F at frequency w with structural
damping, is that of its modes and a series for what they leave, which converges below the highest:

    C(w) = F^T V (L (1 + i eta) - w^2)^-1 V^T F + sum_j w^2j (1 + i eta)^(-j-1) F_p^T (G M)^j G F_p
"""

from __future__ import annotations

import numpy as np

from .bases import Shapes, Wanted
from .supported import Supported

LOSS = 0.04  # twice the ratio of damping of 2 %
SAMPLES, BLOCKS = 80, 6


def compliance_errors(part: Supported, shapes: Shapes, wanted: Wanted) -> np.ndarray:
    """Largest error up to the wanted frequency, per column of the loads (markers, six accelerations).

    Entry (i, j) is compared with the geometric mean of the largest responses i and j.
    """
    F = np.hstack([wanted.markers, part.M @ part.R])
    w = np.linspace(0.02, 1.0, SAMPLES) * wanted.upto
    full = _full(part, F, shapes, w)
    ours = _by_modes(shapes.w2, shapes.V.T @ F, w)
    scale = np.sqrt(np.abs(np.einsum("wii->wi", full)).max(0))
    return (np.abs(ours - full) / scale[:, None] / scale).max((0, 2))


def _by_modes(w2: np.ndarray, VF: np.ndarray, w: np.ndarray) -> np.ndarray:
    return np.stack([(VF.T / (w2 * (1 + LOSS * 1j) - x * x)) @ VF for x in w])


def _full(part: Supported, F: np.ndarray, shapes: Shapes, w: np.ndarray) -> np.ndarray:
    V = shapes.exact
    rest = F - (part.M @ V) @ (V.T @ F)
    Y = [part.solve(rest)]
    moments = [rest.T @ Y[0]]
    for _ in range(BLOCKS):
        MY = part.M @ Y[-1]
        moments.append(Y[-1].T @ MY)  # (G M)^(2k+1)
        y = part.solve(MY)
        Y.append(y - V @ (V.T @ (part.M @ y)))
        moments.append(Y[-2].T @ (part.M @ Y[-1]))
    total = _by_modes(shapes.exact_w2, V.T @ F, w)
    for j, moment in enumerate(moments):
        total += np.multiply.outer(w ** (2 * j) / (1 + LOSS * 1j) ** (j + 1), moment)
    return total
