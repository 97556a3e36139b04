"""What a run counts: choices of independent coordinates, singular value decompositions, Jacobians,
parts of steps.
"""

import pytest

import kinetree as kt
from kinetree.apps.papers.springs import flexible_joint
from kinetree.models.four_bar import four_bar

COUNTS = ("partitions", "decompositions", "jacobians")


def counts(**options) -> dict[str, int]:
    sol = kt.simulate(four_bar(), 5.0, rtol=1e-6, **options)
    found = {name: sol.statistics[name] for name in COUNTS}
    assert found == {name: getattr(sol.steps, name).sum() for name in COUNTS}
    words = {
        "partitions": "of independent coordinates",
        "decompositions": "null-space decomposition",
        "jacobians": "Jacobian",
    }
    for name, count in found.items():
        assert (words[name] in str(sol)) == (count > 0)
    return found | {"evaluations": sol.statistics["evaluations"]}


def test_coordinates_are_chosen_anew_as_the_crank_turns():
    found = counts(formulation="partitioning")
    assert found["partitions"] >= 2 and found["decompositions"] == found["jacobians"] == 0


def test_one_decomposition_per_evaluation_or_where_the_criterion_of_mani_asks_for_it_or_once():
    each, some, once = (
        counts(formulation=name)["decompositions"] for name in ("svd", "svd-velocity", "svd-update")
    )
    assert each >= counts(formulation="svd")["evaluations"]
    assert each > some > once and once <= 4  # evaluations before the first state is accepted


@pytest.mark.parametrize("integrator, many", [("adams", False), ("bdf", True)])
def test_implicit_methods_have_jacobians(integrator, many):
    assert (counts(integrator=integrator)["jacobians"] > 0) == many


def test_every_halving_of_a_structural_step_makes_one_part_more():
    sol = kt.simulate(flexible_joint(1000.0, 5000.0), 1.0, integrator="energy-conserving", step=0.1)
    assert sol.statistics["parts"] == 10 + sol.steps.rejected.sum()
    assert (
        (sol.statistics["parts"] > 10)
        == (sol.statistics["divided"] > 0)
        == ("parts of" in str(sol))
    )
