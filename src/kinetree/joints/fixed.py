"""Fixed joint: no freedom; two bodies become one, and the joint still tells its reaction."""

from dataclasses import dataclass

from ..num.jit import inline
from .contract import Joint, Perpendicular, Point, Reversal, X, Y, Z


@dataclass(frozen=True)
class Fixed(Joint):
    """No relative motion."""

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
