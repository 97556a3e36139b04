"""Order conditions of Runge-Kutta methods: one for each rooted tree with up to p nodes.
[Hairer1993, sec. II.2]

    sum_i b_i phi_i(tree) = 1 / gamma(tree)

    phi_i = product over the subtrees at the root of sum_j a_ij phi_j(subtree),      a subtree of
                                                                                     one node has
                                                                                     sum_j a_ij =
                                                                                     c_i
    gamma = nodes of the tree * product of gamma over the subtrees at the root

A tree is the sorted tuple of its subtrees, () a single node. There are 1, 1, 2, 4, 9, 20, 48, 115
of them with 1 .. 8 nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np

Tree = tuple
CLOSE = 1e-9  # coefficients are printed with ten digits at least; one that is wrong misses by more


@cache
def trees(nodes: int) -> tuple[Tree, ...]:
    """All rooted trees with so many nodes."""
    return tuple(_forests(nodes - 1, nodes - 1))


def _forests(nodes: int, largest: int) -> Iterator[Tree]:
    """All sorted tuples of trees with so many nodes in total, none of them with more than
    `largest`; larger trees first.
    """
    if nodes == 0:
        yield ()
    for size in range(min(nodes, largest), 0, -1):
        for first in trees(size):
            for rest in _forests(nodes - size, size):
                if not rest or count(rest[0]) < size or rest[0] >= first:
                    yield (first, *rest)


@cache
def count(tree: Tree) -> int:
    """Nodes of a tree."""
    return 1 + sum(map(count, tree))


@cache
def density(tree: Tree) -> int:
    """gamma."""
    return count(tree) * math.prod(density(one) for one in tree)


def weights(tree: Tree, a: np.ndarray, known: dict[Tree, np.ndarray]) -> np.ndarray:
    """phi of every stage; those found are kept."""
    if tree not in known:
        phi = np.ones(len(a))
        for one in tree:
            phi = phi * (a @ weights(one, a, known))
        known[tree] = phi
    return known[tree]


def said(tree: Tree) -> str:
    """The left side in letters: 'b c (a c)' for sum b_i c_i a_ij c_j."""

    def factors(tree: Tree) -> str:
        return " ".join(
            "c" if one == () else f"(a {factors(one)})" for one in sorted(tree, key=count)
        )

    return f"b {factors(tree)}".strip()


def failing(a: np.ndarray, b: np.ndarray, order: int) -> str | None:
    """The first condition up to an order that does not hold, as a sentence; None where all hold."""
    known: dict[Tree, np.ndarray] = {}
    for nodes in range(1, order + 1):
        for tree in trees(nodes):
            phi, gamma = weights(tree, a, known), density(tree)
            found = float(b @ phi)
            if not abs(found - 1.0 / gamma) <= CLOSE * max(1.0, float(np.abs(b) @ np.abs(phi))):
                exact = "1" if gamma == 1 else f"1/{gamma}"
                return (
                    f"the condition of order {nodes} sum {said(tree)} = {exact} gives {found:.10g}"
                )
    return None
