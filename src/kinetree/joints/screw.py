"""Screw joint: a turn about the z axis of F advances the child along it by `pitch` metres per turn."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..annotations import Metres
from ..checks import check
from ..num.jit import inline
from ..num.mathematics import atan2
from ..num.spatial import join, store6
from ..num.vec3 import add, column, cross, scale, turn_z
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


class Advance(NamedTuple):
    """The cut equation of a screw: travel along z follows the turn about z."""

    def lower(self, to, place) -> None:
        name = place.spec.name
        travel = to.frame_sensor(place, "travel", "slide_z")
        to.relation(name, (travel, 1.0), (to.sensor(f"{name}.angle"), -place.spec.joint.advance))


@dataclass(frozen=True)
class Screw(AxisJoint):
    """One rotation about `axis` with an advance of `pitch` metres per turn (negative: left-handed).

    axis    "x", "-y", or three numbers
    pitch   way of the child along the axis in one turn (m)
    """

    pitch: Metres = 0.0

    kind = "screw"
    coordinates = {"angle": "turn_z"}
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.6
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y), Advance())
    parallel = (Z,)
    look = ("thread", "nut")

    def __post_init__(self) -> None:
        check(self, "pitch")

    def mirrored(self) -> "Screw":
        """Left-handed where it was right-handed."""
        return replace(self, pitch=-self.pitch)

    @classmethod
    def examples(cls):
        return cls(pitch=0.7), cls(pitch=-0.3), cls()

    def offset(self, q):
        return 0.0, 0.0, self.pitch * q[0] / (2.0 * math.pi)

    @property
    def advance(self) -> float:
        """The travel per radian, m."""
        return self.pitch / (2.0 * math.pi)

    def measure(self, R_FM, p_FM):
        """The angle; the travel says on which turn it is."""
        angle = atan2(R_FM[1, 0], R_FM[0, 0])
        return [
            angle + 2.0 * math.pi * round((p_FM[2] / self.advance - angle) / (2.0 * math.pi))
            if self.pitch
            else angle
        ]


@inline
def move(tables, link, q, R_WF, p_WF):
    angle = q[link.iq]
    return turn_z(R_WF, angle), add(p_WF, scale(link.advance * angle, column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    store6(dofs[link.iv].h, join(a, add(cross(r_F, a), scale(link.advance, a))))
