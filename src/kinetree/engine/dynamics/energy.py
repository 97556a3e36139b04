"""Energies of the bodies, and the power that moving constraints bring in.

T = sum 1/2 V.I V,      U = -sum m g.c,      P = -nu.lam
"""

from ...kernel.algebra.spatial import apply, dot6, load6, load21
from ...kernel.algebra.vec3 import add, dot, load3, load9, rotate
from ...kernel.decorators import inline


@inline
def energies(links, gravity, bodies):
    """(kinetic, potential) of all bodies; reads bodies (I rigid, V, R, p)."""
    g, kinetic, potential = load3(gravity), 0.0, 0.0
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        V = load6(body.V)
        kinetic += 0.5 * dot6(V, apply(load21(body.I), V))
        centre = add(load3(body.p), rotate(load9(body.R), load3(link.com)))
        potential -= link.mass * dot(g, centre)
    return kinetic, potential


@inline
def drive_power(work, lam):
    """Power that moving constraints (drivers) bring in:  -v.G^T lam = -nu.lam,  with nu = -g_t."""
    total = 0.0
    for r in range(lam.shape[0]):
        total -= lam[r] * work.nu[r]
    return total
