"""Inertia that a beam element shares between its nodes: average of lumped and consistent masses.

The nodes carry the lumped masses, as bodies. The average differs from these, per element, by

    T = -1/2 mu |v2 - v1|^2 - 1/2 (w2 - w1).J (w2 - w1),     mu = mass / 12,  J = inertia / 12

with v of the mass centers of the sections and w in the axes of the sections. The term vanishes for
a rigid translation. The errors of lumped and of consistent masses have opposite signs; how much the
average improves a frequency depends on the ends of the beam.
The momenta are  p1 = mu (v2 - v1) = -p2,  pi1 = J (w2 - w1) = -pi2.
"""

from ...kernel.algebra.spatial import angular, linear, load6
from ...kernel.algebra.vec3 import add, cross, dot, load3, load9, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline


@inline
def shared_momenta(element, v1, w1, v2, w2):
    """p1 and pi1 of an element, from v in world axes and w in the axes of the sections."""
    return scale(element.mass, sub(v2, v1)), rotate(load9(element.J), sub(w2, w1))


@inline
def motion_of_center(tables, bodies, b):
    """Position and velocity of the mass center of a node, its frame, and w in that frame."""
    body, V, R = bodies[b], load6(bodies[b].V), load9(bodies[b].R)
    arm = rotate(R, load3(tables.links[b].com))
    return (
        add(load3(body.p), arm),
        add(linear(V), cross(angular(V), arm)),
        R,
        rotate_t(R, angular(V)),
    )


@inline
def shared_energy(tables, bodies):
    """Kinetic energy that all elements add to that of the bodies. Reads bodies (V, R)."""
    total = 0.0
    for e in range(tables.elements.shape[0]):
        element = tables.elements[e]
        _, v1, _, w1 = motion_of_center(tables, bodies, element.i)
        _, v2, _, w2 = motion_of_center(tables, bodies, element.j)
        p, pi = shared_momenta(element, v1, w1, v2, w2)
        total -= 0.5 * (dot(p, sub(v2, v1)) + dot(pi, sub(w2, w1)))
    return total


@inline
def add_shared_momentum(tables, bodies, out):
    """Add the angular momentum of all elements to out; their linear momentum is zero."""
    for e in range(tables.elements.shape[0]):
        element = tables.elements[e]
        x1, v1, R1, w1 = motion_of_center(tables, bodies, element.i)
        x2, v2, R2, w2 = motion_of_center(tables, bodies, element.j)
        p, pi = shared_momenta(element, v1, w1, v2, w2)
        L = add(cross(sub(x1, x2), p), sub(rotate(R1, pi), rotate(R2, pi)))
        for k in range(3):
            out[k] += L[k]
