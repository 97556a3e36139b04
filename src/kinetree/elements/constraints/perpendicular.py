"""Two directions stay perpendicular (dot-1):  g = a_i . a_j,  gdot = (w_i - w_j) . n,  n = a_i x
a_j.
"""

from ...kernel.algebra.spatial import angular, join, load6
from ...kernel.algebra.vec3 import add, cross, dot, neg, sub
from ...kernel.decorators import inline
from .contract import ZERO, axes


@inline
def value(tables, p, k, bodies, aims):
    a_i, a_j = axes(p, bodies)
    return dot(a_i, a_j)


@inline
def pair(tables, p, k, bodies, aims):
    a_i, a_j = axes(p, bodies)
    n = cross(a_i, a_j)
    return join(n, ZERO), join(neg(n), ZERO)


@inline
def bias(tables, p, k, bodies, aims):
    a_i, a_j = axes(p, bodies)
    w_i, w_j = angular(load6(bodies[p.i].V)), angular(load6(bodies[p.j].V))
    ndot = add(cross(cross(w_i, a_i), a_j), cross(a_i, cross(w_j, a_j)))
    return dot(sub(w_i, w_j), ndot)
