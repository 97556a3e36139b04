"""Reduction of angles by multiples of pi/2: x = n pi/2 + h + l, with |h| slightly above pi/4 at most,
and |l| below 2^-45 and 2^-16 |h|.

Up to 2^20 by pi/2 in parts of 33 bits, whose products with n are exact [Cody1980]; larger numbers
by as many digits of 2/pi as matter [Payne1983].
"""

from __future__ import annotations

import math

from ..language import elementary, inline_helper
from .constants import DIGITS_OF_TWO_OVER_PI, HALF_PI, HALF_PI_LONG, HALF_PI_LONGER, TWO_OVER_PI
from .double_double import exponent, fast_two_sum, power_of_two, product, two_sum
from .instructions import bits_of, right

ROUNDER = 1.5 * 2.0**52  # a sum with it is rounded to an integer, which its last bits show
LARGEST = 2.0**20
SMALLEST = 2.0**-30  # below which h has too few correct bits
DIGIT = 2**24 - 1


@elementary
def reduced(x):
    """(n, h, l), with n correct in its last two bits."""
    usual, n, h, l = reduced_usually(x)
    return (n, h, l) if usual else reduced_rarely(x)


@inline_helper
def reduced_usually(x):
    """Whether x is neither large nor close to a multiple of pi/2, and then `reduced`, without
    branches.
    """
    shifted = x * TWO_OVER_PI + ROUNDER
    n = shifted - ROUNDER
    near, step = x - n * HALF_PI_LONG[0], n * HALF_PI_LONG[1]
    # exact: near is a multiple of 2^-53, step has no bits below 2^-66
    h, rest = fast_two_sum(near, -step)
    l = rest - n * HALF_PI_LONG[2]
    usual = (abs(x) <= LARGEST) & ((abs(h) > SMALLEST) | (n == 0.0))
    return usual, bits_of(shifted), h, l


@elementary
def reduced_rarely(x):
    """`reduced` for numbers close to a multiple of pi/2, and for large ones."""
    if not math.isfinite(x):
        return 0, math.nan, math.nan
    if abs(x) > LARGEST:
        return reduced_large(x)
    shifted = x * TWO_OVER_PI + ROUNDER
    n = shifted - ROUNDER
    near, step, small = x - n * HALF_PI_LONGER[0], n * HALF_PI_LONGER[1], n * HALF_PI_LONGER[2]
    h, rest = two_sum(near, -step)
    h, more = two_sum(h, -small)
    h, l = fast_two_sum(h, more + (rest - n * HALF_PI_LONGER[3]))
    return bits_of(shifted), h, l


@inline_helper
def column(at, a, b, c, d, carry):
    """Sum of all products of digits with the same weight, and the carry."""
    digits = DIGITS_OF_TWO_OVER_PI
    return (
        carry
        + a * int(digits[at])
        + b * int(digits[at - 1])
        + c * int(digits[at - 2])
        + d * int(digits[at - 3])
    )


@elementary
def reduced_large(x):
    """|x| 2/pi modulo 2^24 in fixed point: digits of base 2^24 of x, (a, b, c, d) 2^(24 (n -
    0..3)), times those of 2/pi.
    """
    n = exponent(x) // 24
    z = abs(x) * power_of_two(-24 * n)
    a = int(z)
    z = (z - a) * 2.0**24
    b = int(z)
    z = (z - b) * 2.0**24
    c = int(z)
    d = int((z - c) * 2.0**24)
    at = n + 10
    s_7 = column(at, a, b, c, d, 0)
    s_6 = column(at - 1, a, b, c, d, right(s_7, 24))
    s_5 = column(at - 2, a, b, c, d, right(s_6, 24))
    s_4 = column(at - 3, a, b, c, d, right(s_5, 24))
    s_3 = column(at - 4, a, b, c, d, right(s_4, 24))
    s_2 = column(at - 5, a, b, c, d, right(s_3, 24))
    s_1 = column(at - 6, a, b, c, d, right(s_2, 24))
    turns = column(at - 7, a, b, c, d, right(s_1, 24)) & 3
    high, middle, low = pair(s_1, s_2), pair(s_3, s_4), pair(s_5, s_6)
    sign = 1.0
    if high >= 2**47:  # the fraction is above 1/2: one quarter turn more, with a negative rest
        turns, sign = turns + 1, -1.0
        high, middle, low = 2**48 - 1 - high, 2**48 - 1 - middle, 2**48 - low
    h, l = fast_two_sum(high * 2.0**-48, middle * 2.0**-96)
    h, l = fast_two_sum(h, l + low * 2.0**-144)
    h, l = product(h, l, HALF_PI[0], HALF_PI[1])
    if x < 0.0:
        turns, sign = -turns, -sign
    return turns, sign * h, sign * l


@inline_helper
def pair(s, t):
    """Two digits as one integer."""
    return (s & DIGIT) * 2**24 + (t & DIGIT)
