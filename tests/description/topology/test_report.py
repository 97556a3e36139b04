"""The report: its counts are those of the paper, and its drawing and sentences are as expected."""

import json
import re

import pytest

from kinetree.description.topology.graph import Edge, Graph
from kinetree.description.topology.report import CHOSEN, TopologyReport
from kinetree.description.topology.spanning import METHODS, choose
from kinetree.errors import ModelError

from .mechanisms import door, four_bar, mcpherson, numbered, rssr, tracked_vehicle


def report(graph, name="machine", method="auto", **figures):
    return TopologyReport(name, choose(graph, method), **figures)


def test_the_report_of_the_rssr_is_this_text():
    assert (
        str(report(rssr(), "RSSR", rank=3, idle=("coupler",)))
        == """\
Topology of 'RSSR': 3 bodies, 4 joints, 1 independent loop
Tree: dijkstra (shortest weighted paths from ground), 2 levels

ground
├─ crank        A revolute, 1 degree of freedom
│  └─ coupler   B spherical, 3 degrees of freedom
└─ rocker       D revolute, 1 degree of freedom

Cut joints
  C spherical, 3 equations: ground ── A ── crank ── B ── coupler ─╳ C ╳─ rocker ── D ── ground

Counts                   velocities  equations
  relative coordinates            5          3
  Cartesian coordinates          18         16

Mobility by counting (Gruebler) and by rank of the constraint Jacobian: 2.
Idle degree of freedom: coupler can rotate about the line through its joints without moving any other body."""
    )


def test_a_planar_loop_of_spatial_joints_is_explained():
    four = report(four_bar(), rank=2, redundant=(("C", 3),), planar=("C",))
    assert (four.gruebler, four.mobility) == (-2, 1)
    words = " ".join(str(four).split())
    assert "Mobility by counting (Gruebler): -2; by rank of the constraint Jacobian: 1." in words
    assert (
        "3 of the 5 equations of joint 'C' are redundant: the loop is planar but has "
        "spatial joints; "
        "motion is unaffected, reactions in those directions are not unique."
    ) in words


def test_planarity_is_claimed_only_where_the_caller_found_it():
    words = " ".join(str(report(four_bar(), rank=2, redundant=(("C", 3),))).split())
    assert "planar" not in words and "the geometry of the loop already closes it" in words


def test_the_second_hinge_of_a_door_is_redundant_altogether():
    text = str(report(door(), rank=0, redundant=(("lower", 5),)))
    assert "counting (Gruebler): -4; by rank of the constraint Jacobian: 1." in text
    assert "All 5 equations of joint 'lower' are redundant" in text


def test_redundancy_without_known_owners_is_reported():
    assert "3 equations of 5 are redundant" in str(report(four_bar(), rank=2))
    assert "redundant" not in str(report(rssr(), rank=3))


def test_drivers_count_and_may_leave_nothing_free():
    driven = report(rssr(), extra=(("drive", 1), ("spin", 1)), rank=5)
    assert (driven.equations, driven.gruebler, driven.mobility, driven.cartesian) == (
        5,
        0,
        0,
        (18, 18),
    )
    assert "of these from drive (1), spin (1)" in str(
        driven
    ) and "There are no degrees of freedom" in str(driven)
    twice = report(rssr(), extra=(("drive", 1), ("again", 1)), rank=4, redundant=(("again", 1),))
    assert (
        "The only equation of constraint 'again' is redundant: the other constraints already imply"
        in str(twice)
    )


def test_a_redundant_constraint_that_does_not_exist_is_refused():
    with pytest.raises(ModelError, match="no constraint named 'D' in model 'machine'"):
        report(rssr(), redundant=(("D", 1),))


def test_the_counts_are_those_of_the_paper():
    paper = report(rssr())  # [Lee1994, Table 5]: 28 = 7 per body with the ground, 16 equations
    assert paper.cartesian == (6 * 3, 16)
    assert 7 * len(paper.tree.graph.nodes) == 28
    tank = report(tracked_vehicle())  # [Lee1994, Table 4]: 91 = 7 per body, 60 equations against 0
    assert (tank.cartesian, tank.equations, tank.gruebler) == ((6 * 13, 60), 0, 18)
    assert 7 * len(tank.tree.graph.bodies) == 91
    assert report(mcpherson()).gruebler == 2
    assert "No joint is cut: the model is a tree." in str(tank)


def test_counting_gives_the_same_mobility_for_every_tree():
    assert {report(mcpherson(), method=m).gruebler for m in ("auto", "dijkstra", "minimum")} == {2}


def test_without_mechanics_only_counting_is_reported():
    text = str(report(four_bar()))
    assert "Mobility by counting (Gruebler): -2." in text and "by rank" not in text


def test_a_sentence_about_an_idle_degree_of_freedom_is_printed_unchanged():
    assert str(report(rssr(), idle=("The roller turns idly.",))).endswith("The roller turns idly.")


def test_a_very_deep_tree_stays_readable():
    text = str(report(numbered(61, *((i, i + 1, "R") for i in range(60))), method="minimum"))
    assert max(map(len, text.splitlines())) <= 110
    assert "[60] body60" in text


def test_every_method_to_choose_a_tree_has_a_description():
    assert set(CHOSEN) == set(METHODS)


def test_every_body_and_joint_appears_in_the_picture():
    graph = mcpherson()
    text = str(report(graph))
    assert all(name in text for name in (*graph.bodies, *(e.name for e in graph.edges)))


def test_the_dictionary_survives_json():
    data = report(rssr(), extra=(("drive", 1),), rank=4, idle=("coupler",)).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert (data["coordinates"], data["cut_equations"], data["equations"], data["gruebler"]) == (
        5,
        3,
        4,
        1,
    )
    assert data["loops"] == [
        {
            "cut": "C",
            "ancestor": "ground",
            "bodies": ["ground", "crank", "coupler", "rocker"],
            "joints": ["A", "B", "C", "D"],
            "signs": [1, 1, 1, -1],
        }
    ]
    assert data["tree"][0] == {
        "number": 1,
        "body": "crank",
        "parent_number": 0,
        "parent": "ground",
        "joint": "A",
        "reversed": False,
        "depth": 1,
    }


def test_of_a_long_loop_the_ends_and_the_cut_are_shown():
    """The number of omitted joints is printed: shown and omitted ones add up to all."""
    ends = ["ground", *(f"b{k}" for k in range(1, 100)), "ground"]
    found = report(
        Graph(
            tuple(ends[1:-1]),
            tuple(Edge.joint(f"j{k}", "revolute", ends[k], ends[k + 1], 1) for k in range(100)),
        )
    )
    words = " ".join(str(found).split("Cut joints")[1].split("Counts")[0].split(": ", 1)[1].split())
    shown = [k for k in range(100) if f" j{k} " in words]
    left = [int(n) for n in re.findall(r"… (\d+) joints …", words)]
    assert len(shown) + sum(left) == 100 and len(left) == 2
    assert shown[0] == 0 and shown[-1] == 99 and f"─╳ {found.tree.cuts[0].name} ╳─" in words


def test_the_matrices_of_a_machine_have_rows_and_columns_by_name():
    """RSSR of [Lee1994]: weights 1.5 of hinges and 3 of ball joints; one ball joint is cut."""
    from kinetree.models.rssr import rssr

    found = rssr().topology()
    assert set(found.nodes) == {"ground", "crank", "coupler", "rocker"}
    at = {name: k for k, name in enumerate(found.nodes)}
    D, P = found.distance_matrix, found.path_matrix
    for one, other, weight in (
        ("ground", "crank", 1.5),
        ("ground", "rocker", 1.5),
        ("crank", "coupler", 3.0),
        ("coupler", "rocker", 3.0),
        ("ground", "coupler", 0.0),
        ("crank", "rocker", 0.0),
    ):
        assert D[at[one], at[other]] == D[at[other], at[one]] == weight
    for branch in found.tree.branches:
        on_path = {"ground", branch.body, *(b.body for b in found.tree.path(branch.body))}
        assert {name for name in found.nodes if P[at[branch.body], at[name]]} == on_path
    assert P[0].tolist() == [1, 0, 0, 0]
