"""A driver prescribes a joint coordinate as a function of time:  g = s - f(t)  (rheonomic)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Driver:
    """Moves a coordinate like "A.angle" along a time function (or a number, or a callable)."""

    coordinate: str
    motion: Any

    kind = "driver"
    markers = (0, 0)
