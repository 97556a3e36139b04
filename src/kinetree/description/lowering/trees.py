"""The graph of a model, and its spanning tree in the chosen coordinates."""

from __future__ import annotations

from dataclasses import replace

from ...elements.joints.catalogue import FLOATING
from ...elements.joints.contract import ONE_WAY
from ...errors import ModelError
from ..model import Model
from ..topology.graph import GROUND, Edge, Graph, check_connected
from ..topology.spanning import choose
from ..topology.tree import Tree

COORDINATES = ("relative", "cartesian")


def graph_of(model: Model) -> Graph:
    """Bodies and joints of a model as a graph."""
    if not model.bodies:
        raise ModelError(f"model {model.name!r} has no bodies; add one with model.body(...).")
    edges = [
        Edge.joint(
            s.name,
            s.joint.kind,
            s.F.body.name,
            s.M.body.name,
            s.joint.nv,
            weight=model.weights.get(s.joint.kind, s.joint.weight),
            forced_cut=s.name in model.cuts,
            forced_tree=s.joint.inner or (bool(s.inertia) and s.name not in model.cuts),
            one_way=s.joint.reversal is ONE_WAY,
            inner=s.joint.inner,
        )
        for s in model.joints.values()
    ]
    return Graph(tuple(model.bodies), tuple(edges))


def tree_of(model: Model, coordinates: str = "relative", method: str = "auto") -> Tree:
    """The spanning tree: the best one in relative coordinates, a free joint per body in Cartesian
    coordinates.
    """
    graph = graph_of(model)
    check_connected(graph)
    if coordinates == "relative":
        return choose(graph, method)
    if coordinates != "cartesian":
        raise ModelError(
            f"coordinates {coordinates!r} are not known; choose one of {', '.join(COORDINATES)}."
        )
    return choose(free_bodies(graph), "dijkstra")


def free_bodies(graph: Graph) -> Graph:
    """The graph with a free joint from the ground to every body, first, and all its joints cut but
    those inside flexible bodies.
    """
    carried = {e.child for e in graph.edges if e.inner}
    free = [
        Edge.joint(
            f"{body}@{GROUND}",
            FLOATING.kind,
            GROUND,
            body,
            FLOATING.nv,
            FLOATING.weight,
            forced_tree=True,
        )
        for body in graph.bodies
        if body not in carried
    ]
    cut = [
        e if e.inner else replace(e, forced_cut=True, forced_tree=False, one_way=False)
        for e in graph.edges
    ]
    return Graph(graph.bodies, (*free, *cut))
