"""A disc on a road: one contact per convex feature, summed.

The ground and each obstacle are convex by themselves, so the disc is deepest in each of them at one point; all that touch act.
(With only the deepest of them the force would jump where two change places.) With the unit normal n of a feature, the height h of
the wheel's centre above its tangent plane, the wheel's axis a, its radius R and the radius C of its crown (0 is a thin disc, R a
ball):

    cos g = sqrt(1 - (a.n)^2),    d = -(n - (a.n) a) / cos g              from the centre to the lowest point of the rim
    depth = (R - C) cos g + C - h,     r = (R - C) d + (depth - C) n       from the centre to the point of contact, on the road

    F = max(0, k depth + c min(depth / fade, 1) depth')                along n where depth > 0

The spring is minus the gradient of k depth^2 / 2. The damper fades in linearly, so that the force has a single zero on the way
out and nothing pulls. The tangent plane of a profile is that at the point nearest to the centre, found by Newton's method; it is
the only one as long as no hollow is narrower than the wheel.
"""

import math

from ..num.jit import inline
from ..num.vec3 import add, cross, dot, scale, sub
from ..signals.catalogue import signal_value
from .road import BANK, COUNT, FIRST, GRADE, RIGHT, WIDTH

NEWTON, NEAR = 12, 1e-13  # iterations, and metres at which they end
_LEVEL = 0.2  # the least slope of the equation with which it is solved, where a hollow is too narrow
_UPRIGHT = 1e-6  # the least cosine of camber: a wheel that lies flat touches nowhere in particular


@inline
def profile_plane(tables, profile, road, p):
    """Normal of the road at the point nearest to p, and the height of p above the plane there.

        (s - x) + (z(s) - z_p) z'(s) = 0
    """
    pool = tables.pool
    signal = tables.signals[profile + (1 if pool[road + RIGHT] > 0.0 and p[1] < 0.0 else 0)]
    grade, bank = pool[road + GRADE], pool[road + BANK]
    s = p[0]
    for _ in range(NEWTON):
        f, slope, bend = signal_value(tables.signal_kernels[signal.kind], signal, pool, s)
        z, slope = f + grade * s + bank * p[1], slope + grade
        step = ((s - p[0]) + (z - p[2]) * slope) / max(1.0 + slope * slope + (z - p[2]) * bend, _LEVEL)
        s -= step
        if abs(step) < NEAR:
            break
    f, slope, _ = signal_value(tables.signal_kernels[signal.kind], signal, pool, s)
    z, slope = f + grade * s + bank * p[1], slope + grade
    scaled = 1.0 / math.sqrt(1.0 + slope * slope + bank * bank)
    n = (-slope * scaled, -bank * scaled, scaled)
    return n, dot(n, sub(p, (s, p[1], z)))


@inline
def obstacle_plane(pool, row, p):
    """Normal and height above the tangent plane of an obstacle; infinitely high beside it."""
    at, half, core, rim, low, high, foot = (pool[row], pool[row + 1], pool[row + 2], pool[row + 3], pool[row + 4],
                                            pool[row + 5], pool[row + 6])
    if p[1] < low or p[1] > high:
        return (0.0, 0.0, 1.0), math.inf
    x, z = p[0] - at, max(p[2] - foot - core, 0.0)
    x = math.copysign(max(abs(x) - half, 0.0), x)
    d = math.sqrt(x * x + z * z)
    if d == 0.0:
        return (0.0, 0.0, 1.0), -rim
    return (x / d, 0.0, z / d), d - rim


@inline
def features(tables, road):
    """How many: the profile and the obstacles."""
    return 1 + int(tables.pool[road + COUNT])


@inline
def plane(tables, profile, road, k, p):
    """Normal of feature k near p, and the height of p above it."""
    if k == 0:
        return profile_plane(tables, profile, road, p)
    return obstacle_plane(tables.pool, road + FIRST + WIDTH * (k - 1), p)


@inline
def touch(n, h, a, radius, crown):
    """Depth of the wheel under the plane, cosine of its camber, and the way from its centre to the point of contact."""
    lean = dot(a, n)
    upright = math.sqrt(max(1.0 - lean * lean, _UPRIGHT * _UPRIGHT))
    depth = (radius - crown) * upright + crown - h
    d = scale(-1.0 / upright, sub(n, scale(lean, a)))
    return depth, upright, add(scale(radius - crown, d), scale(depth - crown, n))


@inline
def approach(n, v, w, r, depth):
    """Rate of the depth: the lowest point of the rim, carried by the wheel, goes down along the normal."""
    return -dot(n, add(v, cross(w, sub(r, scale(depth, n)))))


@inline
def press(depth, rate, stiffness, damping, fade):
    """F of the module."""
    if depth <= 0.0:
        return 0.0
    return max(stiffness * depth + damping * min(depth / fade, 1.0) * rate, 0.0)
