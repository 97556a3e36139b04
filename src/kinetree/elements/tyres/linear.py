"""Forces in proportion to slip, without limit.

    F_x = C_k kappa,   F_y = -C_a tan(alpha) - C_g camber,   M_z = trail C_a tan(alpha) sign(V_x)

The side force of slip acts behind the middle of the contact as the wheel travels, forwards or
backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres, Newtons, NewtonsPerRadian
from ...kernel.decorators import inline
from .contract import TyreLaw


@dataclass(frozen=True)
class Linear(TyreLaw):
    """Forces in proportion to slip, without limit.

    cornering      side force per slip angle (N/rad)
    longitudinal   force per slip (N)
    camber         side force per camber (N/rad)
    trail          pneumatic: aligning moment over side force (m)
    """

    cornering: NewtonsPerRadian
    longitudinal: Newtons
    camber: NewtonsPerRadian = 0.0
    trail: Metres = 0.0

    kind = "linear"

    def __post_init__(self) -> None:
        check(self, "cornering", "longitudinal", "camber", "trail", at_least_zero=True)

    def numbers(self) -> Sequence[float]:
        return self.cornering, self.longitudinal, self.camber, self.trail


@inline
def answer(n, load, kappa, slope, camber, speed, forwards, rolls):
    side = -n[0] * slope
    return n[1] * kappa, side - n[2] * camber, 0.0, 0.0, -n[3] * side * forwards
