"""f(t) = value exp(rate t)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.quantities import PerTimeOrWay, Value
from ...kernel.decorators import internal_kernel
from ...kernel.frames import check
from .contract import Signal


@dataclass(frozen=True)
class Exponential(Signal):
    r"""Exponential growth or decay.

    Parameters
    ----------
    value : float
        Value at t = 0 (1, or the unit of the driven quantity).
    rate : float
        Rate of growth (1/s), negative for decay.

    See Also
    --------
    kt.Sine : Periodic function.

    Notes
    -----
    .. math::
        f(t) = f_0\,e^{r t}

    :math:`f_0` is the `value` at t = 0 and :math:`r` the `rate` (1/s): positive for growth,
    negative for decay.

    Examples
    --------
    A force that decays.

    >>> import math
    >>> import kinetree as kt
    >>> model = kt.Model("push", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    >>> free = model.float(block)
    >>> decay = kt.Exponential(10.0, rate=-2.0)
    >>> push = model.force("push", kt.PointForce((decay, 0.0, 0.0)), block)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['push.force.x'][-1]:.4f} N = {10.0 * math.exp(-2.0):.4f} N")
    1.3534 N = 1.3534 N
    """

    value: Value
    rate: PerTimeOrWay

    kind = "exponential"
    scaled = ("value",)

    def __post_init__(self) -> None:
        check(self, "value", "rate")

    def lower(self, row, pool) -> None:
        row["a"], row["b"] = self.value, self.rate


@internal_kernel
def value(signal, pool, t):
    f = signal.a * math.exp(signal.b * t)
    return f, signal.b * f, signal.b * signal.b * f
