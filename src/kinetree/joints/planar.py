"""Planar joint: the child slides in the x-y plane of F and turns about its normal z."""

import math
from dataclasses import dataclass

from ..num.jit import inline
from ..num.spatial import add6, cross_motion, join, load6, scale6, store6
from ..num.vec3 import add, column, cross, scale, turn_z
from .contract import AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Planar(AxisJoint):
    """Two translations in, and one rotation about the normal `axis` of, a plane."""

    kind = "planar"
    nq = nv = 3
    reversal = Reversal()  # the plane turns with the child: no frame keeps x and y
    weight = 3.1
    labels = speeds = ("x", "y", "angle")
    units = ("m", "m", "rad")
    sensors = ("slide_x", "slide_y", "turn_z")
    cut = (InPlane(Z), Perpendicular(X, Z), Perpendicular(Y, Z))
    parallel = (Z,)


@inline
def move(link, q, R_WF, p_WF):
    i = link.iq
    step = add(scale(q[i], column(R_WF, 0)), scale(q[i + 1], column(R_WF, 1)))
    return turn_z(R_WF, q[i + 2]), add(p_WF, step)


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    zero, a = (0.0, 0.0, 0.0), column(R_WF, 2)
    store6(dofs[link.iv].h, join(zero, column(R_WF, 0)))
    store6(dofs[link.iv + 1].h, join(zero, column(R_WF, 1)))
    store6(dofs[link.iv + 2].h, join(a, cross(r_M, a)))


@inline
def bias(link, v, dofs):
    """The axis of rotation is carried along by the two translations."""
    i = link.iv
    travel = add6(scale6(v[i], load6(dofs[i].h)), scale6(v[i + 1], load6(dofs[i + 1].h)))
    return cross_motion(travel, scale6(v[i + 2], load6(dofs[i + 2].h)))


@inline
def rate(link, q, v, qdot):
    for k in range(3):
        qdot[link.iq + k] = v[link.iv + k]


@inline
def shift(link, q, delta):
    for k in range(3):
        q[link.iq + k] += delta[link.iv + k]


def measure(R_FM, p_FM):
    return [p_FM[0], p_FM[1], math.atan2(R_FM[1, 0], R_FM[0, 0])]
