"""A curve through points, and the numbers its kernels read in the pool.

    c(s)    cubic spline in each coordinate over the arc length s; a closed one is periodic, an open
            one goes on straight beyond its ends
    m(s)    a direction across the curve that turns as little as possible along it
            [Wang2008, double reflection]

Numbers in the pool: how many knots, 1 if the curve is closed, its length, the knots s_k, and for each
piece four coefficients of each of the six functions c, m, highest power first.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.algebra.vec3 import add, cross, dot, norm, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.linalg.splines import cubic_spline, periodic_spline
from ...kernel.types import Vector
from ..signals.table import piece

HEAD = 3  # numbers before the knots
_ROUNDS = 3  # of finding the arc length
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)


def curve_numbers(points: np.ndarray, closed: bool) -> list[float]:
    """What the kernels read: the curve through the points, over its arc length."""
    points = np.vstack([points, points[:1]]) if closed else points
    spline = periodic_spline if closed else cubic_spline
    s = _summed(np.linalg.norm(np.diff(points, axis=0), axis=1))
    for _ in range(_ROUNDS):
        s = _summed(_lengths(s, spline(s, points)))
    across = _least_turning(points, _slopes(s, spline(s, points)), closed)
    pieces = spline(s, np.hstack([points, across]))  # (4, pieces, 6)
    numbers = np.moveaxis(pieces, 0, 2).ravel()
    return [float(len(s)), float(closed), float(s[-1]), *s.tolist(), *numbers.tolist()]


def _summed(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(lengths)])


def _lengths(s: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """Arc length of every piece, by Gauss's rule."""
    a, b, c, _ = pieces
    h = np.diff(s)
    total = np.zeros(len(h))
    for node, weight in zip(_NODES, _WEIGHTS):
        x = (0.5 * h * (1.0 + node))[:, None]
        total += 0.5 * h * weight * np.linalg.norm((3.0 * a * x + 2.0 * b) * x + c, axis=1)
    return total


def _slopes(s: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """Unit tangents at the knots."""
    a, b, c, _ = pieces
    h = np.diff(s)[-1]
    last = (3.0 * a[-1] * h + 2.0 * b[-1]) * h + c[-1]
    t = np.vstack([c, last])
    return t / np.linalg.norm(t, axis=1)[:, None]


def _least_turning(points: np.ndarray, t: np.ndarray, closed: bool) -> np.ndarray:
    """Directions across the curve, each the last one reflected twice; what a closed curve turns them
    by in one round is spread over it.
    """
    first = np.cross(t[0], np.eye(3)[np.abs(t[0]).argmin()])
    m = [first / np.linalg.norm(first)]
    for k in range(len(points) - 1):
        u = points[k + 1] - points[k]
        r, tangent = _mirrored(m[-1], u), _mirrored(t[k], u)
        m.append(_mirrored(r, t[k + 1] - tangent))
    found = np.array(m)
    if closed:
        end = found[-1]
        turn = math.atan2(
            float(np.dot(t[0], np.cross(found[0], end))), float(np.dot(found[0], end))
        )
        angles = -turn * np.arange(len(found)) / (len(found) - 1)
        found = found * np.cos(angles)[:, None] + np.cross(t, found) * np.sin(angles)[:, None]
        found[-1] = found[0]
    return found


def _mirrored(x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """x reflected in the plane across u."""
    square = float(np.dot(u, u))
    return x if square == 0.0 else x - 2.0 * float(np.dot(u, x)) / square * u


@inline
def on_piece(pool, first, s):
    """Where the six functions of the piece that has s stand in the pool, and s from its beginning."""
    count = int(pool[first])
    k = piece(pool, first + HEAD, count, s)
    return first + HEAD + count + 24 * k, s - pool[first + HEAD + k]


@inline
def cubic(pool, at, s):
    """Three functions at a place: their values, first and second derivatives."""
    a = (pool[at], pool[at + 4], pool[at + 8])
    b = (pool[at + 1], pool[at + 5], pool[at + 9])
    c = (pool[at + 2], pool[at + 6], pool[at + 10])
    d = (pool[at + 3], pool[at + 7], pool[at + 11])
    first = add(scale(3.0 * s * s, a), add(scale(2.0 * s, b), c))
    value = add(scale(s * s * s, a), add(scale(s * s, b), add(scale(s, c), d)))
    return value, first, add(scale(6.0 * s, a), scale(2.0, b))


@inline
def inside(pool, first, s):
    """The place within the points: on a closed curve the round is taken off, on an open one what is
    beyond its ends.
    """
    length = pool[first + 2]
    if pool[first + 1] != 0.0:
        return s - length * math.floor(s / length)
    return min(max(s, 0.0), length)


@inline
def curve_at(pool, first, s):
    """c, c', c'' at s."""
    at_points = inside(pool, first, s)
    at, along = on_piece(pool, first, at_points)
    c, slope, bend = cubic(pool, at, along)
    if pool[first + 1] != 0.0 or s == at_points:
        return c, slope, bend
    return add(c, scale(s - at_points, slope)), slope, (0.0, 0.0, 0.0)


@inline
def across(pool, first, s, k):
    """Unit normal k = 0, 1 of the curve at s."""
    at, along = on_piece(pool, first, inside(pool, first, s))
    t = cubic(pool, at, along)[1]
    t = scale(1.0 / norm(t), t)
    m = cubic(pool, at + 12, along)[0]
    m = sub(m, scale(dot(m, t), t))
    n = scale(1.0 / norm(m), m)
    return n if k == 0 else cross(t, n)


@inline
def foot(pool, first, p):
    """The place s on the curve nearest to the point p, in the first round of a closed curve.

    The nearest of knots and middles of pieces, then Newton's method for (c - p) . c' = 0.
    """
    count, best, s = int(pool[first]), math.inf, 0.0
    for k in range(2 * count - 1):
        i = first + HEAD + k // 2
        trial = pool[i] if k % 2 == 0 else 0.5 * (pool[i] + pool[i + 1])
        d = sub(curve_at(pool, first, trial)[0], p)
        if dot(d, d) < best:
            best, s = dot(d, d), trial
    most = pool[first + 2] / (count - 1)
    for _ in range(30):
        c, slope, bend = curve_at(pool, first, s)
        d = sub(c, p)
        down = dot(slope, slope) + dot(d, bend)
        square = dot(slope, slope)
        step = -dot(d, slope) / (down if down > 0.1 * square else square)
        step = min(max(step, -most), most)
        s += step
        if abs(step) <= 1e-15 * pool[first + 2]:
            break
    length = pool[first + 2]
    return s - length * math.floor(s / length) if pool[first + 1] != 0.0 else s


@kernel
def nearest_place(numbers: Vector, x: float, y: float, z: float):
    """`foot` for Python, with the numbers of one curve."""
    return foot(numbers, 0, (x, y, z))


@kernel
def place_at(numbers: Vector, s: float):
    """c, c', c'' of one curve for Python, as nine numbers."""
    c, slope, bend = curve_at(numbers, 0, s)
    return c[0], c[1], c[2], slope[0], slope[1], slope[2], bend[0], bend[1], bend[2]
