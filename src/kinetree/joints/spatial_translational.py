"""Spatial translational joint: the child moves anywhere without turning (a gantry, a parallel robot
of Delta kind).
"""

from dataclasses import dataclass

from ..num.jit import inline
from ..num.vec3 import add, column, rotate
from .columns import sliding
from .contract import Perpendicular, Reversal, TwoAxisJoint, X, Y, Z


@dataclass(frozen=True)
class SpatialTranslational(TwoAxisJoint):
    """Three translations: x along `axis1`, y along `axis2`, z across both; nothing turns.

    axis1, axis2   "x", "-y", or three numbers, at a right angle to each other
    """

    kind = "spatial-translational"
    coordinates = {"x": "slide_x", "y": "slide_y", "z": "slide_z"}
    leading = 3
    reversal = (
        Reversal()
    )  # no rotation turns x, y and z round at once: they are measured on the frames
    weight = 3.2
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("block", "bead")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1], p_FM[2]]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    return R_WF, add(p_WF, rotate(R_WF, (q[i], q[i + 1], q[i + 2])))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    for k in range(3):
        sliding(dofs[link.iv + k], column(R_WF, k))
