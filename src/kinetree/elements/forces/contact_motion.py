"""Motion of two shapes at their places of contact, and the step that does not pass over them.

The numbers of a pair follow those of its law in the pool, from force.first + force.count on: WAY,
REACH, ..., then those of the two shapes.
"""

from __future__ import annotations

import math

from ...kernel.algebra.spatial import angular, load6, velocity_at
from ...kernel.algebra.vec3 import add, dot, load3, norm, scale, sub
from ...kernel.decorators import inline, internal_kernel
from ..shapes.catalogue import meet
from .contract import frame, point_motion

# WAY: a short way (m); REACH: of both shapes from their markers; APART: distance of the markers beyond
# which the shapes cannot touch, or 0; MOTION: one of those below; SECOND: count of numbers of the first
# shape
WAY, REACH, APART, MOTION, SWAPPED, SECOND, SHAPES = range(7)
SLIDING, FLAT, STRAIGHT = range(3)  # see Pair


@inline
def pair_numbers(tables, force):
    return tables.pool[force.first + force.count :]


@inline
def sides(tables, force):
    """Markers of the shapes a and b of the pair."""
    first, last = tables.markers[force.im], tables.markers[force.im + 1]
    if pair_numbers(tables, force)[SWAPPED] > 0.0:
        return last, first
    return first, last


@internal_kernel
def meeting(tables, work, force):
    """Find the places of contact, in work.touch; returns their number."""
    a, b = sides(tables, force)
    at_a = force.first + force.count + SHAPES + 1
    at_b = at_a + int(pair_numbers(tables, force)[SECOND])
    R_a, R_b = frame(a, work.bodies), frame(b, work.bodies)
    p_a, p_b = point_motion(a, work.bodies)[0], point_motion(b, work.bodies)[0]
    return meet(force.mode, tables, at_a, at_b, R_a, p_a, R_b, p_b, work.touch)


@inline
def far_apart(tables, force, bodies):
    """Least gap of shapes whose markers are far apart, otherwise 0; the closing speed and normal."""
    a, b = sides(tables, force)
    n = pair_numbers(tables, force)
    (p_a, v_a), (p_b, v_b) = point_motion(a, bodies), point_motion(b, bodies)
    d = sub(p_b, p_a)
    length = norm(d)
    if n[APART] == 0.0 or length < 1.5 * n[APART]:
        return 0.0, 0.0, d
    return length - n[APART], norm(sub(v_b, v_a)), scale(1.0 / length, d)


@inline
def slip(a, b, bodies, point):
    """Velocity of b relative to a at a point."""
    i, j = bodies[a.body], bodies[b.body]
    v_a = velocity_at(load6(i.V), sub(point, load3(i.O)))
    return sub(velocity_at(load6(j.V), sub(point, load3(j.O))), v_a)


@inline
def turns(a, b, bodies):
    """Angular velocity of b relative to a, and the mean of both."""
    w_a, w_b = angular(load6(bodies[a.body].V)), angular(load6(bodies[b.body].V))
    return sub(w_b, w_a), scale(0.5, add(w_a, w_b))


@inline
def falling(tables, a, b, normal):
    """Acceleration of closing under gravity alone; the ground does not fall."""
    down = -dot(load3(tables.settings[0].gravity), normal)
    return (down if b.body > 0 else 0.0) - (down if a.body > 0 else 0.0)


@inline
def bending(pair, a, b, bodies, point, u):
    """Bound of the relative acceleration of a point of b, seen from the body of a, due to rotation.

    r'' = a_b - a_a - 2 w x u - w x (w x r) for a point with the velocity u and the distance r from a.
    """
    (p_a, v_a), (_, v_b) = point_motion(a, bodies), point_motion(b, bodies)
    w_a = norm(angular(load6(bodies[a.body].V)))
    w_b = norm(angular(load6(bodies[b.body].V)))
    r, own = norm(sub(point, p_a)), w_b * (norm(v_b) + w_b * pair[REACH])
    return w_a * (2.0 * norm(u) + w_a * r + norm(v_a)) + own


@inline
def heed_gap(tables, work, n, gap, speed, fall):
    """Limit the step, so that no more than half of the gap and a short way is passed in it.

    The way in the time t is at most speed t + |fall| t^2 / 2. n: the numbers of the pair.
    """
    way, fall = 0.5 * gap + n[WAY], abs(fall)
    root = math.sqrt(speed * speed + 2.0 * fall * way)
    if root > 0.0:
        report = work.report[0]
        report.longest = min(report.longest, 2.0 * way / (speed + root))
