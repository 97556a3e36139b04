"""Spherical joint: the child rotates freely about the common point.

The orientation is a unit quaternion and the velocities are the angular velocity in the child's
frame M, so no orientation is singular and the hinge columns are fixed in the child: their rate is
V_B x h, and Table 3 of [Lee1994] is exact as printed.
"""

from dataclasses import dataclass

from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.vec3 import matmul
from ...kernel.decorators import inline
from ...kernel.frames import matrix_quaternion
from .columns import spinning
from .contract import Joint, Point, Reversal


@dataclass(frozen=True)
class Spherical(Joint):
    r"""Spherical joint (ball and socket): three rotations about a point.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: the unit quaternion `qw`, `qx`, `qy`, `qz`.
    speeds : tuple of str
        The angular velocity `wx`, `wy`, `wz` in the child's frame (rad/s).

    See Also
    --------
    kt.Universal : Two rotations.
    kt.PointOnLine : A ball on a slide.

    Notes
    -----
    The origins of frame F on the parent and of frame M on the child coincide:

    .. math::
        R_{FM} = R(q_w, q_x, q_y, q_z), \qquad p_{FM} = 0, \qquad
        \dot q = \tfrac12\, q \circ (0, \omega)

    :math:`q` is the unit quaternion of the child in the parent, with its scalar part first, and
    :math:`\omega` = (`wx`, `wy`, `wz`) the angular velocity of the child relative to the parent in
    the axes of M (rad/s), positive by the right-hand rule. No orientation is singular. Where a loop
    is cut at the joint there are three equations. [Lee1994, Tables 2 and 3]

    Examples
    --------
    A body spins about a principal axis, which it keeps.

    >>> import kinetree as kt
    >>> model = kt.Model("top", gravity=(0, 0, 0))
    >>> body = model.body("body", kt.box(mass=1.0, sides=(0.1, 0.2, 0.3)))
    >>> ball = model.joint("S", kt.Spherical(), model.ground, body, speed={"wz": 2.0})
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['S.wz'][-1]:.3f} rad/s")
    2.000 rad/s
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
