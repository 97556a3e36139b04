"""Translational (prismatic) joint: the child slides along the z axis of F without turning.
[Lee1994, Table 2]
"""

from dataclasses import dataclass

from ..num.jit import inline
from ..num.vec3 import add, column, scale
from .columns import sliding
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Translational(AxisJoint):
    """One translation along `axis`.

    axis   in the frame of the markers, or of the drawing where the joint is placed by `at`: "x",
           "-y", or three numbers
    """

    kind = "translational"
    coordinates = {"displacement": "slide_z"}
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.0
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("rail", "slider")

    def measure(self, R_FM, p_FM):
        return [p_FM[2]]


@inline
def move(tables, link, q, R_WF, p_WF):
    return R_WF, add(p_WF, scale(q[link.iq], column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 2))
