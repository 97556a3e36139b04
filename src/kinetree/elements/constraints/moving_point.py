"""Rows along a direction e at a point C that moves on both bodies: contacts, wheels and blades.

    rate    e . (v_j(C) - v_i(C)),      F = -+e at C
    bias    e . ((w_j - w_i) x Cdot) + edot . (v_j(C) - v_i(C))

because the velocity of the body at a point fixed in space changes by the spatial acceleration, and
C moves on by Cdot. The rows need no curvatures: Cdot is the velocity of the geometric point.
"""

from ...kernel.algebra.spatial import angular, load6, velocity_at, wrench
from ...kernel.algebra.vec3 import cross, dot, load3, neg, sub
from ...kernel.decorators import inline
from .contract import ZERO


@inline
def pair_at(p, bodies, C, e):
    """Unit wrenches of the row along e at the world point C."""
    r_i, r_j = sub(C, load3(bodies[p.i].O)), sub(C, load3(bodies[p.j].O))
    return wrench(ZERO, neg(e), r_i), wrench(ZERO, e, r_j)


@inline
def bias_at(p, bodies, C, Cdot, e, edot):
    """Velocity terms of the rate of the row along e at C."""
    V_i, V_j = load6(bodies[p.i].V), load6(bodies[p.j].V)
    r_i, r_j = sub(C, load3(bodies[p.i].O)), sub(C, load3(bodies[p.j].O))
    slip = sub(velocity_at(V_j, r_j), velocity_at(V_i, r_i))
    return dot(e, cross(sub(angular(V_j), angular(V_i)), Cdot)) + dot(edot, slip)
