"""The rows of G at a projected state, in natural units and of norm one, for rank decisions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...kernel.tables.records import Tables
from ...kernel.tables.state import Start
from ...kernel.tables.workspace import ROWS, workspace
from ..dynamics.constraint import constraint_values
from ..dynamics.kinematics import positions
from ..dynamics.packed import packed_jacobian

# norms of rows that are rounding: relative to the length of the model, and to the largest row of
# their group
_NOTHING, _ROUNDING = 1e-11, 1e-9


class Rows:
    """All rows over the unknowns of their group."""

    def __init__(self, structure: Tables, values: np.ndarray) -> None:
        self.first = structure.g_first.tolist()
        self.group_first = structure.group_first.tolist()
        ends = structure.support_first.tolist()
        self.supports = [structure.support[a:b] for a, b in pairwise(ends)][
            : len(self.group_first) - 1
        ]
        self.values, self.row_group = values, structure.row_group.tolist()

    def of(self, c: int) -> np.ndarray:
        """The rows of a group."""
        a, b = self.group_first[c], self.group_first[c + 1]
        return self.values[self.first[a] : self.first[b]].reshape(b - a, len(self.supports[c]))


def rows_on_constraints(tables: Tables, start: Start) -> Rows:
    """The rows of G at a projected state, normalized; rows that are rounding of zero are zero."""
    s, work = tables.settings[0], workspace(tables, ROWS)
    nq, length = int(s["nq"]), float(s["length"])
    q, x = start.y[:nq].copy(), start.y[nq + int(s["nv"]) :].copy()
    positions(tables, work, q)
    constraint_values(tables, work, start.t, q, x)
    packed_jacobian(tables, work)
    row = np.repeat(np.arange(int(s["ng"])), np.diff(tables.g_first))
    column = tables.support[
        tables.support_first[tables.row_group[row]] + np.arange(len(row)) - tables.g_first[row]
    ]
    numbers = work.G_packed * np.where(tables.row_scale > 0.0, 1.0, length)[row]
    numbers *= np.where(tables.u_turns > 0.0, 1.0, length)[column]
    size = np.sqrt(np.bincount(row, numbers**2, int(s["ng"])))
    most = np.zeros(len(tables.group_first) - 1)
    np.maximum.at(most, tables.row_group, size)
    some = size > np.maximum(_NOTHING * length, _ROUNDING * most[tables.row_group])
    return Rows(tables, numbers * np.where(some, 1.0 / np.where(some, size, 1.0), 0.0)[row])
