"""Point on a line: the origin of M slides along the z axis of F, and the child turns freely about
it.

A spherical joint on a slide, in one: a bead on a wire, the eye of a rod in a slot, the end of a
flexure in its guide.
"""

from dataclasses import dataclass

from ..frames import matrix_quaternion
from ..num.jit import inline
from ..num.quat import quat_matrix
from ..num.vec3 import add, column, matmul, scale
from .columns import sliding, spinning
from .contract import ONE_WAY, AxisJoint, InPlane, X, Y


@dataclass(frozen=True)
class PointOnLine(AxisJoint):
    """A point of the child stays on a line of the parent along `axis`: one translation, and three
    rotations about the point.

    axis   in the frame of the markers, or of the drawing where the joint is placed by `at`: "x",
           "-y", or three numbers
    """

    kind = "point-on-line"
    coordinates = {"displacement": "slide_z"}
    ball = True
    leading = 1
    reversal = ONE_WAY  # from the child, a line that passes through a point
    weight = 4.0
    cut = (InPlane(X), InPlane(Y))
    look = ("rail", "bead")

    def measure(self, R_FM, p_FM):
        return [p_FM[2], *matrix_quaternion(R_FM)]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    R_WM = matmul(R_WF, quat_matrix(q[i + 1], q[i + 2], q[i + 3], q[i + 4]))
    return R_WM, add(p_WF, scale(q[i], column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 2))
    spinning(link.iv + 1, R_WM, r_M, dofs)
