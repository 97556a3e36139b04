"""The right inverse and the projectors of the projection method at a state.   [Kim1997, eqs. (3.1),
(3.6), (3.7)]

    I_R = G^T (G G^T)^-1,   G I_R = 1        P_N = 1 - I_R G,   G P_N = 0        P_T = P_N Sel

The paper asks for independent rows. Where rows are redundant, I_R is the pseudo-inverse: G I_R is
then the projector onto the range of G, and the other two are the same as with independent rows
alone.
"""

from __future__ import annotations

import numpy as np

from ..kernel.linalg import pinv, pivoted_qr, product

REDUNDANT = 1e-9  # of the largest singular value of G with rows of length one


def right_inverse(G: np.ndarray) -> np.ndarray:
    """I_R (nv, ng)."""
    size = np.linalg.norm(G, axis=1)
    scale = 1.0 / np.where(size > 0.0, size, 1.0)
    return pinv(scale[:, None] * G, rcond=REDUNDANT) * scale


def null_projector(G: np.ndarray) -> np.ndarray:
    """P_N (nv, nv)."""
    return np.eye(G.shape[1]) - product(right_inverse(G), G)


def selected_columns(P_N: np.ndarray) -> tuple[int, ...]:
    """The columns that Sel selects: as many as P_N has rank, which is its trace, by a pivoted QR
    factorization.
    """
    rank = round(float(np.trace(P_N)))
    return tuple(sorted(int(k) for k in pivoted_qr(P_N)[-1][:rank]))
