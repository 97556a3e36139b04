"""Translational (prismatic) joint: the child slides along the z axis of F without rotating.
[Lee1994, Table 2]
"""

from dataclasses import dataclass

from ...kernel.algebra.vec3 import add, column, scale
from ...kernel.decorators import inline
from .columns import sliding
from .contract import ABOUT_X, AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Translational(AxisJoint):
    r"""Translational (prismatic) joint: one translation along an axis.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Direction of the motion: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero.
        It is given in the axes of both markers, or in world axes where the joint is placed by `at`.

    Attributes
    ----------
    labels : tuple of str
        The coordinate: `displacement` (m).

    See Also
    --------
    kt.Cylindrical : Translation along the axis and rotation about it.
    kt.PlanarTranslational : Two translations.

    Notes
    -----
    The axis is the z axis of frame F on the parent and of frame M on the child:

    .. math::
        R_{FM} = 1, \qquad p_{FM} = q\,e_z

    :math:`q` is the coordinate `displacement` (m). It is positive when the child moves along the
    axis, seen from the parent. Where a loop is cut at the joint there are five equations.
    [Lee1994, Table 2]

    Examples
    --------
    A block falls along a vertical guide.

    >>> import kinetree as kt
    >>> model = kt.Model("guide")
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> guide = model.joint("G", kt.Translational(axis="z"), model.ground, block)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['G.displacement'][-1]:.3f} m")
    -4.905 m
    """

    kind = "translational"
    coordinates = {"displacement": "slide_z"}
    meanings = {
        "displacement": "travel of the child along the axis, seen from the parent",
    }
    reversal = Reversal(ABOUT_X, (0,))
    weight = 1.0
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), InPlane(X), InPlane(Y), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("rail", "slider")

    def measure(self, R_FM, p_FM):
        return [p_FM[2]]


@inline
def move(tables, link, q, R_WF, p_WF):
    return R_WF, add(p_WF, scale(q[link.iq], column(R_WF, 2)))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 2))
