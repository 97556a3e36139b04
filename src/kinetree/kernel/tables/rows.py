"""Which rows of the constraints have a position: g(t, q) = 0, and not an equation of velocities alone."""

import numpy as np

from .records import Tables


def position_rows(tables: Tables) -> np.ndarray:
    """Per row, whether it has a g; False for rows of velocities alone (non-holonomic)."""
    found = np.ones(len(tables.row_scale), bool)
    primitives = tables.primitives.view(np.ndarray)
    for p in primitives[primitives["rates"].any(axis=1)]:
        found[p["ig"] : p["ig"] + p["ng"]] = p["rates"][: p["ng"]] == 0
    return found
