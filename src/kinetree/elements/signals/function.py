"""f(t) by user code, compiled once and called by address. Missing derivatives are differences.

    t_c = t, or h inside the next declared breakpoint
    f''(t) = f''(t_c),    f'(t) = f'(t_c) + (t - t_c) f''(t_c)

Differences over h, `difference`, are central at t_c, so that they never cross a breakpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.checks import a_function, number
from ...core.quantities import TimeOrWay
from ...kernel.decorators import inline, internal_kernel
from ...kernel.intrinsics import call_time
from ...kernel.usercode.registry import address_of
from .contract import Signal, check_breakpoints, check_longest

# s; central differences of a smooth f: error of order h^2 = 1e-8, rounding 1e-16 / h^2 = 1e-8 for
# f''
H = 1e-4
_INSIDE = 1.0001  # h, from a breakpoint to the centre of a difference


@dataclass(frozen=True)
class Function(Signal):
    r"""Python function of time, with its derivatives if they are known.

    Parameters
    ----------
    function : callable
        Function f(t) of the time in seconds that returns the value in the unit of the driven
        quantity.
    rate : callable, optional
        First derivative f'(t). By default it is computed by differences.
    second : callable, optional
        Second derivative f''(t). By default it is computed by differences.
    breakpoints : sequence of float, default ()
        Times at which the function or a derivative jumps (s). Steps end there.
    longest_step : float, optional
        Longest step of adaptive integrators (s), a few times the length of the shortest pulse;
        `math.inf` for a smooth function. By default 1/500 of the run.
    difference : float, optional
        Time step of the differences (s), about 1e-4 times the time in which the function changes.
        By default 1e-4 s.

    See Also
    --------
    kt.Table : Through given points.
    kt.Sine : Built-in sine.

    Notes
    -----
    .. math::
        f'(t) \approx \frac{f(t + h) - f(t - h)}{2 h}, \qquad
        f''(t) \approx \frac{f(t + h) - 2 f(t) + f(t - h)}{h^2}

    These differences over :math:`h`, the time `difference` (s), replace derivatives that are not
    given; they never cross a breakpoint. The sign of f is that of the driven quantity. The function
    is compiled once if it is in the kernel language, and runs as plain Python otherwise. A Python
    function may be given directly wherever a time function is accepted.

    Examples
    --------
    An angle that swings with a growing frequency.

    >>> import math
    >>> import kinetree as kt
    >>> def angle(t):
    ...     return 0.2 * math.sin(t * t)
    >>> model = kt.Model("motor", gravity=(0, 0, 0))
    >>> wheel = model.body("wheel", kt.rotor(inertia=0.1))
    >>> axle = model.joint("A", kt.Revolute("z"), model.ground, wheel)
    >>> motor = model.constraint("motor", kt.Driver("A.angle", kt.Function(angle)))
    >>> sol = kt.simulate(model, until=1.0)
    >>> print(f"{sol['A.angle'][-1]:.4f} rad = {angle(1.0):.4f} rad")
    0.1683 rad = 0.1683 rad
    """

    function: Callable[[float], float]
    rate: Callable[[float], float] | None = None
    second: Callable[[float], float] | None = None
    breakpoints: Sequence[TimeOrWay] = ()
    longest_step: TimeOrWay | None = None
    difference: TimeOrWay | None = None

    kind = "function"

    def __post_init__(self) -> None:
        for f in (self.function, *(f for f in (self.rate, self.second) if f is not None)):
            a_function(f, "Function: each of function, rate and second", "f(t)")
        object.__setattr__(self, "breakpoints", check_breakpoints(self.breakpoints, "Function"))
        check_longest(self)
        if self.difference is not None:
            object.__setattr__(
                self, "difference", number(self.difference, "Function: difference", positive=True)
            )

    def breaks(self) -> tuple[float, ...]:
        return tuple(self.breakpoints)

    def lower(self, row, pool) -> None:
        row["address"] = [
            (0, 0) if f is None else address_of(f, "time")
            for f in (self.function, self.rate, self.second)
        ]
        row["first"], row["count"] = len(pool), len(self.breakpoints)
        row["a"] = H if self.difference is None else self.difference
        pool.extend(self.breakpoints)


@inline
def value_alone(signal, t):
    """f(t) without derivatives: user code that is defined from t = 0 on is not called before."""
    return call_time(signal.address[0], (t,))


@inline
def centre(signal, pool, t):
    """Center of the differences: t, or a time at a sufficient distance from the next breakpoint."""
    low, high, c = 0, signal.count, t
    while low < high:
        middle = (low + high) // 2
        if pool[signal.first + middle] <= t:
            low = middle + 1
        else:
            high = middle
    if low > 0:
        c = max(c, pool[signal.first + low - 1] + _INSIDE * signal.a)
    if low < signal.count:
        c = min(c, pool[signal.first + low] - _INSIDE * signal.a)
    return c


@internal_kernel
def value(signal, pool, t):
    return motion(signal, pool, t)


@inline
def motion(signal, pool, t):
    """(f, f', f'')."""
    f = call_time(signal.address[0], (t,))
    if signal.address[1, 0] != 0 and signal.address[2, 0] != 0:
        return f, call_time(signal.address[1], (t,)), call_time(signal.address[2], (t,))
    c, h = centre(signal, pool, t), signal.a
    if signal.address[1, 0] != 0:
        slope = call_time(signal.address[1], (t,))
        return (
            f,
            slope,
            (call_time(signal.address[1], (c + h,)) - call_time(signal.address[1], (c - h,)))
            / (2.0 * h),
        )
    after, before = call_time(signal.address[0], (c + h,)), call_time(signal.address[0], (c - h,))
    middle = f if c == t else call_time(signal.address[0], (c,))
    second = (after - 2.0 * middle + before) / (h * h)
    return f, (after - before) / (2.0 * h) + (t - c) * second, second
