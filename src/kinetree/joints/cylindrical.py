"""Cylindrical joint: the child slides along and turns about the z axis of F.  [Lee1994, Table 2]"""

import math
from dataclasses import dataclass

from ..num.jit import inline
from ..num.spatial import join, store6
from ..num.vec3 import add, column, cross, scale, turn_z
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z
from .revolute import bias

__all__ = ["Cylindrical", "bias", "hinge", "measure", "move", "rate", "shift"]


@dataclass(frozen=True)
class Cylindrical(AxisJoint):
    """A translation along and a rotation about `axis`."""

    kind = "cylindrical"
    nq = nv = 2
    reversal = Reversal(ABOUT_X, (0, 1))
    weight = 2.0
    labels = speeds = ("displacement", "angle")
    units = ("m", "rad")
    sensors = ("slide_z", "turn_z")
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y))
    parallel = (Z,)


@inline
def move(link, q, R_WF, p_WF):
    return turn_z(R_WF, q[link.iq + 1]), add(p_WF, scale(q[link.iq], column(R_WF, 2)))


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    store6(dofs[link.iv].h, join((0.0, 0.0, 0.0), a))
    store6(dofs[link.iv + 1].h, join(a, cross(r_F, a)))


@inline
def rate(link, q, v, qdot):
    qdot[link.iq] = v[link.iv]
    qdot[link.iq + 1] = v[link.iv + 1]


@inline
def shift(link, q, delta):
    q[link.iq] += delta[link.iv]
    q[link.iq + 1] += delta[link.iv + 1]


def measure(R_FM, p_FM):
    return [p_FM[2], math.atan2(R_FM[1, 0], R_FM[0, 0])]
