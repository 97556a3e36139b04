"""Two capsules: the nearest points of two segments [Ericson2005, sec. 5.1.9]."""

from ...kernel.algebra.vec3 import column, dot, scale, sub
from ...kernel.decorators import inline
from .ball import away
from .capsule import on_axis

_PARALLEL = 1e-12  # of 1 - cos^2


@inline
def meet(tables, at_a, at_b, R_a, p_a, R_b, p_b, k):
    """Gap, point and normal of two capsules.

    With the directions a, b and w = p_a - p_b, the nearest points of the two lines are at

        s = (b.w c - a.w) / (1 - c^2),    t = b.w + s c,        c = a.b

    A point beyond the end of its segment moves to the end, and the other one is found again.
    """
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
