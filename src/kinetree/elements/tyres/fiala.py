"""Isotropic brush model of Fiala with friction: a cubic that ends at mu F_z, in any direction of
slip.
[Fiala1954]

    u = (C_k kappa, -C_a tan(alpha) - C_g camber),     psi = |u| / (3 mu F_z)
    F = mu F_z (1 - (1 - psi)^3) u / |u|,      mu F_z u / |u| for psi >= 1
    M_z = -trail (1 - psi)^3 u_y sign(V_x)         trail: at small slip, a third of half the patch
    M_y = -rolling F_z sign(Omega)

For pure side slip this is the law of Fiala property files (their WIDTH is 3 trail). For combined
slip they use two separate formulas, which may leave the friction circle; this law stays inside.
Friction may decrease with slip:

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
    r"""Isotropic brush model: forces proportional to small slip, bounded by friction.

    Parameters
    ----------
    cornering : float
        Cornering stiffness C_a, lateral force per slip angle (N/rad).
    longitudinal : float
        Longitudinal stiffness C_k, force per slip (N).
    friction : float
        Coefficient of friction at small slip (1).
    least_friction : float, optional
        Coefficient of friction at slip one (1). By default it equals `friction`.
    camber : float, default 0.0
        Camber stiffness C_g, lateral force per inclination angle (N/rad).
    trail : float, default 0.0
        Pneumatic trail at small slip (m).
    rolling : float, default 0.0
        Rolling resistance, moment per load (m).

    See Also
    --------
    kt.tyres.Linear : Without limit.
    kt.tyres.MagicFormula : Fitted to measurements.

    Notes
    -----
    .. math::
        u &= (C_\kappa\,\kappa,\; -C_\alpha \tan\alpha - C_\gamma\,\gamma), \qquad
        \psi = \frac{|u|}{3 \mu F_z} \\
        F &= \mu F_z \bigl(1 - (1 - \psi)^3\bigr) \frac{u}{|u|}, \qquad
        F = \mu F_z \frac{u}{|u|} \;\text{ for } \psi \ge 1 \\
        M_z &= -t\,(1 - \psi)^3\,u_y\;\mathrm{sign}(V_x), \qquad
        M_y = -r F_z\;\mathrm{sign}(\Omega)

    :math:`\kappa` is the slip, :math:`\alpha` the slip angle and :math:`\gamma` the camber (rad);
    :math:`C_\kappa`, :math:`C_\alpha`, :math:`C_\gamma`, :math:`\mu`, :math:`t` and :math:`r` are
    `longitudinal`, `cornering`, `camber`, `friction`, `trail` and `rolling`. Forces (N) and
    moments (N m) act on the wheel. Axes and signs are those of ISO 8855: :math:`F_x` is positive
    forward, :math:`F_y` to the left, :math:`M_z` about the upward normal. [Fiala1954]

    Examples
    --------
    A locked wheel slides with the full friction force.

    >>> import kinetree as kt
    >>> law = kt.tyres.Fiala(cornering=6e4, longitudinal=8e4, friction=0.9)
    >>> print(f"{kt.tyres.evaluate(law, load=4000.0, kappa=-1.0)[0]:.1f} N")
    -3600.0 N
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
