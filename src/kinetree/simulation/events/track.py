"""Motion during a batch of steps as one curve: in each step the polynomial through its nodes.

    y(s) = sum w_j y_j / (s - s_j)  /  sum w_j / (s - s_j)      barycentric, s_j Chebyshev points

With nine nodes per step it reproduces the polynomials of the integrators, up to degree 13, far
below their tolerance.
"""

from __future__ import annotations

import numpy as np

from ...engine.integrators.nodes import INNER_POINTS, POINTS
from ...kernel.linalg import product

_WEIGHTS = np.array([0.5, *([1.0] * INNER_POINTS), 0.5]) * (-1.0) ** np.arange(INNER_POINTS + 2)
PER_STEP = INNER_POINTS + 1  # intervals between nodes
GRID = 2.0**-20  # of a step: to this precision extrema are known, values there to its square
OFF = 0.05  # of the largest value in a step: what lies further off was not seen


def _between() -> np.ndarray:
    """Matrix (odd nodes, even nodes) of the polynomial through the even nodes at the odd ones."""
    even, odd = POINTS[::2], POINTS[1::2]
    rows = [[np.prod([(s - a) / (b - a) for a in even if a != b]) for b in even] for s in odd]
    return np.array(rows)


_BETWEEN = _between()
_HALVED = np.where(np.arange(PER_STEP + 1) % PER_STEP == 0, 0.5, 1.0)  # at both ends
_COEFFICIENTS = (
    2.0
    / PER_STEP
    * np.outer(_HALVED, _HALVED)
    * np.polynomial.chebyshev.chebvander(2.0 * POINTS - 1.0, PER_STEP).T
)  # of values at the extrema of T_n


class Track:
    """Successive steps: times of their ends, shape (steps + 1,), and states at their nodes."""

    def __init__(self, ends: np.ndarray, nodes: np.ndarray) -> None:
        self.ends, self.nodes = ends, nodes
        inner = ends[:-1, None] + np.diff(ends)[:, None] * POINTS[:-1]
        self.t = np.append(inner.ravel(), ends[-1])
        self.y = np.concatenate([nodes[:, :-1].reshape(-1, nodes.shape[2]), nodes[-1, -1:]])

    def resolved(self, values: np.ndarray) -> np.ndarray:
        """Whether every second node of a step determines the others, per step, for values at the
        nodes.
        """
        steps = np.arange(len(self.nodes))[:, None] * PER_STEP + np.arange(PER_STEP + 1)
        inside = values[steps]  # (steps, nodes, count)
        off = np.abs(product(_BETWEEN, inside[:, ::2]) - inside[:, 1::2]).max(axis=1)
        return (off <= OFF * np.abs(inside).max(axis=1)).all(axis=1)

    def extrema(self, values: np.ndarray) -> np.ndarray:
        """Times at which values (nodes, count) turn, in steps where they may pass zero.

        They follow from the polynomial through the nodes of a step, sum c_k T_k, which has no root
        if |c_0| exceeds the sum of the others.
        """
        from numpy.polynomial.chebyshev import chebder, chebroots, chebtrim

        steps, found = np.arange(len(self.nodes))[:, None] * PER_STEP + np.arange(PER_STEP + 1), []
        c = product(_COEFFICIENTS, values[steps]).swapaxes(1, 2)  # (steps, count, degree + 1)
        size = np.abs(c).sum(axis=2)
        for s, m in np.argwhere(np.abs(c[:, :, 0]) <= 0.501 * size):
            slope = chebtrim(chebder(c[s, m]), 1e-14 * size[s, m])
            at = chebroots(slope) if len(slope) > 1 else np.zeros(0)
            at = 0.5 * (1.0 + at.real[(np.abs(at.imag) < 1e-7) & (np.abs(at.real) < 1.0)])
            at = (
                np.round(at / GRID) * GRID
            )  # LAPACK finds them; their last digits must not matter, and near an extremum do not
            at = at[np.abs(at[:, None] - POINTS).min(axis=1) > 1e-7]  # others are nodes
            found.append(self.ends[s] + at * (self.ends[s + 1] - self.ends[s]))
        return np.setdiff1d(np.concatenate([np.zeros(0), *found]), self.t)

    def at(self, t: float) -> np.ndarray:
        """The state at a time."""
        k = min(max(int(np.searchsorted(self.ends, t, "right")) - 1, 0), len(self.nodes) - 1)
        first, last = self.ends[k], self.ends[k + 1]
        if not first < last:  # a step without length, at an event
            return self.nodes[k, -1].copy()
        apart = (t - first) / (last - first) - POINTS
        near = int(np.argmin(np.abs(apart)))
        if abs(apart[near]) < 1e-15:
            return self.nodes[k, near].copy()
        shares = _WEIGHTS / apart
        return product(shares, self.nodes[k]) / shares.sum()

    @property
    def last(self) -> Track:
        """The last step as a track."""
        return Track(self.ends[-2:], self.nodes[-1:])
