"""The contract of a plant for callers in Python."""

from __future__ import annotations

from ..kernel.types import Vector
from ..num.jit import kernel
from ..tables.records import Tables
from ..tables.work import Work
from . import contract

_equations = contract.equations


@kernel
def equations(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """M, f, G, gamma at a state."""
    _equations(tables, work, t, q, v, x)
