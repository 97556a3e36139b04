"""A spanning tree rooted at the ground: the parent and the inboard joint of every body, and the cut
joints.

Parents have lower numbers than their children: bodies are numbered level by level from the ground
(number 0), within a level in the user's order.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .graph import GROUND, Edge, Graph


@dataclass(frozen=True, slots=True)
class Branch:
    """A body of the tree and the joint that carries it."""

    number: int
    body: str
    parent_number: int
    parent: str
    joint: Edge
    reversed: bool  # the user's parent of the joint is the outboard body
    depth: int  # joints between the ground and the body


@dataclass(frozen=True)
class Tree:
    """The chosen tree; `branches[i - 1]` belongs to body number i."""

    method: str
    graph: Graph
    branches: tuple[Branch, ...]
    cuts: tuple[Edge, ...]

    def __repr__(self) -> str:
        return f"<tree {self.method!r} of {len(self.branches)} bodies, {len(self.cuts)} joints cut>"

    @property
    def order(self) -> tuple[str, ...]:
        """Bodies in the order of their numbers 1, 2, ..."""
        return tuple(b.body for b in self.branches)

    @cached_property
    def branch(self) -> dict[str, Branch]:
        """Branch of a body by its name."""
        return {b.body: b for b in self.branches}

    def number(self, body: str) -> int:
        return 0 if body == GROUND else self.branch[body].number

    @property
    def joints(self) -> tuple[Edge, ...]:
        """The tree joints in the user's order."""
        kept = {b.joint.name for b in self.branches}
        return tuple(e for e in self.graph.edges if e.name in kept)

    @property
    def coordinates(self) -> int:
        """Number of relative velocities (equal to that of the coordinates, except for quaternions)."""
        return sum(b.joint.dofs for b in self.branches)

    @property
    def cut_equations(self) -> int:
        return sum(e.equations for e in self.cuts)

    @property
    def depth(self) -> int:
        return max((b.depth for b in self.branches), default=0)

    @property
    def pi(self) -> np.ndarray:
        """Path matrix: pi[i, j] = 1 if body j lies on the path from the ground to body i, both
        included.  [Lee1994, sec. 2]

            row(i) = row(parent of i) + e_i
        """
        pi = np.eye(len(self.branches) + 1, dtype=int)
        for b in self.branches:
            pi[b.number] += pi[b.parent_number]
        return pi

    def path(self, body: str) -> list[Branch]:
        """Branches from the body inboard to the ground."""
        found = []
        while body != GROUND:
            found.append(self.branch[body])
            body = found[-1].parent
        return found


def rooted(graph: Graph, kept: Set[int], method: str) -> Tree:
    """Tree of the joints `kept`, which must span the graph, rooted at the ground."""
    inboard = _inboard(graph, kept)
    order = sorted(inboard, key=lambda body: (inboard[body][1], graph.index[body]))
    number = {GROUND: 0} | {body: i for i, body in enumerate(order, 1)}
    branches = []
    for body in order:
        joint, depth = inboard[body]
        parent = joint.across(body)
        branches.append(
            Branch(number[body], body, number[parent], parent, joint, joint.parent == body, depth)
        )
    cuts = tuple(e for k, e in enumerate(graph.edges) if k not in kept)
    return Tree(method, graph, tuple(branches), cuts)


def _inboard(graph: Graph, kept: Set[int]) -> dict[str, tuple[Edge, int]]:
    """Inboard joint and depth of each body, breadth first."""
    found: dict[str, tuple[Edge, int]] = {}
    level, depth = [GROUND], 0
    while level:
        depth, here, level = depth + 1, level, []
        for body in here:
            for joint in (graph.edges[k] for k in graph.joints_on[body] if k in kept):
                outboard = joint.across(body)
                if outboard != GROUND and outboard not in found:
                    found[outboard] = joint, depth
                    level.append(outboard)
    return found
