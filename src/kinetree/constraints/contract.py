"""Constraint primitives: what a cut joint, a rod, a driver or a gear is made of.  [Lee1994, sec. 4]

A primitive between bodies i and j has one or three rows. Per row k its kernels give

    value(p, k, bodies)  -> g
    pair(p, k, bodies)   -> F_i, F_j     unit wrenches about each body's O with  gdot = F_i.V_i + F_j.V_j
    bias(p, k, bodies)   -> number       gddot = F_i.A_i + F_j.A_j + bias        (A spatial accelerations)

from which the sweeps in `dynamics` make g, G and gamma in any coordinates, since the row of G over a path of hinge
columns h is F_i.h + F_j.h, the equations (15), (17) Phi_q = Phi_Z B, and (18) gamma* = gamma - Phi_Z Bdot qdot.

What a user can name is a class of the catalogue that writes itself as primitives, or as relations between coordinates,
through the compiler: `to.primitive`, `to.relation`, `to.sensor`, `to.signal`, `to.leave_open`.
"""

from dataclasses import dataclass
from typing import ClassVar

from ..num.jit import inline
from ..num.spatial import dot6, load6
from ..num.vec3 import add, load3, load9, rotate, sub

ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Constraint:
    """Base of the constraints; `markers` says how many markers the model must give."""

    kind: ClassVar[str]
    markers: ClassVar[tuple[int, int]]  # fewest and most

    @property
    def driven(self) -> bool:
        """Does it move the machine as time goes on?"""
        return False

    def lower(self, to, name, markers) -> None:
        """Add the equations of the constraint of that name at its markers."""
        raise NotImplementedError(f"{type(self).__name__} must add its equations in `lower`.")


@inline
def arms(p, bodies):
    """World points p_i, p_j of the primitive and their arms r_i, r_j from each body's O."""
    i, j = bodies[p.i], bodies[p.j]
    p_i = add(load3(i.p), rotate(load9(i.R), load3(p.p_i)))
    p_j = add(load3(j.p), rotate(load9(j.R), load3(p.p_j)))
    return p_i, p_j, sub(p_i, load3(i.O)), sub(p_j, load3(j.O))


@inline
def axes(p, bodies):
    """World directions a_i, a_j of the primitive."""
    return rotate(load9(bodies[p.i].R), load3(p.a_i)), rotate(load9(bodies[p.j].R), load3(p.a_j))


@inline
def add_wrench(links, dofs, body, F, factor, row):
    """Add factor * F.h to a row of G for every freedom between the body and the ground."""
    i = body
    while i > 0:
        link = links[i]
        for k in range(link.iv, link.iv + link.nv):
            row[k] += factor * dot6(F, load6(dofs[k].h))
        i = link.parent
