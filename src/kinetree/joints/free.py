"""Free joint: six freedoms; a moving base, or every body in Cartesian coordinates.

q = (p_FM, unit quaternion), v = (velocity of M in F, angular velocity in M), as the papers' Y =
(rdot, w').
"""

from dataclasses import dataclass

from ..frames import matrix_quaternion
from ..num.jit import inline
from ..num.quat import quat_matrix
from ..num.vec3 import add, column, matmul, rotate
from .columns import sliding, spinning
from .contract import Joint, Reversal


@dataclass(frozen=True)
class Free(Joint):
    """Three translations in the parent's frame, then three rotations in the child's frame."""

    kind = "free"
    coordinates = {"x": "slide_x", "y": "slide_y", "z": "slide_z"}
    ball = True
    speeds = ("vx", "vy", "vz", "wx", "wy", "wz")
    sensors = ()  # what floats has no coordinate that could be driven
    leading = 3
    reversal = Reversal()
    weight = 6.0

    def measure(self, R_FM, p_FM):
        return [*p_FM, *matrix_quaternion(R_FM)]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    R_WM = matmul(R_WF, quat_matrix(q[i + 3], q[i + 4], q[i + 5], q[i + 6]))
    return R_WM, add(p_WF, rotate(R_WF, (q[i], q[i + 1], q[i + 2])))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    for k in range(3):
        sliding(dofs[link.iv + k], column(R_WF, k))
    spinning(link.iv + 3, R_WM, r_M, dofs)
