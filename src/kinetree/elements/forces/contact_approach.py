"""Steps and states of a contact while shapes are apart: the speed w of the next impact."""

from __future__ import annotations

import math

from ...kernel.algebra.vec3 import dot, norm
from ...kernel.decorators import inline, internal_kernel
from ..shapes.manifold import place
from .contact_motion import (
    FLAT,
    MOTION,
    REACH,
    STRAIGHT,
    WAY,
    bending,
    falling,
    far_apart,
    heed_gap,
    pair_numbers,
    sides,
    slip,
    turns,
)
from .contact_response import MU, STATIC

RATE = 4.0  # of w: its error at the touch falls with the fourth power of the gap
GRAZING = 0.1  # of the speed of sliding: closing speed that forces can give to a straight motion
NEAR = 0.1  # of the short way: below this gap the rate falls to zero


@inline
def sticks(n):
    """Whether a contact has friction, with its states."""
    return n[MU] + n[STATIC] > 0.0


@inline
def relax(tables, work, force, x, rate, target, apart):
    """w follows the speed of the next impact; the friction of the last contact is forgotten."""
    ix = force.ix
    work.xdot[ix] += rate * (target - x[ix])
    if apart and sticks(tables.pool[force.first :]):
        for j in range(1, 5):
            work.xdot[ix + j] -= rate * x[ix + j]


@inline
def pace(pair, speed, fall, gap):
    """Rate r of the states at a gap.

    It is zero at the touch, so that the derivatives of the states do not jump where shapes separate.
    """
    rate = RATE * (speed + math.sqrt(abs(fall) * pair[WAY])) / (gap + pair[WAY])
    return rate * gap / (gap + NEAR * pair[WAY])


@internal_kernel
def leave_far(tables, work, force, x):
    """Whether the shapes are far apart, found by their distance alone."""
    gap, speed, way = far_apart(tables, force, work.bodies)
    if gap <= 0.0:
        return False
    a, b = sides(tables, force)
    pair, fall = pair_numbers(tables, force), falling(tables, a, b, way)
    heed_gap(tables, work, pair, gap, speed, fall)
    relax(tables, work, force, x, pace(pair, speed, fall, gap), speed, True)
    return True


@internal_kernel
def watch(tables, work, force, x, count):
    """Limit the step by the gaps, and let w follow the place that is next to touch."""
    a, b = sides(tables, force)
    pair = pair_numbers(tables, force)
    turning = norm(turns(a, b, work.bodies)[0]) * pair[REACH]
    fastest, target, apart = 0.0, 0.0, True
    for k in range(count):
        gap, point, way = place(work.touch, k)
        if gap <= 0.0:
            apart = False
            continue
        u, fall = slip(a, b, work.bodies, point), falling(tables, a, b, way)
        closing = -dot(u, way)
        if pair[MOTION] == STRAIGHT:
            straight = max(abs(closing), GRAZING * norm(u))
            curved = bending(pair, a, b, work.bodies, point, u)
            heed_gap(tables, work, pair, gap, straight, abs(fall) + curved)
        else:
            speed = (abs(closing) if pair[MOTION] == FLAT else norm(u)) + turning
            heed_gap(tables, work, pair, gap, speed, fall)
        speed = norm(u) + turning
        rate, towards = pace(pair, speed, fall, gap), max(closing, 0.0)
        if rate > fastest:
            fastest = rate
            target = math.sqrt(max(towards * towards + 2.0 * fall * gap, 0.0))
    relax(tables, work, force, x, fastest, target, apart)
