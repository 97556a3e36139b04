"""Planar joint: the child slides in the x-y plane of F and rotates about its normal z."""

from dataclasses import dataclass

from ...kernel.algebra.vec3 import add, column, scale, turn_z
from ...kernel.decorators import inline
from ...kernel.mathematics import atan2
from .columns import sliding, turning
from .contract import AxisJoint, InPlane, Perpendicular, Reversal, X, Y, Z


@dataclass(frozen=True)
class Planar(AxisJoint):
    r"""Planar joint: two translations in a plane and one rotation about its normal.

    Parameters
    ----------
    axis : str or (3,) array_like, default 'z'
        Normal of the plane: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but zero. It
        is given in the axes of both markers, or in world axes where the joint is placed by `at`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `x`, `y` (m) and `angle` (rad).

    See Also
    --------
    kt.PlanarTranslational : The two translations alone.
    kt.PointOnPlane : A point in a plane, with three rotations.

    Notes
    -----
    The normal is the z axis of frame F on the parent and of frame M on the child:

    .. math::
        R_{FM} = R_z(\varphi), \qquad p_{FM} = x\,e_x + y\,e_y

    :math:`\varphi` is the coordinate `angle` (rad), positive by the right-hand rule about the
    normal. `x` and `y` (m) are positive along the axes :math:`e_x` and :math:`e_y` of F, which stay
    with the parent. For the normals "x", "y" and "z" they are the two following axes in cyclic
    order. Where a loop is cut at the joint there are three equations.

    Examples
    --------
    A puck slides on a horizontal table and spins.

    >>> import kinetree as kt
    >>> model = kt.Model("puck")
    >>> puck = model.body("puck", kt.cylinder(mass=0.2, radius=0.04, length=0.02, along="z"))
    >>> speed = {"x": 1.0, "angle": 3.0}
    >>> table = model.joint("T", kt.Planar(axis="z"), model.ground, puck, speed=speed)
    >>> sol = kt.simulate(model, until=2.0)
    >>> print(f"{sol['T.x'][-1]:.3f} m, {sol['T.angle'][-1]:.3f} rad")
    2.000 m, 6.000 rad
    """

    kind = "planar"
    coordinates = {"x": "slide_x", "y": "slide_y", "angle": "turn_z"}
    meanings = {
        "x": "travel of the child along the x axis of frame F on the parent",
        "y": "travel of the child along the y axis of frame F on the parent",
        "angle": "turn of the child about the normal, seen from the parent, by the right-hand rule",
    }
    leading = 2
    reversal = Reversal()  # the plane turns with the child: no frame keeps x and y
    weight = 3.1
    cut = (InPlane(Z), Perpendicular(X, Z), Perpendicular(Y, Z))
    parallel = (Z,)
    look = ("table", "foot")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1], atan2(R_FM[1, 0], R_FM[0, 0])]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    step = add(scale(q[i], column(R_WF, 0)), scale(q[i + 1], column(R_WF, 1)))
    return turn_z(R_WF, q[i + 2]), add(p_WF, step)


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 0))
    sliding(dofs[link.iv + 1], column(R_WF, 1))
    turning(dofs[link.iv + 2], column(R_WF, 2), r_M)
