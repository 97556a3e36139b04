"""Contact of a height field with a convex shape: the corners of the face that looks at it."""

from __future__ import annotations

from ...kernel.algebra.vec3 import scale, sub
from ...kernel.decorators import internal_kernel
from .convex_shapes import face, rounding
from .height_field import nearest
from .manifold import FACE_B, put, weigh


@internal_kernel
def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, out):
    """Places of contact of a height field a with a convex shape b; see catalogue.py."""
    n, r = nearest(tables, at_a, R_a, p_a, p_b)[1], rounding(tables, at_b)
    count = face(tables, at_b, R_b, p_b, scale(-1.0, n), out, FACE_B)
    for k in range(count):
        row = out[FACE_B + k]
        x = (row[0], row[1], row[2])
        distance, normal = nearest(tables, at_a, R_a, p_a, x)
        gap = distance - r
        put(out, k, gap, sub(x, scale(r + 0.5 * gap, normal)), normal, 1.0)
    weigh(out, count, FACE_B, 3)
    return count
