"""Point on a plane: the origin of M slides in the x-y plane of F, and the child rotates freely
about it.

Examples are a foot that stays on the floor, and the tip of a follower on a table.
"""

from dataclasses import dataclass

from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.vec3 import add, column, matmul, rotate
from ...kernel.decorators import inline
from ...kernel.frames import matrix_quaternion
from .columns import sliding, spinning
from .contract import ONE_WAY, AxisJoint, InPlane, Z


@dataclass(frozen=True)
class PointOnPlane(AxisJoint):
    r"""Point of the child in a plane of the parent: two translations, three rotations.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Normal of the plane: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero. It
        is given in the axes of both markers, or in world axes where the joint is placed by `at`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `x`, `y` in the plane (m) and the unit quaternion `qw`, `qx`, `qy`, `qz`.
    speeds : tuple of str
        The velocities: `x`, `y` (m/s) and the angular velocity `wx`, `wy`, `wz` in the child's
        frame (rad/s).

    See Also
    --------
    kt.PointOnLine : A point on a line.
    kt.Planar : A body in a plane.

    Notes
    -----
    The plane is the x-y plane of frame F on the parent; the point is the origin of frame M on the
    child:

    .. math::
        R_{FM} = R(q_w, q_x, q_y, q_z), \qquad p_{FM} = x\,e_x + y\,e_y

    `x` and `y` (m) are positive along the axes of F. The plane belongs to the parent, the point to
    the child. Where a loop is cut at the joint there is one equation, and contact is never lost.

    Examples
    --------
    A ball slides on a frictionless floor.

    >>> import kinetree as kt
    >>> model = kt.Model("floor")
    >>> ball = model.body("ball", kt.sphere(mass=0.1, radius=0.01))
    >>> floor = model.joint("P", kt.PointOnPlane(), model.ground, ball, speed={"y": 0.5, "wz": 2.0})
    >>> sol = kt.simulate(model, until=2.0)
    >>> print(f"{sol['P.y'][-1]:.3f} m, {sol['P.force.z'][-1]:.3f} N")
    1.000 m, 0.981 N
    """

    kind = "point-on-plane"
    coordinates = {"x": "slide_x", "y": "slide_y"}
    meanings = {
        "x": "travel of the point of the child along x of the plane's frame F on the parent",
        "y": "travel of the point of the child along y of the plane's frame F on the parent",
    }
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
