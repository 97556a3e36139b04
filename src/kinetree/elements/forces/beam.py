"""Elastic forces of a beam on its nodes: one force element, which the compiler adds for
`model.beam`.

Energy, power and work of the element are in the results like those of any spring. The structural
integrators use the beam elements themselves (engine/beams/element.py); these kernels are for samples and
statics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...kernel.algebra.spatial import add_to6, join, load6
from ...kernel.algebra.strain import (
    conjugates,
    invariants,
    less6,
    mixed6,
    nodal_force,
    strain,
    strain_rate,
    times,
)
from ...kernel.algebra.vec3 import add, cross, load3, load9, neg, scale, sub
from ...kernel.decorators import inline, kernel
from .contract import Force


@dataclass(frozen=True)
class BeamForce(Force):
    r"""Elastic forces of a beam, added by `model.beam`.

    Parameters
    ----------
    elements : tuple of BeamElement
        Elements between successive nodes, each with length, 6x6 stiffness, strain free of stress,
        damping, mass and inertia.
    sides : (float, float), default (0.0, 0.0)
        Width and height of the section, for drawing and for the strain of the outer fiber (m).

    See Also
    --------
    kt.Model.beam : Add a beam to a model.
    kt.Section : Cross-section of a beam.

    Notes
    -----
    .. math::
        (N, M) = C\,(\varepsilon - \varepsilon_0 + \beta\,\dot\varepsilon)

    :math:`\varepsilon` are the six strains of an element (extension, two shears, twist, two
    bendings), :math:`\varepsilon_0` those free of stress, :math:`C` is the stiffness and
    :math:`\beta` the damping (s). N is the section force (N) and M the section moment (N m) in the
    axes of the section, positive in tension and by the right-hand rule on the face towards the next
    node. Users do not create this element; `model.beam` does.

    Examples
    --------
    The strain energy of a straight beam at rest is zero.

    >>> import kinetree as kt
    >>> model = kt.Model("cantilever", gravity=(0, 0, 0))
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> beam = model.beam("beam", [(0, 0, 0), (1, 0, 0)], section, elements=4)
    >>> clamp = model.joint("clamp", kt.Fixed(), model.ground, beam.end("-"))
    >>> sol = kt.simulate(model, until=1e-3, step=1e-3)
    >>> print(abs(sol["beam.energy"][0]) < 1e-12)
    True
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
                element.length,
                element.stiffness_at_centre.ravel(),
                element.strain_at_centre,
                element.damping,
            )
            record["mass"], record["J"] = element.mass, element.inertia.ravel()


@inline
def ends_of(element, bodies):
    """Positions and frames of both nodes."""
    a, b = bodies[element.i], bodies[element.j]
    return load3(a.p), load9(a.R), load3(b.p), load9(b.R)


@inline
def at_centre(L, centre, z):
    """Strain at the mass centers of both nodes, from that on the line:  gamma + kappa x center."""
    g = add((z[0], z[1], z[2]), scale(1.0 / L, cross((z[3], z[4], z[5]), centre)))
    return g[0], g[1], g[2], z[3], z[4], z[5]


@kernel
def apply(tables, work, force, t, q, v, x):
    f = work.user[0]
    for e in range(force.first, force.first + force.count):
        element = tables.elements[e]
        x1, R1, x2, R2 = ends_of(element, work.bodies)
        i, j = work.bodies[element.i], work.bodies[element.j]
        L, centre = element.length, load3(tables.links[element.i].com)
        a, b, c = invariants(L, x1, R1, x2, R2)
        z = less6(at_centre(L, centre, strain(a, b, c)), load6(element.e0))
        if element.beta > 0.0:
            rate = strain_rate(L, x1, R1, x2, R2, load6(i.V), load6(j.V), a, b, c)
            z = mixed6(1.0, z, element.beta, at_centre(L, centre, rate))
        N, M = times(element.C, z)
        M = add(M, scale(1.0 / L, cross(centre, N)))  # on the line
        Pa, Pb, Pc = conjugates(a, b, c, a, b, c, N, M)
        nodal_force(L, sub(x2, x1), R1, R2, Pa, Pb, Pc, f)
        n = (f[0], f[1], f[2])
        add_to6(i.F, join((-f[3], -f[4], -f[5]), n))
        add_to6(j.F, join((-f[6], -f[7], -f[8]), neg(n)))


@kernel
def energy(tables, work, force, t, q, x):
    total = 0.0
    for e in range(force.first, force.first + force.count):
        element = tables.elements[e]
        x1, R1, x2, R2 = ends_of(element, work.bodies)
        a, b, c = invariants(element.length, x1, R1, x2, R2)
        z = less6(
            at_centre(element.length, load3(tables.links[element.i].com), strain(a, b, c)),
            load6(element.e0),
        )
        N, M = times(element.C, z)
        total += 0.5 * (
            z[0] * N[0] + z[1] * N[1] + z[2] * N[2] + z[3] * M[0] + z[4] * M[1] + z[5] * M[2]
        )
    return total
