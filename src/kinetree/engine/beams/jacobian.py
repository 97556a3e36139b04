"""Constraint Jacobian G in nodal coordinates as a dense matrix, for the analysis of its rank."""

from __future__ import annotations

import numpy as np

from ...kernel.algebra.blas1 import fill
from ...kernel.decorators import kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from .rows import rows_at_rest


def row_blocks(tables, work) -> np.ndarray:
    """G at the present position, with columns only for the bodies that have joints or forces."""
    fill_rows(tables, work)
    spots, first = tables.spots, len(tables.primitives) + len(tables.forces)
    attached = {
        int(b): k
        for k, b in enumerate(spots[spots[first] + 1 : spots[first] + 1 + spots[spots[first]]])
    }
    G = np.zeros((int(tables.settings[0]["ng"]), 6 * len(attached)))
    for n, p in enumerate(tables.primitives):
        at, count = int(spots[n]), int(spots[spots[n]])
        own = at + 1 + count + count * count
        row = int(spots[own + 2 * count + 2])
        for b in range(count):
            o, c = int(spots[own + b]), 6 * attached[int(spots[at + 1 + b])]
            for k in range(int(p["ng"])):
                G[int(p["ig"]) + k, c : c + 6] = work.matrix[
                    o + 6 * (row + k) : o + 6 * (row + k) + 6
                ]
    return G


@kernel
def fill_rows(tables: Tables, work: Work):
    """Write G into the blocks of the matrix."""
    fill(work.matrix, 0.0)
    rows_at_rest(tables, work)
