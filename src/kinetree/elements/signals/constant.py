"""f(t) = value."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check
from ...core.quantities import Value
from ...kernel.decorators import internal_kernel
from .contract import Signal


@dataclass(frozen=True)
class Constant(Signal):
    """Constant time function.

    Parameters
    ----------
    value : float
        Value at all times (1, or the unit of the driven quantity).

    See Also
    --------
    kt.Ramp : Linear function of time.

    Notes
    -----
    .. math::
        f(t) = f_0

    :math:`f_0` is the `value`, in the unit of the driven quantity; its sign is that of this
    quantity. A plain number may be given wherever a time function is accepted.

    Examples
    --------
    >>> import kinetree as kt
    >>> driver = kt.Driver("A.angle", kt.Constant(0.3))
    >>> driver.motion
    Constant(value=0.3)
    """

    value: Value

    kind = "constant"
    scaled = ("value",)

    def __post_init__(self) -> None:
        check(self, "value")

    def lower(self, row, pool) -> None:
        row["a"] = self.value


@internal_kernel
def value(signal, pool, t):
    return signal.a, 0.0, 0.0
