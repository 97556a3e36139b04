"""One-way joints: no tree reverses them."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import kinetree as kt
from kinetree.description.topology.graph import GROUND, Edge, Graph
from kinetree.description.topology.spanning import METHODS, choose
from kinetree.elements.joints.contract import ONE_WAY, AxisJoint, Joint
from kinetree.elements.joints.revolute import Revolute
from kinetree.errors import TopologyError

each_method = pytest.mark.parametrize("method", ["auto", *METHODS])


@dataclass(frozen=True)
class OneWay(Revolute):
    """A hinge declared as one-way, with the kernels of a hinge."""

    kind = "revolute"
    reversal = ONE_WAY


def against(tree) -> list[str]:
    return [b.joint.name for b in tree.branches if b.reversed and b.joint.one_way]


def edge(name, parent, child, dofs=1, one_way=False) -> Edge:
    return Edge.joint(name, "revolute", parent, child, dofs, one_way=one_way)


@each_method
def test_a_tree_is_chosen_around_a_joint_that_cannot_be_reversed(method):
    """Ring ground - a - b - ground whose joint J points from b to a: it must be cut if a is reached
    first.
    """
    ring = Graph(
        ("a", "b"),
        (
            edge("A", GROUND, "a"),
            edge("J", "b", "a", one_way=True),
            edge("B", GROUND, "b", dofs=3),
        ),
    )
    free = Graph(ring.bodies, tuple(replace(e, one_way=False) for e in ring.edges))
    # the tree one would take else
    assert "J" in {b.joint.name for b in choose(free, "minimum").branches if b.reversed}
    assert against(choose(ring, method)) == []


@each_method
def test_in_random_graphs_no_tree_runs_against_a_one_way_joint(method):
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(200):
        bodies = tuple("abcde")
        nodes = (GROUND, *bodies)
        chain = [
            edge(
                f"t{k}",
                *rng.permutation((nodes[k + 1], nodes[rng.integers(k + 1)])),
                dofs=int(rng.integers(1, 6)),
                one_way=bool(rng.random() < 0.5),
            )
            for k in range(5)
        ]
        more = [
            edge(
                f"c{k}",
                *rng.choice(nodes, 2, replace=False),
                dofs=int(rng.integers(1, 6)),
                one_way=bool(rng.random() < 0.5),
            )
            for k in range(3)
        ]
        graph = Graph(bodies, (*chain, *more))
        reachable = graph.reach(GROUND, range(8), directed=True) == set(nodes)
        if reachable:
            tree = choose(graph, method)
            assert against(tree) == [] and set(tree.order) == set(bodies)
        else:
            refused += 1
            with pytest.raises(TopologyError, match="the tree cannot reverse a"):
                choose(graph, method)
    assert 20 < refused < 180  # both happen


def chain(joint, swapped: bool) -> kt.Model:
    m = kt.Model("chain")
    a, b = m.body("a", kt.box(1.0, (0.3, 0.2, 0.1))), m.body("b", kt.box(1.0, (0.3, 0.2, 0.1)))
    m.joint("base", kt.Revolute(axis="y"), m.ground, a.at(-0.2, 0, 0))
    ends = a.at(0.2, 0, 0), b.at(-0.2, 0, 0)
    m.joint("J", joint, *(ends[::-1] if swapped else ends))
    return m


def test_a_chain_that_would_need_it_reversed_is_refused_with_what_to_do():
    assert kt.assemble(chain(OneWay(axis="y"), swapped=False)).mobility == 2
    with pytest.raises(
        TopologyError,
        match=r"joint 'J': the tree cannot reverse a revolute joint, .* leads from 'a' to 'b'",
    ) as refusal:
        kt.assemble(chain(OneWay(axis="y"), swapped=True))
    assert "Exchange its two markers, or call model.float('b')" in str(refusal.value)


def test_the_advice_to_float_works_and_gives_the_same_motion():
    plain, floated = (
        chain(kt.Revolute(axis="y"), swapped=True),
        chain(OneWay(axis="y"), swapped=True),
    )
    floated.float("b")
    first, second = (
        kt.simulate(m, 0.3, rtol=1e-10, output_interval=0.1, progress=False)
        for m in (plain, floated)
    )
    assert [e.name for e in second.compiled.tree.cuts] == ["J"]
    np.testing.assert_allclose(second["b.position"], first["b.position"], atol=1e-8)


def test_a_joint_class_must_declare_its_reversal():
    with pytest.raises(TypeError, match="Silent must declare with `reversal`"):

        class Silent(Joint):
            kind = "silent"

    with pytest.raises(TypeError, match="Inherited must declare with `reversal`"):

        class Inherited(Revolute):
            kind = "inherited"

    class Base(AxisJoint):
        """A base class without a kind needs no reversal."""

    class Told(Base):
        kind = "told"
        reversal = ONE_WAY

    assert Told.reversal is ONE_WAY
