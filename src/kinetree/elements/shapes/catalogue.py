"""The shapes, and the kernels of the pairs of shapes that can touch.

Every kernel finds all places of contact of a pair at once:

    meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, out) -> count

It fills the rows 0 .. count - 1 of `out` (manifold.py), at least one: the nearest place while the
shapes are apart, and all corners of flat faces. `at` is the index of the numbers of a shape in the
pool; before them the pool has its kind, the position of its class in SHAPES minus one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from ...errors import ModelError
from ...kernel.algebra.vec3 import scale, sub
from ...kernel.decorators import inline, switch
from . import ball, box, capsule, convex, cylinder, height_field, on_profile, surface
from .ball import Ball
from .box import Box
from .capsule import Capsule
from .contract import Shape
from .cylinder import Cylinder
from .half_space import HalfSpace
from .height_field import HeightField
from .hull import Hull
from .manifold import put
from .profile import Profile

SHAPES: tuple[type[Shape], ...] = (
    HalfSpace,
    Ball,
    Capsule,
    Box,
    Cylinder,
    Hull,
    Profile,
    HeightField,
)
CONVEX = SHAPES[1:6]  # in the order of convex_shapes.py


class Pair(NamedTuple):
    """Two classes of shapes and their kernel.

    `flat`: the gap depends on the motion along the normal alone, not on sliding.
    `straight`: a convex shape and a ball. The gap does not become smaller by sliding along a straight
    line, since the distance of a point from a convex shape is a convex function.
    """

    a: type[Shape]
    b: type[Shape]
    meet: Callable
    flat: bool = False
    straight: bool = False


def _on_ball(nearest: Callable) -> Callable:
    """Contact of a ball b with any shape a."""

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
        distance, normal = nearest(tables, at_a, R_a, p_a, p_b)
        radius = tables.pool[at_b]
        gap = distance - radius
        put(out, 0, gap, sub(p_b, scale(radius + 0.5 * gap, normal)), normal, 1.0)
        return 1

    return inline(meet)


_BALLS: dict[type[Shape], Callable] = {
    Ball: _on_ball(ball.nearest),
    Capsule: _on_ball(capsule.nearest),
    Box: _on_ball(box.nearest),
    Cylinder: _on_ball(cylinder.nearest),
    HeightField: _on_ball(height_field.nearest),
}

PAIRS: tuple[Pair, ...] = (
    *(Pair(HalfSpace, shape, convex.on_half_space, True, shape is Ball) for shape in CONVEX),
    *(Pair(shape, Ball, meet, False, shape in CONVEX) for shape, meet in _BALLS.items()),
    *(
        Pair(a, b, convex.meet, False, b is Ball)
        for b, a in combinations_with_replacement(CONVEX, 2)
        if b is not Ball or a not in _BALLS
    ),
    *(Pair(Profile, shape, on_profile.meet_roller) for shape in (Ball, Cylinder)),
    Pair(HalfSpace, Profile, on_profile.meet_flat, True),
    Pair(Profile, Profile, on_profile.meet_profiles),
    *(Pair(HeightField, shape, surface.meet) for shape in CONVEX[1:]),
)

_KERNELS = list(dict.fromkeys(pair.meet for pair in PAIRS))

meet = switch("meet", _KERNELS, "tables, at_a, at_b, R_a, p_a, R_b, p_b, out")


def pair_of(a: Shape, b: Shape) -> tuple[Pair, bool]:
    """The pair of two shapes, and whether the two are exchanged in it."""
    for pair in PAIRS:
        if (type(a), type(b)) == (pair.a, pair.b):
            return pair, False
        if (type(b), type(a)) == (pair.a, pair.b):
            return pair, True
    with_a = sorted({other for p in PAIRS for other in _partners(p, type(a))})
    raise ModelError(
        f"contact of {type(a).__name__} and {type(b).__name__} is not available; "
        f"{type(a).__name__} can touch {', '.join(with_a) or 'no other shape'}."
    )


def _partners(pair: Pair, shape: type[Shape]) -> list[str]:
    """Name of the other shape of a pair."""
    return [pair.b.__name__] if shape is pair.a else [pair.a.__name__] if shape is pair.b else []


def kernel_of(pair: Pair) -> int:
    """Number of the kernel of a pair, for `meet`."""
    return _KERNELS.index(pair.meet)


def stored(shape: Shape) -> Sequence[float]:
    """The numbers of a shape in the pool; `at` is the index of the second of them."""
    return float(SHAPES.index(type(shape)) - 1), *shape.numbers
