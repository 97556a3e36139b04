"""Cubic splines through points.   [deBoor1978, ch. IV]

With slopes s, steps h and difference quotients m, second derivatives are continuous where

    h_k s_(k-1) + 2 (h_(k-1) + h_k) s_k + h_(k-1) s_(k+1) = 3 (h_k m_(k-1) + h_(k-1) m_k)
"""

from __future__ import annotations

import numpy as np

from ..decorators import kernel
from ..types import Matrix, Vector


@kernel
def solve_tridiagonal(lower: Vector, diagonal: Vector, upper: Vector, X: Matrix):
    """X <- A^-1 X without exchanges; lower[k] is left of diagonal[k], upper[k] right of it.
    Overwrites the diagonal.
    """
    n = diagonal.shape[0]
    for k in range(1, n):
        factor = lower[k] / diagonal[k - 1]
        diagonal[k] -= factor * upper[k - 1]
        for j in range(X.shape[1]):
            X[k, j] -= factor * X[k - 1, j]
    for k in range(n - 1, -1, -1):
        for j in range(X.shape[1]):
            if k < n - 1:
                X[k, j] -= upper[k] * X[k + 1, j]
            X[k, j] /= diagonal[k]


def cubic_spline(x: np.ndarray, y: np.ndarray, ends: str = "not-a-knot") -> np.ndarray:
    """(4, n - 1, ..): coefficients of ((a s + b) s + c) s + d with s = x - x_k, of the spline
    through the points (x, y).

    Parameters
    ----------
    x : (n,) ndarray
        Rising.
    y : (n, ..) ndarray
    ends : {"not-a-knot", "natural", "clamped"}
        The third derivative is continuous at the second and at the last but one point, or the
        second derivative is zero at the ends, or the first one. "not-a-knot" is a parabola through
        three points and a line through two.
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    h, flat = np.diff(x), y.reshape(len(y), -1)
    m = np.diff(flat, axis=0) / h[:, None]
    if ends == "not-a-knot" and len(x) < 4:
        bend = (m[-1:] - m[:1]) / (x[-1] - x[0])  # half the second derivative
        s = np.vstack([m[:1] - bend * h[0], m + bend * h[:, None]])
    else:
        s = _slopes(h, m, ends)
    third = (s[:-1] + s[1:] - 2.0 * m) / h[:, None]
    found = np.array([third / h[:, None], (m - s[:-1]) / h[:, None] - third, s[:-1], flat[:-1]])
    return found.reshape(4, len(h), *y.shape[1:])


def periodic_spline(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """As `cubic_spline`, with value, slope and second derivative at the end equal to those at the
    beginning; y[-1] is y[0].

    The slopes solve a cyclic tridiagonal system, a tridiagonal one with a change of rank one.
    [Golub2013, sec. 2.1.4]
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    h, flat = np.diff(x), y.reshape(len(y), -1)
    m = np.diff(flat, axis=0) / h[:, None]
    before, n = np.roll(h, 1), len(h)
    right = 3.0 * (h[:, None] * np.roll(m, 1, axis=0) + before[:, None] * m)
    corner = np.zeros((n, 1))
    corner[0, 0], corner[-1, 0] = -2.0 * (before[0] + h[0]), before[-1]
    gamma, diagonal = corner[0, 0], 2.0 * (before + h)
    diagonal[0] -= gamma
    diagonal[-1] -= h[0] * before[-1] / gamma
    found = np.hstack([right, corner])
    solve_tridiagonal(h.copy(), diagonal, before.copy(), found)
    s, z = found[:, :-1], found[:, -1:]
    factor = (s[0] + h[0] / gamma * s[-1]) / (1.0 + z[0] + h[0] / gamma * z[-1])
    s = s - z * factor
    s = np.vstack([s, s[:1]])
    third = (s[:-1] + s[1:] - 2.0 * m) / h[:, None]
    found = np.array([third / h[:, None], (m - s[:-1]) / h[:, None] - third, s[:-1], flat[:-1]])
    return found.reshape(4, n, *y.shape[1:])


def _slopes(h: np.ndarray, m: np.ndarray, ends: str) -> np.ndarray:
    """(n, columns) slopes at the points."""
    n = len(h) + 1
    lower, diagonal, upper, s = np.zeros(n), np.ones(n), np.zeros(n), np.zeros((n, m.shape[1]))
    lower[1:-1], diagonal[1:-1], upper[1:-1] = h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]
    s[1:-1] = 3.0 * (h[1:, None] * m[:-1] + h[:-1, None] * m[1:])
    if ends == "natural":
        diagonal[0], upper[0], s[0] = 2.0, 1.0, 3.0 * m[0]
        lower[-1], diagonal[-1], s[-1] = 1.0, 2.0, 3.0 * m[-1]
    elif ends == "not-a-knot":
        a, b = h[0] + h[1], h[-1] + h[-2]
        diagonal[0], upper[0] = h[1], a
        s[0] = ((h[0] + 2.0 * a) * h[1] * m[0] + h[0] * h[0] * m[1]) / a
        lower[-1], diagonal[-1] = b, h[-2]
        s[-1] = (h[-1] * h[-1] * m[-2] + (h[-1] + 2.0 * b) * h[-2] * m[-1]) / b
    solve_tridiagonal(lower, diagonal, upper, s)
    return s
