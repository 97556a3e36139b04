"""Spherical joint: the child turns freely about the common point.

Orientation is a unit quaternion and the velocities are the angular velocity in the child's frame M, so nothing is
singular and the hinge columns are fixed in the child: their rate is V_B x h, hence no bias seen from F, and Table 3 of
[Lee1994] is exact as printed.
"""

from dataclasses import dataclass

from ..frames import matrix_quaternion
from ..num.jit import inline
from ..num.quat import quat_matrix, quat_rate, quat_turn
from ..num.spatial import join, store6
from ..num.vec3 import column, cross, matmul
from .contract import Joint, Point, Reversal
from .revolute import bias

__all__ = ["Spherical", "bias", "hinge", "measure", "move", "rate", "shift"]


@dataclass(frozen=True)
class Spherical(Joint):
    """Three rotations about a point: unit quaternion (w, x, y, z) and angular velocity in the child's frame."""

    kind = "spherical"
    nq = 4
    nv = 3
    reversal = Reversal()
    weight = 3.0
    labels = ("qw", "qx", "qy", "qz")
    speeds = ("wx", "wy", "wz")
    units = ("rad", "rad", "rad")
    cut = (Point(),)


@inline
def move(link, q, R_WF, p_WF):
    i = link.iq
    return matmul(R_WF, quat_matrix(q[i], q[i + 1], q[i + 2], q[i + 3])), p_WF


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    for k in range(3):
        a = column(R_WM, k)
        store6(dofs[link.iv + k].h, join(a, cross(r_M, a)))


@inline
def rate(link, q, v, qdot):
    quat_rate(q, link.iq, v[link.iv], v[link.iv + 1], v[link.iv + 2], qdot)


@inline
def shift(link, q, delta):
    quat_turn(q, link.iq, delta[link.iv], delta[link.iv + 1], delta[link.iv + 2])


def measure(R_FM, p_FM):
    return list(matrix_quaternion(R_FM))
