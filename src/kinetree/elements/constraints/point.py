"""Two points coincide (three rows, in world axes):  g = p_j - p_i."""

from ...kernel.algebra.spatial import angular, load6, velocity_at, wrench
from ...kernel.algebra.vec3 import cross, neg, sub
from ...kernel.decorators import inline
from .contract import ZERO, arms


@inline
def value(tables, p, k, bodies, aims):
    p_i, p_j, _, _ = arms(p, bodies)
    return sub(p_j, p_i)[k]


@inline
def unit(k):
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@inline
def pair(tables, p, k, bodies, aims):
    _, _, r_i, r_j = arms(p, bodies)
    e = unit(k)
    return wrench(ZERO, neg(e), r_i), wrench(ZERO, e, r_j)


@inline
def bias(tables, p, k, bodies, aims):
    """w_j x v_j - w_i x v_i: the velocity terms of the acceleration of a point."""
    _, _, r_i, r_j = arms(p, bodies)
    V_i, V_j = load6(bodies[p.i].V), load6(bodies[p.j].V)
    a = sub(cross(angular(V_j), velocity_at(V_j, r_j)), cross(angular(V_i), velocity_at(V_i, r_i)))
    return a[k]
