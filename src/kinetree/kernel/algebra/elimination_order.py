"""Order in which the unknowns of a saddle matrix are eliminated, computed once from its pattern.

    [ M  G^T ]       Unknowns form nodes that are eliminated together: the degrees of freedom of a
    [ G   0  ]       joint or body, the rows of one constraint.

Nodes are eliminated in the order of least degree [Tinney1967], with one rule for rows: a row comes
after its degrees of freedom, so that its remaining pivot, -G M^-1 G^T, is zero only if the row
depends on the rows before it. One free body of a row may come later, if the row does not connect it
to ground: a row between two bodies is not changed by their common motion, so fixing one of them
hides no dependence. (Otherwise a body with a thousand loops would couple them all.) Rows that join
bodies into a tree are always independent, rows that close its loops may not be: a row that spans
bodies comes after all rows that join them (`Ties`).

If `Pattern.rank` is given, rows may also be eliminated early (`early_rows.py`). Later rows that
share degrees of freedom with such a row then wait for its remaining ones too, so that their pivots
are still zero only if they depend on the rows before them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .early_rows import EarlyRows, Rank

FREEDOM, ROW, BODY = 0, 1, 2  # kinds of nodes; a body has all rigid motions (free_bodies.py)


class Nodes(NamedTuple):
    """Sizes and kinds of the nodes, whose unknowns are eliminated together."""

    sizes: np.ndarray
    kinds: np.ndarray


class Elimination(NamedTuple):
    """Nodes in the order of elimination, the later neighbors of each, the number of
    multiplications, and the rows that were eliminated early.
    """

    order: list[int]
    later: list[list[int]]
    flops: float
    early: frozenset[int] = frozenset()


class Pattern(NamedTuple):
    """Nodes of these sizes and kinds, of which `pairs` share entries; rows `grounded` connect bodies
    to ground.

    Nodes `alone` have no entries below the diagonal of their columns, so they come first and couple
    nothing: for `factor_lu` only. `rigid` are the pairs that share entries in M and G, if other
    pairs share entries through forces or rotating multipliers: only these decide when a row may be
    eliminated. `rank` returns the rank of rows over other nodes; without it no row is eliminated
    early.
    """

    sizes: Sequence[int]
    kinds: Sequence[int]
    pairs: Iterable[tuple[int, int]]
    grounded: Iterable[int] = ()
    alone: Sequence[int] = ()
    rigid: Iterable[tuple[int, int]] | None = None
    rank: Rank | None = None

    @property
    def nodes(self) -> Nodes:
        return Nodes(np.asarray(self.sizes, np.int64), np.asarray(self.kinds, np.int64))


class Ties(NamedTuple):
    """Rows of a tree of bodies: the two bodies that a row joins, the bodies that a loop-closing row
    spans, and the pairs that are joined without rows.
    """

    joins: Mapping[int, tuple[int, int]] = {}
    spans: Mapping[int, Iterable[int]] = {}
    joined: Iterable[tuple[int, int]] = ()


NO_TIES = Ties()


class Joined:
    """Sets of bodies that are joined by eliminated rows (union-find)."""

    def __init__(self, ties: Ties) -> None:
        self.ties, self.up = ties, dict[int, int]()
        for one, other in ties.joined:
            self.join(one, other)

    def top(self, i: int) -> int:
        while (up := self.up.get(i, i)) != i:
            self.up[i] = self.up.get(up, up)  # path halving
            i = up
        return i

    def join(self, one: int, other: int) -> None:
        self.up[self.top(one)] = self.top(other)

    def without(self, row: int) -> None:
        """Eliminate a row."""
        if row in self.ties.joins:
            self.join(*self.ties.joins[row])

    def spanned(self, row: int) -> bool:
        """Whether all bodies that a row spans are joined without it."""
        return len({self.top(i) for i in self.ties.spans.get(row, ())}) <= 1


def _neighbors(count: int, pairs: Iterable[tuple[int, int]]) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(count)]
    for i, j in pairs:
        near[i].add(j)
        near[j].add(i)
    return near


class RowOrderRule:
    """Rule for the rows that may not be eliminated yet: they have degrees of freedom or bodies
    left.
    """

    def __init__(self, pattern: Pattern, near: list[set[int]], ties: Ties) -> None:
        count, kinds = len(pattern.sizes), pattern.kinds
        self.kinds, self.joined = kinds, Joined(ties)
        self.near = None if pattern.rigid is None else _neighbors(count, pattern.rigid)
        near = near if self.near is None else self.near
        self.held = [0] * count
        for i in pattern.grounded:
            self.held[i] = 1
        self.bodies = [sum(kinds[j] == BODY for j in others) for others in near]
        self.freedoms: list[set[int]] = [set() for _ in range(count)]  # of each row, not eliminated
        self.rows_on: list[list[int]] = [[] for _ in range(count)]
        for i, others in enumerate(near):
            if kinds[i] == ROW:
                self._wait(i, {j for j in others if kinds[j] == FREEDOM})
        self.early = None if pattern.rank is None else _early(pattern, near, pattern.rank)

    def _wait(self, i: int, freedoms: set[int]) -> None:
        """Row i waits for these degrees of freedom."""
        for j in freedoms - self.freedoms[i]:
            self.rows_on[j].append(i)
        self.freedoms[i] |= freedoms

    def ready(self, i: int) -> bool:
        """Whether this node may be eliminated."""
        return not self.waits(i) or (self.early is not None and self.early.ready(i))

    def waits(self, i: int) -> bool:
        """Whether this node is a row with degrees of freedom, bodies or ties left."""
        return self.kinds[i] == ROW and bool(
            self.freedoms[i] or self.bodies[i] + self.held[i] > 1 or not self.joined.spanned(i)
        )

    def without(self, k: int, clique: set[int]) -> None:
        """Eliminate a node with these neighbors."""
        self.joined.without(k)
        for i in self.rows_on[k]:
            self.freedoms[i].discard(k)
        if self.early is not None:
            self.early.without(k)
            for i in clique if self.freedoms[k] else ():
                if self.kinds[i] == ROW:
                    self._wait(i, self.freedoms[k])
        near = self.near or []
        clique = near[k] if near else set[int]()
        for i in clique:
            mine = near[i]
            mine.discard(k)
            self.meets(i, k, clique - mine - {i})
            mine |= clique - {i}

    def meets(self, i: int, k: int, others: Iterable[int]) -> None:
        """Replace neighbor k of node i by others."""
        kinds = self.kinds
        self.bodies[i] += sum(kinds[j] == BODY for j in others) - (kinds[k] == BODY)
        self.held[i] |= self.held[k]


def _early(pattern: Pattern, near: list[set[int]], rank: Rank) -> EarlyRows:
    """The rows that may be eliminated early, with the pattern of G alone."""
    row = [kind == ROW for kind in pattern.kinds]
    only = [[j for j in others if row[i] != row[j]] for i, others in enumerate(near)]
    return EarlyRows(pattern.sizes, only, rank)


def least_degree(
    pattern: Pattern, limit: float = np.inf, ties: Ties = NO_TIES
) -> Elimination | None:
    """The elimination of least degree; None if it takes more than `limit` multiplications."""
    sizes, near = pattern.sizes, _neighbors(len(pattern.sizes), pattern.pairs)
    weight = [sum(sizes[j] for j in others) for others in near]
    waiting = RowOrderRule(pattern, near, ties)
    heap = [(w, i) for i, w in enumerate(weight) if waiting.ready(i)]
    heapq.heapify(heap)
    order, later, gone = list[int](), list[list[int]](), [False] * len(sizes)
    flops, left, early = 0.0, sum(sizes), set[int]()
    while heap:
        w, k = heapq.heappop(heap)
        if gone[k] or w != weight[k] or not waiting.ready(k):
            continue
        if (
            flops + w**3 / 3.0 > limit
        ):  # its neighbors become a clique, which takes at least as much
            return None
        if w + sizes[k] == left:
            found = _clique(order, later, [k, *near[k]], flops, pattern.nodes, ties)
            return found._replace(early=frozenset(early)) if found.flops <= limit else None
        clique, gone[k] = near[k], True
        order.append(k)
        later.append(list(clique))
        flops += sizes[k] * (sizes[k] + w) ** 2
        left -= sizes[k]
        if waiting.waits(k):
            early.add(k)
        waiting.without(k, clique)
        for i in clique:
            mine = near[i]
            mine.discard(k)
            others = clique - mine
            others.discard(i)
            mine |= others
            weight[i] += sum(sizes[j] for j in others) - sizes[k]
            if waiting.near is None:
                waiting.meets(i, k, others)
            if waiting.ready(i):
                heapq.heappush(heap, (weight[i], i))
        near[k] = set()
    return Elimination(order, later, flops, frozenset(early))


def in_order(pattern: Pattern, order: Sequence[int]) -> Elimination:
    """The elimination of all nodes in this order."""
    sizes, near = pattern.sizes, _neighbors(len(pattern.sizes), pattern.pairs)
    later, flops = list[list[int]](), 0.0
    for k in order:
        clique = near[k]
        later.append(list(clique))
        flops += sizes[k] * (sizes[k] + sum(sizes[j] for j in clique)) ** 2
        for i in clique:
            near[i] |= clique
            near[i] -= {i, k}
    return Elimination(list(order), later, flops)


def _clique(
    order: list[int],
    later: list[list[int]],
    rest: list[int],
    flops: float,
    nodes: Nodes,
    ties: Ties,
) -> Elimination:
    """End of an elimination where all remaining nodes are coupled: degrees of freedom, bodies, rows
    that join them, other rows.
    """
    turn = {FREEDOM: 0, BODY: 1, ROW: 3}
    rest = sorted(rest, key=lambda i: (2 if i in ties.joins else turn[int(nodes.kinds[i])], i))
    sizes = nodes.sizes[rest].astype(float)
    flops += float(np.sum(sizes * np.cumsum(sizes[::-1])[::-1] ** 2))
    return Elimination([*order, *rest], [*later, *(rest[n + 1 :] for n in range(len(rest)))], flops)
