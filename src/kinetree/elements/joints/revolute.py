"""Revolute joint: the child rotates about the z axis of F.  [Lee1994, Table 2]"""

import math
from dataclasses import dataclass

from ...kernel.algebra.vec3 import column, turn_z
from ...kernel.decorators import inline
from ...kernel.mathematics import atan2
from .columns import turning
from .contract import ABOUT_X, AxisJoint, Perpendicular, Point, Reversal, X, Y, Z

_SHARE = 0.05  # of the larger gap: what is worth naming


@dataclass(frozen=True)
class Revolute(AxisJoint):
    r"""Revolute joint (hinge): one rotation about an axis.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Axis of rotation: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero. It is
        given in the axes of both markers, or in world axes where the joint is placed by `at`.

    Attributes
    ----------
    labels : tuple of str
        The coordinate: `angle` (rad).

    See Also
    --------
    kt.Cylindrical : Rotation about the axis and translation along it.
    kt.Screw : Rotation with a proportional advance.
    kt.TorsionSpring : Spring, damper and motor on the angle.

    Notes
    -----
    The axis is the z axis of frame F on the parent and of frame M on the child:

    .. math::
        R_{FM} = R_z(q), \qquad p_{FM} = 0

    :math:`q` is the coordinate `angle` (rad). It is positive when the child turns about the axis by
    the right-hand rule, seen from the parent, and it counts full turns. Where a loop is cut at the
    joint there are five equations: the origins of F and M coincide, and z of M stays perpendicular
    to x and y of F. [Lee1994, Table 2]

    Examples
    --------
    A rod is released from the horizontal; it starts with the acceleration 3 g / (2 l).

    >>> import kinetree as kt
    >>> model = kt.Model("pendulum")
    >>> rod = model.body("rod", kt.rod(mass=2.0, length=1.0, along="x"))
    >>> hinge = model.joint("A", kt.Revolute(axis="y"), model.ground.at(0, 0, 0), rod.end("-"))
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['A.angle.acceleration'][0]:.3f} rad/s^2")
    14.715 rad/s^2
    """

    kind = "revolute"
    coordinates = {"angle": "turn_z"}
    meanings = {
        "angle": "angle of the child about the axis, seen from the parent, by the right-hand rule",
    }
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.5
    cut = (Point(), Perpendicular(X, Z), Perpendicular(Y, Z))
    parallel = (Z,)
    look = ("pin", "hub")

    def measure(self, R_FM, p_FM):
        return [atan2(R_FM[1, 0], R_FM[0, 0])]

    def suggested_joint(self, X_FM, length):
        """Suggest a cylindrical joint for a displacement along the axis, a spherical one for a
        tilt.
        """
        along, tilt = abs(float(X_FM.p[2])), length * math.hypot(X_FM.R[0, 2], X_FM.R[1, 2])
        if tilt <= _SHARE * along:
            return "a kt.Cylindrical joint"
        both = "a kt.Spherical joint here and a kt.Cylindrical one elsewhere in the loop"
        return "a kt.Spherical joint" if along <= _SHARE * tilt else both


@inline
def move(tables, link, q, R_WF, p_WF):
    return turn_z(R_WF, q[link.iq]), p_WF


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    turning(dofs[link.iv], column(R_WF, 2), r_F)
