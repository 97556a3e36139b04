"""Overlap of two faces as seen along a normal.

The vertices of both faces are given as (u, v, h): across and along the normal. The vertices of one
polygon are cut by the sides of the other, one after the other [Sutherland1974]. What is left are
corners of both faces and crossings of their edges; the gap at each is the difference of the heights
of the two planes there.
"""

from __future__ import annotations

from ...kernel.algebra.vec3 import cross, dot, sub
from ...kernel.decorators import inline, internal_kernel
from .manifold import CLIPPED, PLACES

_NEAR = 1e-9  # of the length of a side: vertices this far outside of it are kept
_STEEP = 0.05  # cosine between a face and the normal, below which the face is seen from the side
_ALONG = 1e-6  # of the sine of the angle between two lines that are taken as parallel


@inline
def project(out, first, count, origin, s, t, n):
    """Write (u, v, h) of vertices into their columns 3 to 5."""
    for k in range(first, first + count):
        d = sub((out[k, 0], out[k, 1], out[k, 2]), origin)
        out[k, 3], out[k, 4], out[k, 5] = dot(d, s), dot(d, t), dot(d, n)


@inline
def seen(out, k):
    return out[k, 3], out[k, 4], out[k, 5]


@internal_kernel
def heights(out, first, count):
    """h = c + a u + b v over a line or a face; whether it can be written so, and twice its area."""
    x = seen(out, first)
    if count == 2:
        d = sub(seen(out, first + 1), x)
        square = d[0] * d[0] + d[1] * d[1]
        if square <= _STEEP * _STEEP * dot(d, d):
            return False, 0.0, 0.0, 0.0, 0.0
        a, b = d[2] * d[0] / square, d[2] * d[1] / square
        return True, x[2] - a * x[0] - b * x[1], a, b, 0.0
    m = (0.0, 0.0, 0.0)
    for k in range(first + 1, first + count - 1):
        p = cross(sub(seen(out, k), x), sub(seen(out, k + 1), x))
        m = (m[0] + p[0], m[1] + p[1], m[2] + p[2])
    if m[2] * m[2] <= _STEEP * _STEEP * dot(m, m):
        return False, 0.0, 0.0, 0.0, 0.0
    a, b = -m[0] / m[2], -m[1] / m[2]
    return True, x[2] - a * x[0] - b * x[1], a, b, m[2]


@internal_kernel
def clip_polygon(out, first_a, count_a, first_b, count_b, area_b):
    """Write the corners of the overlap of two polygons to rows CLIPPED .., columns 0 and 1."""
    for k in range(count_a):
        out[CLIPPED + k, 0], out[CLIPPED + k, 1] = out[first_a + k, 3], out[first_a + k, 4]
    count, sign = count_a, 1.0 if area_b > 0.0 else -1.0
    for side in range(count_b):
        i, j = first_b + side, first_b + (side + 1 if side + 1 < count_b else 0)
        x, y = out[i, 3], out[i, 4]
        ex, ey = out[j, 3] - x, out[j, 4] - y
        near = _NEAR * (ex * ex + ey * ey)
        found = 0
        for k in range(count):
            p, q = CLIPPED + k, CLIPPED + (k + 1 if k + 1 < count else 0)
            now = sign * (ex * (out[p, 1] - y) - ey * (out[p, 0] - x))
            after = sign * (ex * (out[q, 1] - y) - ey * (out[q, 0] - x))
            if now >= -near and found < PLACES:
                out[CLIPPED + found, 2], out[CLIPPED + found, 3] = out[p, 0], out[p, 1]
                found += 1
            if (now >= -near) != (after >= -near) and found < PLACES:
                share = max(0.0, min(now / (now - after), 1.0))
                out[CLIPPED + found, 2] = out[p, 0] + share * (out[q, 0] - out[p, 0])
                out[CLIPPED + found, 3] = out[p, 1] + share * (out[q, 1] - out[p, 1])
                found += 1
        count = found
        for k in range(CLIPPED, CLIPPED + count):
            out[k, 0], out[k, 1] = out[k, 2], out[k, 3]
    return count


@internal_kernel
def clip_line(out, line, first, count, area):
    """The same for the part of a line over a polygon."""
    x, y = out[line, 3], out[line, 4]
    dx, dy = out[line + 1, 3] - x, out[line + 1, 4] - y
    low, high, sign = 0.0, 1.0, 1.0 if area > 0.0 else -1.0
    for side in range(count):
        i, j = first + side, first + (side + 1 if side + 1 < count else 0)
        ex, ey = out[j, 3] - out[i, 3], out[j, 4] - out[i, 4]
        start = sign * (ex * (y - out[i, 4]) - ey * (x - out[i, 3])) + _NEAR * (ex * ex + ey * ey)
        rate = sign * (ex * dy - ey * dx)
        if rate > 0.0:
            low = max(low, -start / rate)
        elif rate < 0.0:
            high = min(high, -start / rate)
        elif start < 0.0:
            return 0
    return ends(out, x, y, dx, dy, low, high)


@internal_kernel
def clip_lines(out, a, b):
    """The same for two lines: the part of the first beside the second, if they are parallel."""
    x, y = out[a, 3], out[a, 4]
    dx, dy = out[a + 1, 3] - x, out[a + 1, 4] - y
    fx, fy = out[b + 1, 3] - out[b, 3], out[b + 1, 4] - out[b, 4]
    square = dx * dx + dy * dy
    turn = dx * fy - dy * fx
    if turn * turn > _ALONG * _ALONG * square * (fx * fx + fy * fy):
        return 0
    s = ((out[b, 3] - x) * dx + (out[b, 4] - y) * dy) / square
    t = ((out[b + 1, 3] - x) * dx + (out[b + 1, 4] - y) * dy) / square
    return ends(out, x, y, dx, dy, max(0.0, min(s, t)), min(1.0, max(s, t)))


@inline
def ends(out, x, y, dx, dy, low, high):
    """Both ends of a part of a line, if there is one."""
    if low > high:
        return 0
    out[CLIPPED, 0], out[CLIPPED, 1] = x + low * dx, y + low * dy
    out[CLIPPED + 1, 0], out[CLIPPED + 1, 1] = x + high * dx, y + high * dy
    return 2
