"""A point stays in a plane (dot-2):  g = a_i . (p_j - p_i);  the force acts along a_i at p_j on
both bodies.
"""

from ...kernel.algebra.spatial import load6, wrench
from ...kernel.algebra.vec3 import dot, load3, neg, sub
from ...kernel.decorators import inline
from ..joints.sensors import plane_bias
from .contract import ZERO, arms, axes


@inline
def value(tables, p, k, bodies, aims):
    p_i, p_j, _, _ = arms(p, bodies)
    return dot(axes(p, bodies)[0], sub(p_j, p_i))


@inline
def pair(tables, p, k, bodies, aims):
    _, p_j, _, r_j = arms(p, bodies)
    a = axes(p, bodies)[0]
    return wrench(ZERO, neg(a), sub(p_j, load3(bodies[p.i].O))), wrench(ZERO, a, r_j)


@inline
def bias(tables, p, k, bodies, aims):
    _, p_j, _, r_j = arms(p, bodies)
    r_i = sub(p_j, load3(bodies[p.i].O))
    return plane_bias(axes(p, bodies)[0], load6(bodies[p.i].V), load6(bodies[p.j].V), r_i, r_j)
