"""Screw joint: a turn about the z axis of F advances the child along it by `pitch` metres per turn."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...core.checks import check
from ...core.quantities import Metres
from ...kernel.algebra.spatial import join, store6
from ...kernel.algebra.vec3 import add, column, cross, scale, turn_z
from ...kernel.decorators import inline
from ...kernel.mathematics import atan2
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


class Advance(NamedTuple):
    """The cut equation of a screw: travel along z follows the turn about z."""

    def lower(self, to, place) -> None:
        name = place.spec.name
        travel = to.frame_sensor(place, "travel", "slide_z")
        to.relation(name, (travel, 1.0), (to.sensor(f"{name}.angle"), -place.spec.joint.parameter))


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

    @property
    def parameter(self) -> float:
        """The advance per radian, m."""
        return self.pitch / (2.0 * math.pi)

    def measure(self, R_FM, p_FM):
        """The angle; the travel says on which turn it is."""
        angle = atan2(R_FM[1, 0], R_FM[0, 0])
        return [
            angle + 2.0 * math.pi * round((p_FM[2] / self.parameter - angle) / (2.0 * math.pi))
            if self.pitch
            else angle
        ]


@inline
def move(link, q, R_WF, p_WF):
    angle = q[link.iq]
    return turn_z(R_WF, angle), add(p_WF, scale(link.parameter * angle, column(R_WF, 2)))


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    store6(dofs[link.iv].h, join(a, add(cross(r_F, a), scale(link.parameter, a))))
