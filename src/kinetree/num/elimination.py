"""Order and lists for the sparse factors of a saddle matrix (`num/ldl.py`), found once from its pattern.

        [ M  G^T ]
        [ G   0  ]          unknowns in nodes that go together: the freedoms of a joint or body, the rows of one constraint

Nodes go in the order of least degree [Tinney1967], with one rule for rows: a row goes after the freedoms in it, so that what is
left of its pivot, -G M^-1 G^T, vanishes only if the row depends on those before it. A free body in a row may stay, if it is the
only one and the row does not hold it to the ground: a row between two bodies does not feel them move together, so holding one
hides nothing. (Without that a body with a thousand loops would couple them all.) Rows that join bodies to a tree always count,
those that close its loops may not: a row that spans bodies goes after all that join them on the way (`Ties`).

    lists = analyse(sizes, kinds, pairs, grounded)

Columns lie one behind the other: A[k] is the diagonal of position k, its column below it A[first[k] : first[k + 1]], in rows
`row`. Eliminating position k takes from each later column a piece of this one; `runs` says where, in stretches that are
contiguous in both, which is most of the time one stretch per column.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .jit import kernel

FREEDOM, ROW, BODY = 0, 1, 2  # kinds of nodes; a body is a node of six freedoms that move it as a whole


class Ties(NamedTuple):
    """What rows do to a tree of bodies: which two a row joins, which a row spans that closes a loop; what is joined anyway."""

    joins: Mapping[int, tuple[int, int]] = {}
    spans: Mapping[int, Iterable[int]] = {}
    joined: Iterable[tuple[int, int]] = ()


NO_TIES = Ties()


class Joined:
    """Which bodies are joined by rows that have gone; sets that grow together."""

    def __init__(self, ties: Ties) -> None:
        self.ties, self.up = ties, dict[int, int]()
        for one, other in ties.joined:
            self.join(one, other)

    def top(self, i: int) -> int:
        while (up := self.up.get(i, i)) != i:
            self.up[i] = self.up.get(up, up)  # shorter next time
            i = up
        return i

    def join(self, one: int, other: int) -> None:
        self.up[self.top(one)] = self.top(other)

    def without(self, row: int) -> None:
        """A row goes."""
        if row in self.ties.joins:
            self.join(*self.ties.joins[row])

    def spanned(self, row: int) -> bool:
        """Are all bodies that a row spans joined without it?"""
        return len({self.top(i) for i in self.ties.spans.get(row, ())}) <= 1


class Nodes(NamedTuple):
    """Unknowns that go together: how many, and of which kind."""

    sizes: np.ndarray
    kinds: np.ndarray


class Elimination(NamedTuple):
    """Nodes in the order in which they go, the later neighbours of each, and the multiplications that takes."""

    order: list[int]
    later: list[list[int]]
    flops: float


class Lists(NamedTuple):
    """What the numeric kernels read; all positions are those of the elimination."""

    place: np.ndarray  # (unknowns,) position of each unknown, nodes in the order given
    kind: np.ndarray  # (unknowns,) of each position: 1 a freedom, -1 a row
    first: np.ndarray  # (unknowns + 1,) beginning of each column in A
    row: np.ndarray  # (entries,) position of the row of entry first[0] + e
    run_first: np.ndarray  # (entries + 1,) first stretch of each entry
    run_at: np.ndarray  # where a stretch begins in A
    run_count: np.ndarray  # and how long it is

    @property
    def size(self) -> int:
        """Length of A."""
        return len(self.kind) + len(self.row)

    def entry(self, i: int, j: int) -> int:
        """Where the entry of unknowns i and j lies in A."""
        return int(self.entries(np.array([i]), np.array([j]))[0])

    def entries(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Where the entries of many pairs of unknowns lie."""
        p, q, n = self.place[i], self.place[j], len(self.kind)
        low, high = np.minimum(p, q), np.maximum(p, q)
        key = np.repeat(np.arange(n), np.diff(self.first)) * n + self.row
        return np.where(low == high, low, n + np.searchsorted(key, low * n + high))


def analyse(sizes: Sequence[int], kinds: Sequence[int], pairs: Iterable[tuple[int, int]],
            grounded: Iterable[int] = (), limit: float = np.inf) -> Lists | None:
    """Lists for nodes of these sizes and kinds; `pairs` of nodes share entries, rows `grounded` hold bodies to the ground.

    None if the factors take more than `limit` multiplications.
    """
    found = least_degree(sizes, kinds, pairs, grounded, limit)
    return None if found is None else lay_out(Nodes(np.asarray(sizes), np.asarray(kinds)), found)


def least_degree(sizes: Sequence[int], kinds: Sequence[int], pairs: Iterable[tuple[int, int]], grounded: Iterable[int] = (),
                 limit: float = np.inf, ties: Ties = NO_TIES) -> Elimination | None:
    """The order in which nodes go; None if that takes more than `limit` multiplications."""
    near: list[set[int]] = [set() for _ in sizes]
    for i, j in pairs:
        near[i].add(j)
        near[j].add(i)
    held, waits = [0] * len(sizes), [0] * len(sizes)
    for i in grounded:
        held[i] = 1
    bodies = [sum(kinds[j] == BODY for j in others) for others in near]
    weight = [sum(sizes[j] for j in others) for others in near]
    rows_on: list[list[int]] = [[] for _ in sizes]
    for i, others in enumerate(near):
        if kinds[i] == ROW:
            for j in others:
                if kinds[j] == FREEDOM:
                    waits[i] += 1
                    rows_on[j].append(i)
    joined = Joined(ties)

    def ready(i: int) -> bool:
        return kinds[i] != ROW or (not waits[i] and bodies[i] + held[i] <= 1 and joined.spanned(i))

    heap = [(w, i) for i, w in enumerate(weight) if ready(i)]
    heapq.heapify(heap)
    order, later, gone, flops, left = [], [], [False] * len(sizes), 0.0, sum(sizes)
    while heap:
        w, k = heapq.heappop(heap)
        if gone[k] or w != weight[k] or not ready(k):
            continue
        if flops + w**3 / 3.0 > limit:  # its neighbours will be a clique, which takes as much at least
            return None
        if w + sizes[k] == left:
            found = _clique(order, later, [k, *near[k]], flops, Nodes(np.asarray(sizes), np.asarray(kinds)), ties)
            return found if found.flops <= limit else None
        clique, gone[k] = near[k], True
        joined.without(k)
        order.append(k)
        later.append(list(clique))
        flops += sizes[k] * (sizes[k] + w) ** 2
        left -= sizes[k]
        for i in rows_on[k]:
            waits[i] -= 1
        for i in clique:
            mine = near[i]
            mine.discard(k)
            weight[i] -= sizes[k]
            bodies[i] -= kinds[k] == BODY
            for j in clique - mine:
                if j != i:
                    mine.add(j)
                    weight[i] += sizes[j]
                    bodies[i] += kinds[j] == BODY
            held[i] |= held[k]
            if ready(i):
                heapq.heappush(heap, (weight[i], i))
        near[k] = set()
    return Elimination(order, later, flops)


def _clique(order: list[int], later: list[list[int]], rest: list[int], flops: float, nodes: Nodes, ties: Ties) -> Elimination:
    """The end of an elimination where everything left meets everything: freedoms, bodies, rows that join them, other rows."""
    turn = {FREEDOM: 0, BODY: 1, ROW: 3}
    rest = sorted(rest, key=lambda i: (2 if i in ties.joins else turn[int(nodes.kinds[i])], i))
    sizes = nodes.sizes[rest].astype(float)
    flops += float(np.sum(sizes * np.cumsum(sizes[::-1])[::-1] ** 2))
    return Elimination([*order, *rest], [*later, *(rest[n + 1 :] for n in range(len(rest)))], flops)


def lay_out(nodes: Nodes, found: Elimination) -> Lists:
    """Columns of single unknowns from nodes."""
    (sizes, kinds), (order, later, _) = nodes, found
    begin = np.zeros(len(sizes), np.int64)  # first position of a node
    begin[list(order)] = np.concatenate([[0], np.cumsum(sizes[list(order)])[:-1]])
    rows: list[np.ndarray] = []
    counts: list[int] = []
    for k, others in zip(order, later):
        at = sorted((int(begin[j]), int(sizes[j])) for j in others)
        below = np.concatenate([np.arange(b, b + z) for b, z in ((int(begin[k]), int(sizes[k])), *at)])
        for a in range(1, sizes[k] + 1):
            rows.append(below[a:])
            counts.append(len(below) - a)
    n = len(counts)
    first = n + np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int32)
    place = np.concatenate([np.zeros(0, np.int64), *(begin[i] + np.arange(z) for i, z in enumerate(sizes))]).astype(np.int64)
    kind = np.empty(n, np.int64)
    kind[place] = np.repeat(np.where(kinds == ROW, -1, 1), sizes)
    return Lists(place, kind, first, row, *_runs(first, row))


def _runs(first: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    where, nothing = np.zeros(len(first), np.int64), np.zeros(0, np.int32)
    run_first = np.zeros(len(row) + 1, np.int64)
    count = runs(first, row, where, run_first, nothing, nothing)
    run_at, run_count = np.zeros((2, count), np.int32)
    runs(first, row, where, run_first, run_at, run_count)
    return run_first, run_at, run_count


@kernel
def runs(first, row, where, run_first, run_at, run_count):
    """Stretches of every entry; without room for them, only their number."""
    n, count = first.shape[0] - 1, 0
    for k in range(n):
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
