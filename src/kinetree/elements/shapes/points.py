"""Pairs of shapes that touch at points with an identity: corners of a box, ends of a capsule.

    meet_point(kind, tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out) -> gap, point, normal

for place k: the gap is negative in contact, the point lies halfway between the two surfaces, and
the normal points from shape a to shape b; `out` is memory (manifold.py). Rigid contacts have a mode
for each of these places; places of clipped faces (convex.py) have none, because they come and go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...errors import ModelError
from ...kernel.algebra.vec3 import add, column, dot, neg, rotate, scale, sub
from ...kernel.decorators import inline, internal_kernel, switch
from . import ball, box, capsule, convex, cylinder, height_field, hull, on_profile
from .ball import Ball, away
from .box import Box
from .capsule import Capsule, on_axis
from .contract import Shape
from .cylinder import Cylinder, outward
from .half_space import HalfSpace
from .height_field import HeightField
from .hull import Hull
from .manifold import place
from .profile import Profile, is_smooth, node

MOST = 24  # corners of a shape, each a place with its own mode
_PARALLEL = 1e-12  # squared sine of the angle between two axes: nearest points are not unique below


class PointPair(NamedTuple):
    """Two classes of shapes, their kernel, and the number of their places."""

    a: type[Shape]
    b: type[Shape]
    meet: Callable
    places: int | Callable[[Shape, Shape], int] = 1


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

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out):
        normal = column(R_a, 2)
        point = point_of(tables, at_b, R_b, p_b, neg(normal), k)
        gap = dot(normal, sub(point, p_a))
        return gap, sub(point, scale(0.5 * gap, normal)), normal

    return inline(meet)


def _on_ball(nearest: Callable) -> Callable:
    """Contact of a ball b with any shape a."""

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out):
        distance, normal = nearest(tables, at_a, R_a, p_a, p_b)
        radius = tables.pool[at_b]
        gap = distance - radius
        return gap, sub(p_b, scale(radius + 0.5 * gap, normal)), normal

    return inline(meet)


@inline
def meet_capsules(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out):
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


@inline
def hull_point(tables, at, R, p, d, k):
    """Vertex k."""
    return add(p, rotate(R, hull.vertex(tables, at, k)))


def _nearest_of(all_places: Callable) -> Callable:
    """The nearest of all places that a kernel of catalogue.py finds."""

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out):
        count = all_places(tables, at_a, at_b, R_a, p_a, R_b, p_b, out)
        best = 0
        for j in range(1, count):
            best = j if out[j, 0] < out[best, 0] else best
        gap, point, normal = place(out, best)
        return (gap, point, normal) if count > 0 else (1e300, p_b, column(R_a, 2))

    return internal_kernel(meet)


@inline
def profile_node(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out):
    """Corner k of a profile b over a half-space a."""
    normal, i = column(R_a, 2), node(tables, at_b, k)
    x = add(scale(tables.pool[i], column(R_b, 0)), scale(tables.pool[i + 1], column(R_b, 1)))
    point = add(p_b, x)
    gap = dot(normal, sub(point, p_a))
    return gap, sub(point, scale(0.5 * gap, normal)), normal


_lowest = _nearest_of(on_profile.meet_flat)


@inline
def meet_profile_on_half_space(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out):
    """Lowest point of a smooth profile (its only place), or corner k of a polygon."""
    if is_smooth(tables, at_b):
        return _lowest(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out)
    return profile_node(tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out)


def corners(a: Shape, b: Shape) -> int:
    """Number of places of a half-space and a hull or a profile: its corners, 1 if it is smooth."""
    if isinstance(b, Profile) and b.smooth:
        return 1
    count = len(b.points) if isinstance(b, Profile) else int(b.numbers[hull.VERTICES])
    if count > MOST:
        raise ModelError(
            f"rigid contact of a half-space and a {type(b).__name__} with {count} corners is not "
            f"available; {MOST} are possible. Use a coarser shape, smooth=True for a profile, or the "
            "compliant kt.Contact."
        )
    return count


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
    PointPair(HalfSpace, Hull, _on_half_space(hull_point), corners),
    PointPair(Hull, Ball, _nearest_of(convex.meet)),
    PointPair(HeightField, Ball, _on_ball(height_field.nearest)),
    PointPair(Profile, Ball, _nearest_of(on_profile.meet_roller)),
    PointPair(Profile, Cylinder, _nearest_of(on_profile.meet_roller)),
    PointPair(HalfSpace, Profile, meet_profile_on_half_space, corners),
)

meet_point = switch(
    "meet_point",
    [pair.meet for pair in POINT_PAIRS],
    "tables, at_a, at_b, R_a, p_a, R_b, p_b, k, out",
)


def places_of(a: Shape, b: Shape) -> int:
    """Number of places of two shapes, in this order."""
    places = POINT_PAIRS[point_pair(a, b)].places
    return places if isinstance(places, int) else places(a, b)


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
