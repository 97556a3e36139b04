"""Forces of a contact from its depth, its speeds and its states; equations in contact.py."""

from __future__ import annotations

import math

from ...kernel.algebra.vec3 import add, dot, norm, scale, sub
from ...kernel.decorators import inline
from ...kernel.functions.logarithm import log
from .contract import ZERO

# places of the numbers n of a contact in the pool
K, EXPONENT, CHI, REST, MU, STATIC, STRIBECK, PRESLIDING, TIME, ROLLING, SLOW = range(11)
ELASTIC = 0.95  # of D: contact sticks below


def damping_factor(restitution: float) -> float:
    """chi of the module, by bisection; 0 for e = 1."""
    e = restitution
    if e > 1.0 - 1e-5:  # the first term of the series
        return 1.5 * (1.0 - e)
    low, high = 0.5 * (1.0 - e), 1.0 / e
    while True:
        c = 0.5 * (low + high)
        if c in (low, high):
            return c
        if c * (1.0 + e) > log((1.0 + c) / (1.0 - e * c)):
            low = c
        else:
            high = c


@inline
def normal_force(n, gap, closing, w, weight):
    """F of the module at a place with a share of the stiffness."""
    if gap >= 0.0:
        return 0.0
    stretch = 1.0 + n[CHI] * closing / max(w, n[REST])
    return weight * n[K] * (-gap) ** n[EXPONENT] * max(stretch, 0.0)


@inline
def blend(share):
    """alpha of the module."""
    if share <= ELASTIC:
        return 0.0
    if share >= 1.0:
        return 1.0
    s = (share - ELASTIC) / (1.0 - ELASTIC)
    return s * s * (3.0 - 2.0 * s)


@inline
def bristle_rate(z, u, presliding):
    """z' of the module."""
    size, along = norm(z), dot(u, z)
    if along <= 0.0 or size == 0.0:
        return u
    return sub(u, scale(blend(size / presliding) * along / (size * presliding), z))


@inline
def friction_force(n, load, u, z, rate):
    """f of the module."""
    speed = norm(u) / n[STRIBECK]
    mu = n[MU] + n[STATIC] * math.exp(-speed * speed)
    f = scale(-mu * load / n[PRESLIDING], add(z, scale(n[TIME], rate)))
    size = norm(f)
    return f if size <= mu * load else scale(mu * load / size, f)


@inline
def resistance(n, load, w, normal):
    """Rolling resistance: against the part of w along the surface, smooth near rest."""
    if n[ROLLING] == 0.0:
        return ZERO
    along = sub(w, scale(dot(w, normal), normal))
    return scale(-n[ROLLING] * load / math.sqrt(dot(along, along) + n[SLOW] * n[SLOW]), along)
