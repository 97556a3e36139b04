"""How results are compared: relative differences, and whether a mechanism is posed well enough to
compare digits.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from .machine import Machine, row_sizes


def difference(a: np.ndarray, b: np.ndarray, scale: float = 0.0) -> float:
    """Largest difference relative to the largest value of b, or to `scale` if that is larger."""
    return float(np.abs(a - b).max(initial=0.0) / max(np.abs(b).max(initial=0.0), scale, 1e-300))


def well_posed(state: Machine, margin: float = 1e-4) -> bool:
    """No singular value of the mass-weighted, scaled G lies between zero (redundant) and `margin`
    of the largest.
    """
    if not state.nv or not len(state.G):
        return bool(state.nv)
    W = solve_triangular(cholesky(state.M), state.G.T, trans="T").T
    s = np.linalg.svd(W / row_sizes(W)[:, None], compute_uv=False)
    return not np.any((s > 1e-11 * s[0]) & (s < margin * s[0]))
