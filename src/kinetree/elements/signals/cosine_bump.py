"""A bump of two cosine flanks, zero outside.

    f(t) = h (1 - cos(pi s / rise)) / 2                 while it rises,   s = t - begin
    f(t) = h (1 + cos(pi (s - rise) / fall)) / 2        while it falls

With a lead T the value is  f(t) + T f'(t),  the force on a spring k and a damper c = k T that stand
on the bump, divided by k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.quantities import Seconds, TimeOrWay, Value
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal


@dataclass(frozen=True)
class CosineBump(Signal):
    r"""Bump of two cosine flanks, as a time function or as the profile of a road.

    Parameters
    ----------
    height : float
        Height of the bump (1, or the unit of the driven quantity).
    rise : float
        Duration of the rise (s; m as the profile of a road).
    fall : float, optional
        Duration of the fall (s; m as the profile of a road). By default it equals `rise`.
    begin : float, default 0.0
        Beginning of the rise (s; m as the profile of a road).
    lead : float, default 0.0
        Factor of the rate that is added to the value (s).

    See Also
    --------
    kt.SmoothStep : Up only.
    kt.Road : Road with a profile.

    Notes
    -----
    .. math::
        f(t) = \begin{cases}
        \tfrac12\, h\,\bigl(1 - \cos(\pi s / s_r)\bigr) & 0 < s < s_r \\
        \tfrac12\, h\,\bigl(1 + \cos(\pi (s - s_r) / s_f)\bigr) & s_r < s < s_r + s_f
        \end{cases} \qquad s = t - t_1

    :math:`h` is the `height`, positive upward, :math:`s_r` the duration `rise`, :math:`s_f` the
    duration `fall` and :math:`t_1` the time `begin` (s, or m as the profile of a road). With a
    `lead` T the value is :math:`f + T f'`. [Haug1979]

    Examples
    --------
    A bump of 0.1 m as the profile of a road.

    >>> import kinetree as kt
    >>> road = kt.Road(kt.CosineBump(0.1, rise=1.0, begin=5.0))
    >>> print(f"{float(road.height(6.0)):.3f} m")
    0.100 m
    """

    height: Value
    rise: TimeOrWay
    fall: TimeOrWay | None = None
    begin: TimeOrWay = 0.0
    lead: Seconds = 0.0

    kind = "cosine-bump"
    scaled = ("height",)

    def __post_init__(self) -> None:
        check(self, "height", "begin", "lead")
        check(self, "rise", positive=True)
        check(self, "fall", positive=True, optional=True)

    def breaks(self) -> tuple[float, ...]:
        top, fall = self.begin + self.rise, self.rise if self.fall is None else self.fall
        return self.begin, top, top + fall

    def lower(self, row, pool) -> None:
        row["a"], row["b"], row["c"] = (
            0.5 * self.height,
            self.rise,
            self.rise if self.fall is None else self.fall,
        )
        row["begin"], row["d"] = self.begin, self.lead


@internal_kernel
def value(signal, pool, t):
    s = t - signal.begin
    if s <= 0.0 or s >= signal.b + signal.c:
        return 0.0, 0.0, 0.0
    w = math.pi / signal.b if s < signal.b else math.pi / signal.c
    phase = w * s if s < signal.b else math.pi + w * (s - signal.b)
    a, lead, sine, cosine = signal.a, signal.d, math.sin(phase), math.cos(phase)
    return (
        a * (1.0 - cosine + lead * w * sine),
        a * w * (sine + lead * w * cosine),
        a * w * w * (cosine - lead * w * sine),
    )
