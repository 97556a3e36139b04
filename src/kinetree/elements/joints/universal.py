"""Universal (Cardan) joint: a rotation about the x axis of F, then about the y axis of M.
[Lee1994,
Tables 2 and 3]

The second axis is fixed in the child, so its hinge column moves with the first rotation. Table 3 as
printed drops that rate (an error of 0.45 in a random test). Here it is kept: the first column is
fixed in F, the second in M.
"""

from dataclasses import dataclass, replace

from ...kernel.algebra.vec3 import column, turn_x, turn_y
from ...kernel.decorators import inline
from ...kernel.mathematics import atan2
from .columns import turning
from .contract import Perpendicular, Point, Reversal, TwoAxisJoint, X, Y


@dataclass(frozen=True)
class Universal(TwoAxisJoint):
    r"""Universal (Cardan) joint: two rotations about perpendicular axes.

    Parameters
    ----------
    axis1 : str or (3,) array_like, default 'x'
        First axis, fixed in the parent: "x", "y", "z", "-x", "-y", "-z" or a vector of any length
        but zero.
    axis2 : str or (3,) array_like, default 'y'
        Second axis, fixed in the child and perpendicular to `axis1`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `angle1` about the first axis and `angle2` about the second (rad).

    See Also
    --------
    kt.Revolute : One rotation.
    kt.Spherical : Three rotations.

    Notes
    -----
    The first axis is the x axis of frame F on the parent, the second the y axis of frame M on the
    child:

    .. math::
        R_{FM} = R_x(q_1)\,R_y(q_2), \qquad p_{FM} = 0

    :math:`q_1` and :math:`q_2` are the coordinates `angle1` and `angle2` (rad). Both are positive
    by the right-hand rule, for the child seen from the parent. Where a loop is cut at the joint
    there are four equations. [Lee1994, Tables 2 and 3]

    Examples
    --------
    A pendulum hangs on a universal joint and starts horizontally.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("pendulum")
    >>> rod = model.body("rod", kt.cylinder(mass=1.0, radius=0.05, length=1.0, along="z"))
    >>> start = {"angle1": 0.0, "angle2": math.pi / 2}
    >>> joint = kt.Universal(axis1="x", axis2="y")
    >>> cross = model.joint("U", joint, model.ground, rod.end("+"), start=start)
    >>> sol = kt.simulate(model, until=0.01)
    >>> print(f"{2.0 * sol['rod.position.x'][0]:.3f} m")
    -1.000 m
    """

    kind = "universal"
    coordinates = {"angle1": "turn_x", "angle2": "turn_y"}
    meanings = {
        "angle1": "turn about `axis1`, which is fixed in the parent, by the right-hand rule",
        "angle2": "turn of the child about `axis2`, which is fixed in the child, by the right-hand rule",
    }
    leading = 1
    reversal = Reversal(
        ((0, -1, 0), (-1, 0, 0), (0, 0, -1)), (1, 0)
    )  # the axes change places and sign
    weight = 2.1
    cut = (Point(), Perpendicular(X, Y))
    look = ("cross",)

    def exchanged(self) -> "Universal":
        """The axis fixed in the parent is now the one fixed in the child."""
        return replace(self, axis1=self.axis2, axis2=self.axis1)

    def measure(self, R_FM, p_FM):
        return [atan2(R_FM[2, 1], R_FM[1, 1]), atan2(R_FM[0, 2], R_FM[0, 0])]


@inline
def move(tables, link, q, R_WF, p_WF):
    return turn_y(turn_x(R_WF, q[link.iq]), q[link.iq + 1]), p_WF


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    turning(dofs[link.iv], column(R_WF, 0), r_F)
    turning(dofs[link.iv + 1], column(R_WM, 1), r_F)
