"""The contract of a plant for callers in Python."""

from __future__ import annotations

from ...kernel.decorators import kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from . import interface as contract

_equations = contract.equations


@kernel
def equations(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """M, f, G, gamma at a state."""
    _equations(tables, work, t, q, v, x)
