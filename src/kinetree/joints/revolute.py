"""Revolute joint: the child turns about the z axis of F.  [Lee1994, Table 2]"""

import math
from dataclasses import dataclass

from ..num.jit import inline
from ..num.spatial import join, store6
from ..num.vec3 import column, cross, turn_z
from .contract import ABOUT_X, AxisJoint, Perpendicular, Point, Reversal, X, Y, Z


@dataclass(frozen=True)
class Revolute(AxisJoint):
    """One rotation about `axis`; the angle counts turns."""

    kind = "revolute"
    nq = nv = 1
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.5
    labels = speeds = ("angle",)
    units = ("rad",)
    sensors = ("turn_z",)
    cut = (Point(), Perpendicular(X, Z), Perpendicular(Y, Z))
    parallel = (Z,)


@inline
def move(link, q, R_WF, p_WF):
    return turn_z(R_WF, q[link.iq]), p_WF


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    store6(dofs[link.iv].h, join(a, cross(r_F, a)))


@inline
def bias(link, v, dofs):
    return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@inline
def rate(link, q, v, qdot):
    qdot[link.iq] = v[link.iv]


@inline
def shift(link, q, delta):
    q[link.iq] += delta[link.iv]


def measure(R_FM, p_FM):
    return [math.atan2(R_FM[1, 0], R_FM[0, 0])]
