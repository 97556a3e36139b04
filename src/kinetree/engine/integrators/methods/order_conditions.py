"""Order conditions of Runge-Kutta methods: one for each rooted tree with up to p nodes
[Hairer1993, sec. II.2].

    sum_i b_i phi_i(tree) = 1 / gamma(tree)

    phi_i = product over the subtrees at the root of sum_j a_ij phi_j(subtree)
    gamma = nodes of the tree * product of gamma over the subtrees at the root

A subtree of one node has sum_j a_ij = c_i. A tree is the sorted tuple of its subtrees, () is a
single node. There are 1, 1, 2, 4, 9, 20, 48, 115 trees with 1 .. 8 nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np

Tree = tuple
CLOSE = 1e-9  # coefficients are printed with at least ten digits; a wrong one misses by more


@cache
def trees(nodes: int) -> tuple[Tree, ...]:
    """All rooted trees with this number of nodes."""
    return tuple(_forests(nodes - 1, nodes - 1))


def _forests(nodes: int, largest: int) -> Iterator[Tree]:
    """All sorted tuples of trees with `nodes` in total and at most `largest` each, larger first."""
    if nodes == 0:
        yield ()
    for size in range(min(nodes, largest), 0, -1):
        for first in trees(size):
            for rest in _forests(nodes - size, size):
                if not rest or count(rest[0]) < size or rest[0] >= first:
                    yield (first, *rest)


@cache
def count(tree: Tree) -> int:
    """Number of nodes of a tree."""
    return 1 + sum(map(count, tree))


@cache
def density(tree: Tree) -> int:
    """gamma of a tree."""
    return count(tree) * math.prod(density(one) for one in tree)


def weights(tree: Tree, a: np.ndarray, known: dict[Tree, np.ndarray]) -> np.ndarray:
    """phi of every stage; `known` stores the values found."""
    if tree not in known:
        phi = np.ones(len(a))
        for one in tree:
            phi = phi * (a @ weights(one, a, known))
        known[tree] = phi
    return known[tree]


def in_letters(tree: Tree) -> str:
    """Left side of a condition in letters: 'b c (a c)' for sum b_i c_i a_ij c_j."""

    def factors(tree: Tree) -> str:
        return " ".join(
            "c" if one == () else f"(a {factors(one)})" for one in sorted(tree, key=count)
        )

    return f"b {factors(tree)}".strip()


def failing(a: np.ndarray, b: np.ndarray, order: int) -> str | None:
    """First condition up to an order that fails, as a sentence; None if all hold."""
    known: dict[Tree, np.ndarray] = {}
    for nodes in range(1, order + 1):
        for tree in trees(nodes):
            phi, gamma = weights(tree, a, known), density(tree)
            found = float(b @ phi)
            if not abs(found - 1.0 / gamma) <= CLOSE * max(1.0, float(np.abs(b) @ np.abs(phi))):
                exact = "1" if gamma == 1 else f"1/{gamma}"
                condition = f"sum {in_letters(tree)} = {exact}"
                return f"the condition of order {nodes} {condition} gives {found:.10g}"
    return None
