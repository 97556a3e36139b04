"""The exponential function and the hyperbolic ones: e^x = 2^k 2^(j/64) e^r, |r| < 0.0055, by a
table and a Taylor series.
"""

from __future__ import annotations

import math

from ..language import elementary, inline_helper
from .constants import EXPONENTIAL, POWERS_OF_TWO, POWERS_OF_TWO_REST, STEP, STEPS_PER_LN2
from .double_double import fast_two_sum, power_of_two, ratio, scaled, two_product, two_sum
from .instructions import bits_of, right
from .reduction import ROUNDER

HIGHEST, LOWEST = 709.782712893384, -745.1332191019412  # beyond them e^x is infinite, or 0
ALONE = 45.0  # above it 1 and e^-x are negligible relative to e^x
SHORT = 0.0054  # below which the series is taken of x itself
TINY = 2.0**-28  # below which x is its hyperbolic sine and tangent


@inline_helper
def series(r):
    """e^r - 1 - r."""
    y = r * r
    return y * (
        (EXPONENTIAL[0] + EXPONENTIAL[1] * r)
        + y * ((EXPONENTIAL[2] + EXPONENTIAL[3] * r) + y * (EXPONENTIAL[4] + EXPONENTIAL[5] * r))
    )


@elementary
def power_of_e(x, x_low):
    """(h, l, k): e^(x + x_low) = (h + l) 2^k, for |x| < 1000."""
    shifted = x * STEPS_PER_LN2 + ROUNDER
    n = shifted - ROUNDER
    steps = bits_of(shifted) - bits_of(ROUNDER)
    near, step = x - n * STEP[0], n * STEP[1]
    r, r_low = fast_two_sum(near, -step)
    r, r_low = fast_two_sum(r, r_low + x_low)
    j = steps & 63
    power, power_low = float(POWERS_OF_TWO[j]), float(POWERS_OF_TWO_REST[j])
    p, p_low = two_product(power, r)
    h, l = fast_two_sum(power, p)
    l += p_low + (power * (r_low + series(r)) + (power_low + power_low * r))
    return h, l, right(steps, 6)


@elementary
def exp(x):
    if math.isnan(x):
        return x
    if x > HIGHEST:
        return math.inf
    if x < LOWEST:
        return 0.0
    h, l, k = power_of_e(x, 0.0)
    return scaled(h + l, k)


@inline_helper
def expm1_parts(x):
    """e^x - 1 in two parts, for |x| < 100."""
    if abs(x) < SHORT:
        return fast_two_sum(x, series(x))
    h, l, k = power_of_e(x, 0.0)
    two = power_of_two(k)
    h, rest = two_sum(h * two, -1.0)
    return fast_two_sum(h, rest + l * two)


@elementary
def expm1(x):
    if abs(x) < 2.0**-54 or math.isnan(x):
        return x
    if x > ALONE:
        return exp(x)
    if x < -ALONE:
        return -1.0
    h, l = expm1_parts(x)
    return h + l


@inline_helper
def half_exp(x):
    """e^x / 2 for x > 0, without overflow of e^x."""
    if x > 711.0:
        return math.inf
    h, l, k = power_of_e(x, 0.0)
    return scaled(h + l, k - 1)


@elementary
def sinh(x):
    """(u + u / (u + 1)) / 2 with u = e^|x| - 1."""
    a = abs(x)
    if a < TINY or math.isnan(x):
        return x
    if a > ALONE:
        return math.copysign(half_exp(a), x)
    u, u_low = expm1_parts(a)
    d, d_low = two_sum(u, 1.0)
    q, q_low = ratio(u, u_low, d, d_low + u_low)
    h, l = fast_two_sum(u, q)
    return math.copysign(0.5 * (h + (l + (u_low + q_low))), x)


@elementary
def cosh(x):
    """(e^|x| + e^-|x|) / 2."""
    a = abs(x)
    if math.isnan(x):
        return x
    if a > ALONE:
        return half_exp(a)
    u, u_low, k = power_of_e(a, 0.0)
    two = 0.5 * power_of_two(k)
    u, u_low = fast_two_sum(u * two, u_low * two)
    q, q_low = ratio(0.25, 0.0, u, u_low)
    h, l = fast_two_sum(u, q)
    return h + (l + (u_low + q_low))


@elementary
def tanh(x):
    """u / (u + 2) with u = e^(2 |x|) - 1."""
    a = abs(x)
    if a < TINY or math.isnan(x):
        return x
    if a > 20.0:
        return math.copysign(1.0, x)
    u, u_low = expm1_parts(2.0 * a)
    d, d_low = two_sum(u, 2.0)
    h, l = ratio(u, u_low, d, d_low + u_low)
    return math.copysign(h + l, x)
