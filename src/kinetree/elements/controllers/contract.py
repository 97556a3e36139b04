"""States of elements and controllers: further unknowns x of the model, whose rates their owner
computes.
"""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    """State with its label, initial value, typical size for tolerances (`scale`) and unit."""

    label: str
    initial: float
    scale: float = 1.0
    unit: str = "1"
