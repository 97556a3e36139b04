"""Independent loops: the fundamental cycles of the graph."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.description.topology.loops import loops
from kinetree.description.topology.spanning import METHODS, choose

from .mechanisms import door, four_bar, machines, mcpherson, numbered, tracked_vehicle


def test_the_loop_of_the_four_bar_lists_its_bodies_joints_and_signs():
    (loop,) = loops(choose(four_bar()))
    assert (loop.cut.name, loop.ancestor) == ("C", "ground")
    assert loop.bodies == ("ground", "crank", "coupler", "rocker")
    assert [e.name for e in loop.joints] == ["A", "B", "C", "D"]
    # D runs from the ground to the rocker and is passed the other way
    assert loop.signs == (
        1,
        1,
        1,
        -1,
    )


def test_two_hinges_make_the_smallest_loop():
    (loop,) = loops(choose(door()))
    assert (loop.bodies, [e.name for e in loop.joints], loop.signs) == (
        ("ground", "door"),
        ["lower", "upper"],
        (1, -1),
    )


def test_the_ancestor_of_a_loop_away_from_the_ground_is_the_body_it_branches_from():
    graph = numbered(5, (0, 1, "R"), (1, 2, "R"), (2, 3, "R"), (2, 4, "R"), (3, 4, "S"))
    (loop,) = loops(choose(graph))
    assert (loop.ancestor, loop.cut.name, loop.bodies) == (
        "body2",
        "J4",
        ("body2", "body3", "body4"),
    )


def test_an_open_machine_has_no_loops():
    assert loops(choose(tracked_vehicle())) == ()


def incidence(graph):
    """Signed incidence matrix: -1 where a joint leaves its parent, +1 where it enters its child."""
    A = np.zeros((len(graph.nodes), len(graph.edges)), dtype=int)
    for k, e in enumerate(graph.edges):
        A[graph.index[e.parent], k], A[graph.index[e.child], k] = -1, 1
    return A


@settings(derandomize=True, deadline=None, max_examples=100)
@given(machines(bodies=6, extra=6), st.sampled_from(("auto", *METHODS)))
def test_loops_are_closed_walks_each_with_one_cut_of_its_own(graph, method):
    tree = choose(graph, method)
    found = loops(tree)
    # cyclomatic number of a connected graph
    assert len(found) == len(graph.edges) - len(graph.bodies)
    place = {e.name: k for k, e in enumerate(graph.edges)}
    C = np.zeros((len(found), len(graph.edges)), dtype=int)
    for row, loop in zip(C, found):
        row[[place[e.name] for e in loop.joints]] = loop.signs
        assert row[place[loop.cut.name]] == 1
        assert [e for e in loop.joints if e in tree.cuts] == [loop.cut]
        assert len(set(loop.bodies)) == len(loop.bodies) == len(loop.joints)
    assert not (incidence(graph) @ C.T).any()


@pytest.mark.parametrize("graph", [four_bar(), mcpherson(), door()])
def test_the_ancestor_is_the_deepest_body_on_both_paths_of_the_path_matrix(graph):
    tree = choose(graph)
    names = ("ground", *tree.order)
    for loop in loops(tree):
        i, j = names.index(loop.cut.parent), names.index(loop.cut.child)
        common = np.flatnonzero(tree.pi[i] & tree.pi[j])
        assert names[max(common)] == loop.ancestor  # numbers grow outboard
