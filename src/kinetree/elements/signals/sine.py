"""f(t) = offset + amplitude sin(2 pi frequency (t - begin) + phase) between begin and end, constant
outside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import PerTimeOrWay, Radians, TimeOrWay, Value
from ...errors import ModelError
from ...kernel.decorators import internal_kernel
from .contract import Signal, check_limits


@dataclass(frozen=True)
class Sine(Signal):
    r"""Sine between two times, constant outside.

    Parameters
    ----------
    amplitude : float
        Largest deviation from `offset` (1, or the unit of the driven quantity).
    frequency : float
        Frequency in cycles, not radians, per second (Hz).
    phase : float, default 0.0
        Phase at `begin`, or at t = 0 if `begin` is not given (rad).
    offset : float, default 0.0
        Mean value (1, or the unit of the driven quantity).
    begin : float, default -inf
        Time at which the sine begins (s; m as the profile of a road).
    end : float, default inf
        Time at which the sine ends (s; m as the profile of a road).

    See Also
    --------
    kt.SmoothSine : One wave that begins and ends at rest.

    Notes
    -----
    .. math::
        f(t) = f_0 + a \sin\bigl(2 \pi \nu\,(t - t_1) + \varphi\bigr), \qquad t_1 \le t \le t_2

    :math:`f_0` is the `offset`, :math:`a` the `amplitude`, :math:`\nu` the `frequency` (Hz),
    :math:`\varphi` the `phase` (rad), and :math:`t_1, t_2` are the times `begin` and `end` (s).
    Without `begin`, :math:`t_1` is zero in the formula. A positive phase shifts the wave to earlier
    times.

    Examples
    --------
    A slide moves by +-0.1 m, twice per second.

    >>> import kinetree as kt
    >>> model = kt.Model("shaker", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> guide = model.joint("G", kt.Translational("x"), model.ground, block)
    >>> driver = kt.Driver("G.displacement", kt.Sine(0.1, frequency=2.0))
    >>> shaker = model.constraint("shaker", driver)
    >>> sol = kt.simulate(model, until=0.125)
    >>> print(f"{sol['G.displacement'][-1]:.3f} m")
    0.100 m
    """

    amplitude: Value
    frequency: PerTimeOrWay
    phase: Radians = 0.0
    offset: Value = 0.0
    begin: TimeOrWay = -math.inf
    end: TimeOrWay = math.inf

    kind = "sine"
    scaled = ("amplitude", "offset")

    def __post_init__(self) -> None:
        check(self, "amplitude", "frequency", "phase", "offset")
        check_limits(self, "begin", "end")
        if not self.end > self.begin:
            raise ModelError(f"Sine: end {self.end!r} must come after begin {self.begin!r}.")

    def breaks(self) -> tuple[float, ...]:
        return (self.begin, self.end)

    def lower(self, row, pool) -> None:
        row["a"], row["b"], row["c"], row["d"] = (
            self.amplitude,
            2.0 * math.pi * self.frequency,
            self.phase,
            self.offset,
        )
        row["begin"], row["end"] = self.begin, self.end


@internal_kernel
def value(signal, pool, t):
    zero = signal.begin if signal.begin > -math.inf else 0.0
    if t < signal.begin:
        return signal.d + signal.a * math.sin(signal.c), 0.0, 0.0
    if t > signal.end:
        return signal.d + signal.a * math.sin(signal.b * (signal.end - zero) + signal.c), 0.0, 0.0
    s, c = math.sin(signal.b * (t - zero) + signal.c), math.cos(signal.b * (t - zero) + signal.c)
    return signal.d + signal.a * s, signal.a * signal.b * c, -signal.a * signal.b * signal.b * s
