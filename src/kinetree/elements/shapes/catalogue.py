"""The shapes, and the pairs of shapes that can touch.

Every pair has the kernel

    meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k) -> gap, point, normal

for place k: the gap is negative in contact, the point lies halfway between the two surfaces, and
the normal points from shape a to shape b. A pair of two shapes with the kernels of contract.py is
made of them; other pairs have a file of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...errors import ModelError
from ...kernel.algebra.vec3 import column, dot, neg, scale, sub
from ...kernel.decorators import inline, switch
from . import ball, box, capsule, capsules, cylinder
from .ball import Ball
from .box import Box
from .capsule import Capsule
from .contract import Entry, Shape
from .cylinder import Cylinder
from .half_space import HalfSpace

SHAPES: tuple[Entry, ...] = (
    Entry(HalfSpace, None, None),
    Entry(Ball, ball.support, ball.nearest),
    Entry(Capsule, capsule.support, capsule.nearest, 2),
    Entry(Box, box.support, box.nearest, 8),
    Entry(Cylinder, cylinder.support, cylinder.nearest, 8),
)


class Pair(NamedTuple):
    """Two classes of shapes, the kernel `meet`, and the number of places at which they can touch.

    `flat`: the gap depends on the motion along the normal alone, not on sliding.
    """

    a: type[Shape]
    b: type[Shape]
    meet: Callable
    places: int = 1
    flat: bool = False


def _on_half_space(entry: Entry) -> Pair:
    """Contact of the points of a shape with a half-space."""
    support = entry.support

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k):
        normal = column(R_a, 2)
        point = support(tables, at_b, R_b, p_b, neg(normal), k)
        gap = dot(normal, sub(point, p_a))
        return gap, sub(point, scale(0.5 * gap, normal)), normal

    return Pair(HalfSpace, entry.shape, inline(meet), entry.places, True)


def _on_ball(entry: Entry) -> Pair:
    """Contact of a ball b with any shape a."""
    nearest = entry.nearest

    def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k):
        distance, normal = nearest(tables, at_a, R_a, p_a, p_b)
        radius = tables.pool[at_b]
        gap = distance - radius
        return gap, sub(p_b, scale(radius + 0.5 * gap, normal)), normal

    return Pair(entry.shape, Ball, inline(meet))


PAIRS: tuple[Pair, ...] = (
    *(_on_half_space(entry) for entry in SHAPES if entry.support),
    *(_on_ball(entry) for entry in SHAPES if entry.nearest),
    Pair(Capsule, Capsule, capsules.meet),
)

meet = switch("meet", [pair.meet for pair in PAIRS], "tables, at_a, at_b, R_a, p_a, R_b, p_b, k")


def pair_of(a: Shape, b: Shape) -> tuple[int, bool]:
    """Number of the pair of two shapes, and whether the two are exchanged in it."""
    for k, pair in enumerate(PAIRS):
        if (type(a), type(b)) == (pair.a, pair.b):
            return k, False
        if (type(b), type(a)) == (pair.a, pair.b):
            return k, True
    names = ", ".join(f"{pair.a.__name__} and {pair.b.__name__}" for pair in PAIRS)
    raise ModelError(
        f"Contact: contact of {type(a).__name__} and {type(b).__name__} is not available; "
        f"available pairs are {names}. Approximate one of the shapes by balls or capsules, each "
        "with a contact of its own."
    )
