"""Time functions f(t) with two derivatives: what drives drivers, forces and dampers.

Each file holds the user's class and a kernel `value(signal, pool, t) -> (f, fdot, fddot)`. The class writes itself into
a record of the signal table with `lower(row, pool)`, where `pool` is the list of numbers shared by all tables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..frames import number


def check_limit(value, what: str) -> None:
    """A time at which a function begins or ends; infinity means never."""
    if not (isinstance(value, float) and math.isinf(value)):
        number(value, what)


@dataclass(frozen=True)
class Signal:
    """Base of the time functions."""

    kind: ClassVar[str]

    def lower(self, row, pool: list[float]) -> None:
        raise NotImplementedError
