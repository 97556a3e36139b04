"""Log of a run: one row per accepted step, in long runs one per several, to bound the memory.

A row for several steps has their number in `steps`, their mean length, the sums of their costs, and
the largest order, error and violations among them; times and running totals are those of the last
step. A row never joins steps of different methods. So every count over a run is the same as with
one row per step.
"""

from __future__ import annotations

import numpy as np

from .memory import STEP

LARGEST = 200_000  # rows kept: 24 MB
_SUMS = ("rejected", "evaluations", "steps")
_LARGEST = ("order", "error", "position_error", "velocity_error", "longest")


class StepLog:
    """Rows of all chunks."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray] = []
        self._count, self._group = 0, 1

    def add(self, rows: np.ndarray) -> None:
        """Append the rows of a chunk."""
        rows = joined(rows.view(np.ndarray), self._group)
        self._parts.append(rows)
        self._count += len(rows)
        while self._count > LARGEST:
            self._group *= 2
            self._parts = [joined(self.rows(), 2)]
            self._count = len(self._parts[0])

    def rows(self) -> np.ndarray:
        """All rows."""
        if len(self._parts) > 1:
            self._parts = [np.concatenate([part.view(np.uint8) for part in self._parts]).view(STEP)]
        return self._parts[0] if self._parts else np.zeros(0, STEP)


def joined(rows: np.ndarray, group: int) -> np.ndarray:
    """One row for each `group` of rows of the same method."""
    if group == 1 or not len(rows):
        # copies bytes: sixteen times as fast as records
        return np.ndarray(len(rows), STEP, bytearray(rows.tobytes()))
    first = np.zeros(len(rows), bool)
    first[::group] = True
    first[1:] |= rows["method"][1:] != rows["method"][:-1]
    at = np.flatnonzero(first)
    out = rows[np.append(at[1:], len(rows)) - 1]  # a copy of the last of each
    out["h"] = np.add.reduceat(rows["h"] * rows["steps"], at) / np.add.reduceat(rows["steps"], at)
    for name in _SUMS:
        out[name] = np.add.reduceat(rows[name], at)
    for name in _LARGEST:
        out[name] = np.maximum.reduceat(rows[name], at)
    out["shortest"] = np.minimum.reduceat(rows["shortest"], at)
    return out
