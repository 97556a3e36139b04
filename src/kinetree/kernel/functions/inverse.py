"""Arc tangent, arc sine and arc cosine, from the angle of a point (b, a) of the first quadrant.

With c = j/32 next to a/b, atan(a/b) = atan(c) + atan(t), t = (a - c b) / (b + c a), |t| < 1/63.
"""

from __future__ import annotations

import math

from ..language import elementary, inline_helper
from .constants import ARC, ARC_REST, ARC_TANGENT, HALF_PI
from .double_double import fast_two_sum, ratio, root, scaled, two_product, two_sum

PI = (2.0 * HALF_PI[0], 2.0 * HALF_PI[1])
TINY = 2.0**-27  # below which x is its arc sine and arc tangent
FAR = 2.0**400  # numbers are scaled if they are larger, or smaller than one over it
SMALL_RATIO = 2.0**-64  # of a to b, which adds nothing to the angle of a half turn


@elementary
def arc(q, a, a_low, b, b_low):
    """atan((a + a_low) / (b + b_low)) in two parts, for 0 <= a <= b, b > 0; q approximates the
    ratio.
    """
    j = int(32.0 * q + 0.5)
    c = j * 0.03125
    p, p_low = two_product(c, b)
    n, n_low = two_sum(a, -p)
    n_low += (a_low - c * b_low) - p_low
    p, p_low = two_product(c, a)
    d, d_low = fast_two_sum(b, p)
    d_low += (b_low + c * a_low) + p_low
    t, t_low = ratio(n, n_low, d, d_low)
    z = t * t
    series = (ARC_TANGENT[0] + ARC_TANGENT[1] * z) + z * z * (
        (ARC_TANGENT[2] + ARC_TANGENT[3] * z) + z * z * ARC_TANGENT[4]
    )
    h, l = fast_two_sum(float(ARC[j]), t)
    return fast_two_sum(h, l + (t * z * series + (t_low + float(ARC_REST[j]))))


@inline_helper
def angle(a, a_low, b, b_low):
    """`arc` for any a, b >= 0 that are not both 0."""
    if a <= b:
        return arc(a / b, a, a_low, b, b_low)
    h, l = arc(b / a, b, b_low, a, a_low)
    return difference(HALF_PI[0], HALF_PI[1], h, l)


@inline_helper
def difference(a, a_low, h, l):
    """a - h in two parts, for a >= h."""
    s, rest = fast_two_sum(a, -h)
    return s, rest + (a_low - l)


@elementary
def atan(x):
    a = abs(x)
    if a < TINY or math.isnan(x):
        return x
    if a <= 1.0:
        h, l = arc(a, a, 0.0, 1.0, 0.0)
    elif a < 1.0 / SMALL_RATIO:
        h, l = arc(1.0 / a, 1.0, 0.0, a, 0.0)
        h, l = difference(HALF_PI[0], HALF_PI[1], h, l)
    else:
        h, l = HALF_PI
    return math.copysign(h + l, x)


@elementary
def atan2(y, x):
    if math.isnan(x) or math.isnan(y):
        return math.nan
    a, b = abs(y), abs(x)
    if math.isinf(a) and math.isinf(b):
        a, b = 1.0, 1.0
    behind = math.copysign(1.0, x) < 0.0
    if a == 0.0 or math.isinf(b):
        h, l = 0.0, 0.0
    elif b == 0.0 or math.isinf(a):
        h, l = HALF_PI
    elif a < b and a / b < SMALL_RATIO:
        h, l = 0.0 if behind else a / b, 0.0
    elif b < a and b / a < SMALL_RATIO:
        h, l = HALF_PI
    else:
        if max(a, b) > FAR:
            a, b = scaled(a, -700), scaled(b, -700)
        elif min(a, b) < 1.0 / FAR:
            a, b = scaled(a, 500), scaled(b, 500)
        h, l = angle(a, 0.0, b, 0.0)
    if behind:
        h, l = difference(PI[0], PI[1], h, l)
    return math.copysign(h + l, y)


@inline_helper
def beside(x):
    """sqrt(1 - x^2) in two parts, for |x| <= 1."""
    p, p_low = two_product(x, x)
    d, d_low = fast_two_sum(1.0, -p)
    d, d_low = fast_two_sum(d, d_low - p_low)
    return root(d, d_low)


@elementary
def asin(x):
    a = abs(x)
    if a < TINY or math.isnan(x):
        return x
    if a > 1.0:
        return math.nan
    s, s_low = beside(a)
    h, l = angle(a, 0.0, s, s_low)
    return math.copysign(h + l, x)


@elementary
def acos(x):
    a = abs(x)
    if not a <= 1.0:
        return math.nan
    s, s_low = beside(a)
    h, l = angle(s, s_low, a, 0.0)
    if x < 0.0:
        h, l = difference(PI[0], PI[1], h, l)
    return h + l
