"""Point on a plane: the origin of M slides in the x-y plane of F, and the child turns freely about
it.

A foot on a floor that it never leaves, the tip of a follower on a table.
"""

from dataclasses import dataclass

from ..frames import matrix_quaternion
from ..num.jit import inline
from ..num.quat import quat_matrix
from ..num.vec3 import add, column, matmul, rotate
from .columns import sliding, spinning
from .contract import ONE_WAY, AxisJoint, InPlane, Z


@dataclass(frozen=True)
class PointOnPlane(AxisJoint):
    """A point of the child stays in a plane of the parent with normal `axis`: two translations, and
    three rotations about it.

    axis   in the frame of the markers, or of the drawing where the joint is placed by `at`: "x",
           "-y", or three numbers
    """

    kind = "point-on-plane"
    coordinates = {"x": "slide_x", "y": "slide_y"}
    ball = True
    leading = 2
    reversal = ONE_WAY  # from the child, a plane that passes through a point
    weight = 5.0
    cut = (InPlane(Z),)
    look = ("table", "bead")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1], *matrix_quaternion(R_FM)]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    R_WM = matmul(R_WF, quat_matrix(q[i + 2], q[i + 3], q[i + 4], q[i + 5]))
    return R_WM, add(p_WF, rotate(R_WF, (q[i], q[i + 1], 0.0)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 0))
    sliding(dofs[link.iv + 1], column(R_WF, 1))
    spinning(link.iv + 2, R_WM, r_M, dofs)
