"""Point on a line: the origin of M slides along the z axis of F, and the child rotates freely about
it.

It is a spherical joint on a slide: a bead on a wire, the eye of a rod in a slot.
"""

from dataclasses import dataclass

from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.vec3 import add, column, matmul, scale
from ...kernel.decorators import inline
from ...kernel.frames import matrix_quaternion
from .columns import sliding, spinning
from .contract import ONE_WAY, AxisJoint, InPlane, X, Y


@dataclass(frozen=True)
class PointOnLine(AxisJoint):
    r"""Point of the child on a line of the parent: one translation, three rotations.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Direction of the line: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero.
        It is given in the axes of both markers, or in world axes where the joint is placed by `at`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `displacement` along the line (m) and the unit quaternion `qw`, `qx`, `qy`,
        `qz`.
    speeds : tuple of str
        The velocities: `displacement` (m/s) and the angular velocity `wx`, `wy`, `wz` in the
        child's frame (rad/s).

    See Also
    --------
    kt.PointOnPlane : A point in a plane.
    kt.Spherical : A point fixed in the parent.

    Notes
    -----
    The line is the z axis of frame F on the parent; the point is the origin of frame M on the
    child:

    .. math::
        R_{FM} = R(q_w, q_x, q_y, q_z), \qquad p_{FM} = s\,e_z

    :math:`s` is the coordinate `displacement` (m), positive when the point moves along the axis,
    seen from the parent. The line belongs to the parent, the point to the child: exchange the
    markers to exchange them. Where a loop is cut at the joint there are two equations.

    Examples
    --------
    A bead slides down a wire of 30 degrees:  s = g sin(30 deg) t^2 / 2.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("bead")
    >>> bead = model.body("bead", kt.sphere(mass=0.1, radius=0.01))
    >>> down = (math.cos(math.pi / 6), 0.0, -math.sin(math.pi / 6))
    >>> wire = model.joint("W", kt.PointOnLine(axis=down), model.ground, bead)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['W.displacement'][-1]:.4f} m")
    2.4525 m
    """

    kind = "point-on-line"
    coordinates = {"displacement": "slide_z"}
    meanings = {
        "displacement": "travel of the point of the child along the line of the parent",
    }
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
