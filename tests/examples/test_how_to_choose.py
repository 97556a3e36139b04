"""The counts on the page "How to choose" are those of today's runs: who changes a method changes
the page.
"""

import re
from pathlib import Path

import pytest

import kinetree as kt
from kinetree.models.catalogue import model_entry

PAGE = (Path(__file__).parents[2] / "docs" / "how-to-choose.md").read_text()
NEAR = (
    0.05  # of a count: another machine rounds otherwise, and a step more or less follows from that
)


def row(pattern: str) -> list[int]:
    """The whole numbers that a line of a table says, in the groups of a pattern."""
    found = re.search(rf"^\| {pattern}", PAGE, re.M)
    assert found is not None, pattern
    return [int(number) for number in found.groups()]


def count(name: str, until: float, **options) -> int:
    return kt.simulate(model_entry(name).build(), until, **options).result.evaluations


@pytest.mark.parametrize("rtol", ["1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"])
def test_right_hand_sides_by_tolerance(rtol):
    said = row(rf"{rtol} \| \S+, (\d+), \S+ \| \S+, (\d+), ")
    found = [count("rssr", 2.0, rtol=float(rtol), integrator=name) for name in ("adams", "dopri5")]
    assert found == pytest.approx(said, rel=NEAR)


@pytest.mark.parametrize("formulation", ["augmented", "baumgarte"])
@pytest.mark.parametrize("integrator", ["adams", "dopri5"])
def test_right_hand_sides_by_formulation(formulation, integrator):
    said, steps = row(rf"`{formulation}`, `{integrator}` \| (\d+) \| (\d+) ")
    sol = kt.simulate(
        model_entry("rssr").build(), 2.0, rtol=1e-8, formulation=formulation, integrator=integrator
    )
    assert (sol.result.evaluations, sol.result.accepted) == pytest.approx((said, steps), rel=NEAR)


@pytest.mark.parametrize("integrator", ["adams", "dopri5"])
def test_right_hand_sides_of_the_four_bar(integrator):
    said = row(rf"`{integrator}` \| (\d+) ")[0]
    assert count("four-bar", 5.0, rtol=1e-8, integrator=integrator) == pytest.approx(said, rel=NEAR)


def test_the_summary_repeats_what_the_tables_say():
    tables = row(r"1e-9 \| \S+, (\d+), \S+ \| \S+, (\d+), ")
    assert f"{tables[0]} against {tables[1]} right-hand sides" in PAGE
    said = re.findall(
        r"at 1e-10 (\d+) right-hand sides against (\d+) of `dopri5` and (\d+) of `adams`", PAGE
    )[0]
    found = [
        count("rssr", 2.0, rtol=1e-10, integrator=name) for name in ("dop853", "dopri5", "adams")
    ]
    assert found == pytest.approx([int(n) for n in said], rel=NEAR)
