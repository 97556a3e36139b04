"""Motion of two shapes at a place of contact, and the step with which it is not stepped over."""

from __future__ import annotations

import math

from ...kernel.algebra.spatial import angular, load6, velocity_at
from ...kernel.algebra.vec3 import dot, load3, sub
from ...kernel.decorators import inline, internal_kernel
from ..shapes.catalogue import meet
from .contact_response import WAY
from .contract import frame, point_motion

# places of the numbers of a pair in the pool, after those of contact_response.py
FLAT, SWAPPED, SECOND, STATES, FIRST = 12, 13, 14, 15, 16  # FIRST: numbers of the shapes


@inline
def sides(tables, force):
    """Markers of the shapes a and b of the pair."""
    first, last = tables.markers[force.im], tables.markers[force.im + 1]
    if tables.pool[force.first + SWAPPED] > 0.0:
        return last, first
    return first, last


@internal_kernel
def meeting(tables, work, force, k):
    """Gap, point and normal of place k."""
    a, b = sides(tables, force)
    at_a = force.first + FIRST
    at_b = at_a + int(tables.pool[force.first + SECOND])
    R_a, R_b = frame(a, work.bodies), frame(b, work.bodies)
    p_a, p_b = point_motion(a, work.bodies)[0], point_motion(b, work.bodies)[0]
    return meet(force.mode, tables, at_a, at_b, R_a, p_a, R_b, p_b, k)


@inline
def slip(a, b, bodies, point):
    """Velocity of b relative to a at a point."""
    i, j = bodies[a.body], bodies[b.body]
    v_a = velocity_at(load6(i.V), sub(point, load3(i.O)))
    return sub(velocity_at(load6(j.V), sub(point, load3(j.O))), v_a)


@inline
def relative_turn(a, b, bodies):
    """Angular velocity of b relative to a."""
    return sub(angular(load6(bodies[b.body].V)), angular(load6(bodies[a.body].V)))


@inline
def falling(tables, a, b, normal):
    """Acceleration of closing under gravity alone; the ground does not fall."""
    down = -dot(load3(tables.settings[0].gravity), normal)
    return (down if b.body > 0 else 0.0) - (down if a.body > 0 else 0.0)


@inline
def heed_gap(tables, work, n, gap, speed, fall):
    """Limit the step, so that no more than half of the gap and a short way is passed in it.

    The way in the time t is at most speed t + |fall| t^2 / 2.
    """
    way, fall = 0.5 * gap + n[WAY], abs(fall)
    root = math.sqrt(speed * speed + 2.0 * fall * way)
    if root > 0.0:
        report = work.report[0]
        report.longest = min(report.longest, 2.0 * way / (speed + root))
