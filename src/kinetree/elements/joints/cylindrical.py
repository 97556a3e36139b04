"""Cylindrical joint: the child slides along and rotates about the z axis of F.  [Lee1994,
Table 2]
"""

from dataclasses import dataclass

from ...kernel.algebra.vec3 import add, column, scale, turn_z
from ...kernel.decorators import inline
from ...kernel.mathematics import atan2
from .columns import sliding, turning
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Cylindrical(AxisJoint):
    r"""Cylindrical joint: one translation along an axis and one rotation about it.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Common axis: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero. It is given
        in the axes of both markers, or in world axes where the joint is placed by `at`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `displacement` (m) and `angle` (rad).

    See Also
    --------
    kt.Revolute : Rotation alone.
    kt.Translational : Translation alone.
    kt.Screw : Translation proportional to the rotation.

    Notes
    -----
    The axis is the z axis of frame F on the parent and of frame M on the child:

    .. math::
        R_{FM} = R_z(\varphi), \qquad p_{FM} = s\,e_z

    :math:`s` is the coordinate `displacement` (m) and :math:`\varphi` the coordinate `angle` (rad).
    The displacement is positive along the axis, the angle by the right-hand rule about it, for the
    child seen from the parent. Where a loop is cut at the joint there are four equations.
    [Lee1994, Table 2]

    Examples
    --------
    A sleeve spins at 2 rad/s while it falls.

    >>> import kinetree as kt
    >>> model = kt.Model("sleeve")
    >>> sleeve = model.body("sleeve", kt.cylinder(mass=1.0, radius=0.1, length=0.3, along="z"))
    >>> joint = kt.Cylindrical(axis="z")
    >>> guide = model.joint("G", joint, model.ground, sleeve, speed={"angle": 2.0})
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['G.angle'][-1]:.3f} rad, {sol['G.displacement'][-1]:.3f} m")
    2.000 rad, -4.905 m
    """

    kind = "cylindrical"
    coordinates = {"displacement": "slide_z", "angle": "turn_z"}
    meanings = {
        "displacement": "travel of the child along the axis, seen from the parent",
        "angle": "turn of the child about the axis, seen from the parent, by the right-hand rule",
    }
    reversal = Reversal(ABOUT_X, (0, 1))
    weight = 2.0
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y))
    parallel = (Z,)
    look = ("rail", "sleeve")

    def measure(self, R_FM, p_FM):
        return [p_FM[2], atan2(R_FM[1, 0], R_FM[0, 0])]


@inline
def move(tables, link, q, R_WF, p_WF):
    return turn_z(R_WF, q[link.iq + 1]), add(p_WF, scale(q[link.iq], column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    a = column(R_WF, 2)
    sliding(dofs[link.iv], a)
    turning(dofs[link.iv + 1], a, r_F)
