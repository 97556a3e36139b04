"""Numbers as unevaluated sums of two doubles, high + low, with about 100 bits.

Sums and products of two doubles are exact in two parts [Dekker1971]. Fusing a product with a sum
changes nothing in these operations, except where `rounds_once` selects it: results are the same
with and without fused multiply-add.
"""

from __future__ import annotations

import math

from ..language import inline_helper
from .instructions import bits_of, float_of, left, right, rounds_once

SPLITTER = 134217729.0  # 2^27 + 1


@inline_helper
def two_sum(a, b):
    """a + b exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@inline_helper
def fast_two_sum(a, b):
    """a + b exactly, for |a| >= |b| or a = 0."""
    s = a + b
    return s, b - (s - a)


@inline_helper
def halves(a):
    """a in two parts of 26 bits; |a| < 2^996."""
    t = SPLITTER * a
    high = t - (t - a)
    return high, a - high


@inline_helper
def product_rest(a, b, p):
    """a*b - p exactly, where p is a*b rounded."""
    if rounds_once():
        return a * b - p
    a_1, a_2 = halves(a)
    b_1, b_2 = halves(b)
    return ((a_1 * b_1 - p) + a_1 * b_2 + a_2 * b_1) + a_2 * b_2  # each of these products is exact


@inline_helper
def two_product(a, b):
    """a*b exactly."""
    p = a * b
    return p, product_rest(a, b, p)


@inline_helper
def product(a, a_low, b, b_low):
    """(a + a_low) (b + b_low)."""
    p, rest = two_product(a, b)
    return fast_two_sum(p, rest + (a * b_low + a_low * b))


@inline_helper
def ratio(a, a_low, b, b_low):
    """(a + a_low) / (b + b_low)."""
    q = a / b
    p = q * b
    left_over = ((a - p) - product_rest(q, b, p)) + (a_low - q * b_low)
    return fast_two_sum(q, left_over / b)


@inline_helper
def root(a, a_low):
    """sqrt(a + a_low); 0 for a = 0."""
    s = math.sqrt(a)
    if s == 0.0:
        return 0.0, 0.0
    p = s * s
    return fast_two_sum(s, (((a - p) - product_rest(s, s, p)) + a_low) / (2.0 * s))


@inline_helper
def power_of_two(k):
    """2^k for -1022 <= k <= 1023."""
    return float_of(left(k + 1023, 52))


@inline_helper
def exponent(x):
    """The k of 2^k <= |x| < 2^(k + 1); -1023 for numbers below 2^-1022."""
    return (right(bits_of(x), 52) & 2047) - 1023


@inline_helper
def scaled(x, k):
    """x 2^k, rounded once, for |k| < 2040."""
    half = right(k, 1)
    return x * power_of_two(half) * power_of_two(k - half)
