"""A bump between two cosines, flat before and behind it.

    f(t) = h (1 - cos(pi s / rise)) / 2 while it rises,   h (1 + cos(pi (s - rise) / fall)) / 2
                                                          while it falls,   s = t - begin

With a lead T it is  f(t) + T f'(t):  what a spring k with a damper c = k T feels that stands on the
                     bump.
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
    """Up to `height` within `rise` from `begin` on, and down within `fall` (as long as the rise if
    not given).

    In seconds as a time function, in metres as the profile of a road.  [Haug1979]

    height       of the bump (1, or the unit of what it drives)
    rise, fall   how long each flank takes (s; m as the profile of a road)
    begin        where the rise begins (s; m as the profile of a road)
    lead         adds that times its rate (s)
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
