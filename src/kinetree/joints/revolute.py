"""Revolute joint: the child turns about the z axis of F.  [Lee1994, Table 2]"""

import math
from dataclasses import dataclass

from ..num.jit import inline
from ..num.mathematics import atan2
from ..num.vec3 import column, turn_z
from .columns import turning
from .contract import ABOUT_X, AxisJoint, Perpendicular, Point, Reversal, X, Y, Z

_SHARE = 0.05  # of the larger gap: what is worth naming


@dataclass(frozen=True)
class Revolute(AxisJoint):
    """One rotation about `axis`; the angle counts turns.

    axis   in the frame of the markers, or of the drawing where the joint is placed by `at`: "x",
           "-y", or three numbers
    """

    kind = "revolute"
    coordinates = {"angle": "turn_z"}
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.5
    cut = (Point(), Perpendicular(X, Z), Perpendicular(Y, Z))
    parallel = (Z,)
    look = ("pin", "hub")

    def measure(self, R_FM, p_FM):
        return [atan2(R_FM[1, 0], R_FM[0, 0])]

    def gap_taker(self, X_FM, length):
        """A gap along the axis slides, a tilt of the axis turns."""
        along, tilt = abs(float(X_FM.p[2])), length * math.hypot(X_FM.R[0, 2], X_FM.R[1, 2])
        if tilt <= _SHARE * along:
            return "a kt.Cylindrical joint"
        both = "a kt.Spherical joint here and a kt.Cylindrical one elsewhere in the loop"
        return "a kt.Spherical joint" if along <= _SHARE * tilt else both


@inline
def move(tables, link, q, R_WF, p_WF):
    return turn_z(R_WF, q[link.iq]), p_WF


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    turning(dofs[link.iv], column(R_WF, 2), r_F)
