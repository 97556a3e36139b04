"""Tire forces proportional to slip, without limit.

    F_x = C_k kappa,   F_y = -C_a tan(alpha) - C_g camber,   M_z = trail C_a tan(alpha) sign(V_x)

The lateral force of slip acts behind the middle of the contact in the direction of travel, forwards
or backwards.
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
    r"""Forces proportional to slip, without limit.

    Parameters
    ----------
    cornering : float
        Cornering stiffness C_a, lateral force per slip angle (N/rad).
    longitudinal : float
        Longitudinal stiffness C_k, force per slip (N).
    camber : float, default 0.0
        Camber stiffness C_g, lateral force per inclination angle (N/rad).
    trail : float, default 0.0
        Pneumatic trail, aligning moment per lateral force (m).

    See Also
    --------
    kt.tyres.Fiala : Bounded by friction.

    Notes
    -----
    .. math::
        F_x = C_\kappa\,\kappa, \qquad F_y = -C_\alpha \tan\alpha - C_\gamma\,\gamma, \qquad
        M_z = t\,C_\alpha \tan\alpha\;\mathrm{sign}(V_x)

    :math:`\kappa` is the slip, :math:`\alpha` the slip angle and :math:`\gamma` the camber (rad);
    :math:`C_\kappa`, :math:`C_\alpha`, :math:`C_\gamma` and :math:`t` are `longitudinal`,
    `cornering`, `camber` and `trail`. Forces (N) and moments (N m) act on the wheel. Axes and signs
    are those of ISO 8855: :math:`F_x` is positive forward, :math:`F_y` to the left, :math:`M_z`
    about the upward normal.

    Examples
    --------
    >>> import kinetree as kt
    >>> law = kt.tyres.Linear(cornering=6e4, longitudinal=8e4)
    >>> print(f"{kt.tyres.evaluate(law, load=4000.0, alpha=0.01)[1]:.1f} N")
    -600.0 N
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
