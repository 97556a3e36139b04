"""The catalogue of items is complete and has no number twice; each item has a sentence and claims."""

import re

import pytest

from kinetree.apps.papers.catalogue import PAPERS
from kinetree.apps.papers.item import CORRECTED, labels
from kinetree.apps.papers.items.catalogue import ITEMS, items_of
from kinetree.apps.papers.items.catalogue import PAPERS as FIVE

from .test_claims import claims


def numbers(paper, *kinds):
    found = [
        label
        for item in ITEMS
        if item.paper == paper and item.kind in kinds
        for label in labels(item.item)
    ]
    assert len(set(found)) == len(found)
    return sorted(int(re.findall(r"\d+", label)[0]) for label in found)


def test_the_catalogue_has_every_figure_table_and_drawing_of_the_papers():
    """36 figures with results, 10 tables and 15 drawings; numbers as in the papers."""
    assert [
        sum(item.kind == kind for item in ITEMS) for kind in ("figure", "table", "drawing")
    ] == [36, 10, 15]
    pictures = {paper: numbers(paper, "figure", "drawing") for paper in FIVE}
    assert pictures == {
        "Lee1994": list(range(2, 13)),
        "Yun2005": list(range(1, 14)),
        "Kim1997": list(range(1, 14)),
        "Han1994": list(range(1, 11)),
        "LeeJoo": list(range(1, 8)),
    }
    assert {paper: numbers(paper, "table") for paper in FIVE} == {
        "Lee1994": [1, 2, 3, 4, 5],
        "Yun2005": [],
        "Kim1997": [1],
        "Han1994": [1, 2, 3, 4],
        "LeeJoo": [],
    }


def test_every_item_has_an_example_a_file_name_and_a_sentence():
    names = {entry.name for entry in PAPERS}
    for item in ITEMS:
        assert (
            item.paper in FIVE
            and item.system in names
            and re.fullmatch(r"(fig|table)(-\d\d)+", item.name)
        ), item
        assert item.reason.endswith(".") and not item.says.endswith("."), item.item
        assert (re.search(r"E-\d", item.reason) is not None) or item.verdict != CORRECTED, item.item
    assert len({(item.paper, item.name) for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("system", sorted({item.system for item in ITEMS}))
def test_every_figure_and_table_has_a_claim(system):
    about = set().union(*(labels(claim.claim) for claim in claims(system)))
    for item in items_of(system):
        assert item.kind == "drawing" or labels(item.item) & about, item.item
