"""Rows of a saddle matrix that are eliminated before all their degrees of freedom.

By the rule of `elimination_order.py` a row waits for all degrees of freedom in it. If a platform
stands on n legs and hangs on one of them in the tree, the rows of all legs wait for that leg, and
its elimination couples them all: n^3 multiplications. But rows have nonzero pivots as soon as they
have full rank over the degrees of freedom that are already eliminated, e: the matrix

    [ M_ee  G_e^T ]
    [ G_e     0   ]

is regular if and only if G_e has full row rank. G_e contains the row in question and all eliminated
rows that share degrees of freedom with it, directly or through other eliminated rows. The rank is
computed at random positions. A model that moves can lose it, for example if a leg of two rods is
stretched; then `ldl.factor` pads the pivot, and iterative refinement removes the effect.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

Rank = Callable[[Collection[int], Collection[int]], int]  # of these rows over these other nodes
_LARGEST = 40  # unknowns over which a rank is computed


class EarlyRows:
    """Which rows have full rank over the eliminated degrees of freedom."""

    def __init__(self, sizes: Sequence[int], near: Sequence[Collection[int]], rank: Rank) -> None:
        self.sizes, self.rank, self.near = sizes, rank, near  # near: rows with their unknowns
        self.gone = [False] * len(sizes)
        self.known: dict[tuple[frozenset[int], frozenset[int]], bool] = {}

    def without(self, k: int) -> None:
        """Eliminate a node."""
        self.gone[k] = True

    def ready(self, i: int) -> bool:
        """Whether row i may be eliminated now."""
        rows, others = self._coupled(i)
        enough = sum(self.sizes[j] for j in rows) <= sum(self.sizes[j] for j in others)
        if not enough:
            return False
        key = frozenset(rows), frozenset(others)
        if key not in self.known:
            self.known[key] = self.rank(rows, others) == sum(self.sizes[j] for j in rows)
        return self.known[key]

    def _coupled(self, i: int) -> tuple[set[int], set[int]]:
        """Row i with the eliminated rows, and the eliminated unknowns, to which it is connected.

        No unknowns are returned if there are too many.
        """
        rows, others, todo, size = {i}, set[int](), [i], 0
        while todo:
            for j in self.near[todo.pop()]:
                if not self.gone[j] or j in others:
                    continue
                others.add(j)
                size += self.sizes[j]
                if size > _LARGEST:
                    return rows, set()
                new = [r for r in self.near[j] if self.gone[r] and r not in rows]
                rows.update(new)
                todo += new
        return rows, others
