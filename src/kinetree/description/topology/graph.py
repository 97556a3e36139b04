"""A model as a graph: bodies are nodes, joints are edges; several joints may link the same two
bodies.

The distance matrix holds the joint weights of [Lee1994, Table 1]: light joints are preferred in the
tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import TopologyError, no_such

GROUND = "ground"


@dataclass(frozen=True, slots=True)
class Edge:
    """A joint between two bodies, in the direction the user gave it."""

    name: str
    parent: str
    child: str
    dofs: int
    weight: float
    forced_cut: bool = False
    forced_tree: bool = False
    kind: str = "joint"
    one_way: bool = False  # in a tree only from parent to child
    inner: bool = False  # inside a flexible body: never cut

    @classmethod
    def joint(
        cls,
        name: str,
        kind: str,
        parent: str,
        child: str,
        dofs: int,
        weight: float | None = None,
        forced_cut: bool = False,
        forced_tree: bool = False,
        one_way: bool = False,
        inner: bool = False,
    ) -> Edge:
        """A joint with `dofs` degrees of freedom, which are also its default weight."""
        weight = max(0.5, dofs) if weight is None else weight
        return cls(name, parent, child, dofs, weight, forced_cut, forced_tree, kind, one_way, inner)

    @property
    def equations(self) -> int:
        """Number of constraint equations if the joint is cut."""
        return 6 - self.dofs

    def across(self, body: str) -> str:
        """The other body of the joint."""
        return self.child if body == self.parent else self.parent

    def leads_from(self, body: str) -> bool:
        """Whether a tree may traverse the joint from that body."""
        return not self.one_way or body == self.parent


@dataclass(frozen=True)
class Graph:
    """Moving bodies and the joints between them; the ground is always a node and not listed."""

    bodies: tuple[str, ...]
    edges: tuple[Edge, ...]

    def __repr__(self) -> str:
        return f"<graph of {len(self.bodies)} bodies and {len(self.edges)} joints>"

    def __post_init__(self) -> None:
        _refuse_twice("body", self.bodies)
        _refuse_twice("joint", (e.name for e in self.edges))
        if GROUND in self.bodies:
            raise TopologyError(
                f"'{GROUND}' is part of every model; do not list it among the bodies."
            )
        for edge in self.edges:
            _check(edge, self.index)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Ground first, then the bodies."""
        return (GROUND, *self.bodies)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each node; the ground has 0."""
        return {body: i for i, body in enumerate(self.nodes)}

    @cached_property
    def joints_on(self) -> dict[str, tuple[int, ...]]:
        """Indices of the joints on each node, ascending."""
        found: dict[str, list[int]] = {body: [] for body in self.nodes}
        for k, edge in enumerate(self.edges):
            found[edge.parent].append(k)
            found[edge.child].append(k)
        return {body: tuple(ks) for body, ks in found.items()}

    def reach(self, start: str, joints: Iterable[int], directed: bool = False) -> set[str]:
        """All nodes that can be reached from `start` along these joints; `directed` does not
        traverse one-way joints backwards.
        """
        usable, seen, todo = set(joints), {start}, [start]
        while todo:
            body = todo.pop()
            on = [self.edges[k] for k in self.joints_on[body] if k in usable]
            new = {edge.across(body) for edge in on if not directed or edge.leads_from(body)} - seen
            seen |= new
            todo.extend(new)
        return seen


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise TopologyError(f"{what} {name!r} is given {count} times; names must differ.")


def _check(edge: Edge, nodes: Mapping[str, int]) -> None:
    for body in (edge.parent, edge.child):
        if body not in nodes:
            raise no_such("body", body, nodes, f" (joint {edge.name!r})")
    if edge.parent == edge.child:
        raise TopologyError(
            f"joint {edge.name!r} links body {edge.parent!r} to itself; name two different bodies."
        )
    if not edge.weight > 0:
        raise TopologyError(f"joint {edge.name!r}: weight {edge.weight} must be greater than 0.")
    if edge.forced_cut and edge.forced_tree:
        raise TopologyError(
            f"joint {edge.name!r} is both cut and kept on request; withdraw one of the two requests."
        )


def distance_matrix(graph: Graph) -> np.ndarray:
    """`dist[i, j]`: weight of the lightest joint between nodes i and j, 0 where there is none.
    [Lee1994, sec. 2]
    """
    dist = np.zeros((len(graph.nodes),) * 2)
    for edge in sorted(graph.edges, key=lambda e: -e.weight):  # the lightest is written last
        i, j = graph.index[edge.parent], graph.index[edge.child]
        dist[i, j] = dist[j, i] = edge.weight
    return dist


def unconnected(graph: Graph) -> tuple[tuple[str, tuple[Edge, ...]], ...]:
    """Bodies that no chain of joints connects to the ground, each with the joints on it."""
    held = graph.reach(GROUND, range(len(graph.edges)))
    return tuple(
        (b, tuple(graph.edges[k] for k in graph.joints_on[b]))
        for b in graph.bodies
        if b not in held
    )


def check_connected(graph: Graph) -> None:
    """Raise an error with one sentence per group of bodies that is not connected to the ground."""
    sentences, listed = [], set()
    for body, joints in unconnected(graph):
        if body not in listed:
            group = graph.reach(body, range(len(graph.edges)))
            sentences.append(_loose(body, joints, [b for b in graph.bodies if b in group - {body}]))
            listed |= group
    if sentences:
        raise TopologyError("\n".join(sentences))


def _loose(body: str, joints: tuple[Edge, ...], others: list[str]) -> str:
    names = ", ".join(f"{e.name} (to {e.across(body)!r})" for e in joints) or "none"
    hanging = f"\n  Connected to it: {', '.join(map(repr, others))}." if others else ""
    return (
        f"body {body!r} is not connected to ground.\n"
        f"  Joints on it: {names}. Add a joint to ground, or call model.float({body!r}).{hanging}"
    )
