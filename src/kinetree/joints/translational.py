"""Translational (prismatic) joint: the child slides along the z axis of F without turning.  [Lee1994, Table 2]"""

from dataclasses import dataclass

from ..num.jit import inline
from ..num.spatial import join, store6
from ..num.vec3 import add, column, scale
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z
from .revolute import bias, rate, shift  # one scalar coordinate with qdot = v: the same kernels

__all__ = ["Translational", "bias", "hinge", "measure", "move", "rate", "shift"]


@dataclass(frozen=True)
class Translational(AxisJoint):
    """One translation along `axis`."""

    kind = "translational"
    nq = nv = 1
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.0
    labels = speeds = ("displacement",)
    units = ("m",)
    sensors = ("slide_z",)
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y), Perpendicular(Y, X))
    parallel = (Z, X)


@inline
def move(link, q, R_WF, p_WF):
    return R_WF, add(p_WF, scale(q[link.iq], column(R_WF, 2)))


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    store6(dofs[link.iv].h, join((0.0, 0.0, 0.0), column(R_WF, 2)))


def measure(R_FM, p_FM):
    return [p_FM[2]]
