"""Pairs of shapes that touch at points with an identity: corners of a box, ends of a capsule.

    meet_point(kind, tables, at_a, at_b, R_a, p_a, R_b, p_b, k) -> gap, point, normal

for place k: the gap is negative in contact, the point lies halfway between the two surfaces, and
the normal points from shape a to shape b. Rigid contacts have a mode for each of these places;
places of clipped faces (convex.py) have none, because they come and go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...errors import ModelError
from ...kernel.algebra.vec3 import add, column, dot, neg, rotate, scale, sub
from ...kernel.decorators import inline, switch
from . import ball, box, capsule, cylinder
from .ball import Ball, away
from .box import Box
from .capsule import Capsule, on_axis
from .contract import Shape
from .cylinder import Cylinder, outward
from .half_space import HalfSpace

_PARALLEL = 1e-12  # squared sine of the angle between two axes: nearest points are not unique below


class PointPair(NamedTuple):
    """Two classes of shapes, their kernel, and the number of their places."""

    a: type[Shape]
    b: type[Shape]
    meet: Callable
    places: int = 1


@inline
def ball_point(tables, at, R, p, d, k):
    return add(p, scale(tables.pool[at], d))


@inline
def capsule_point(tables, at, R, p, d, k):
    half = tables.pool[at + 1] if k == 0 else -tables.pool[at + 1]
    return add(p, add(scale(half, column(R, 2)), scale(tables.pool[at], d)))


@inline
def box_point(tables, at, R, p, d, k):
    """Corner k."""
    x, y, z = tables.pool[at], tables.pool[at + 1], tables.pool[at + 2]
    corner = (x if k % 2 == 0 else -x, y if k // 2 % 2 == 0 else -y, z if k < 4 else -z)
    return add(p, rotate(R, corner))


@inline
def cylinder_point(tables, at, R, p, d, k):
    """The point of the rim of an end that lies farthest."""
    radius, half = tables.pool[at], tables.pool[at + 1]
    end = scale(half if k == 0 else -half, column(R, 2))
    return add(p, add(end, scale(radius, outward(R, d))))


def _on_half_space(point_of: Callable) -> Callable:
    """Contact of the points of a shape with a half-space; d is the unit vector into it."""

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k):
        normal = column(R_a, 2)
        point = point_of(tables, at_b, R_b, p_b, neg(normal), k)
        gap = dot(normal, sub(point, p_a))
        return gap, sub(point, scale(0.5 * gap, normal)), normal

    return inline(meet)


def _on_ball(nearest: Callable) -> Callable:
    """Contact of a ball b with any shape a."""

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k):
        distance, normal = nearest(tables, at_a, R_a, p_a, p_b)
        radius = tables.pool[at_b]
        gap = distance - radius
        return gap, sub(p_b, scale(radius + 0.5 * gap, normal)), normal

    return inline(meet)


@inline
def meet_capsules(tables, at_a, at_b, R_a, p_a, R_b, p_b, k):
    """Nearest points of the two segments; of parallel ones, those nearest to the middle of a."""
    a, b, w = column(R_a, 2), column(R_b, 2), sub(p_a, p_b)
    c, half_a, half_b = dot(a, b), tables.pool[at_a + 1], tables.pool[at_b + 1]
    across = 1.0 - c * c
    s = (dot(b, w) * c - dot(a, w)) / across if across > _PARALLEL else 0.0
    s = max(-half_a, min(s, half_a))
    t = max(-half_b, min(dot(b, w) + s * c, half_b))
    s = max(-half_a, min(t * c - dot(a, w), half_a))
    x, y = on_axis(tables, at_a, R_a, p_a, s), on_axis(tables, at_b, R_b, p_b, t)
    length, normal = away(sub(y, x))
    gap = length - tables.pool[at_a] - tables.pool[at_b]
    return gap, sub(y, scale(tables.pool[at_b] + 0.5 * gap, normal)), normal


POINT_PAIRS: tuple[PointPair, ...] = (
    PointPair(HalfSpace, Ball, _on_half_space(ball_point)),
    PointPair(HalfSpace, Capsule, _on_half_space(capsule_point), 2),
    PointPair(HalfSpace, Box, _on_half_space(box_point), 8),
    PointPair(HalfSpace, Cylinder, _on_half_space(cylinder_point), 2),
    PointPair(Ball, Ball, _on_ball(ball.nearest)),
    PointPair(Capsule, Ball, _on_ball(capsule.nearest)),
    PointPair(Box, Ball, _on_ball(box.nearest)),
    PointPair(Cylinder, Ball, _on_ball(cylinder.nearest)),
    PointPair(Capsule, Capsule, meet_capsules),
)

meet_point = switch(
    "meet_point", [pair.meet for pair in POINT_PAIRS], "tables, at_a, at_b, R_a, p_a, R_b, p_b, k"
)


def point_pair(a: Shape, b: Shape) -> int:
    """Number of the pair of two shapes, in this order."""
    for k, pair in enumerate(POINT_PAIRS):
        if (type(a), type(b)) == (pair.a, pair.b):
            return k
    names = ", ".join(f"{pair.a.__name__} and {pair.b.__name__}" for pair in POINT_PAIRS)
    raise ModelError(
        f"rigid contact of {type(a).__name__} and {type(b).__name__} is not available; available "
        f"pairs are {names}. Approximate one of the shapes by balls or capsules, each with a contact "
        "of its own, or use the compliant kt.Contact."
    )
