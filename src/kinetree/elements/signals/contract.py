"""Time functions f(t) with two derivatives: what drives drivers, forces and dampers.

Each file holds the user's class and a kernel `value(signal, pool, t) -> (f, fdot, fddot)`, compiled
where a machine has such a function and called by its address (`tables.signal_kernels`). The class
writes itself into a record of the signal table with `lower(row, pool)`, where `pool` is the list of
numbers shared by all tables, and names the times where it is not smooth with `breaks()`: steps end
there, so that nothing short is stepped over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...core.checks import check, number
from ...core.quantities import UserClass
from ...errors import ModelError, short
from ...kernel.frames import numbers


def check_limits(thing: Any, *names: str) -> None:
    """Check the times at which a function begins or ends; infinity means never."""
    for name in names:
        value = getattr(thing, name)
        if not (isinstance(value, (float, np.float32)) and math.isinf(value)):
            check(thing, name)


def check_breakpoints(times: Sequence[float], what: str) -> tuple[float, ...]:
    """Return the times at which something is not smooth, checked, as a tuple."""
    found = tuple(numbers(times, None, f"{what}: breakpoints").tolist())
    if any(b <= a for a, b in zip(found[:-1], found[1:])):
        raise ModelError(f"{what}: breakpoints must increase, got {short(times)}.")
    return found


def check_longest(thing: Any) -> None:
    """Check the longest step past user code: a number, infinity for a smooth function, or None."""
    value = thing.longest_step
    if value is not None and not (isinstance(value, float) and math.isinf(value) and value > 0.0):
        object.__setattr__(
            thing,
            "longest_step",
            number(value, f"{type(thing).__name__}: longest_step", positive=True),
        )


@dataclass(frozen=True)
class Signal(UserClass):
    """Base of the time functions."""

    kind: ClassVar[str]
    scaled: ClassVar[tuple[str, ...]] = ()  # its numbers that grow with it

    def negated(self) -> Signal:
        """Return -f(t)."""
        if not self.scaled:
            raise ModelError(
                f"the sign of a {type(self).__name__} of time cannot be changed, because it is "
                "Python code; write "
                "another function."
            )
        return replace(self, **{name: _less(getattr(self, name)) for name in self.scaled})

    def breaks(self) -> tuple[float, ...]:
        """Return the times at which it, or a derivative, may jump; infinite times are ignored."""
        return ()

    def lower(self, row, pool: list[float]) -> None:
        raise NotImplementedError


def _less(value: Any) -> Any:
    return tuple(-one for one in value) if isinstance(value, tuple) else -value


def negated(value: Any, what: str) -> Any:
    """Return a number or a time function with the opposite sign."""
    if isinstance(value, Signal):
        return value.negated()
    if isinstance(value, (int, float)):
        return -value
    raise ModelError(
        f"{what}: the sign of {value!r} cannot be changed; it must be a number or a time function."
    )
