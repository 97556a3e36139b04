"""Cylindrical joint: the child slides along and turns about the z axis of F.  [Lee1994, Table 2]"""

from dataclasses import dataclass

from ..num.jit import inline
from ..num.mathematics import atan2
from ..num.vec3 import add, column, scale, turn_z
from .columns import sliding, turning
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Cylindrical(AxisJoint):
    """A translation along and a rotation about `axis`.

    axis   in the frame of the markers, or of the drawing where the joint is placed by `at`: "x",
           "-y", or three numbers
    """

    kind = "cylindrical"
    coordinates = {"displacement": "slide_z", "angle": "turn_z"}
    reversal = Reversal(ABOUT_X, (0, 1))
    weight = 2.0
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y))
    parallel = (Z,)
    look = ("rail", "sleeve")

    def measure(self, R_FM, p_FM):
        return [p_FM[2], atan2(R_FM[1, 0], R_FM[0, 0])]


@inline
def move(tables, link, q, R_WF, p_WF):
    return turn_z(R_WF, q[link.iq + 1]), add(p_WF, scale(q[link.iq], column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    sliding(dofs[link.iv], a)
    turning(dofs[link.iv + 1], a, r_F)
