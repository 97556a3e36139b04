"""The elastic forces of a beam on its nodes: one force element for all of it, as the compiler adds it for `model.beam`.

Its energy, power and work stand in the results like those of any spring. The structural integrators take the elements
themselves (flex/element.py); these kernels are for samples and statics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..num.jit import inline, kernel
from ..num.spatial import add_to6, join, load6
from ..num.strain import conjugates, invariants, less6, mixed6, nodal_force, strain, strain_rate, times
from ..num.vec3 import load3, load9, neg, sub
from .contract import Force


@dataclass(frozen=True)
class BeamForce(Force):
    """Elements between successive nodes of a beam, as `model.beam` makes them.

    elements   each with its length, stiffness (6x6), strain where free of stress, damping, and the mass and inertia that it
               shares between its nodes
    sides      width and height of the section, for the strain of the outer fibre (m)
    """

    elements: tuple[Any, ...]
    sides: tuple[float, float] = (0.0, 0.0)  # of its section along y and z (m), as it is drawn

    kind = "beam"
    markers = (2, None)

    def lower(self, row, to) -> None:
        row["first"], row["count"] = len(to.rows["elements"]), len(self.elements)
        nodes = list(to.model.forces.values())[len(to.rows["forces"])].markers
        for a, b, element in zip(nodes, nodes[1:], self.elements):
            record = to.element(a, b)
            record["length"], record["C"], record["e0"], record["beta"] = (
                element.length, element.stiffness.ravel(), element.strain, element.damping)
            record["mass"], record["J"] = element.mass, element.inertia.ravel()


@inline
def ends_of(element, bodies):
    """Positions and frames of both nodes."""
    a, b = bodies[element.i], bodies[element.j]
    return load3(a.p), load9(a.R), load3(b.p), load9(b.R)


@kernel
def apply(force, t, q, v, x, tables, work):
    f = work.user[0]
    for e in range(force.first, force.first + force.count):
        element = tables.elements[e]
        x1, R1, x2, R2 = ends_of(element, work.bodies)
        i, j = work.bodies[element.i], work.bodies[element.j]
        a, b, c = invariants(element.length, x1, R1, x2, R2)
        z = less6(strain(a, b, c), load6(element.e0))
        if element.beta > 0.0:
            z = mixed6(1.0, z, element.beta, strain_rate(element.length, x1, R1, x2, R2, load6(i.V), load6(j.V), a, b, c))
        N, M = times(element.C, z)
        Pa, Pb, Pc = conjugates(a, b, c, a, b, c, N, M)
        nodal_force(element.length, sub(x2, x1), R1, R2, Pa, Pb, Pc, f)
        n = (f[0], f[1], f[2])
        add_to6(i.F, join((-f[3], -f[4], -f[5]), n))
        add_to6(j.F, join((-f[6], -f[7], -f[8]), neg(n)))


@kernel
def energy(force, t, q, x, tables, work):
    total = 0.0
    for e in range(force.first, force.first + force.count):
        element = tables.elements[e]
        x1, R1, x2, R2 = ends_of(element, work.bodies)
        a, b, c = invariants(element.length, x1, R1, x2, R2)
        z = less6(strain(a, b, c), load6(element.e0))
        N, M = times(element.C, z)
        total += 0.5 * (z[0] * N[0] + z[1] * N[1] + z[2] * N[2] + z[3] * M[0] + z[4] * M[1] + z[5] * M[2])
    return total
