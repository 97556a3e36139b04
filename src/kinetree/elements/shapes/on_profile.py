"""Contact of a planar profile: local minima of a distance along its curve.

The distance of the curve x(s) from a point c has a local minimum within a piece if

    f(s) = (x(s) - c) . x'(s)

is negative at its start and positive at its end, and at a node if f is not positive at the end of the
piece before and not negative at the start of the next one. The height n . x(s) over a plane has
f = n . x'. Of the minima, the four smallest are places of contact.

While the point c is outside of the material, minima on walls that face away from it, such as the other
side of a thin tooth, do not count.
"""

from __future__ import annotations

import math

from ...kernel.algebra.vec3 import add, column, dot, rotate_t, scale, sub
from ...kernel.decorators import inline, internal_kernel
from .manifold import CLIPPED, put
from .profile import count_of, curve, node, unit

MOST = 4  # places of contact
ROUNDS = 60  # of the search of a zero, which halves the interval at least every second time


@inline
def slope(tables, at, k, s, cx, cy, flat):
    """f of the module; c is the direction n if the distance is that of a plane."""
    x, y, dx, dy = curve(tables, at, k, s)
    return cx * dx + cy * dy if flat else (x - cx) * dx + (y - cy) * dy


@internal_kernel
def zero_within(tables, at, k, cx, cy, flat, low, high):
    """Zero of f within piece k, where f is `low` at the start and `high` at the end."""
    a, b, f_a, f_b, kept = 0.0, 1.0, low, high, 0
    s = 0.5
    for _ in range(ROUNDS):  # the method of false position of Illinois
        s = (a * f_b - b * f_a) / (f_b - f_a)
        f = slope(tables, at, k, s, cx, cy, flat)
        if f == 0.0 or b - a < 1e-15:
            break
        if f < 0.0:
            a, f_a = s, f
            f_b = 0.5 * f_b if kept < 0 else f_b
            kept = -1
        else:
            b, f_b = s, f
            f_a = 0.5 * f_a if kept > 0 else f_a
            kept = 1
    return s


@inline
def remember(out, count, key, gap, x, y, nx, ny):
    """Insert a minimum into the list at CLIPPED, which is sorted by its key."""
    k = count if count < MOST else MOST - 1
    if count == MOST and key >= out[CLIPPED + k, 0]:
        return count
    while k > 0 and out[CLIPPED + k - 1, 0] > key:
        for c in range(6):
            out[CLIPPED + k, c] = out[CLIPPED + k - 1, c]
        k -= 1
    row = out[CLIPPED + k]
    row[0], row[1], row[2], row[3], row[4], row[5] = key, x, y, nx, ny, gap
    return min(count + 1, MOST)


@internal_kernel
def minima(tables, at, cx, cy, flat, out):
    """List the minima of the distance; returns their number.

    The rows are (key, point, direction, distance): outside of the material the direction leads to c,
    and inside, where the distance is negative, away from it.
    """
    n, count = count_of(tables, at), 0
    before, tx, ty = 0.0, 0.0, 0.0
    if n > 0:
        before = slope(tables, at, n - 1, 1.0, cx, cy, flat)
        tx, ty = last_direction(tables, at, n - 1)
    for k in range(n):
        start = slope(tables, at, k, 0.0, cx, cy, flat)
        end = slope(tables, at, k, 1.0, cx, cy, flat)
        x, y, dx, dy = curve(tables, at, k, 0.0)
        ux, uy = unit(dx, dy)
        if before <= 0.0 <= start:
            count = note(out, count, x, y, ux + tx, uy + ty, cx, cy, flat)
        if start < 0.0 < end:
            s = zero_within(tables, at, k, cx, cy, flat, start, end)
            x, y, dx, dy = curve(tables, at, k, s)
            count = note(out, count, x, y, dx, dy, cx, cy, flat)
        before = end
        tx, ty = last_direction(tables, at, k)
    return count


@inline
def last_direction(tables, at, k):
    """Direction at the end of a piece."""
    i = node(tables, at, k)
    return unit(tables.pool[i + 4], tables.pool[i + 5])


@inline
def note(out, count, x, y, dx, dy, cx, cy, flat):
    """Add a minimum at a point of the curve with this direction."""
    nx, ny = unit(dy, -dx)  # outward, for material on the left
    if flat:
        height = cx * x + cy * y
        return remember(out, count, height, height, x, y, cx, cy)
    wx, wy = cx - x, cy - y
    size = math.sqrt(wx * wx + wy * wy)
    sign = 1.0 if wx * nx + wy * ny >= 0.0 else -1.0
    if size > 0.0:
        nx, ny = sign * wx / size, sign * wy / size
    return remember(out, count, size, sign * size, x, y, nx, ny)


@internal_kernel
def valid(out, count):
    """Keep the minima that count; returns their number."""
    if count == 0 or out[CLIPPED, 5] < 0.0:
        return min(count, 1)  # inside, the nearest wall
    kept = 0
    for k in range(count):
        if out[CLIPPED + k, 5] >= 0.0:
            for c in range(6):
                out[CLIPPED + kept, c] = out[CLIPPED + k, c]
            kept += 1
    return kept


@internal_kernel
def meet_roller(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
    """Contact of a profile a with a ball or a roller b whose axis is parallel to z of a."""
    c, radius = rotate_t(R_a, sub(p_b, p_a)), tables.pool[at_b]
    count = valid(out, minima(tables, at_a, c[0], c[1], False, out))
    ex, ey = column(R_a, 0), column(R_a, 1)
    for k in range(count):
        row = out[CLIPPED + k]
        normal = add(scale(row[3], ex), scale(row[4], ey))
        gap = row[5] - radius
        put(out, k, gap, sub(p_b, scale(radius + 0.5 * gap, normal)), normal, 1.0)
    return count


@internal_kernel
def meet_flat(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
    """Contact of a half-space a with a profile b: the lowest points of its curve."""
    normal = column(R_a, 2)
    n = rotate_t(R_b, normal)
    ground = dot(normal, sub(p_b, p_a))
    count = minima(tables, at_b, n[0], n[1], True, out)
    ex, ey = column(R_b, 0), column(R_b, 1)
    for k in range(count):
        row = out[CLIPPED + k]
        point = add(p_b, add(scale(row[1], ex), scale(row[2], ey)))
        gap = ground + row[5]
        put(out, k, gap, sub(point, scale(0.5 * gap, normal)), normal, 1.0)
    return count


@internal_kernel
def meet_profiles(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
    """Contact of two profiles with parallel z: the nodes of each with the curve of the other."""
    count = nodes_on(tables, at_a, at_b, R_a, p_a, R_b, p_b, 1.0, out, 0)
    return nodes_on(tables, at_b, at_a, R_b, p_b, R_a, p_a, -1.0, out, count)


@internal_kernel
def nodes_on(tables, at, other, R, p, R_o, p_o, sign, out, begin):
    """Add rows for the nodes of another profile that are next to this one, `MOST` of them."""
    ex, ey, total = column(R, 0), column(R, 1), begin
    for k in range(count_of(tables, other)):
        i = node(tables, other, k)
        x = add(
            p_o,
            add(scale(tables.pool[i], column(R_o, 0)), scale(tables.pool[i + 1], column(R_o, 1))),
        )
        c = rotate_t(R, sub(x, p))
        if valid(out, minima(tables, at, c[0], c[1], False, out)) == 0:
            continue
        row = out[CLIPPED]
        gap, j = row[5], total
        if total == begin + MOST:  # the largest gap gives way
            j = begin
            for m in range(begin, total):
                j = m if out[m, 0] > out[j, 0] else j
            if gap >= out[j, 0]:
                continue
        else:
            total += 1
        normal = add(scale(row[3], ex), scale(row[4], ey))
        put(out, j, gap, sub(x, scale(0.5 * gap, normal)), scale(sign, normal), 1.0)
    return total
