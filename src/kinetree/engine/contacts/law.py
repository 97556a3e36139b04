"""Coulomb friction as a projection onto the friction cone.

    y = R^-1 (b - u)         gamma = argmin_K |gamma - y|_R,   R = diag(Rn, Rt, Rt)

    stick  |y_t| <= mu y_n                  gamma = y
    open   y_n <= -mu (Rt/Rn) |y_t|         gamma = 0
    slide  otherwise                        gamma_n = (y_n + mu Rt/Rn |y_t|) / (1 + mu^2 Rt/Rn)
                                            gamma_t = mu gamma_n y_t / |y_t|

u is the velocity of shape b relative to shape a at the contact (normal, two tangents), gamma the
impulse on b. [Anitescu2006; Todorov2014]
"""

import math

from ...kernel.decorators import inline

OPEN, STICKS, SLIDES = 0, 1, 2


@inline
def trial(c, u0, u1, u2):
    """y of a contact, and the length of its tangential part."""
    y1, y2 = c.c1 - u1 / c.Rt, c.c2 - u2 / c.Rt
    return (c.b - c.slip - u0) / c.Rn, y1, y2, math.sqrt(y1 * y1 + y2 * y2)


@inline
def impulse(c, u0, u1, u2):
    """Impulse, state of the contact, and |y_t|."""
    yn, y1, y2, yr = trial(c, u0, u1, u2)
    if yr <= c.mu * yn:
        return yn, y1, y2, STICKS, yr
    ratio = c.mu * c.Rt / c.Rn
    if yn <= -ratio * yr:
        return 0.0, 0.0, 0.0, OPEN, yr
    g = (yn + ratio * yr) / (1.0 + c.mu * ratio)
    f = c.mu * g / yr
    return g, f * y1, f * y2, SLIDES, yr


@inline
def stiffness(c):
    """-d gamma / du of a contact that is not open: nn, n1, n2, 11, 12, 22."""
    _, y1, y2, yr = trial(c, c.u[0], c.u[1], c.u[2])
    yn = (c.b - c.slip - c.u[0]) / c.Rn
    if yr <= c.mu * yn:
        return 1.0 / c.Rn, 0.0, 0.0, 1.0 / c.Rt, 0.0, 1.0 / c.Rt
    z = 1.0 / (1.0 + c.mu * c.mu * c.Rt / c.Rn)
    d1, d2, f = y1 / yr, y2 / yr, c.mu * c.g[0] / (yr * c.Rt)
    nn = z / c.Rn
    e = c.mu * c.mu * nn - f
    return nn, c.mu * nn * d1, c.mu * nn * d2, e * d1 * d1 + f, e * d1 * d2, e * d2 * d2 + f


@inline
def slip_of(c, u0, u1, u2):
    """mu |u_t| that the slip of the exact law adds to the normal velocity [DeSaxce1998]."""
    y1, y2 = c.c1 - u1 / c.Rt, c.c2 - u2 / c.Rt
    held = c.mu * max(0.0, (c.b - u0) / c.Rn)
    return c.mu * c.Rt * max(0.0, math.sqrt(y1 * y1 + y2 * y2) - held)
