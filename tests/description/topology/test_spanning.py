"""Spanning trees: the paper's examples, optimality against brute force, determinism, user requests."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.description.topology.graph import Graph
from kinetree.description.topology.spanning import METHODS, choose, dijkstra_tree, minimum_tree
from kinetree.errors import ModelError, TopologyError

from .mechanisms import (
    door,
    four_bar,
    joint,
    machines,
    mcpherson,
    numbered,
    ring,
    rssr,
    tracked_vehicle,
)

steady = settings(derandomize=True, deadline=None, max_examples=100)
WAYS = ("auto", *METHODS)


def cut_names(tree):
    return [e.name for e in tree.cuts]


def hangs(tree):
    return {b.body: (b.parent, b.joint.name, b.reversed, b.depth) for b in tree.branches}


@pytest.mark.parametrize("method", WAYS)
def test_the_rssr_has_5_velocities_and_3_equations_at_the_cut_spherical_joint(method):
    tree = choose(rssr(), method)  # [Lee1994, Table 5], where "1" counts cut joints, not equations
    assert (tree.coordinates, tree.cut_equations, cut_names(tree)) == (5, 3, ["C"])


def test_the_ring_shows_that_the_shortest_paths_need_not_cut_fewest():
    dijkstra, minimum = dijkstra_tree(ring()), minimum_tree(ring())
    assert (dijkstra.coordinates, dijkstra.cut_equations, cut_names(dijkstra)) == (6, 5, ["J2"])
    assert (minimum.coordinates, minimum.cut_equations, cut_names(minimum)) == (4, 3, ["J0"])
    assert choose(ring()).cut_equations == 3


def test_the_planar_four_bar_counts_minus_2():
    for method in WAYS:
        tree = choose(four_bar(), method)
        assert (tree.coordinates, tree.cut_equations) == (3, 5)
    assert cut_names(dijkstra_tree(four_bar())) == ["C"]
    assert cut_names(minimum_tree(four_bar())) == ["D"]
    assert choose(four_bar()).depth == 2  # of two trees with equal counts the shallower one


def test_the_mcpherson_corner_has_8_coordinates_and_6_equations_either_way():
    dijkstra, minimum = dijkstra_tree(mcpherson()), minimum_tree(mcpherson())
    assert (dijkstra.coordinates, dijkstra.cut_equations, cut_names(dijkstra)) == (
        8,
        6,
        ["J1", "J6"],
    )
    assert (minimum.coordinates, minimum.cut_equations, cut_names(minimum)) == (8, 6, ["J3", "J6"])


def test_the_tracked_vehicle_is_a_tree_of_18_velocities():
    # [Lee1994, Table 4]: 19 coordinates, one more than velocities for the quaternion
    tree = choose(tracked_vehicle())
    assert (tree.coordinates, tree.cuts, tree.depth) == (18, (), 2)


@pytest.mark.parametrize("method", WAYS)
def test_of_two_hinges_of_a_door_the_first_stays(method):
    tree = choose(door(), method)
    assert (cut_names(tree), tree.coordinates, tree.cut_equations) == (["lower"], 1, 5)


def test_auto_finds_the_shallower_of_two_least_trees_where_shortest_paths_cut_too_much():
    graph = numbered(
        7, (1, 2, "S"), (0, 1, "S"), (2, 3, "R"), (3, 4, "R"), (4, 5, "R"), (5, 6, "R"), (6, 0, "R")
    )
    assert (dijkstra_tree(graph).cut_equations, minimum_tree(graph).cut_equations) == (5, 3)
    assert (cut_names(minimum_tree(graph)), minimum_tree(graph).depth) == (["J1"], 6)
    assert (cut_names(choose(graph)), choose(graph).cut_equations, choose(graph).depth) == (
        ["J0"],
        3,
        5,
    )


def test_an_empty_machine_has_an_empty_tree():
    tree = choose(Graph((), ()))
    assert (tree.order, tree.cuts, tree.coordinates, tree.depth, tree.pi.tolist()) == (
        (),
        (),
        0,
        0,
        [[1]],
    )


def test_a_joint_is_reversed_where_the_users_parent_is_outboard():
    graph = Graph(("a", "b"), (joint("R", "A", "a", "ground"), joint("R", "B", "a", "b")))
    assert hangs(choose(graph)) == {"a": ("ground", "A", True, 1), "b": ("a", "B", False, 2)}


def spans(graph, joints):
    """Another algorithm: a tree has exactly one inboard joint per body and reaches all bodies."""
    return (
        len(joints) == len(graph.bodies)
        and len(graph.reach("ground", joints)) == len(graph.bodies) + 1
    )


def all_counts(graph):
    """(cut equations, coordinates) of every spanning tree that respects the requests."""
    free = [k for k, e in enumerate(graph.edges) if not e.forced_cut]
    must = {k for k, e in enumerate(graph.edges) if e.forced_tree}
    for kept in combinations(free, len(graph.bodies)):
        if must <= set(kept) and spans(graph, kept):
            yield (
                sum(e.equations for k, e in enumerate(graph.edges) if k not in kept),
                sum(graph.edges[k].dofs for k in kept),
            )


@steady
@given(machines(bodies=4, extra=5, forced=True))
def test_no_spanning_tree_has_fewer_equations_or_coordinates_than_auto(graph):
    best = min(all_counts(graph), default=None)
    if best is None:
        with pytest.raises(TopologyError):
            choose(graph)
        return
    for method in ("auto", "minimum", "shallow"):
        tree = choose(graph, method)
        assert (tree.cut_equations, tree.coordinates) == best


@steady
@given(machines(bodies=6, extra=6))
def test_auto_is_never_deeper_than_a_method_with_equal_counts(graph):
    auto = choose(graph)
    for method in METHODS:
        tree = choose(graph, method)
        assert (auto.cut_equations, auto.coordinates, auto.depth) <= (
            tree.cut_equations,
            tree.coordinates,
            tree.depth,
        )


@steady
@given(machines(bodies=6, extra=6))
def test_dijkstra_paths_are_the_shortest_of_all(graph):
    far = np.full((len(graph.nodes),) * 2, np.inf)  # Floyd and Warshall
    for e in graph.edges:
        i, j = graph.index[e.parent], graph.index[e.child]
        far[i, j] = far[j, i] = min(far[i, j], e.weight)
    for k in range(len(far)):
        far = np.minimum(far, far[:, k : k + 1] + far[k : k + 1])
    tree = dijkstra_tree(graph)
    for body in graph.bodies:
        length = sum(b.joint.weight for b in tree.path(body))
        # sums of decimal weights
        assert length == pytest.approx(far[0, graph.index[body]], abs=1e-9)


@steady
@given(machines(bodies=6, extra=6, forced=True), st.sampled_from(WAYS))
def test_every_joint_is_in_the_tree_or_cut_and_requests_are_respected(graph, method):
    if next(all_counts(graph), None) is None:
        return
    tree = choose(graph, method)
    assert sorted(e.name for e in tree.joints + tree.cuts) == sorted(e.name for e in graph.edges)
    assert not any(e.forced_cut for e in tree.joints) and not any(e.forced_tree for e in tree.cuts)
    assert tree.coordinates - tree.cut_equations == 6 * len(graph.bodies) - sum(
        e.equations for e in graph.edges
    )


@steady
@given(machines(bodies=6, extra=6), st.sampled_from(WAYS))
def test_bodies_are_numbered_parents_first_level_by_level_then_as_listed(graph, method):
    tree = choose(graph, method)
    assert sorted(tree.order) == sorted(graph.bodies)
    assert [b.number for b in tree.branches] == list(range(1, len(graph.bodies) + 1))
    keys = [(b.depth, graph.index[b.body]) for b in tree.branches]
    assert keys == sorted(keys)
    for b in tree.branches:
        assert b.parent_number < b.number and ("ground", *tree.order)[b.parent_number] == b.parent
        assert {b.joint.parent, b.joint.child} == {b.body, b.parent}
        assert b.reversed == (b.joint.parent == b.body)


@steady
@given(machines(bodies=6, extra=6), st.sampled_from(WAYS))
def test_the_path_matrix_is_the_inverse_of_the_identity_minus_the_parents(graph, method):
    tree = choose(graph, method)
    pi, n = tree.pi, len(graph.bodies) + 1
    parents = np.zeros((n, n), dtype=int)
    for b in tree.branches:
        parents[b.number, b.parent_number] = 1
        assert set(np.flatnonzero(pi[b.number])) == set(np.flatnonzero(pi[b.parent_number])) | {
            b.number
        }
        assert {("ground", *tree.order)[j] for j in np.flatnonzero(pi[b.number])} == {"ground"} | {
            p.body for p in tree.path(b.body)
        }
    np.testing.assert_array_equal(pi @ (np.eye(n, dtype=int) - parents), np.eye(n, dtype=int))
    np.testing.assert_array_equal(pi.sum(axis=1), [1] + [b.depth + 1 for b in tree.branches])


def test_the_path_matrix_of_the_rssr():
    tree = choose(rssr())
    assert tree.order == ("crank", "rocker", "coupler")
    assert tree.pi.tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1]]


@steady
@given(machines(bodies=6, extra=6), st.sampled_from(WAYS), st.randoms(use_true_random=False))
def test_the_order_of_the_bodies_does_not_matter(graph, method, random):
    bodies = list(graph.bodies)
    random.shuffle(bodies)
    tree, other = choose(graph, method), choose(Graph(tuple(bodies), graph.edges), method)
    assert hangs(tree) == hangs(other) and tree.cuts == other.cuts


@steady
@given(machines(bodies=6, extra=6), st.sampled_from(WAYS), st.randoms(use_true_random=False))
def test_new_names_give_the_same_tree(graph, method, random):
    names = random.sample(
        ["kappa", "zeta", "alpha", "omega", "beta", "my", "ny"], len(graph.bodies)
    )
    new = {"ground": "ground"} | dict(zip(graph.bodies, names))
    edges = tuple(replace(e, parent=new[e.parent], child=new[e.child]) for e in graph.edges)
    tree, other = (
        choose(graph, method),
        choose(Graph(tuple(new[b] for b in graph.bodies), edges), method),
    )
    assert tuple(new[b] for b in tree.order) == other.order
    assert [(b.joint.name, b.reversed) for b in tree.branches] == [
        (b.joint.name, b.reversed) for b in other.branches
    ]
    assert cut_names(tree) == cut_names(other)


@steady
@given(machines(bodies=5, extra=5), st.randoms(use_true_random=False))
def test_the_order_of_the_joints_does_not_change_the_counts(graph, random):
    edges = list(graph.edges)
    random.shuffle(edges)
    tree, other = choose(graph), choose(Graph(graph.bodies, tuple(edges)))
    assert (tree.cut_equations, tree.coordinates) == (other.cut_equations, other.coordinates)


def test_path_lengths_that_differ_by_rounding_count_as_equal():
    # the two ways round differ in the last digit
    assert 2.1 + 2.1 + 1.0 + 1.0 != 2.1 + 1.0 + 1.0 + 2.1
    graph = numbered(
        8,
        (0, 1, "U"),
        (1, 2, "U"),
        (2, 3, "T"),
        (3, 7, "T"),
        (0, 4, "U"),
        (4, 5, "T"),
        (5, 6, "T"),
        (6, 7, "U"),
    )
    for edges in (graph.edges, graph.edges[4:] + graph.edges[:4]):
        tree = dijkstra_tree(Graph(graph.bodies, edges))
        assert tree.branch["body7"].joint == edges[3]


@pytest.mark.parametrize("method", WAYS)
def test_a_joint_cut_on_request_is_cut(method):
    graph = four_bar()
    edges = tuple(replace(e, forced_cut=e.name == "A") for e in graph.edges)
    assert cut_names(choose(Graph(graph.bodies, edges), method)) == ["A"]


@pytest.mark.parametrize("method", WAYS)
def test_a_joint_kept_on_request_is_kept(method):
    graph = ring()
    edges = tuple(replace(e, forced_tree=e.name in ("J0", "J2")) for e in graph.edges)
    tree = choose(Graph(graph.bodies, edges), method)
    assert not {"J0", "J2"} & set(cut_names(tree)) and len(tree.cuts) == 1


@pytest.mark.parametrize("method", WAYS)
def test_free_joints_kept_and_all_others_cut_are_cartesian_coordinates(method):
    graph = rssr()
    free = tuple(joint("F", f"{b}.free", "ground", b, forced_tree=True) for b in graph.bodies)
    tree = choose(
        Graph(graph.bodies, free + tuple(replace(e, forced_cut=True) for e in graph.edges)), method
    )
    # 16: [Lee1994, Table 5]
    assert (tree.coordinates, tree.cut_equations, tree.depth) == (
        18,
        16,
        1,
    )


def test_cuts_that_separate_a_body_are_refused_by_name():
    graph = four_bar()
    edges = tuple(replace(e, forced_cut=e.name in "BCD") for e in graph.edges)
    with pytest.raises(TopologyError) as error:
        choose(Graph(graph.bodies, edges))
    assert str(error.value) == (
        "the requested cuts separate bodies 'coupler', 'rocker' from ground.\n"
        "  Joints cut there: B, D. Keep one of them, or call model.float('coupler')."
    )


def test_kept_joints_that_close_a_loop_are_refused_by_name():
    graph = door()
    edges = tuple(replace(e, forced_tree=True) for e in graph.edges)
    with pytest.raises(TopologyError, match=r"close a loop: upper, lower.*for example 'lower'"):
        choose(Graph(graph.bodies, edges))


def test_an_unconnected_body_is_refused():
    with pytest.raises(TopologyError, match="body 'rocker' is not connected to ground"):
        choose(Graph(("rocker",), ()))


def test_an_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(
        ModelError, match=r"no method named 'minimal' .*Did you mean 'minimum'.*auto, dijkstra"
    ):
        choose(rssr(), "minimal")


def test_a_chain_of_thousands_of_bodies_is_no_problem():
    n = 3000
    tree = choose(numbered(n + 1, *((i, i + 1, "R") for i in range(n))))
    assert tree.depth == tree.coordinates == n
