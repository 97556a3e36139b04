"""Tangent planes of the features of a road: its profile, and each obstacle on it.

A feature is seen from a point p, the center of a wheel: n is the unit normal at the point of the
feature that is nearest to p in the vertical plane of constant y, and h the height of p above the
tangent plane there.

An obstacle stands on the road under the wheel: at its middle, x = at, it has the height and the
slope of the track on that side
of y = 0. In axes u along and w normal to the road it is a rectangle with a rounded rim; a bank
shears it along y, as the road:

    u = (x - at) cos(s) + Z sin(s),   w = -(x - at) sin(s) + Z cos(s),   Z = z - foot - bank y,
                                      tan(s) = slope
    g(x, y, z) = |distance of (u, w) to the rectangle| - rim,    n = grad g / |grad g|,    h = g /
                                                                 |grad g|
"""

import math

from ...kernel.algebra.vec3 import dot, sub
from ...kernel.decorators import inline
from ..signals.catalogue import signal_value
from .road import BANK, COUNT, FIRST, GRADE, RIGHT, WIDTH

NEWTON, NEAR, SPACING = (
    12,
    1e-13,
    4e-16,
)  # iterations; parts of the wheel's height and of x at which they end
_LEVEL = (
    0.2  # the least slope of the equation with which it is solved, where a hollow is too narrow
)


@inline
def profile_plane(tables, profile, road, p):
    """n and h of the profile, whose nearest point is found by Newton's method.

    (s - x) + (z(s) - z_p) z'(s) = 0
    """
    pool = tables.pool
    signal = tables.signals[profile + (1 if pool[road + RIGHT] > 0.0 and p[1] < 0.0 else 0)]
    grade, bank = pool[road + GRADE], pool[road + BANK]
    s = p[0]
    for _ in range(NEWTON):
        f, slope, bend = signal_value(tables.signal_kernels[signal.kind], signal, pool, s)
        z, slope = f + grade * s + bank * p[1], slope + grade
        step = ((s - p[0]) + (z - p[2]) * slope) / max(
            1.0 + slope * slope + (z - p[2]) * bend, _LEVEL
        )
        s -= step
        if abs(step) <= NEAR * abs(z - p[2]) + SPACING * abs(s):
            break
    f, slope, _ = signal_value(tables.signal_kernels[signal.kind], signal, pool, s)
    z, slope = f + grade * s + bank * p[1], slope + grade
    scaled = 1.0 / math.sqrt(1.0 + slope * slope + bank * bank)
    n = (-slope * scaled, -bank * scaled, scaled)
    return n, dot(n, sub(p, (s, p[1], z)))


@inline
def obstacle_plane(pool, row, bank, p):
    """n and h of an obstacle; h is infinite beside it."""
    at, half, core, rim, low, high = (
        pool[row],
        pool[row + 1],
        pool[row + 2],
        pool[row + 3],
        pool[row + 4],
        pool[row + 5],
    )
    if p[1] < low or p[1] > high:
        return (0.0, 0.0, 1.0), math.inf
    side = row + 6 if p[1] >= 0.0 else row + 8
    foot, slope = pool[side], pool[side + 1]
    cos = 1.0 / math.sqrt(1.0 + slope * slope)
    sin, x, z = slope * cos, p[0] - at, p[2] - foot - bank * p[1]
    u, w = x * cos + z * sin, max(z * cos - x * sin - core, 0.0)
    u = math.copysign(max(abs(u) - half, 0.0), u)
    d = math.sqrt(u * u + w * w)
    along, up = (u / d, w / d) if d > 0.0 else (0.0, 1.0)
    ahead, above = along * cos - up * sin, along * sin + up * cos
    scaled = 1.0 / math.sqrt(1.0 + bank * bank * above * above)
    return (ahead * scaled, -bank * above * scaled, above * scaled), (d - rim) * scaled


@inline
def features(tables, road):
    """Number of features: the profile and the obstacles."""
    return 1 + int(tables.pool[road + COUNT])


@inline
def plane(tables, profile, road, k, p):
    """n and h of feature k; 0 is the profile."""
    if k == 0:
        return profile_plane(tables, profile, road, p)
    return obstacle_plane(tables.pool, road + FIRST + WIDTH * (k - 1), tables.pool[road + BANK], p)
