"""Energies and momentum of the bodies, and the power of moving constraints.

T = sum 1/2 V.I V,      U = -sum m g.c,      P = -nu.lam
(n, p)_i = I V about O,      L = sum (n + O x p),      p = sum p_i
"""

from ...kernel.algebra.spatial import (
    add6,
    angular,
    apply,
    dot6,
    join,
    linear,
    load6,
    load21,
    store6,
)
from ...kernel.algebra.vec3 import add, cross, dot, load3, load9, rotate
from ...kernel.decorators import inline


@inline
def energies(links, gravity, bodies):
    """(kinetic, potential) energy of all bodies. Reads bodies (I rigid, V, R, p)."""
    g, kinetic, potential = load3(gravity), 0.0, 0.0
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        V = load6(body.V)
        kinetic += 0.5 * dot6(V, apply(load21(body.I), V))
        center = add(load3(body.p), rotate(load9(body.R), load3(link.com)))
        potential -= link.mass * dot(g, center)
    return kinetic, potential


@inline
def drive_power(work, lam):
    """Power of moving constraints (drivers):  -v.G^T lam = -nu.lam,  with nu = -g_t."""
    total = 0.0
    for r in range(lam.shape[0]):
        total -= lam[r] * work.nu[r]
    return total


@inline
def momentum(links, bodies, out):
    """out <- (angular, linear) momentum about the world origin. Reads bodies (I rigid, V, O)."""
    total = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(1, links.shape[0]):
        body = bodies[i]
        h = apply(load21(body.I), load6(body.V))
        p = linear(h)
        total = add6(total, join(add(angular(h), cross(load3(body.O), p)), p))
    store6(out, total)
