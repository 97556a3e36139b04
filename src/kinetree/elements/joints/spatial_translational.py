"""Spatial translational joint: the child translates in all directions without rotating (a gantry, a
Delta robot).
"""

from dataclasses import dataclass

from ...kernel.algebra.vec3 import add, column, rotate
from ...kernel.decorators import inline
from .columns import sliding
from .contract import Perpendicular, Reversal, TwoAxisJoint, X, Y, Z


@dataclass(frozen=True)
class SpatialTranslational(TwoAxisJoint):
    r"""Spatial translational joint: three translations, no rotation.

    Parameters
    ----------
    axis1 : str or (3,) array_like, default 'x'
        Direction of the coordinate `x`: "x", "y", "z", "-x", "-y", "-z" or a vector of any length
        but zero.
    axis2 : str or (3,) array_like, default 'y'
        Direction of the coordinate `y`, perpendicular to `axis1`. The coordinate `z` is along
        `axis1` x `axis2`.

    Attributes
    ----------
    labels : tuple of str
        The coordinates: `x`, `y`, `z` (m).

    See Also
    --------
    kt.PlanarTranslational : Two translations.
    kt.Free : Three translations and three rotations.

    Notes
    -----
    The child moves in all directions without turning:

    .. math::
        R_{FM} = 1, \qquad p_{FM} = x\,e_1 + y\,e_2 + z\,(e_1 \times e_2)

    The unit vectors :math:`e_1` and :math:`e_2` along `axis1` and `axis2` are fixed in the parent;
    the coordinates (m) are positive along their directions, for the child seen from the parent.
    Where a loop is cut at the joint there are three equations.

    Examples
    --------
    A gantry with its three drives at rest; the drive along z carries the weight.

    >>> import kinetree as kt
    >>> model = kt.Model("gantry")
    >>> hand = model.body("hand", kt.sphere(mass=3.0, radius=0.1))
    >>> gantry = model.joint("G", kt.SpatialTranslational(), model.ground, hand)
    >>> for axis in "xyz":
    ...     drive = model.constraint(f"drive {axis}", kt.Driver(f"G.{axis}", 0.0))
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['drive z.force'][-1]:.2f} N")
    29.43 N
    """

    kind = "spatial-translational"
    coordinates = {"x": "slide_x", "y": "slide_y", "z": "slide_z"}
    meanings = {
        "x": "travel of the child along `axis1`, seen from the parent",
        "y": "travel of the child along `axis2`, seen from the parent",
        "z": "travel of the child along `axis1` x `axis2`, seen from the parent",
    }
    leading = 3
    reversal = (
        Reversal()
    )  # no rotation turns x, y and z round at once: they are measured on the frames
    weight = 3.2
    cut = (Perpendicular(X, Z), Perpendicular(Y, Z), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("block", "bead")

    def measure(self, R_FM, p_FM):
        return [p_FM[0], p_FM[1], p_FM[2]]


@inline
def move(tables, link, q, R_WF, p_WF):
    i = link.iq
    return R_WF, add(p_WF, rotate(R_WF, (q[i], q[i + 1], q[i + 2])))


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    for k in range(3):
        sliding(dofs[link.iv + k], column(R_WF, k))
