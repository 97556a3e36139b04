"""Sine, cosine and tangent: the angle is reduced to h + l, |h| < pi/4, and n quarter turns; then
polynomials in z = h^2 are evaluated.

The sine and the cosine of an angle are computed together: LLVM merges equal calls, and most kernels
need both.
"""

from __future__ import annotations

from ..language import elementary, inline_helper
from .constants import COSINE, SINE, SINE_AFTER_SIXTH, SIXTH
from .double_double import fast_two_sum, product, ratio, two_product
from .reduction import reduced

TINY = 2.0**-27  # below which x is the sine and the tangent of x


@inline_helper
def sin(x):
    return sine_and_cosine(x)[0]


@inline_helper
def cos(x):
    return sine_and_cosine(x)[1]


@elementary
def sine_and_cosine(x):
    """Sine and cosine of an angle.

    sin(h + l) = sin(h) + l cos(h),   sin(h) = h + h z S(z)
    cos(h + l) = cos(h) - l sin(h),   cos(h) = 1 - z/2 + z^2 C(z)
    """
    n, h, l = reduced(x)
    return of_reduced(x, n, h, l)


@inline_helper
def of_reduced(x, n, h, l):
    """Sine and cosine of x = n pi/2 + h + l."""
    z, z_low = two_product(h, h)
    y = z * z
    w, cube = 1.0 - 0.5 * z, h * z
    p = (SINE[0] + SINE[1] * z) + y * ((SINE[2] + SINE[3] * z) + y * (SINE[4] + SINE[5] * z))
    r = (COSINE[0] + COSINE[1] * z) + y * (
        (COSINE[2] + COSINE[3] * z) + y * (COSINE[4] + COSINE[5] * z)
    )
    s = h + (cube * p + l * (w + y * r))
    c = w + ((((1.0 - w) - 0.5 * z) - 0.5 * z_low) + (y * r - l * (h + cube * p)))
    if n & 1:
        s, c = c, -s
    if n & 2:
        s, c = -s, -c
    return x if abs(x) < TINY else s, c


@elementary
def tan(x):
    """Ratio of sine and cosine, both in two parts."""
    if abs(x) < TINY:
        return x
    n, h, l = reduced(x)
    h, l = fast_two_sum(h, l)
    z, z_low = two_product(h, h)
    z_low += 2.0 * h * l
    s, s_low = sine_parts(h, l, z, z_low)
    c, c_low = cosine_parts(z, z_low)
    if n & 1:
        q, q_low = ratio(-c, -c_low, s, s_low)
    else:
        q, q_low = ratio(s, s_low, c, c_low)
    return q + q_low


@inline_helper
def sine_parts(h, l, z, z_low):
    """(h + l) (1 - z/6 + z^2 Q(z))."""
    y = z * z
    p = (SINE_AFTER_SIXTH[0] + SINE_AFTER_SIXTH[1] * z) + y * (
        (SINE_AFTER_SIXTH[2] + SINE_AFTER_SIXTH[3] * z)
        + y * (SINE_AFTER_SIXTH[4] + SINE_AFTER_SIXTH[5] * z)
    )
    u, u_low = product(z, z_low, SIXTH[0], SIXTH[1])
    w, w_low = fast_two_sum(1.0, -u)
    return product(h, l, w, w_low + (y * p - u_low))


@inline_helper
def cosine_parts(z, z_low):
    """1 - z/2 + z^2 C(z)."""
    y = z * z
    p = (COSINE[0] + COSINE[1] * z) + y * (
        (COSINE[2] + COSINE[3] * z) + y * (COSINE[4] + COSINE[5] * z)
    )
    w, w_low = fast_two_sum(1.0, -0.5 * z)
    return fast_two_sum(w, w_low + (y * p - 0.5 * z_low))
