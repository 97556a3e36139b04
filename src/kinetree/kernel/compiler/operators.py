"""Operators of Python that LLVM lacks, written in the kernel language."""

from __future__ import annotations

import math

from ..functions.instructions import quotient, rest
from ..functions.rounding import floor, fmod


def integer_quotient(a, b):
    """a // b; 0 where b is 0."""
    if b == 0:
        return 0
    if b == -1:
        return -a
    q, r = quotient(a, b), rest(a, b)
    return q - 1 if r != 0 and (r < 0) != (b < 0) else q


def integer_remainder(a, b):
    """a % b, with the sign of b; 0 where b is 0."""
    if b == 0 or b == -1:
        return 0
    r = rest(a, b)
    return r + b if r != 0 and (r < 0) != (b < 0) else r


def float_remainder(a, b):
    """a % b, with the sign of b."""
    r = fmod(a, b)
    if r == 0.0:
        return math.copysign(0.0, b)
    return r + b if (r < 0.0) != (b < 0.0) else r


def float_quotient(a, b):
    """a // b as in Python: the integer nearest to (a - a % b) / b, which differs from one only by
    rounding.
    """
    r = fmod(a, b)
    d = (a - r) / b
    if r != 0.0 and (r < 0.0) != (b < 0.0):
        d -= 1.0
    if d == 0.0:
        return math.copysign(0.0, a / b)
    low = float(floor(d)) if abs(d) < 2.0**52 else d
    return low + 1.0 if d - low > 0.5 else low


def float_power(x, n):
    """x ** n by squaring."""
    result, left = 1.0, n if n >= 0 else -n
    while left != 0:
        if left % 2 != 0:
            result *= x
        left = left // 2
        x *= x
    return 1.0 / result if n < 0 else result


def integer_power(x, n):
    """x ** n by squaring, for n >= 0."""
    result = 1
    while n > 0:
        if n % 2 != 0:
            result *= x
        n = n // 2
        x *= x
    return result
