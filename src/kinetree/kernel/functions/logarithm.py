"""Logarithms and the inverse hyperbolic functions: x = 2^k m, log(x) = k log(2) - log(c) + log(1 +
r), r = m c - 1.

c is 1/m to ten bits, out of a table, so that r is exact in two parts and |r| < 0.0045 is left for a
Taylor series.
"""

from __future__ import annotations

import math

from ..language import elementary, inline_helper
from .constants import INVERSE, LN2, LOG, LOG_REST, LOGARITHM, PER_LN2, PER_LN10, SQRT_2_CELL
from .double_double import fast_two_sum, product, ratio, root, two_product, two_sum
from .instructions import bits_of, float_of, right

MANTISSA, ONE = 2**52 - 1, 1023 * 2**52  # bits of the fraction, and of 1.0
TOP = -(2**27)  # all bits but the last 27
SHORT = 0.004  # below which the series is taken of x itself
TINY = 2.0**-28  # below which x is its inverse hyperbolic sine and tangent


@elementary
def log_parts(x):
    """log(x) in two parts, for a finite x > 0."""
    k = -1023
    if x < 2.0**-1022:
        x *= 2.0**54
        k -= 54
    bits = bits_of(x)
    fraction = bits & MANTISSA
    j = right(fraction + 2**44, 45)
    k += right(bits, 52) + (j >= SQRT_2_CELL)
    c, m = float(INVERSE[j]), float_of(fraction | ONE)
    top = float_of((fraction | ONE) & TOP)
    r, r_low = two_sum(top * c - 1.0, (m - top) * c)  # exact
    h, l = fast_two_sum(k * LN2[0] + float(LOG[j]), r)  # the first of them, too
    square, tail = series(r, r_low)
    h, more = fast_two_sum(h, square)
    return fast_two_sum(h, l + more + tail + (k * LN2[1] + float(LOG_REST[j])))


@inline_helper
def series(r, r_low):
    """log(1 + r + r_low) without r: - r^2 / 2, and the rest."""
    y, y_low = two_product(r, r)
    p = (LOGARITHM[0] + LOGARITHM[1] * r) + y * (
        (LOGARITHM[2] + LOGARITHM[3] * r) + y * (LOGARITHM[4] + LOGARITHM[5] * r)
    )
    return -0.5 * y, (r_low - (0.5 * y_low + r * r_low)) + r * y * p


@inline_helper
def outside(x):
    """The logarithm of numbers that are not positive and finite."""
    return x if math.isnan(x) or x == math.inf else -math.inf if x == 0.0 else math.nan


@elementary
def log(x):
    if not 0.0 < x < math.inf:
        return outside(x)
    h, l = log_parts(x)
    return h + l


@elementary
def log2(x):
    if not 0.0 < x < math.inf:
        return outside(x)
    h, l = log_parts(x)
    h, l = product(h, l, PER_LN2[0], PER_LN2[1])
    return h + l


@elementary
def log10(x):
    if not 0.0 < x < math.inf:
        return outside(x)
    h, l = log_parts(x)
    h, l = product(h, l, PER_LN10[0], PER_LN10[1])
    return h + l


@inline_helper
def log1p_parts(x, x_low):
    """log(1 + x + x_low) in two parts; if x is not small, log(s + e) = log(s) + e/s with the rest e
    of a sum s.
    """
    if abs(x) < SHORT:
        square, tail = series(x, x_low)
        h, l = fast_two_sum(x, square)
        return fast_two_sum(h, l + tail)
    s, e = two_sum(1.0, x)
    h, l = log_parts(s)
    return fast_two_sum(h, l + (e + x_low) / s)


@elementary
def log1p(x):
    if abs(x) < 2.0**-54 or math.isnan(x) or x == math.inf:
        return x
    if x <= -1.0:
        return -math.inf if x == -1.0 else math.nan
    h, l = log1p_parts(x, 0.0)
    return h + l


@elementary
def asinh(x):
    """log(1 + u), u = a + a^2 / (1 + sqrt(1 + a^2)), a = |x|."""
    a = abs(x)
    if a < TINY or not a < math.inf:
        return x
    if a > 2.0**30:
        h, l = log_parts(a)
        return math.copysign(sum_with_ln2(h, l), x)
    y, y_low = two_product(a, a)
    s, e = two_sum(1.0, y)
    s, s_low = root(s, e + y_low)
    d, d_low = two_sum(1.0, s)
    q, q_low = ratio(y, y_low, d, d_low + s_low)
    u, u_low = two_sum(a, q)
    h, l = log1p_parts(u, u_low + q_low)
    return math.copysign(h + l, x)


@inline_helper
def sum_with_ln2(h, l):
    """The logarithm of twice a large number."""
    s, rest = two_sum(h, LN2[0])
    return s + (rest + (l + LN2[1]))


@elementary
def acosh(x):
    """log(1 + u), u = t + sqrt(2 t + t^2), t = x - 1."""
    if not x >= 1.0:
        return x if math.isnan(x) else math.nan
    if x > 2.0**30:
        if x == math.inf:
            return x
        h, l = log_parts(x)
        return sum_with_ln2(h, l)
    t = x - 1.0
    y, y_low = two_product(t, t)
    s, e = two_sum(2.0 * t, y)
    s, s_low = root(s, e + y_low)
    u, u_low = two_sum(t, s)
    h, l = log1p_parts(u, u_low + s_low)
    return h + l


@elementary
def atanh(x):
    """log(1 + 2 a / (1 - a)) / 2, a = |x|."""
    a = abs(x)
    if a < TINY or math.isnan(x):
        return x
    if a >= 1.0:
        return math.copysign(math.inf, x) if a == 1.0 else math.nan
    d, d_low = two_sum(1.0, -a)
    u, u_low = ratio(2.0 * a, 0.0, d, d_low)
    h, l = log1p_parts(u, u_low)
    return math.copysign(0.5 * (h + l), x)
