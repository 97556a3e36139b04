"""Planar translational joint: the child slides in the x-y plane of F without turning (a table on
two crossed slides).
"""

from dataclasses import dataclass

from ..num.jit import inline
from ..num.vec3 import add, column, scale
from .columns import sliding
from .contract import InPlane, Perpendicular, Reversal, TwoAxisJoint, X, Y, Z


@dataclass(frozen=True)
class PlanarTranslational(TwoAxisJoint):
    """Two translations, x along `axis1` and y along `axis2`; nothing turns.

    axis1, axis2   "x", "-y", or three numbers, at a right angle to each other
    """

    kind = "planar-translational"
    coordinates = {"x": "slide_x", "y": "slide_y"}
    leading = 2
    reversal = Reversal(((-1, 0, 0), (0, -1, 0), (0, 0, 1)), (0, 1))  # half a turn about the normal
    weight = 2.2
    cut = (InPlane(Z), Perpendicular(X, Z), Perpendicular(Y, Z), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("table", "foot")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1]]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    return R_WF, add(p_WF, add(scale(q[i], column(R_WF, 0)), scale(q[i + 1], column(R_WF, 1))))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 0))
    sliding(dofs[link.iv + 1], column(R_WF, 1))
