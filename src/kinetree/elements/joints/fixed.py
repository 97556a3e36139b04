"""Fixed joint: no degree of freedom; two bodies move as one, and the reaction is available."""

from dataclasses import dataclass

from ...kernel.decorators import inline
from .contract import Joint, Perpendicular, Point, Reversal, X, Y, Z


@dataclass(frozen=True)
class Fixed(Joint):
    r"""Fixed joint: no relative motion.

    Two bodies with a fixed joint move as one body. The joint still has the channels `force` and
    `torque` of its reaction.

    See Also
    --------
    kt.Bushing : Flexible connection of two bodies.

    Notes
    -----
    Frames F on the parent and M on the child coincide:

    .. math::
        R_{FM} = 1, \qquad p_{FM} = 0

    The reaction `force` (N) and `torque` (N m) act on the child and are positive along the world
    axes. Where a loop is cut at the joint there are six equations.

    Examples
    --------
    The reaction on a bracket that carries its own weight.

    >>> import kinetree as kt
    >>> model = kt.Model("bracket")
    >>> bracket = model.body("bracket", kt.box(mass=2.0, sides=(0.4, 0.1, 0.1)))
    >>> weld = model.joint("W", kt.Fixed(), model.ground, bracket)
    >>> sol = kt.simulate(model, until=0.1)
    >>> print(f"{sol['W.force.z'][0]:.2f} N")
    19.62 N
    """

    kind = "fixed"
    reversal = Reversal(order=())
    weight = 0.5
    cut = (Point(), Perpendicular(X, Z), Perpendicular(Y, Z), Perpendicular(Y, X))
    parallel = (Z, X)
    look = ("block",)

    def measure(self, R_FM, p_FM):
        return []


@inline
def move(tables, link, q, R_WF, p_WF):
    return R_WF, p_WF


@inline
def hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    pass
