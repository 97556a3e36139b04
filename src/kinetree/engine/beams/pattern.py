"""Symbolic elimination of a matrix of blocks: their order by minimum degree, the fill, and where
every block lies.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...kernel.decorators import table
from ...kernel.tables.records import PIVOT


class Pattern(NamedTuple):
    """The tables that engine/beams/blocks.py reads, and where block (i, j) lies."""

    pivots: np.ndarray
    neighbours: np.ndarray
    targets: np.ndarray
    at: dict[tuple[int, int], int]
    size: int


def eliminate(
    sizes: Sequence[int], pairs: Iterable[tuple[int, int]], after: Mapping[int, Iterable[int]]
) -> Pattern:
    """The pattern of blocks of these sizes, coupled in pairs; `after` names blocks that must go
    before a block.
    """
    order, later = _order(sizes, pairs, after)
    return _placed(sizes, order, later)


def _order(sizes, pairs, after) -> tuple[list[int], list[list[int]]]:
    """Blocks by least size of what they are coupled with, and for each those that come later."""
    n = len(sizes)
    near: list[set[int]] = [set() for _ in range(n)]
    for i, j in pairs:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    wait = [set(after.get(b, ())) for b in range(n)]
    freed: list[list[int]] = [[] for _ in range(n)]
    for b in range(n):
        for a in wait[b]:
            freed[a].append(b)
    heap = [(sum(sizes[j] for j in near[b]), b) for b in range(n) if not wait[b]]
    heapq.heapify(heap)
    done, order, later = [False] * n, [], []
    while heap:
        weight, b = heapq.heappop(heap)
        if done[b] or weight != sum(sizes[j] for j in near[b]):
            continue
        done[b] = True
        order.append(b)
        later.append(sorted(near[b]))
        for i in later[-1]:
            near[i].discard(b)
            near[i].update(j for j in later[-1] if j != i)
        for c in freed[b]:
            wait[c].discard(b)
        for i in {*later[-1], *freed[b]}:
            if not done[i] and not wait[i]:
                heapq.heappush(heap, (sum(sizes[j] for j in near[i]), i))
    return order, later


def _placed(sizes, order, later) -> Pattern:
    """Diagonal blocks first, then each pivot's row above and column below."""
    rows = np.concatenate([[0], np.cumsum(sizes)])
    at: dict[tuple[int, int], int] = {}
    end = 0
    for b in order:
        at[b, b], end = end, end + sizes[b] ** 2
    for b, blocks in zip(order, later):
        for j in blocks:
            at[b, j], at[j, b], end = end, end + sizes[b] * sizes[j], end + 2 * sizes[b] * sizes[j]
    pivots = table(PIVOT, len(order))
    neighbours: list[tuple[int, ...]] = []
    targets: list[int] = []
    for k, (b, blocks) in enumerate(zip(order, later)):
        pivots[k] = (
            rows[b],
            sizes[b],
            at[b, b],
            len(neighbours),
            len(neighbours) + len(blocks),
            len(targets),
        )
        neighbours += [(rows[j], sizes[j], at[b, j], at[j, b]) for j in blocks]
        targets += [at[i, j] for i in blocks for j in blocks]
    return Pattern(
        pivots, np.array(neighbours, np.int64).reshape(-1, 4), np.array(targets, np.int64), at, end
    )
