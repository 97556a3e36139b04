"""f(t) from 0 to a height, with two continuous derivatives:

f = h s^3 (10 - 15 s + 6 s^2),   s = (t - begin) / rise between 0 and 1
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import TimeOrWay, Value
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal


@dataclass(frozen=True)
class SmoothStep(Signal):
    r"""Step from zero to a height that begins and ends at rest.

    Parameters
    ----------
    height : float
        Value at the end (1, or the unit of the driven quantity).
    rise : float
        Duration of the step (s; m as the profile of a road).
    begin : float, default 0.0
        Time at which the step begins (s; m as the profile of a road).

    See Also
    --------
    kt.Ramp : Linear function of time.
    kt.CosineBump : Up and down again.

    Notes
    -----
    .. math::
        f(t) = h\,s^3\,(10 - 15 s + 6 s^2), \qquad s = \frac{t - t_1}{T} \in [0, 1]

    :math:`h` is the `height`, positive upward, :math:`t_1` the time `begin` and :math:`T` the
    duration `rise` (s). The function has two continuous derivatives.

    Examples
    --------
    A slide moves by 0.8 m within one second.

    >>> import kinetree as kt
    >>> model = kt.Model("slide", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> guide = model.joint("G", kt.Translational("x"), model.ground, block)
    >>> step = kt.SmoothStep(0.8, rise=1.0)
    >>> motor = model.constraint("motor", kt.Driver("G.displacement", step))
    >>> sol = kt.simulate(model, until=0.5)
    >>> print(f"{sol['G.displacement'][-1]:.3f} m")
    0.400 m
    """

    height: Value
    rise: TimeOrWay
    begin: TimeOrWay = 0.0

    kind = "smooth-step"
    scaled = ("height",)

    def __post_init__(self) -> None:
        check(self, "height", "begin")
        check(self, "rise", positive=True)

    def breaks(self) -> tuple[float, ...]:
        return self.begin, self.begin + self.rise

    def lower(self, row, pool) -> None:
        row["a"], row["b"], row["begin"] = self.height, self.rise, self.begin


@internal_kernel
def value(signal, pool, t):
    h, rise = signal.a, signal.b
    s = min(max((t - signal.begin) / rise, 0.0), 1.0)
    return (
        h * s**3 * (10.0 - 15.0 * s + 6.0 * s * s),
        h * 30.0 * (s * (1.0 - s)) ** 2 / rise,
        h * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / rise**2,
    )
