"""Coulomb friction as a projection onto the friction cone.

    y = R^-1 (b - u)         gamma = argmin_K |gamma - y|_R,   R = diag(Rn, Rt, Rt)

    stick  |y_t| <= mu y_n                  gamma = y
    open   y_n <= -mu (Rt/Rn) |y_t|         gamma = 0
    slide  otherwise                        gamma_n = (y_n + mu Rt/Rn |y_t|) / (1 + mu^2 Rt/Rn)
                                            gamma_t = mu gamma_n y_t / |y_t|

u is the velocity of shape b relative to shape a at the contact (normal, two tangents), gamma the
impulse on b. Records have kn = 1 / Rn, kt = 1 / Rt, ratio = mu Rt / Rn and share = 1 / (1 + mu ratio).
[Anitescu2006; Todorov2014]
"""

import math

from ...kernel.decorators import inline

OPEN, STICKS, SLIDES = 0, 1, 2


@inline
def impulse(c, u0, u1, u2):
    """Impulse, state of the contact, and |y_t|."""
    yn, y1, y2 = (c.b - c.slip - u0) * c.kn, c.c1 - u1 * c.kt, c.c2 - u2 * c.kt
    yr = math.sqrt(y1 * y1 + y2 * y2)
    if yr <= c.mu * yn:
        return yn, y1, y2, STICKS, yr
    if yn <= -c.ratio * yr:
        return 0.0, 0.0, 0.0, OPEN, yr
    g = (yn + c.ratio * yr) * c.share
    f = c.mu * g / yr
    return g, f * y1, f * y2, SLIDES, yr


@inline
def stiffness(c):
    """-d gamma / du of a contact that is not open: nn, n1, n2, 11, 12, 22."""
    yn, y1, y2 = (c.b - c.slip - c.u[0]) * c.kn, c.c1 - c.u[1] * c.kt, c.c2 - c.u[2] * c.kt
    yr = math.sqrt(y1 * y1 + y2 * y2)
    if yr <= c.mu * yn:
        return c.kn, 0.0, 0.0, c.kt, 0.0, c.kt
    nn, factor = c.share * c.kn, 1.0 / yr
    d1, d2, f = y1 * factor, y2 * factor, c.mu * c.g[0] * c.kt * factor
    e = c.mu * c.mu * nn - f
    return nn, c.mu * nn * d1, c.mu * nn * d2, e * d1 * d1 + f, e * d1 * d2, e * d2 * d2 + f


@inline
def slip_of(c, u0, u1, u2):
    """mu |u_t| that the slip of the exact law adds to the normal velocity [DeSaxce1998]."""
    y1, y2 = c.c1 - u1 * c.kt, c.c2 - u2 * c.kt
    held = c.mu * max(0.0, (c.b - u0) * c.kn)
    return c.mu * max(0.0, math.sqrt(y1 * y1 + y2 * y2) - held) / c.kt
