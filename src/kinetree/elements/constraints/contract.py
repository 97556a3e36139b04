"""Constraint primitives: the parts of a cut joint, a rod, a driver or a gear.  [Lee1994, sec. 4]

A primitive between bodies i and j has one or three rows. Its kernels compute for row k

    value(tables, p, k, bodies, aims)  -> g
    pair(tables, p, k, bodies, aims)   -> F_i, F_j     unit wrenches about each body's O with
                                                       gdot = F_i.V_i + F_j.V_j + g_t
    bias(tables, p, k, bodies, aims)   -> number       gddot = F_i.A_i + F_j.A_j + bias
    follow(p, f)                       -> 3 numbers    what a time function f = (f, f', f'')
                                                       subtracts from the first row; by default f

A row of velocities alone (non-holonomic) has no g: its `value` is zero, and `pair` and `bias` are
those of the equation F_i.V_i + F_j.V_j = 0. `Primitive.rates` lists such rows.

where A are spatial accelerations and `aims` holds the prescribed orientations (aims.py), which most
primitives do not read. The sweeps in `dynamics` compute g, G and gamma from these in any
coordinates, because the row of G over a path of hinge columns h is F_i.h + F_j.h: equations (15),
(17) Phi_q = Phi_Z B, and (18) gamma* = gamma - Phi_Z Bdot qdot.

A row without a primitive is a relation between joint coordinates (coordinates.py); its record has
the number of its `sensors`.

A class of the catalogue adds its primitives, or its relations between coordinates, through the
compiler: `to.primitive`, `to.between_markers`, `to.relation`, `to.sensor`, `to.signal`,
`to.leave_open`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...core.quantities import UserClass
from ...kernel.algebra.spatial import dot6, load6
from ...kernel.algebra.vec3 import add, load3, load9, rotate, sub
from ...kernel.decorators import inline
from ..joints.contract import refuse_turned

ZERO = (0.0, 0.0, 0.0)


@inline
def follow_itself(p, f):
    return f


class Primitive(NamedTuple):
    """One line of the catalogue: the kernels above, the number of rows, and whether they are
    lengths.

    Rows that are not lengths are angles or cosines. Rows in `rates` have no g (non-holonomic).
    """

    name: str
    value: Callable
    pair: Callable
    bias: Callable
    follow: Callable = follow_itself
    rows: int = 1
    is_length: bool = True
    rates: tuple[int, ...] = ()  # rows of velocities alone, whose `value` is zero


class Effort(NamedTuple):
    """Meaning of the multiplier of the first row: `factor` times it, with description and unit.

    It is positive where it acts to increase the coordinate (angle, displacement, length), so that
    times the rate of the coordinate it is the power put into the model. `stretched` multiplies it
    by the distance of the markers divided by the initial distance; `opposite` is the label of a
    second channel with the other sign.
    """

    unit: str
    about: str
    factor: float = -1.0
    stretched: bool = False
    opposite: str = ""


class Loads(NamedTuple):
    """Vector of minus the three multipliers from row `first` on, or of minus one of them, with
    label, unit and description.
    """

    label: str
    unit: str
    about: str
    first: int
    width: int = 3


@dataclass(frozen=True)
class Constraint(UserClass):
    """Base of the constraints; `markers` is the range of the number of markers."""

    kind: ClassVar[str]
    markers: ClassVar[tuple[int, int]]  # fewest and most
    restricts_velocities: ClassVar[bool] = False  # whether it has rows of velocities alone
    look: ClassVar[str] = ""  # what it is drawn as, see viewer/element_looks.py; nothing by default

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Joint coordinates in its equations."""
        return ()

    @property
    def driven(self) -> bool:
        """Whether its equations depend on time."""
        return False

    @property
    def prescribes(self) -> bool:
        """Whether it prescribes a motion, for which inverse dynamics may find efforts elsewhere."""
        return False

    def drives(self, joints: Mapping[str, Any]) -> tuple[str, ...]:
        """Joint velocities along which its motor acts; none where it prescribes no motion of a
        joint.
        """
        return self.coordinates if self.prescribes else ()

    def mirrored(self, S: np.ndarray) -> Constraint:
        """Return it in a mirror that maps points to S p and the axes of its markers to S R S."""
        return self

    def counted(self, signs: Mapping[str, float]) -> Constraint:
        """Return it with the coordinates in `signs` multiplied by their signs."""
        refuse_turned(signs, type(self).__name__)
        return self

    def lower(self, to, name, markers) -> None:
        """Add the equations of the constraint of that name at its markers."""
        raise NotImplementedError(f"{type(self).__name__} must add its equations in `lower`.")

    def found(self, what: str, distance: float, g: float) -> float:
        """Return a value left open, from the distance of the markers and its row g; by default
        g.
        """
        return g

    def check_length(self, length: float, t: float, drawn: float, nothing: float) -> None:
        """Raise an error for an invalid length at time t.

        `drawn` is the distance of the markers as drawn; up to `nothing` it has no direction.
        """

    def check_axes(self, a_1: np.ndarray, a_2: np.ndarray) -> None:
        """Raise an error for directions of its record, in world axes, at which it is undefined."""

    def near_limit(self, a_1: np.ndarray, a_2: np.ndarray) -> str:
        """Return a sentence if the constraint is hardly defined at these directions, else ""."""
        return ""

    def gap(self, g: float, distance: float, scale: float) -> float:
        """Return how far it is open (m), from its row g, the distance of its markers and the length
        `scale` of its record.
        """
        return abs(g)

    def effort(self, name: str, units: tuple[str, ...]) -> Effort | None:
        """Return the meaning of its multiplier, given the units of its coordinates; None:
        undefined.
        """
        return None

    def loads(self, name: str) -> tuple[Loads, ...]:
        """Return the meaning of its multipliers as vectors."""
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
    """Add factor * F.h to a row of G for every degree of freedom between the body and the
    ground.
    """
    i = body
    while i > 0:
        link = links[i]
        for k in range(link.iv, link.iv + link.nv):
            row[k] += factor * dot6(F, load6(dofs[k].h))
        for k in range(link.modes):
            row[link.mode_iv + k] += factor * dot6(F, load6(dofs[link.column + k].h))
        i = link.parent
