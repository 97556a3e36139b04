"""Spanning trees: the choice of the joints that stay in the tree and of those that are cut.

`dijkstra` is the shortest-path tree of [Lee1994, sec. 2]. It need not have the fewest cut
equations: in the ring 0-S-1-R-2-R-3-R-4-R-0 it cuts a revolute joint (6 coordinates, 5 equations),
whereas cutting the spherical one leaves 4 coordinates and 3 equations. `minimum` is Kruskal's
greedy tree [Kruskal1956], which has the fewest cut equations; `shallow` breaks its ties in favor of
joints near the ground. `auto` takes the best of the three.

The difference  coordinates - cut equations  is the same for all spanning trees of a graph, so a
tree with the fewest cut equations also has the fewest coordinates. All ties end at the joint index:
the joint given first stays in the tree. The order of the bodies does not matter.

A one-way joint is never traversed from its child: shortest paths go around it, and the greedy trees
cut it and choose again.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Set
from typing import Any

from ...errors import TopologyError, no_such
from .graph import GROUND, Edge, Graph, check_connected
from .tree import Tree, rooted

DIGITS = 9  # path lengths that agree to this many decimals are equal, in spite of rounding


def dijkstra_tree(graph: Graph) -> Tree:
    """Tree of the shortest weighted paths from the ground.  [Lee1994, sec. 2]"""
    _check(graph)
    return rooted(graph, set(_shortest(graph)[0].values()), "dijkstra")


def minimum_tree(graph: Graph) -> Tree:
    """Tree with the fewest cut equations, then the lightest joints.  [Kruskal1956]"""
    _check(graph)
    return _forwards(graph, lambda e: e.weight, "minimum")


def shallow_tree(graph: Graph) -> Tree:
    """Tree with the fewest cut equations, then the joints closest to the ground."""
    _check(graph)
    distance = _shortest(graph)[1]
    return _forwards(
        graph, lambda e: _far(min(distance[e.parent], distance[e.child]), e), "shallow"
    )


METHODS: dict[str, Callable[[Graph], Tree]] = {
    "dijkstra": dijkstra_tree,
    "minimum": minimum_tree,
    "shallow": shallow_tree,
}


def choose(graph: Graph, method: str = "auto") -> Tree:
    """The tree by the named method; `auto` takes the tree with the fewest cut equations, then the
    fewest levels, of all methods.
    """
    if method == "auto":
        return min((build(graph) for build in METHODS.values()), key=_cost)
    if method not in METHODS:
        raise no_such("method", method, ("auto", *METHODS), " for the spanning tree")
    return METHODS[method](graph)


def _cost(tree: Tree) -> tuple[int, int]:
    return tree.cut_equations, tree.depth


def _far(distance: float, edge: Edge) -> float:
    return round(distance + edge.weight, DIGITS)


def _shortest(graph: Graph) -> tuple[dict[str, int], dict[str, float]]:
    """Inboard joint and distance of every body; bodies connected by forced tree joints are reached
    together.
    """
    inboard: dict[str, int] = {}
    distance: dict[str, float] = {}
    # forced joints first, then the shorter path, then the lower joint index
    heap = [(False, 0.0, -1, GROUND)]
    while heap:
        _, far, k, body = heapq.heappop(heap)
        if body in distance:
            continue
        distance[body] = far
        if body != GROUND:
            inboard[body] = k
        for k in graph.joints_on[body]:
            edge = graph.edges[k]
            if not edge.forced_cut and edge.leads_from(body):
                heapq.heappush(heap, (not edge.forced_tree, _far(far, edge), k, edge.across(body)))
    return inboard, distance


def _forwards(graph: Graph, last: Callable[[Edge], float], method: str) -> Tree:
    """The greedy tree without reversed one-way joints: such joints are cut, or if that disconnects
    bodies, the tree of shortest paths is taken instead.
    """
    without: set[int] = set()
    while True:
        uncut = [k for k in _uncut(graph) if k not in without]
        if graph.reach(GROUND, uncut, directed=True) != set(graph.nodes):
            return rooted(graph, set(_shortest(graph)[0].values()), method)
        tree = rooted(graph, _greedy(graph, uncut, last), method)
        against = {b.joint.name for b in tree.branches if b.reversed and b.joint.one_way}
        if not against:
            return tree
        without |= {k for k, e in enumerate(graph.edges) if e.name in against}


def _greedy(graph: Graph, joints: Iterable[int], last: Callable[[Edge], float]) -> set[int]:
    """Keep joints in order of cost unless they close a loop: minimizes the sums of the costs
    lexicographically.
    """

    def cost(k: int) -> tuple[Any, ...]:
        e = graph.edges[k]
        return not e.forced_tree, -e.equations, last(e), k

    return _forest(graph, sorted(joints, key=cost))


def _forest(graph: Graph, joints: Iterable[int]) -> set[int]:
    """The joints, taken in this order, that close no loop with those before them."""
    group = {body: body for body in graph.nodes}

    def head(body: str) -> str:
        while group[body] != body:
            group[body] = body = group[group[body]]
        return body

    kept = set()
    for k in joints:
        a, b = head(graph.edges[k].parent), head(graph.edges[k].child)
        if a != b:
            group[a] = b
            kept.add(k)
    return kept


def _uncut(graph: Graph) -> list[int]:
    return [k for k, e in enumerate(graph.edges) if not e.forced_cut]


def _check(graph: Graph) -> None:
    check_connected(graph)
    held = graph.reach(GROUND, _uncut(graph))
    loose = [body for body in graph.bodies if body not in held]
    if loose:
        raise TopologyError(_cut_off(graph, loose, held))
    along = graph.reach(GROUND, _uncut(graph), directed=True)
    if along != held:
        raise TopologyError(_against(graph, along))
    forced = [k for k, e in enumerate(graph.edges) if e.forced_tree]
    closing = set(forced) - _forest(graph, forced)
    if closing:
        raise TopologyError(
            f"the joints kept on request close a loop: {_names(graph, forced)}. "
            f"Release one of them, for example {graph.edges[min(closing)].name!r}."
        )


def _cut_off(graph: Graph, loose: list[str], held: Set[str]) -> str:
    between = [
        k
        for k, e in enumerate(graph.edges)
        if e.forced_cut and (e.parent in held) != (e.child in held)
    ]
    bodies = f"body {loose[0]!r}" if len(loose) == 1 else f"bodies {', '.join(map(repr, loose))}"
    return (
        f"the requested cuts separate {bodies} from ground.\n"
        f"  Joints cut there: {_names(graph, between)}. Keep one of them, or call "
        f"model.float({loose[0]!r})."
    )


def _against(graph: Graph, along: Set[str]) -> str:
    """Error message about a one-way joint that the tree would have to reverse."""
    edge = next(
        e
        for e in graph.edges
        if e.one_way and not e.forced_cut and e.child in along and e.parent not in along
    )
    return (
        f"joint {edge.name!r}: the tree cannot reverse a {edge.kind} joint, and no other joint "
        f"leads from {edge.child!r} to {edge.parent!r}.\n  Exchange its two markers, or call "
        f"model.float({edge.parent!r}), so that it can be cut."
    )


def _names(graph: Graph, joints: Iterable[int]) -> str:
    return ", ".join(graph.edges[k].name for k in joints)
