"""Planar joint: the child slides in the x-y plane of F and turns about its normal z."""

from dataclasses import dataclass

from ..num.jit import inline
from ..num.mathematics import atan2
from ..num.vec3 import add, column, scale, turn_z
from .columns import sliding, turning
from .contract import AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Planar(AxisJoint):
    """Two translations in, and one rotation about the normal `axis` of, a plane.

    axis   in the frame of the markers, or of the drawing where the joint is placed by `at`: "x",
           "-y", or three numbers
    """

    kind = "planar"
    coordinates = {"x": "slide_x", "y": "slide_y", "angle": "turn_z"}
    leading = 2
    reversal = Reversal()  # the plane turns with the child: no frame keeps x and y
    weight = 3.1
    cut = (InPlane(Z), Perpendicular(X, Z), Perpendicular(Y, Z))
    parallel = (Z,)
    look = ("table", "foot")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1], atan2(R_FM[1, 0], R_FM[0, 0])]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    step = add(scale(q[i], column(R_WF, 0)), scale(q[i + 1], column(R_WF, 1)))
    return turn_z(R_WF, q[i + 2]), add(p_WF, step)


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 0))
    sliding(dofs[link.iv + 1], column(R_WF, 1))
    turning(dofs[link.iv + 2], column(R_WF, 2), r_M)
