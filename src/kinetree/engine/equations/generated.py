"""The part of generated equations that the tree computes: forces, controllers and constraints.

    f_k = tau_k + h_k . sum of F over the bodies outboard of joint k,      G, gamma of all rows

The bodies of the tree have no inertia here: they are the points where force elements act and the
bodies of the channels. Generated code adds inertia, weight and stiffness to f and writes M.
"""

from __future__ import annotations

from ...kernel.algebra.spatial import add_to6, dot6, load6, store6
from ...kernel.decorators import internal_kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..dynamics.constraint import constraint_accelerations
from ..dynamics.kinematics import bias_accelerations, kinematics
from ..dynamics.loads import loads


@internal_kernel
def elements(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """f of all force elements, G and gamma of all constraints, and xdot."""
    kinematics(tables, work, q, v)
    bias_accelerations(tables, work)
    loads(tables, work, t, q, v, x)
    links, bodies, dofs, f = tables.links, work.bodies, work.dofs, work.f
    for i in range(1, links.shape[0]):
        store6(bodies[i].bias, load6(bodies[i].F))
    for i in range(links.shape[0] - 1, 0, -1):
        link, F = links[i], load6(bodies[i].bias)
        for k in range(link.iv, link.iv + link.nv):
            f[k] += dot6(load6(dofs[k].h), F)
        if link.parent > 0:
            add_to6(bodies[link.parent].bias, F)
    constraint_accelerations(tables, work, t)


@internal_kernel
def nothing(tables: Tables, work: Work, q: Vector):
    """`positions` for equations that need no preparation."""


@internal_kernel
def at_rest(tables: Tables, work: Work, t: float, q: Vector):
    """nu = 0: no constraint depends on time."""
    for r in range(work.nu.shape[0]):
        work.nu[r] = 0.0


@internal_kernel
def simple_rates(tables: Tables, work: Work, q: Vector, v: Vector, y: Vector, ydot: Vector):
    """qdot = v."""
    for k in range(v.shape[0]):
        ydot[k] = v[k]


@internal_kernel
def simple_shift(tables: Tables, work: Work, q: Vector, delta: Vector):
    """q <- q + delta."""
    for k in range(delta.shape[0]):
        q[k] += delta[k]
