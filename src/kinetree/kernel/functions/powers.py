"""Powers with any exponent, x^y = e^(y log(x)), and the length of a vector of the plane."""

from __future__ import annotations

import math

from ..language import elementary, inline_helper
from .double_double import fast_two_sum, product_rest, root, scaled, two_product
from .exponential import power_of_e
from .logarithm import log_parts

ODD = 2.0**53  # above which all floats are even integers


@inline_helper
def parity(y):
    """2 for an even integer, 1 for an odd one, 0 for other numbers."""
    a = abs(y)
    if a >= ODD:
        return 2
    whole = int(a)
    return (1 if whole & 1 else 2) if float(whole) == a else 0


@elementary
def power(x, y):
    """x^y as C has it [C99, F.9.4.4]."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if math.isnan(x) or math.isnan(y):
        return math.nan
    a = abs(x)
    if a == 0.0 or a == math.inf or math.isinf(y):
        return power_at_the_edge(x, y)
    sign = 1.0
    if x < 0.0:
        kind = parity(y)
        if kind == 0:
            return math.nan
        sign = -1.0 if kind == 1 else 1.0
    if a == 1.0:
        return sign
    h, l = log_parts(a)
    p = y * h
    if p > 710.0:
        return sign * math.inf
    if p < -746.0:
        return sign * 0.0
    p, rest = fast_two_sum(p, product_rest(y, h, p) + y * l)
    h, l, k = power_of_e(p, rest)
    return sign * scaled(h + l, k)


@elementary
def power_at_the_edge(x, y):
    """Where x is 0 or infinite, or y is infinite."""
    a = abs(x)
    if math.isinf(y):
        if a == 1.0:
            return 1.0
        return math.inf if (a > 1.0) == (y > 0.0) else 0.0
    size = math.inf if (a == 0.0) == (y < 0.0) else 0.0
    return math.copysign(size, x) if parity(y) == 1 else size


@elementary
def hypot(x, y):
    """sqrt(x^2 + y^2), without overflow on the way."""
    if math.isinf(x) or math.isinf(y):
        return math.inf
    a, b = max(abs(x), abs(y)), min(abs(x), abs(y))
    if math.isnan(x) or math.isnan(y):
        return math.nan
    shift = 0
    if a > 2.0**500:
        shift = 700
    elif b < 2.0**-400:
        if b == 0.0 or a > b * 2.0**60:
            return a
        shift = -600
    if shift != 0:
        a, b = scaled(a, -shift), scaled(b, -shift)
    p, p_low = two_product(a, a)
    q, q_low = two_product(b, b)
    s, rest = fast_two_sum(p, q)
    h, l = root(s, rest + (p_low + q_low))
    return scaled(h + l, shift) if shift != 0 else h + l
