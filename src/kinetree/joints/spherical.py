"""Spherical joint: the child turns freely about the common point.

Orientation is a unit quaternion and the velocities are the angular velocity in the child's frame M,
so nothing is singular and the hinge columns are fixed in the child: their rate is V_B x h, and
Table 3 of [Lee1994] is exact as printed.
"""

from dataclasses import dataclass

from ..frames import matrix_quaternion
from ..num.jit import inline
from ..num.quat import quat_matrix
from ..num.vec3 import matmul
from .columns import spinning
from .contract import Joint, Point, Reversal


@dataclass(frozen=True)
class Spherical(Joint):
    """Three rotations about a point: unit quaternion (w, x, y, z) and angular velocity in the
    child's frame.
    """

    kind = "spherical"
    ball = True
    reversal = Reversal()
    weight = 3.0
    cut = (Point(),)
    look = ("ball",)

    def measure(self, R_FM, p_FM):
        return list(matrix_quaternion(R_FM))


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    return matmul(R_WF, quat_matrix(q[i], q[i + 1], q[i + 2], q[i + 3])), p_WF


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    spinning(link.iv, R_WM, r_M, dofs)
