"""States that elements and controllers own: further unknowns x of the machine, with a rate that
their owner writes.
"""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    """A state by its label; `scale` is the size that counts as one for tolerances and searches."""

    label: str
    initial: float
    scale: float = 1.0
    unit: str = "1"
