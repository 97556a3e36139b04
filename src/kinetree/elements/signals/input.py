"""f(t) = factor (a + b (t - t_0)): a straight line that is set from outside while the model runs."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.checks import check, word
from ...core.quantities import Plain, Value
from ...kernel.decorators import internal_kernel
from .contract import Signal


@dataclass(frozen=True)
class Input(Signal):
    r"""Input of a model, which another program sets while the model runs.

    Parameters
    ----------
    name : str
        Name of the input. Inputs with the same name get the same value.
    start : float, default 0.0
        Value until it is set (1, or the unit of the driven quantity); `simulate` uses it at all
        times.
    unit : str, default "1"
        Unit of the value, for other programs.
    factor : float, default 1.0
        Factor of the value.

    See Also
    --------
    kt.export_fmu : Export a model with inputs.
    kt.Constant : Constant function.

    Notes
    -----
    .. math::
        f(t) = c\,\bigl(a + b\,(t - t_0)\bigr)

    :math:`c` is the `factor`; the other program sets the value :math:`a`, the slope :math:`b` and the
    time :math:`t_0` since which they hold. So an input that is a ramp between two communication
    points is exact. The sign of f is that of the driven quantity.

    Examples
    --------
    A force whose value is 2 N until another program sets it.

    >>> import kinetree as kt
    >>> model = kt.Model("cart", gravity=(0, 0, 0))
    >>> cart = model.body("cart", kt.box(mass=2.0, sides=(0.1, 0.1, 0.1)))
    >>> free = model.float(cart)
    >>> push = kt.Input("push", start=2.0, unit="N")
    >>> force = model.force("motor", kt.PointForce((push, 0.0, 0.0)), cart)
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['cart.position.x'][-1]:.3f} m")
    0.500 m
    """

    name: str
    start: Value = 0.0
    unit: str = "1"
    factor: Plain = 1.0

    kind = "input"
    scaled = ("factor",)

    def __post_init__(self) -> None:
        word(self.name, "Input: name")
        word(self.unit, "Input: unit")
        check(self, "start", "factor")

    def lower(self, row, pool) -> None:
        row["a"], row["b"], row["begin"], row["c"] = self.start, 0.0, 0.0, self.factor


@internal_kernel
def value(signal, pool, t):
    line = signal.a + signal.b * (t - signal.begin)
    return signal.c * line, signal.c * signal.b, 0.0
