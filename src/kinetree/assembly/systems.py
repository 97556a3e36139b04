"""Which algebra answers what assembly asks: dense, sparse, or sparse with anchors."""

from __future__ import annotations

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..kernel.tables.records import Tables
from .anchored import AnchoredSystem
from .large import LargeSystem
from .system import System

FILLED = 5e7  # multiplications of one sparse factorisation: a third of a second
# freedoms times equations from which dense algebra takes longer than a tenth of a second in all
LEAST = 4e4


def _filled(tables: Tables) -> bool:
    """Do sparse factors fill so much that dense algebra, which is blocked, is the quicker one?"""
    return bool((np.diff(tables.first) ** 2.0).sum() > FILLED)


def system_of(compiled: CompiledModel) -> System:
    """A compiled model at one position, by dense or by sparse algebra."""
    size, tables = compiled.size, compiled.tables
    if not len(tables.kind) or size["nv"] * size["ng"] <= LEAST or _filled(tables):
        return System(compiled, storage=("G",))  # M is not asked for
    return AnchoredSystem(compiled) if len(tables.anchor) else LargeSystem(compiled)
