"""Zero pattern of the velocity terms of rigid bodies, from values at random positions, if expanding
them would be too large.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..description.lowering.compiled import LoweredModel
from ..kernel.linalg import norm
from .spatial import ZERO, Spatial
from .tape import Tape

# a term smaller than this fraction of the largest one at all positions is zero
POSITIONS = 3
ROUNDING = 1e-11


class Floats(Tape):
    """A tape that computes numbers."""

    def __init__(self, q: np.ndarray) -> None:
        super().__init__()
        self.q = q

    def number(self, name: str, value: float) -> Any:
        return float(value)

    def keep(self, expression) -> Any:
        return expression

    def coordinate(self, k: int) -> Any:
        return self.q[k]

    def cosine_and_sine(self, k: int) -> tuple[Any, Any]:
        return math.cos(self.q[k]), math.sin(self.q[k])

    def quaternion(self, k: int) -> tuple[Any, Any, Any, Any]:
        w, x, y, z = self.q[k : k + 4] / norm(self.q[k : k + 4])
        return w, x, y, z


def velocity_terms(description: LoweredModel, q: np.ndarray) -> np.ndarray:
    """C_jk(i) as C[i, j, k] at a position:  h(e_j + e_k) - h(e_j) - h(e_k) = 2 C_jk."""
    spatial = Spatial(description.tables.links, np.zeros(3), Floats(q))
    n = spatial.nv

    def h(*speeds: int) -> np.ndarray:
        v = [float(sum(s == k for s in speeds)) for k in range(n)]
        return np.array(spatial.efforts(v, [0.0] * n, ZERO), float)

    C, alone = np.zeros((n, n, n)), [h(k) for k in range(n)]
    for j in range(n):
        C[:, j, j] = alone[j]
        for k in range(j):
            C[:, j, k] = C[:, k, j] = 0.5 * (h(j, k) - alone[j] - alone[k])
    return C


def pattern(description: LoweredModel) -> np.ndarray:
    """Which C[i, j, k] are not zero."""
    rng, nq = np.random.default_rng(0), description.size["nq"]
    found = [np.abs(velocity_terms(description, rng.normal(size=nq))) for _ in range(POSITIONS)]
    return np.any([C > ROUNDING * C.max(initial=0.0) for C in found], axis=0)
