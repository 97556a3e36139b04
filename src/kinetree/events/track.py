"""The motion of a chunk as one curve: in each step the polynomial through its nodes.

    y(s) = sum w_j y_j / (s - s_j)  /  sum w_j / (s - s_j)                 barycentric, s_j Chebyshev points of both ends

With nine nodes per step it follows the polynomials of the methods, up to degree 13, to far below their tolerance.
"""

from __future__ import annotations

import numpy as np

from ..integrators.loop import INSIDE, NODES

_WEIGHTS = np.array([0.5, *([1.0] * INSIDE), 0.5]) * (-1.0) ** np.arange(INSIDE + 2)
PER_STEP = INSIDE + 1  # intervals between nodes


class Track:
    """Steps that follow one another: the times of their ends, (steps + 1,), and their nodes, (steps, PER_STEP + 1, n)."""

    def __init__(self, ends: np.ndarray, nodes: np.ndarray) -> None:
        self.ends, self.nodes = ends, nodes
        inner = ends[:-1, None] + np.diff(ends)[:, None] * NODES[:-1]
        self.t = np.append(inner.ravel(), ends[-1])
        self.y = np.concatenate([nodes[:, :-1].reshape(-1, nodes.shape[2]), nodes[-1, -1:]])

    def at(self, t: float) -> np.ndarray:
        """The state at a time."""
        k = min(max(int(np.searchsorted(self.ends, t, "right")) - 1, 0), len(self.nodes) - 1)
        first, last = self.ends[k], self.ends[k + 1]
        apart = (t - first) / (last - first) - NODES
        near = int(np.argmin(np.abs(apart)))
        if abs(apart[near]) < 1e-15:
            return self.nodes[k, near].copy()
        shares = _WEIGHTS / apart
        return shares @ self.nodes[k] / shares.sum()

    @property
    def last(self) -> Track:
        """Its last step alone."""
        return Track(self.ends[-2:], self.nodes[-1:])
