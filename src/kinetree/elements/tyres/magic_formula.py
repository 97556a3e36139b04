"""The magic formula, version 5.2: pure and combined slip, camber, moments.  [Pacejka2002, sec. 4.3;
Pacejka1992]

    y = D sin(C atan(B x - E (B x - atan(B x))))            forces over slip, both axes shifted
    t = D cos(C atan(B x - E (B x - atan(B x)))) V_x / V    pneumatic trail,
                                                            V_x / V = cos(alpha) sign(V_x)
    G = cos(C atan(B s - E (B s - atan(B s)))) / the same at s = S_H
                                                            weight of one slip on the other's force

Coefficients have the names of tire property files (mf_names.py). Side slip enters as alpha =
atan(slope); the signs are those of ISO 8855, in which PKY1 is negative. Mirror a file of the other
side with `mirrored()`.

For a tire that runs backwards, trail and residual moment change their signs by V_x / V, and so does
M_y; the forces are those of the same slip kappa and slope, with the offsets as fitted forwards. The
shifts of both forces are caused by rolling (resistance, conicity, ply steer) and fade out at rest:
a tire at rest without slip and camber has no force.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.checks import check_flags
from ...errors import ModelError, no_such, short
from ...kernel.decorators import inline
from ...kernel.frames import number
from . import mf_names as m
from .contract import TyreLaw

EPS = 1e-12  # of its size, kept from zero where something is divided by it
ODD = (
    "RHX1",
    "PHY1",
    "PHY2",
    "PEY3",
    "PVY1",
    "PVY2",
    "RBY3",
    "RVY1",
    "RVY2",
    "QBZ4",
    "QDZ3",
    "QDZ6",
    "QDZ7",
    "QEZ4",
    "QHZ1",
    "QHZ2",
    "SSZ1",
    "QSX1",
)  # change their signs where left and right change places


@dataclass(frozen=True)
class MagicFormula(TyreLaw):
    r"""Magic formula, version 5.2, with coefficients by name.

    Parameters
    ----------
    coefficients : dict of str to float
        Coefficients by the names of property files of version 5.2, such as {"FNOMIN": 4000, "PCY1":
        1.3, ...}. Missing coefficients are 0, missing scaling factors 1.
    combined : bool, default True
        Whether longitudinal and lateral slip influence each other.

    See Also
    --------
    kt.tyres.read_tir : Read a tire property file.
    kt.tyres.Fiala : Brush model with few parameters.

    Notes
    -----
    .. math::
        y = D \sin\Bigl(C \arctan\bigl(B x - E\,(B x - \arctan B x)\bigr)\Bigr)

    :math:`x` is a slip, :math:`y` a force (N), and :math:`B, C, D, E` depend on load and camber
    through the coefficients. Axes and signs are those of ISO 8855: :math:`F_x` is positive forward,
    :math:`F_y` to the left, :math:`M_z` about the upward normal; PKY1 is negative.
    [Pacejka2002, sec. 4.3; Pacejka1992]

    Examples
    --------
    >>> import kinetree as kt
    >>> names = {"FNOMIN": 4000.0, "PCX1": 1.6, "PDX1": 1.0, "PKX1": 20.0, "PCY1": 1.3, "PDY1": 0.9}
    >>> law = kt.tyres.MagicFormula({**names, "PKY1": -15.0, "PKY2": 1.5})
    >>> F_x = kt.tyres.evaluate(law, load=4000.0, kappa=0.001)[0]
    >>> print(f"{F_x:.0f} N")
    80 N
    """

    _shown = ("mirrored",)
    coefficients: dict[str, float]
    combined: bool = True

    kind = "magic-formula"

    def __post_init__(self) -> None:
        if not isinstance(self.coefficients, dict):
            raise ModelError(
                "tyres.MagicFormula: coefficients must be a dict by name, got "
                f"{short(self.coefficients)}."
            )
        check_flags(self, "combined")
        for name in self.coefficients:
            if name not in m.NAMES:
                raise no_such("coefficient", name, m.NAMES, " in the magic formula 5.2")
        known = {
            name: number(value, f"tyres.MagicFormula: {name}")
            for name, value in self.coefficients.items()
        }
        object.__setattr__(self, "coefficients", known)
        missing = [name for name in m.NEEDED if not self.coefficients.get(name)]
        if missing:
            raise ModelError(
                f"tyres.MagicFormula: {', '.join(missing)} must be given and not zero."
            )

    def numbers(self) -> Sequence[float]:
        full = {**m.USUAL, **self.coefficients}
        return *(float(full[name]) for name in m.NAMES), float(self.combined)

    def mirrored(self) -> MagicFormula:
        """Return the law of the tire on the other side of the vehicle.

        Returns
        -------
        MagicFormula
            The law with left and right exchanged.
        """
        return MagicFormula(
            {k: -v if k in ODD else v for k, v in self.coefficients.items()}, self.combined
        )

    def symmetric(self) -> MagicFormula:
        """Return the law without conicity and ply steer.

        Returns
        -------
        MagicFormula
            The law that is the same to both sides.
        """
        return MagicFormula(
            {k: 0.0 if k in ODD else v for k, v in self.coefficients.items()}, self.combined
        )


@inline
def away(x, size):
    """x, moved away from zero by a small multiple of `size`."""
    return x if abs(x) > EPS * size else math.copysign(EPS * size, x)


@inline
def sign(x):
    return 1.0 if x >= 0.0 else -1.0


@inline
def inner(b, c, e, x):
    """C atan(B x - E (B x - atan(B x)))."""
    return c * math.atan(b * x - e * (b * x - math.atan(b * x)))


@inline
def weight(b, c, e, s, shift):
    """G of the module."""
    return math.cos(inner(b, c, e, s)) / away(math.cos(inner(b, c, e, shift)), 1.0)


@inline
def pure_x(n, load, dfz, kappa, camber, moves):
    """F_x and its slope K_x."""
    x = kappa + (n[m.PHX1] + n[m.PHX2] * dfz) * n[m.LHX] * moves
    lean = camber * n[m.LGAX]
    c = n[m.PCX1] * n[m.LCX]
    d = (n[m.PDX1] + n[m.PDX2] * dfz) * (1.0 - n[m.PDX3] * lean * lean) * n[m.LMUX] * load
    e = min(
        (n[m.PEX1] + n[m.PEX2] * dfz + n[m.PEX3] * dfz * dfz)
        * (1.0 - n[m.PEX4] * sign(x))
        * n[m.LEX],
        1.0,
    )
    K = load * (n[m.PKX1] + n[m.PKX2] * dfz) * math.exp(n[m.PKX3] * dfz) * n[m.LKX]
    up = load * (n[m.PVX1] + n[m.PVX2] * dfz) * n[m.LVX] * n[m.LMUX] * moves
    return d * math.sin(inner(K / away(c * d, load), c, e, x)) + up, K


@inline
def pure_y(n, load, dfz, alpha, camber, moves):
    """F_y, its slope K_y, B C, friction, and the horizontal and vertical shifts."""
    lean, nominal = camber * n[m.LGAY], n[m.FNOMIN] * n[m.LFZO]
    along = (n[m.PHY1] + n[m.PHY2] * dfz) * n[m.LHY] * moves + n[m.PHY3] * lean
    x = alpha + along
    c = n[m.PCY1] * n[m.LCY]
    mu = (n[m.PDY1] + n[m.PDY2] * dfz) * (1.0 - n[m.PDY3] * lean * lean) * n[m.LMUY]
    d = mu * load
    e = min(
        (n[m.PEY1] + n[m.PEY2] * dfz) * (1.0 - (n[m.PEY3] + n[m.PEY4] * lean) * sign(x)) * n[m.LEY],
        1.0,
    )
    K = (
        n[m.PKY1]
        * nominal
        * math.sin(2.0 * math.atan(load / (n[m.PKY2] * nominal)))
        * n[m.LKY]
        * (1.0 - n[m.PKY3] * abs(lean))
    )
    up = (
        load
        * ((n[m.PVY1] + n[m.PVY2] * dfz) * n[m.LVY] * moves + (n[m.PVY3] + n[m.PVY4] * dfz) * lean)
        * n[m.LMUY]
    )
    b = K / away(c * d, load)
    return d * math.sin(inner(b, c, e, x)) + up, K, b * c, mu, along, up


@inline
def weights(n, load, dfz, alpha, kappa, camber, mu):
    """Weights of side slip on F_x and of slip on F_y, and the side force caused by slip."""
    b = n[m.RBX1] * math.cos(math.atan(n[m.RBX2] * kappa)) * n[m.LXAL]
    on_x = weight(b, n[m.RCX1], min(n[m.REX1] + n[m.REX2] * dfz, 1.0), alpha + n[m.RHX1], n[m.RHX1])
    b = n[m.RBY1] * math.cos(math.atan(n[m.RBY2] * (alpha - n[m.RBY3]))) * n[m.LYKA]
    shift = n[m.RHY1] + n[m.RHY2] * dfz
    on_y = weight(b, n[m.RCY1], min(n[m.REY1] + n[m.REY2] * dfz, 1.0), kappa + shift, shift)
    most = (
        mu
        * load
        * (n[m.RVY1] + n[m.RVY2] * dfz + n[m.RVY3] * camber)
        * math.cos(math.atan(n[m.RVY4] * alpha))
    )
    return on_x, on_y, most * math.sin(n[m.RVY5] * math.atan(n[m.RVY6] * kappa)) * n[m.LVYKA]


@inline
def equivalent(angle, ratio, kappa):
    """Side slip that includes the slip:  atan sqrt(tan(angle)^2 + (K_x / K_y)^2 kappa^2),  with the
    sign of
    the angle.
    """
    return math.atan(math.sqrt(math.tan(angle) ** 2 + (ratio * kappa) ** 2)) * sign(angle)


@inline
def trail(n, load, dfz, alpha, lean, ratio, kappa):
    """Pneumatic trail t divided by V_x / V."""
    at = equivalent(
        alpha + n[m.QHZ1] + n[m.QHZ2] * dfz + (n[m.QHZ3] + n[m.QHZ4] * dfz) * lean, ratio, kappa
    )
    b = (
        (n[m.QBZ1] + n[m.QBZ2] * dfz + n[m.QBZ3] * dfz * dfz)
        * (1.0 + n[m.QBZ4] * lean + n[m.QBZ5] * abs(lean))
        * n[m.LKY]
        / n[m.LMUY]
    )
    c = n[m.QCZ1]
    d = (
        load
        * (n[m.QDZ1] + n[m.QDZ2] * dfz)
        * (1.0 + n[m.QDZ3] * lean + n[m.QDZ4] * lean * lean)
        * n[m.R0]
        / (n[m.FNOMIN] * n[m.LFZO])
        * n[m.LTR]
    )
    e = min(
        (n[m.QEZ1] + n[m.QEZ2] * dfz + n[m.QEZ3] * dfz * dfz)
        * (1.0 + (n[m.QEZ4] + n[m.QEZ5] * lean) * (2.0 / math.pi) * math.atan(b * c * at)),
        1.0,
    )
    return d * math.cos(inner(b, c, e, at))


@inline
def residual(n, load, dfz, alpha, lean, bc, shift, ratio, kappa):
    """Residual moment without side slip, divided by V_x / V."""
    at = equivalent(alpha + shift, ratio, kappa)
    b = n[m.QBZ9] * n[m.LKY] / n[m.LMUY] + n[m.QBZ10] * bc
    d = (
        load
        * ((n[m.QDZ6] + n[m.QDZ7] * dfz) * n[m.LRES] + (n[m.QDZ8] + n[m.QDZ9] * dfz) * lean)
        * n[m.R0]
        * n[m.LMUY]
    )
    return d * math.cos(math.atan(b * at))


@inline
def rolling(n, load, fx, speed, rolls):
    """M_y, which opposes rolling."""
    part, nominal = abs(speed) / n[m.LONGVL], n[m.FNOMIN] * n[m.LFZO]
    share = (n[m.QSY1] + n[m.QSY3] * part + n[m.QSY4] * part**4) * rolls + n[m.QSY2] * fx / nominal
    return -n[m.R0] * load * share * n[m.LMY]


@inline
def answer(n, load, kappa, slope, camber, speed, forwards, rolls):
    alpha, nominal = math.atan(slope), n[m.FNOMIN] * n[m.LFZO]
    dfz = (load - nominal) / nominal
    fx, Kx = pure_x(n, load, dfz, kappa, camber, abs(forwards))
    fy, Ky, bc, mu, along, up = pure_y(n, load, dfz, alpha, camber, abs(forwards))
    side, ratio, slip = 0.0, 0.0, 0.0
    if n[len(m.NAMES)] != 0.0:
        on_x, on_y, side = weights(n, load, dfz, alpha, kappa, camber, mu)
        fx, fy, ratio, slip = fx * on_x, fy * on_y, Kx / away(Ky, load), kappa
    lean = camber * n[m.LGAZ]
    mz = -trail(n, load, dfz, alpha, lean, ratio, slip) * fy
    mz += residual(n, load, dfz, alpha, lean, bc, along + up / away(Ky, load), ratio, slip)
    mz *= math.cos(alpha) * forwards
    fy += side
    mz += (
        (n[m.SSZ1] + n[m.SSZ2] * fy / nominal + (n[m.SSZ3] + n[m.SSZ4] * dfz) * camber)
        * n[m.R0]
        * n[m.LS]
        * fx
    )
    mx = (
        n[m.R0]
        * load
        * (n[m.QSX1] * n[m.LVMX] - n[m.QSX2] * camber + n[m.QSX3] * fy / nominal)
        * n[m.LMX]
    )
    return fx, fy, mx, rolling(n, load, fx, speed, rolls), mz
