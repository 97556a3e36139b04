"""Planar translational joint: the child slides in the x-y plane of F without rotating (a table on
two crossed slides).
"""

from dataclasses import dataclass

from ...kernel.algebra.vec3 import add, column, scale
from ...kernel.decorators import inline
from .columns import sliding
from .contract import InPlane, Perpendicular, Reversal, TwoAxisJoint, X, Y, Z


@dataclass(frozen=True)
class PlanarTranslational(TwoAxisJoint):
    r"""Planar translational joint: two translations at right angles.

    Parameters
    ----------
    axis1 : str or (3,) array_like, default 'x'
        Direction of the coordinate `x`: "x", "y", "z", "-x", "-y", "-z" or a vector of any length
        but zero.
    axis2 : str or (3,) array_like, default 'y'
        Direction of the coordinate `y`, perpendicular to `axis1`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `x`, `y` (m).

    See Also
    --------
    kt.SpatialTranslational : Three translations.
    kt.Planar : Two translations and a rotation.

    Notes
    -----
    The child slides in a plane without turning:

    .. math::
        R_{FM} = 1, \qquad p_{FM} = x\,e_1 + y\,e_2

    The unit vectors :math:`e_1` and :math:`e_2` along `axis1` and `axis2` are fixed in the parent;
    `x` and `y` (m) are positive along them, for the child seen from the parent. Where a loop is cut
    at the joint there are four equations.

    Examples
    --------
    A table on crossed slides, driven along one of them.

    >>> import kinetree as kt
    >>> model = kt.Model("table")
    >>> table = model.body("table", kt.box(mass=5.0, sides=(0.5, 0.5, 0.05)))
    >>> slides = model.joint("S", kt.PlanarTranslational("x", "y"), model.ground, table)
    >>> motor = model.constraint("motor", kt.Driver("S.y", kt.Ramp(0.2)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['S.x'][-1]:.3f} m, {sol['S.y'][-1]:.3f} m")
    0.000 m, 0.200 m
    """

    kind = "planar-translational"
    coordinates = {"x": "slide_x", "y": "slide_y"}
    meanings = {
        "x": "travel of the child along `axis1`, seen from the parent",
        "y": "travel of the child along `axis2`, seen from the parent",
    }
    leading = 2
    reversal = Reversal(((-1, 0, 0), (0, -1, 0), (0, 0, 1)), (0, 1))  # half a turn about the normal
    weight = 2.2
    cut = (InPlane(Z), Perpendicular(X, Z), Perpendicular(Y, Z), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("table", "foot")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1]]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    return R_WF, add(p_WF, add(scale(q[i], column(R_WF, 0)), scale(q[i + 1], column(R_WF, 1))))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    sliding(dofs[link.iv], column(R_WF, 0))
    sliding(dofs[link.iv + 1], column(R_WF, 1))
