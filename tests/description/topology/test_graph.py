"""The graph: distance matrix, connectivity, errors."""

import numpy as np
import pytest

from kinetree.description.topology.graph import (
    Edge,
    Graph,
    check_connected,
    distance_matrix,
    unconnected,
)
from kinetree.errors import ModelError, TopologyError

from .mechanisms import WEIGHTS, door, joint, mcpherson, rssr


def test_the_weights_of_the_paper_are_those_of_its_table_1():
    table_1 = {
        "revolute": 1.5,
        "translational": 1.0,
        "universal": 2.1,
        "cylindrical": 2.0,
        "spherical": 3.0,
    }
    assert {kind: WEIGHTS[kind] for kind in table_1} == table_1


def test_a_joint_whose_weight_is_not_given_weighs_its_number_of_degrees_of_freedom():
    assert Edge.joint("A", "rope", "ground", "load", 4).weight == 4
    assert Edge.joint("A", "weld", "ground", "load", 0).weight > 0


def test_the_distance_matrix_of_the_rssr_holds_the_joint_weights():
    crank, coupler, rocker = 1, 2, 3
    expected = np.zeros((4, 4))
    for i, j, weight in (
        (0, crank, 1.5),
        (crank, coupler, 3.0),
        (coupler, rocker, 3.0),
        (0, rocker, 1.5),
    ):
        expected[i, j] = expected[j, i] = weight
    np.testing.assert_array_equal(distance_matrix(rssr()), expected)


@pytest.mark.parametrize("letters", ["RS", "SR"])
def test_of_several_joints_between_two_bodies_the_lightest_counts(letters):
    graph = Graph(("b",), tuple(joint(t, f"J{t}", "ground", "b") for t in letters))
    assert distance_matrix(graph)[0, 1] == 1.5


def test_a_connected_machine_has_no_unconnected_bodies():
    for graph in (rssr(), door(), mcpherson()):
        assert unconnected(graph) == ()
        check_connected(graph)


def test_an_unconnected_body_is_named_with_its_joints_and_the_way_out():
    graph = Graph(
        ("crank", "rocker", "coupler"),
        (joint("R", "A", "ground", "crank"), joint("R", "C", "coupler", "rocker")),
    )
    assert [(body, [e.name for e in joints]) for body, joints in unconnected(graph)] == [
        ("rocker", ["C"]),
        ("coupler", ["C"]),
    ]
    with pytest.raises(TopologyError) as error:
        check_connected(graph)
    assert str(error.value) == (
        "body 'rocker' is not connected to ground.\n"
        "  Joints on it: C (to 'coupler'). Add a joint to ground, or call model.float('rocker').\n"
        "  Connected to it: 'coupler'."
    )


def test_every_unconnected_group_of_bodies_has_its_own_sentence():
    graph = Graph(("a", "b", "c"), (joint("R", "J", "a", "c"),))
    with pytest.raises(TopologyError) as error:
        check_connected(graph)
    assert str(error.value).count("is not connected to ground") == 2
    assert "Joints on it: none. Add a joint to ground, or call model.float('b')." in str(
        error.value
    )


@pytest.mark.parametrize(
    ("bodies", "edges", "words"),
    [
        (("a", "a"), (), "body 'a' is given 2 times"),
        (("ground",), (), "do not list it"),
        (
            ("a", "b"),
            (joint("R", "J", "ground", "a"), joint("R", "J", "ground", "b")),
            "joint 'J' is given 2 times",
        ),
        (
            ("crank",),
            (joint("R", "J", "ground", "cranc"),),
            "no body named 'cranc' .*Did you mean 'crank'",
        ),
        (("a",), (joint("R", "J", "a", "a"),), "joint 'J' links body 'a' to itself"),
        (("a",), (Edge("J", "ground", "a", 1, 0.0),), "weight 0.0 must be greater than 0"),
        (
            ("a",),
            (Edge("J", "ground", "a", 1, float("nan")),),
            "weight nan must be greater than 0",
        ),
        (
            ("a",),
            (joint("R", "J", "ground", "a", forced_cut=True, forced_tree=True),),
            "both cut and kept",
        ),
    ],
)
def test_an_invalid_graph_is_refused_with_a_sentence(bodies, edges, words):
    with pytest.raises(ModelError, match=words):
        Graph(bodies, edges)
