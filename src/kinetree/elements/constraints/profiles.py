"""Plane curves through points for cams, in the kernel language of user code (Taylor jets).

    c(u)   periodic cubic spline over the length of the polygon, counter-clockwise
    n(u)   outward normal (c_y', -c_x') / |c'|

    foot      (c - x) . c' = 0                        the point of the curve nearest to x
    support   n_x c_x' + n_y c_y' = 0                 the point farthest in the direction n
    touch     (d - c) . c' = 0,  c' x d' = 0          c and d on two curves, with parallel tangents

Newton's method is continued for some iterations after its values have converged: each one doubles
the order to which the derivatives of the result are right.

Numbers of a curve: pieces, length, knots, and for each piece x and y, highest power first.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from ...kernel.linalg.splines import periodic_spline

MOST, MORE = 40, 3  # Newton iterations, and those after convergence


def profile_numbers(points: np.ndarray, what: str) -> list[float]:
    """Numbers of the closed curve through points of a plane."""
    if len(points) < 4:
        raise ModelError(f"{what}: a profile needs at least 4 points, got {len(points)}.")
    if np.array_equal(points[0], points[-1]):
        points = points[:-1]
    x, y = points[:, 0], points[:, 1]
    if float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) < 0.0:
        points = points[::-1]
    ring = np.vstack([points, points[:1]])
    lengths = np.hypot(*np.diff(ring, axis=0).T)
    if not lengths.min() > 0.0:
        raise ModelError(f"{what}: two neighboring points of a profile are equal.")
    u = np.concatenate([[0.0], np.cumsum(lengths)])
    pieces = np.moveaxis(periodic_spline(u, ring), 0, 2)  # (pieces, 2, 4)
    return [float(len(lengths)), float(u[-1]), *u.tolist(), *pieces.ravel().tolist()]


def curve_point(p, at, u):
    """c, c', c'' at u, of the curve whose numbers begin at `at`."""
    n, length = int(p[at]), p[at + 1]
    u = u % length
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        if u < p[at + 2 + middle]:
            high = middle
        else:
            low = middle
    s, k = u - p[at + 2 + low], at + 3 + n + 8 * low
    x = ((p[k] * s + p[k + 1]) * s + p[k + 2]) * s + p[k + 3]
    y = ((p[k + 4] * s + p[k + 5]) * s + p[k + 6]) * s + p[k + 7]
    xd = (3.0 * p[k] * s + 2.0 * p[k + 1]) * s + p[k + 2]
    yd = (3.0 * p[k + 4] * s + 2.0 * p[k + 5]) * s + p[k + 6]
    return x, y, xd, yd, 6.0 * p[k] * s + 2.0 * p[k + 1], 6.0 * p[k + 4] * s + 2.0 * p[k + 5]


def knot(p, at, k):
    """Point at knot k."""
    n = int(p[at])
    return p[at + 3 + n + 8 * k + 3], p[at + 3 + n + 8 * k + 7]


def nearest_knot(p, at, x, y):
    best, found = -1.0, 0
    for k in range(int(p[at])):
        c_x, c_y = knot(p, at, k)
        d = (c_x - x) * (c_x - x) + (c_y - y) * (c_y - y)
        if best < 0.0 or d < best:
            best, found = d, k
    return p[at + 2 + found]


def foot(p, at, x, y):
    """Parameter of the point nearest to (x, y)."""
    u, done, most = nearest_knot(p, at, x, y) + 0.0 * x, 0, p[at + 1] / p[at]
    for _ in range(MOST):
        c_x, c_y, xd, yd, xdd, ydd = curve_point(p, at, u)
        square = xd * xd + yd * yd
        down = square + (c_x - x) * xdd + (c_y - y) * ydd
        step = -((c_x - x) * xd + (c_y - y) * yd) / (down if down > 0.1 * square else square)
        u += min(max(step, -most), most)
        if abs(step) <= 1e-9 * p[at + 1]:
            done += 1
        if done > MORE:
            break
    return u


def support(p, at, x, y):
    """Parameter of the point farthest in the direction (x, y)."""
    best, first = 0.0, -1
    for k in range(int(p[at])):
        c_x, c_y = knot(p, at, k)
        if first < 0 or c_x * x + c_y * y > best:
            best, first = c_x * x + c_y * y, k
    u, done, most = p[at + 2 + first] + 0.0 * x, 0, p[at + 1] / p[at]
    for _ in range(MOST):
        _, _, xd, yd, xdd, ydd = curve_point(p, at, u)
        down = -(xdd * x + ydd * y)
        least = 1e-3 * math.sqrt(x * x + y * y) / p[at + 1]
        step = (xd * x + yd * y) / max(down, least)
        u += min(max(step, -most), most)
        if abs(step) <= 1e-9 * p[at + 1]:
            done += 1
        if done > MORE:
            break
    return u


def normal_gap(p, at, u, x, y):
    """Distance of (x, y) from the curve at u, along its outward normal."""
    c_x, c_y, xd, yd, _, _ = curve_point(p, at, u)
    return ((x - c_x) * yd - (y - c_y) * xd) / math.sqrt(xd * xd + yd * yd)


def placed_knot(p, at, k, place):
    """Point at knot k of a curve in another frame: origin (x, y), cosine, sine."""
    x, y = knot(p, at, k)
    return place[0] + place[2] * x - place[3] * y, place[1] + place[3] * x + place[2] * y


def nearest_placed_knot(p, at, place, x, y):
    best, found = -1.0, 0
    for k in range(int(p[at])):
        c_x, c_y = placed_knot(p, at, k, place)
        d = (c_x - x) * (c_x - x) + (c_y - y) * (c_y - y)
        if best < 0.0 or d < best:
            best, found = d, k
    return found


def touch(p, first, second, place):
    """Gap of two curves, the second one placed in the frame of the first; positive apart."""
    x, y = place[0], place[1]
    k = 0
    for _ in range(4):  # by turns the nearest point on one and on the other
        k = nearest_placed_knot(p, second, place, x, y)
        x, y = placed_knot(p, second, k, place)
        u = nearest_knot(p, first, x, y)
        x, y, _, _, _, _ = curve_point(p, first, u + 0.0 * place[0])
    u = nearest_knot(p, first, x, y) + 0.0 * place[0]
    w = p[second + 2 + k] + 0.0 * place[0]
    done, gap = 0, 0.0 * place[0]
    for _ in range(MOST):
        c_x, c_y, a_x, a_y, aa_x, aa_y = curve_point(p, first, u)
        e_x, e_y, f_x, f_y, ff_x, ff_y = curve_point(p, second, w)
        r_x = place[0] + place[2] * e_x - place[3] * e_y - c_x
        r_y = place[1] + place[3] * e_x + place[2] * e_y - c_y
        b_x, b_y = place[2] * f_x - place[3] * f_y, place[3] * f_x + place[2] * f_y
        bb_x, bb_y = place[2] * ff_x - place[3] * ff_y, place[3] * ff_x + place[2] * ff_y
        gap = (r_x * a_y - r_y * a_x) / math.sqrt(a_x * a_x + a_y * a_y)
        if done > MORE:
            break
        one, two = r_x * a_x + r_y * a_y, a_x * b_y - a_y * b_x
        one_u = r_x * aa_x + r_y * aa_y - a_x * a_x - a_y * a_y
        one_w = b_x * a_x + b_y * a_y
        two_u, two_w = aa_x * b_y - aa_y * b_x, a_x * bb_y - a_y * bb_x
        det = one_u * two_w - one_w * two_u
        du, dw = (one_w * two - two_w * one) / det, (two_u * one - one_u * two) / det
        u += min(max(du, -p[first + 1] / p[first]), p[first + 1] / p[first])
        w += min(max(dw, -p[second + 1] / p[second]), p[second + 1] / p[second])
        if abs(du) <= 1e-9 * p[first + 1] and abs(dw) <= 1e-9 * p[second + 1]:
            done += 1
    return gap


def curve_place(p, at, u):
    """c at u."""
    x, y, _, _, _, _ = curve_point(p, at, u)
    return x, y
