"""The isotropic brush of Fiala, with friction: a cubic that ends at mu F_z, in whatever direction
the tyre slips.  [Fiala1954]

    u = (C_k kappa, -C_a tan(alpha) - C_g camber),     psi = |u| / (3 mu F_z)
    F = mu F_z (1 - (1 - psi)^3) u / |u|,      mu F_z u / |u| from psi = 1 on
    M_z = -trail (1 - psi)^3 u_y sign(V_x)                     trail: that of small slip, a third of
                                                               half the patch
    M_y = -rolling F_z sign(Omega)

With pure side slip this is the law of Fiala property files (their WIDTH is 3 trail); in combined
slip they use two formulas side by side, which may leave the circle of friction, and this does not.
Friction may fall with slip:

    mu = mu_max - (mu_max - mu_min) min(sqrt(kappa^2 + tan(alpha)^2), 1)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Metres, Newtons, NewtonsPerRadian, Plain
from ...errors import ModelError, short
from ...kernel.decorators import inline
from .contract import TyreLaw


@dataclass(frozen=True)
class Fiala(TyreLaw):
    """The isotropic brush: forces in proportion to small slip, bounded by friction.

    cornering        side force per slip angle (N/rad)
    longitudinal     force per slip (N)
    friction         coefficient at small slip (1)
    least_friction   of a tyre that slides with slip one; the same by default (1)
    camber           side force per camber (N/rad)
    trail            pneumatic, at small slip (m)
    rolling          rolling resistance:  M_y = -rolling F_z (m)
    """

    cornering: NewtonsPerRadian
    longitudinal: Newtons
    friction: Plain
    least_friction: Plain | None = None
    camber: NewtonsPerRadian = 0.0
    trail: Metres = 0.0
    rolling: Metres = 0.0

    kind = "fiala"

    def __post_init__(self) -> None:
        check(self, "cornering", "longitudinal", "friction", positive=True)
        check(self, "camber", "trail", "rolling", at_least_zero=True)
        check(self, "least_friction", optional=True)
        least = self.friction if self.least_friction is None else self.least_friction
        if not 0.0 < least <= self.friction:
            raise ModelError(
                "tyres.Fiala: least_friction must lie between 0 and the friction "
                f"{self.friction!r}, "
                f"got {short(self.least_friction)}."
            )

    def numbers(self) -> Sequence[float]:
        least = self.friction if self.least_friction is None else self.least_friction
        return (
            self.cornering,
            self.longitudinal,
            self.friction,
            least,
            self.camber,
            self.trail,
            self.rolling,
        )


@inline
def answer(n, load, kappa, slope, camber, speed, forwards, rolls):
    mu = n[2] - (n[2] - n[3]) * min(math.sqrt(kappa * kappa + slope * slope), 1.0)
    ux, uy = n[1] * kappa, -n[0] * slope - n[4] * camber
    u, most = math.sqrt(ux * ux + uy * uy), mu * load
    psi = u / (3.0 * most)
    gain = 1.0 - psi + psi * psi / 3.0 if psi < 1.0 else most / u  # F / u
    trail = n[5] * max(1.0 - psi, 0.0) ** 3
    return gain * ux, gain * uy, 0.0, -n[6] * load * rolls, -trail * uy * forwards
