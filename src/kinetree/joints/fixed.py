"""Fixed joint: no freedom; two bodies become one, and the joint still tells its reaction."""

from dataclasses import dataclass

from ..num.jit import inline
from .contract import Joint, Perpendicular, Point, Reversal, X, Y, Z
from .revolute import bias

__all__ = ["Fixed", "bias", "hinge", "measure", "move", "rate", "shift"]


@dataclass(frozen=True)
class Fixed(Joint):
    """No relative motion."""

    kind = "fixed"
    nq = nv = 0
    reversal = Reversal(order=())
    weight = 0.5
    cut = (Point(), Perpendicular(X, Z), Perpendicular(Y, Z), Perpendicular(Y, X))
    parallel = (Z, X)


@inline
def move(link, q, R_WF, p_WF):
    return R_WF, p_WF


@inline
def hinge(link, R_WF, R_WM, r_F, r_M, dofs):
    pass


@inline
def rate(link, q, v, qdot):
    pass


@inline
def shift(link, q, delta):
    pass


def measure(R_FM, p_FM):
    return []
