"""What a plant of generated code leaves to the tree: force elements, controllers and constraints,
on bodies without inertia.

    f_k = tau_k + h_k . sum of F over the bodies outboard of freedom k,      G, gamma of all rows

The generated code adds its own part to f, and writes M. The bodies of the tree are where force
elements act and what channels show; what has inertia, weight and stiffness is in the generated code
alone.
"""

from __future__ import annotations

from ...kernel.algebra.spatial import add_to6, dot6, load6, store6
from ...kernel.decorators import internal_kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..dynamics.constraint import constraint_accelerations
from ..dynamics.kinematics import coasting, kinematics
from ..dynamics.loads import loads


@internal_kernel
def elements(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """f of all elements, G and gamma of all constraints, and xdot."""
    kinematics(tables, work, q, v)
    coasting(tables, work)
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
    """Of positions that need no preparation."""


@internal_kernel
def at_rest(tables: Tables, work: Work, t: float, q: Vector):
    """nu of constraints that time does not move."""
    for r in range(work.nu.shape[0]):
        work.nu[r] = 0.0


@internal_kernel
def simple_rates(tables: Tables, work: Work, q: Vector, v: Vector, y: Vector, ydot: Vector):
    """qdot = v."""
    for k in range(v.shape[0]):
        ydot[k] = v[k]


@internal_kernel
def simple_shift(tables: Tables, work: Work, q: Vector, delta: Vector):
    for k in range(delta.shape[0]):
        q[k] += delta[k]
