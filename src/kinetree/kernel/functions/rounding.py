"""Rounding to integers and the remainder of a division: exact, and with instructions that all
processors have.
"""

from __future__ import annotations

import math

from ..language import elementary, inline_helper
from .double_double import exponent
from .instructions import bits_of, float_of, left, rest
from .logarithm import MANTISSA
from .reduction import ROUNDER

WHOLE = 2.0**52  # from here on all floats are integers


@inline_helper
def floor(x):
    """The largest integer that is not above x."""
    k = int(x)
    return k - (float(k) > x) if abs(x) < WHOLE else k


@inline_helper
def ceil(x):
    """The smallest integer that is not below x."""
    k = int(x)
    return k + (float(k) < x) if abs(x) < WHOLE else k


@inline_helper
def nearest(x):
    """The nearest integer; of two equally near ones, the even one."""
    return int((x + ROUNDER) - ROUNDER) if abs(x) < 0.5 * WHOLE else nearest_of_large(x)


@inline_helper
def nearest_of_large(x):
    """`nearest` from 2^51 on, where floats are multiples of 1/2."""
    k = int(x)
    half = abs(x - float(k)) == 0.5
    return k + (1 if x > 0.0 else -1) if half and k % 2 != 0 else k


@inline_helper
def mantissa(x):
    """The integer m of |x| = m 2^(k - 52), where k is the exponent of x, or -1022 for smaller
    numbers.
    """
    bits = bits_of(x)
    return (bits & MANTISSA) + (2**52 if exponent(x) > -1023 else 0)


@elementary
def fmod(x, y):
    """x - n y, where n is x / y without its fraction: division of integers, ten bits at a time."""
    a, b = abs(x), abs(y)
    if math.isnan(x) or math.isnan(y) or a == math.inf or b == 0.0:
        return math.nan
    if a < b:
        return x
    k, stop = max(exponent(a), -1022), max(exponent(b), -1022)
    m, divisor = mantissa(a), mantissa(b)
    m = rest(m, divisor)
    while k > stop and m != 0:
        shift = min(k - stop, 10)
        m = rest(left(m, shift), divisor)
        k -= shift
    if m == 0:
        return math.copysign(0.0, x)
    while m < 2**52 and k > -1022:
        m = left(m, 1)
        k -= 1
    return math.copysign(float_of(left(k + 1022, 52) + m if m >= 2**52 else m), x)
