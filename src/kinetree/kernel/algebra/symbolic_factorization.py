"""Symbolic factorization of a saddle matrix: lists for `ldl.py`, computed once from its pattern
(`elimination_order.py`).

    lists = analyse(Pattern(sizes, kinds, pairs, grounded))

Columns are stored one after the other: A[k] is the diagonal of position k, and A[first[k] :
first[k + 1]] its column below the diagonal, in rows `row`. The elimination of position k subtracts
a part of its column from each later column; `runs` lists these parts as runs that are contiguous in
both columns, mostly one run per column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..decorators import kernel
from ..types import Int32Vector, IntVector
from .elimination_order import (
    NO_TIES,
    ROW,
    Elimination,
    Nodes,
    Pattern,
    Ties,
    in_order,
    least_degree,
)

EARLY = -2  # kind of a row that is eliminated before all its degrees of freedom (early_rows.py)


class Lists(NamedTuple):
    """Lists for the numeric kernels; positions are those in the elimination order."""

    place: np.ndarray  # (unknowns,) position of each unknown, nodes in the order given
    kind: np.ndarray  # (unknowns,) of each position: 1 a degree of freedom, -1 a row, or EARLY
    first: np.ndarray  # (unknowns + 1,) start of each column in A
    row: np.ndarray  # (entries,) position of the row of entry first[0] + e
    run_first: np.ndarray  # (entries + 1,) first run of each entry
    run_at: np.ndarray  # start of each run in A
    run_count: np.ndarray  # length of each run

    @property
    def size(self) -> int:
        """Length of A."""
        return len(self.kind) + len(self.row)

    def entry(self, i: int, j: int) -> int:
        """Index in A of the entry of unknowns i and j."""
        return int(self.entries(np.array([i]), np.array([j]))[0])

    def entries(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Indices in A of the entries of many pairs of unknowns."""
        p, q, n = self.place[i], self.place[j], len(self.kind)
        low, high = np.minimum(p, q), np.maximum(p, q)
        key = np.repeat(np.arange(n), np.diff(self.first)) * n + self.row
        return np.where(low == high, low, n + np.searchsorted(key, low * n + high))


def analyse(pattern: Pattern, ties: Ties = NO_TIES, known: Sequence[int] = ()) -> Lists:
    """Lists for the factors of a matrix of this pattern.

    The order of least degree, or a known one of the nodes that are not alone if it is shorter.
    """
    first, aside = list(pattern.alone), set(pattern.alone)
    near: dict[int, list[int]] = {k: [] for k in first}
    for i, j in pattern.pairs:
        if i in aside or j in aside:
            near[i if i in aside else j].append(j if i in aside else i)
    coupled = [pair for pair in pattern.pairs if aside.isdisjoint(pair)] if aside else pattern.pairs
    pattern = pattern._replace(pairs=coupled)
    other = in_order(pattern, known) if known else None
    found = least_degree(pattern, np.inf if other is None else other.flops, ties) or other
    assert found is not None  # without a known order there is no limit
    later = dict(zip(found.order, found.later)) | near
    order = [*first, *(k for k in found.order if k not in aside)]
    return lay_out(
        pattern.nodes,
        Elimination(order, [later[k] for k in order], found.flops),
        sum(pattern.sizes[k] for k in first),
    )


def lay_out(nodes: Nodes, found: Elimination, alone: int = 0) -> Lists:
    """Lists of single unknowns from an elimination of nodes; the first `alone` couple nothing."""
    (sizes, kinds), order, later = nodes, found.order, found.later
    begin = np.zeros(len(sizes), np.int64)  # first position of a node
    begin[list(order)] = np.concatenate([[0], np.cumsum(sizes[list(order)])[:-1]])
    rows: list[np.ndarray] = []
    counts: list[int] = []
    for k, others in zip(order, later):
        at = sorted((int(begin[j]), int(sizes[j])) for j in others)
        below = np.concatenate(
            [np.arange(b, b + z) for b, z in ((int(begin[k]), int(sizes[k])), *at)]
        )
        for a in range(1, sizes[k] + 1):
            rows.append(below[a:])
            counts.append(len(below) - a)
    n = len(counts)
    first = n + np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int32)
    place = np.concatenate(
        [np.zeros(0, np.int64), *(begin[i] + np.arange(z) for i, z in enumerate(sizes))]
    ).astype(np.int64)
    kind, of = np.empty(n, np.int64), np.where(kinds == ROW, -1, 1)
    of[list(found.early)] = EARLY
    kind[place] = np.repeat(of, sizes)
    return Lists(place, kind, first, row, *_runs(first, row, alone))


def _runs(
    first: np.ndarray, row: np.ndarray, alone: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    where, nothing = np.zeros(len(first), np.int64), np.zeros(0, np.int32)
    run_first = np.zeros(len(row) + 1, np.int64)
    count = runs(first, row, alone, where, run_first, nothing, nothing)
    run_at, run_count = np.zeros((2, count), np.int32)
    runs(first, row, alone, where, run_first, run_at, run_count)
    return run_first, run_at, run_count


@kernel
def runs(
    first: IntVector,
    row: Int32Vector,
    alone: int,
    where: IntVector,
    run_first: IntVector,
    run_at: Int32Vector,
    run_count: Int32Vector,
):
    """Runs of every entry after the first `alone` columns, which couple nothing; returns their
    number, and writes them unless `run_at` is empty.
    """
    n, count = first.shape[0] - 1, 0
    for k in range(alone, n):
        for a in range(first[k] - n, first[k + 1] - n):
            run_first[a] = count
            j, expected = row[a], -1
            for e in range(first[j], first[j + 1]):
                where[row[e - n]] = e
            for b in range(a + 1, first[k + 1] - n):
                at = where[row[b]]
                if at != expected:
                    count += 1
                    if run_at.shape[0] > 0:
                        run_at[count - 1], run_count[count - 1] = at, 0
                if run_at.shape[0] > 0:
                    run_count[count - 1] += 1
                expected = at + 1
    run_first[row.shape[0]] = count
    return count
