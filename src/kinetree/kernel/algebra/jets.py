"""Taylor arithmetic: a number along a curve, a(s) = a0 + a1 s + a2 s^2, and functions of such.

    a b      c_k = sum_i a_i b_(k-i)
    f(a)     f(a0),   f' a1,   f' a2 + f''/2 a1^2                  all derivatives at a0

The rules take and return coefficients. They are exact up to rounding, whatever the units of s, and
hold for branches, tables and iterations, too. [Griewank2008, sec. 13.2]
"""

from __future__ import annotations

import math

from ..decorators import inline


@inline
def chain(f, first, half_second, a1, a2):
    """Coefficients of f(a) from f, f' and f''/2 at a0."""
    return f, first * a1, first * a2 + half_second * a1 * a1


@inline
def add(a0, a1, a2, b0, b1, b2):
    return a0 + b0, a1 + b1, a2 + b2


@inline
def subtract(a0, a1, a2, b0, b1, b2):
    return a0 - b0, a1 - b1, a2 - b2


@inline
def multiply(a0, a1, a2, b0, b1, b2):
    return a0 * b0, a0 * b1 + a1 * b0, a0 * b2 + a1 * b1 + a2 * b0


@inline
def divide(a0, a1, a2, b0, b1, b2):
    c0 = a0 / b0
    c1 = (a1 - c0 * b1) / b0
    return c0, c1, (a2 - c0 * b2 - c1 * b1) / b0


@inline
def negative(a0, a1, a2):
    return -a0, -a1, -a2


@inline
def absolute(a0, a1, a2):
    if a0 < 0.0:
        return -a0, -a1, -a2
    return a0, a1, a2


@inline
def with_sign(a0, a1, a2, b0, b1, b2):
    if math.copysign(1.0, a0) != math.copysign(1.0, b0):
        return -a0, -a1, -a2
    return a0, a1, a2


@inline
def remainder(a0, a1, a2, b0, b1, b2):
    """a % b; the quotient is constant along the curve."""
    r = a0 % b0
    n = (a0 - r) / b0
    return r, a1 - n * b1, a2 - n * b2


@inline
def c_remainder(a0, a1, a2, b0, b1, b2):
    """fmod(a, b)."""
    r = math.fmod(a0, b0)
    n = (a0 - r) / b0
    return r, a1 - n * b1, a2 - n * b2


@inline
def power(a0, a1, a2, b0, b1, b2):
    """a^b; a may be negative if b is a whole number that does not change."""
    if b1 == 0.0 and b2 == 0.0:
        first = b0 * a0 ** (b0 - 1.0) if b0 != 0.0 else 0.0
        second = b0 * (b0 - 1.0)
        half = 0.5 * second * a0 ** (b0 - 2.0) if second != 0.0 else 0.0
        return chain(a0**b0, first, half, a1, a2)
    l0, l1, l2 = logarithm(a0, a1, a2)
    e1, e2 = b0 * l1 + b1 * l0, b0 * l2 + b1 * l1 + b2 * l0
    f = a0**b0
    return chain(f, f, 0.5 * f, e1, e2)


@inline
def square_root(a0, a1, a2):
    f = math.sqrt(a0)
    return chain(f, 0.5 / f, -0.125 / (f * a0), a1, a2)


@inline
def sine(a0, a1, a2):
    f = math.sin(a0)
    return chain(f, math.cos(a0), -0.5 * f, a1, a2)


@inline
def cosine(a0, a1, a2):
    f = math.cos(a0)
    return chain(f, -math.sin(a0), -0.5 * f, a1, a2)


@inline
def tangent(a0, a1, a2):
    f = math.tan(a0)
    first = 1.0 + f * f
    return chain(f, first, f * first, a1, a2)


@inline
def arc_sine(a0, a1, a2):
    u = (1.0 - a0) * (1.0 + a0)
    first = 1.0 / math.sqrt(u)
    return chain(math.asin(a0), first, 0.5 * a0 * first / u, a1, a2)


@inline
def arc_cosine(a0, a1, a2):
    u = (1.0 - a0) * (1.0 + a0)
    first = -1.0 / math.sqrt(u)
    return chain(math.acos(a0), first, 0.5 * a0 * first / u, a1, a2)


@inline
def arc_tangent(a0, a1, a2):
    first = 1.0 / (1.0 + a0 * a0)
    return chain(math.atan(a0), first, -a0 * first * first, a1, a2)


@inline
def arc_tangent2(a0, a1, a2, b0, b1, b2):
    """atan2(a, b) has the rate (b a' - a b') / (a^2 + b^2), at s = 0 and of first order in s."""
    size = a0 * a0 + b0 * b0
    rate = (b0 * a1 - a0 * b1) / size
    growth = 2.0 * (a0 * a1 + b0 * b1) / size
    return math.atan2(a0, b0), rate, (b0 * a2 - a0 * b2) / size - 0.5 * rate * growth


@inline
def hypotenuse(a0, a1, a2, b0, b1, b2):
    f = math.hypot(a0, b0)
    first = (a0 * a1 + b0 * b1) / f
    half = 0.5 * (a1 * a1 + b1 * b1 - first * first) + a0 * a2 + b0 * b2
    return f, first, half / f


@inline
def exponential(a0, a1, a2):
    f = math.exp(a0)
    return chain(f, f, 0.5 * f, a1, a2)


@inline
def exponential_minus_one(a0, a1, a2):
    f = math.exp(a0)
    return chain(math.expm1(a0), f, 0.5 * f, a1, a2)


@inline
def logarithm(a0, a1, a2):
    first = 1.0 / a0
    return chain(math.log(a0), first, -0.5 * first * first, a1, a2)


@inline
def logarithm_of_one_plus(a0, a1, a2):
    first = 1.0 / (1.0 + a0)
    return chain(math.log1p(a0), first, -0.5 * first * first, a1, a2)


@inline
def logarithm2(a0, a1, a2):
    first = 1.4426950408889634 / a0
    return chain(math.log2(a0), first, -0.5 * first / a0, a1, a2)


@inline
def logarithm10(a0, a1, a2):
    first = 0.4342944819032518 / a0
    return chain(math.log10(a0), first, -0.5 * first / a0, a1, a2)


@inline
def hyperbolic_sine(a0, a1, a2):
    f = math.sinh(a0)
    return chain(f, math.cosh(a0), 0.5 * f, a1, a2)


@inline
def hyperbolic_cosine(a0, a1, a2):
    f = math.cosh(a0)
    return chain(f, math.sinh(a0), 0.5 * f, a1, a2)


@inline
def hyperbolic_tangent(a0, a1, a2):
    f = math.tanh(a0)
    first = 1.0 - f * f
    return chain(f, first, -f * first, a1, a2)


@inline
def area_sine(a0, a1, a2):
    u = 1.0 + a0 * a0
    first = 1.0 / math.sqrt(u)
    return chain(math.asinh(a0), first, -0.5 * a0 * first / u, a1, a2)


@inline
def area_cosine(a0, a1, a2):
    u = (a0 - 1.0) * (a0 + 1.0)
    first = 1.0 / math.sqrt(u)
    return chain(math.acosh(a0), first, -0.5 * a0 * first / u, a1, a2)


@inline
def area_tangent(a0, a1, a2):
    first = 1.0 / ((1.0 - a0) * (1.0 + a0))
    return chain(math.atanh(a0), first, a0 * first * first, a1, a2)


ONE = {  # rules of functions of one number
    math.sqrt: square_root,
    math.sin: sine,
    math.cos: cosine,
    math.tan: tangent,
    math.asin: arc_sine,
    math.acos: arc_cosine,
    math.atan: arc_tangent,
    math.exp: exponential,
    math.expm1: exponential_minus_one,
    math.log: logarithm,
    math.log1p: logarithm_of_one_plus,
    math.log2: logarithm2,
    math.log10: logarithm10,
    math.sinh: hyperbolic_sine,
    math.cosh: hyperbolic_cosine,
    math.tanh: hyperbolic_tangent,
    math.asinh: area_sine,
    math.acosh: area_cosine,
    math.atanh: area_tangent,
    math.fabs: absolute,
    abs: absolute,
}
TWO = {  # of two
    math.atan2: arc_tangent2,
    math.hypot: hypotenuse,
    math.pow: power,
    math.copysign: with_sign,
    math.fmod: c_remainder,
}
