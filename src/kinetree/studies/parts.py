"""Parts of a study: consecutive cases that one worker computes and one file stores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .cases.rows import DONE, NOT_RUN, WAYS, Row, RowMaker
from .outputs import Values

# of the first cases one in CHECK_EVERY is built and compared with the map, and of the others one in
# CHECK_LATER: it takes as long as ten runs of a small model
FIRST_CASES, CHECK_EVERY, CHECK_LATER = 512, 64, 512
LARGEST, SMALLEST_NUMBER = 256, 32  # cases of a part, and parts of a study


@dataclass
class Part:
    """Rows of the cases first .. first + count.

    P         their parameters
    columns   outputs by name, (count,) or (count, ...) with NaN where there are none
    """

    first: int
    P: np.ndarray
    status: np.ndarray
    way: np.ndarray
    steps: np.ndarray
    reasons: list[str]
    moved: list[str]
    columns: dict[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def empty(cls, first: int, P: np.ndarray) -> Part:
        """A part whose cases have not been run."""
        count = len(P)
        whole = np.zeros(count, np.int64)
        return cls(
            first,
            P,
            np.full(count, NOT_RUN),
            whole.copy(),
            whole.copy(),
            [""] * count,
            [""] * count,
        )

    def __len__(self) -> int:
        return len(self.status)

    @property
    def complete(self) -> bool:
        """Whether all its cases have been run."""
        return not (self.status == NOT_RUN).any()

    def put(self, k: int, row: Row) -> None:
        """Store the row of its k-th case."""
        self.status[k], self.way[k], self.steps[k] = row.status, row.way, row.steps
        self.reasons[k], self.moved[k] = row.reason, row.moved
        for name, value in row.values.items():
            value = np.asarray(value, float)
            if name not in self.columns:
                self.columns[name] = np.full((len(self), *value.shape), np.nan)
            if self.columns[name].shape[1:] != value.shape:
                self.columns[name] = _widened(self.columns[name], value.shape)
            target = self.columns[name][k]
            if value.ndim:
                target[tuple(map(slice, value.shape))] = value
            else:
                self.columns[name][k] = value

    def put_done(self, cases: np.ndarray, steps: np.ndarray, values: Values) -> None:
        """Store numbers of patched cases that reached their end."""
        self.status[cases], self.way[cases], self.steps[cases] = DONE, WAYS.index("patched"), steps
        for name, value in values.items():
            if name not in self.columns:
                self.columns[name] = np.full((len(self), *value.shape[1:]), np.nan)
            self.columns[name][cases] = value


def _widened(column: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """A column with room for larger arrays."""
    if column.ndim - 1 != len(shape):
        shape = np.broadcast_shapes(column.shape[1:], shape)
    size = tuple(max(a, b) for a, b in zip(column.shape[1:] or (1,) * len(shape), shape))
    wide = np.full((len(column), *size), np.nan)
    wide[(slice(None), *map(slice, column.shape[1:]))] = column
    return wide


def part_size(cases: int) -> int:
    """Number of cases in a part."""
    return max(1, min(LARGEST, cases // SMALLEST_NUMBER))


def compute(maker: RowMaker, part: Part, stopped: Callable[[], bool] = lambda: False) -> Part:
    """Run the cases of a part that have not been run, until `stopped` returns True.

    Some cases are also built, and their numbers compared with those of the map; if they differ, no
    case of the part is patched.
    """
    finder = maker.finder
    mapped = finder.map is not None and not len(finder.map.irregular)
    rows = part.P
    values = finder.map.values(rows) if mapped else None  # type: ignore[union-attr]
    for k in range(len(part)):
        if mapped and _is_checked(part.first + k) and not finder.agrees(rows[k], values[k]):  # type: ignore[index]
            maker.trust_nothing()
            values, mapped = None, False
            break
    todo = np.flatnonzero(part.status == NOT_RUN)
    if mapped and len(todo):
        for cases, steps, found in maker.rows_of_states(values[todo], stopped):  # type: ignore[index]
            part.put_done(todo[cases], steps, found)
    for k in map(int, np.flatnonzero(part.status == NOT_RUN)):
        if stopped():
            break
        part.put(k, maker.row(rows[k], None if values is None else values[k]))
    maker.trust_again()
    return part


def _is_checked(case: int) -> bool:
    """Whether a case is built to check the map."""
    return case % (CHECK_EVERY if case < FIRST_CASES else CHECK_LATER) == 0


def done_in(part: Part) -> int:
    """Number of its cases that reached their end."""
    return int((part.status == DONE).sum())
