"""Constraint primitives: what a cut joint, a rod, a driver or a gear is made of.  [Lee1994, sec. 4]

A primitive between bodies i and j has one or three rows. Per row k its kernels give

    value(tables, p, k, bodies, aims)  -> g
    pair(tables, p, k, bodies, aims)   -> F_i, F_j     unit wrenches about each body's O with  gdot =
                               F_i.V_i + F_j.V_j + g_t
    bias(tables, p, k, bodies, aims)   -> number       gddot = F_i.A_i + F_j.A_j + bias        (A spatial
                               accelerations)
    follow(p, f)                       -> 3 numbers    what a time function f = (f, f', f'') takes off the
                               first row; by default itself

with the orientations that time prescribes in `aims` (aims.py), which most do not read;
from these the sweeps in `dynamics` make g, G and gamma in any coordinates, since the row of G over
a path of hinge
columns h is F_i.h + F_j.h, the equations (15), (17) Phi_q = Phi_Z B, and (18) gamma* = gamma -
Phi_Z Bdot qdot.

A row without a primitive is a relation between joint coordinates (coordinates.py): its record has
`sensors` of them.

What a user can name is a class of the catalogue that writes itself as primitives, or as relations
between coordinates, through the compiler: `to.primitive`, `to.between_markers`, `to.relation`,
`to.sensor`, `to.signal`, `to.leave_open`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..joints.contract import refuse_turned
from ..num.jit import inline
from ..num.spatial import dot6, load6
from ..num.vec3 import add, load3, load9, rotate, sub

ZERO = (0.0, 0.0, 0.0)


@inline
def follow_itself(p, f):
    return f


class Primitive(NamedTuple):
    """One line of the catalogue: the kernels above, the number of rows, and whether they are
    lengths or angles and cosines.
    """

    name: str
    value: Callable
    pair: Callable
    bias: Callable
    follow: Callable = follow_itself
    rows: int = 1
    is_length: bool = True


class Effort(NamedTuple):
    """What the multiplier of its first row means: `factor` times it, in words and with its unit.

    It is positive where it acts to make its coordinate (angle, travel, length) grow, so that times
    the rate of the coordinate it is the power put into the machine. `stretched` multiplies it by
    the distance of the markers in units of that at the start; `opposite` is the label of a second
    channel with the other sign.
    """

    unit: str
    about: str
    factor: float = -1.0
    stretched: bool = False
    opposite: str = ""


class Loads(NamedTuple):
    """Three multipliers from row `first` of a constraint on as a vector: minus them, by label, in
    words and with its unit.
    """

    label: str
    unit: str
    about: str
    first: int


@dataclass(frozen=True)
class Constraint:
    """Base of the constraints; `markers` says how many markers the model must give."""

    kind: ClassVar[str]
    markers: ClassVar[tuple[int, int]]  # fewest and most
    look: ClassVar[str] = ""  # what it is drawn as, see viewer/element_looks.py; nothing by default

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Joint coordinates it is written on."""
        return ()

    @property
    def driven(self) -> bool:
        """Does it move the machine as time goes on?"""
        return False

    @property
    def prescribes(self) -> bool:
        """Is it a motion that is asked for, so that inverse dynamics may look for efforts elsewhere
        that make it?
        """
        return False

    def drives(self, joints: Mapping[str, Any]) -> tuple[str, ...]:
        """Joint speeds along which its motor pushes, given the joints of the model: none where it
        prescribes no motion of one.
        """
        return self.coordinates if self.prescribes else ()

    def mirrored(self, S: np.ndarray) -> Constraint:
        """Behind a mirror that turns points into S p, and the axes of its markers into S R S."""
        return self

    def counted(self, signs: Mapping[str, float]) -> Constraint:
        """The same where coordinates of joints count the other way: those whose sign is -1."""
        refuse_turned(signs, type(self).__name__)
        return self

    def lower(self, to, name, markers) -> None:
        """Add the equations of the constraint of that name at its markers."""
        raise NotImplementedError(f"{type(self).__name__} must add its equations in `lower`.")

    def found(self, what: str, distance: float, g: float) -> float:
        """A value left open, from the distance of the markers and the row g with its trial value;
        by default that is it.
        """
        return g

    def check_length(self, length: float, t: float, drawn: float, nothing: float) -> None:
        """Refuse a length at time t, of markers that are drawn so far apart; up to `nothing` it has
        no direction.
        """

    def gap(self, g: float, distance: float, scale: float) -> float:
        """How far it is open (m) where its row is g and its markers are that far apart; `scale` is
        the length of its record.
        """
        return abs(g)

    def effort(self, name: str, units: tuple[str, ...]) -> Effort | None:
        """What the multiplier of a constraint of that name tells, given the units of its
        coordinates; None: not said.
        """
        return None

    def loads(self, name: str) -> tuple[Loads, ...]:
        """What several of its multipliers tell together."""
        return ()


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
