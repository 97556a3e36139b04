"""What a formulation is: how constraints are treated, asked by an integrator.

    rhs(tables, work, t, y, ydot) -> Status      y = (q, v, x) -> (N v, vdot, xdot); leaves vdot, lam in work
    settle(tables, work, t, y)    -> Status      restore positions and velocities of an accepted state, in place

Each file states what it integrates, how it restores the constraints, and its source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Formulation(NamedTuple):
    """One line of the catalogue."""

    name: str
    summary: str
    rhs: Callable
    settle: Callable
    loops: bool  # can it close loops?
    source: str
