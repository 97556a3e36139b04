"""Universal (Hooke) joint: a turn about the x axis of F, then about the y axis of M.  [Lee1994,
Tables 2 and 3]

The second axis is carried by the child, so its hinge column moves when the first turns; Table 3 as
printed drops that rate (an error of 0.45 in a random test). Here it is kept: the first column is
fixed in F, the second in M.
"""

from dataclasses import dataclass, replace

from ..num.jit import inline
from ..num.mathematics import atan2
from ..num.vec3 import column, turn_x, turn_y
from .columns import turning
from .contract import Perpendicular, Point, Reversal, TwoAxisJoint, X, Y


@dataclass(frozen=True)
class Universal(TwoAxisJoint):
    """Two rotations: about `axis1` fixed in the parent, then about `axis2` fixed in the child.

    axis1, axis2   "x", "-y", or three numbers, at a right angle to each other
    """

    kind = "universal"
    coordinates = {"angle1": "turn_x", "angle2": "turn_y"}
    leading = 1
    reversal = Reversal(
        ((0, -1, 0), (-1, 0, 0), (0, 0, -1)), (1, 0)
    )  # the axes change places and sign
    weight = 2.1
    cut = (Point(), Perpendicular(X, Y))
    look = ("cross",)

    def exchanged(self) -> "Universal":
        """The axis fixed in the parent is now the one fixed in the child."""
        return replace(self, axis1=self.axis2, axis2=self.axis1)

    def measure(self, R_FM, p_FM):
        return [atan2(R_FM[2, 1], R_FM[1, 1]), atan2(R_FM[0, 2], R_FM[0, 0])]


@inline
def move(tables, link, q, R_WF, p_WF):
    return turn_y(turn_x(R_WF, q[link.iq]), q[link.iq + 1]), p_WF


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    turning(dofs[link.iv], column(R_WF, 0), r_F)
    turning(dofs[link.iv + 1], column(R_WM, 1), r_F)
