"""The page of the five papers: complete, with its data as JSON, complete when an example fails, one
file that needs nothing else.
"""

import json
import re
from html.parser import HTMLParser

import pytest

from kinetree.apps.papers import report
from kinetree.apps.papers.catalogue import Entry, paper_entry
from kinetree.apps.papers.claim import Claim
from kinetree.apps.papers.item import FAILED, REPRODUCED, Item, Table, judged, labels
from kinetree.apps.papers.items.springs import ITEMS as SPRINGS
from kinetree.errors import SimulationError


class Balanced(HTMLParser):
    """Every element that is opened is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.pictures = [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.pictures += tag == "img"
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def item(verdict=REPRODUCED, **what):
    what = what or {"tabulate": lambda: Table(("a < b", "c"), ((1, "x & y"),), "note")}
    return Item(
        "Lee1994",
        "Fig. 3",
        "figure",
        "made",
        "one <example>",
        "curves & words",
        verdict,
        "as it should be",
        **what,
    )


@pytest.fixture
def catalogue_with(monkeypatch):
    """Replace all examples by one with these claims."""

    def put(check):
        made = Entry("made", "one <example>", "nobody", check)
        monkeypatch.setattr(report, "EXAMPLES", (made,))
        monkeypatch.setattr(report, "paper_entry", lambda name: made)
        return made

    return put


def failing():
    raise SimulationError("stopped & gave up")


def test_the_page_and_the_data_contain_items_and_claims(tmp_path, catalogue_with):
    made = catalogue_with(
        lambda: [
            Claim("Fig. 3: a < b", 1.5, [1, 2], False, "why & how"),
            Claim("other", None, 1, True),
        ]
    )
    lines = []
    page, items, claims = report.write_report(
        tmp_path / "deep" / "report", [item()], [made], lines.append
    )
    text = page.read_text()
    assert not Balanced(text).open and "http" not in re.sub(r"base64,[^\"]*", "", text)
    for part in (
        "one &lt;example&gt;",
        "a &lt; b",
        "why &amp; how",
        "1, 2",
        "curves &amp; words",
        "x &amp; y",
        "other",
    ):
        assert part in text
    assert lines == ["made: 1 of 2 claims hold", "1 of 1: Lee1994 Fig. 3: not reproduced"]
    assert json.loads(items.read_text()) == [
        {
            "paper": "Lee1994",
            "item": "Fig. 3",
            "verdict": FAILED,
            "reason": "This claim does not hold: Fig. 3: a < b.",
        }
    ]
    assert json.loads(claims.read_text())["made"][0] == {
        "claim": "Fig. 3: a < b",
        "paper": 1.5,
        "ours": [1, 2],
        "holds": False,
        "note": "why & how",
    }


def test_the_page_is_complete_when_an_example_fails(tmp_path, catalogue_with):
    made = catalogue_with(failing)
    page, _, claims = report.write_report(tmp_path, [item(draw=lambda path: failing())], [made])
    assert json.loads(claims.read_text())["made"][0]["note"] == "stopped & gave up"
    assert (
        "No picture: stopped &amp; gave up" in page.read_text()
        and not Balanced(page.read_text()).open
    )


def test_pictures_are_embedded_in_the_page(tmp_path):
    figure = next(one for one in SPRINGS if one.item == "Fig. 3")
    page, _, _ = report.write_report(tmp_path, [figure], [paper_entry("spring-linear")])
    parsed = Balanced(page.read_text())
    assert parsed.pictures == 1 and not parsed.open and 'name="viewport"' in page.read_text()


def test_a_claim_belongs_to_the_items_its_text_begins_with():
    assert (
        labels("Fig. 5: x") == {"Fig. 5"}
        and labels("Table 4: y") == {"Table 4"}
        and labels("none, see Fig. 5") == set()
    )
    assert labels("Figs. 9 to 11: z") == {"Fig. 9", "Fig. 10", "Fig. 11"} and labels(
        "Figs. 2, 3: z"
    ) == {"Fig. 2", "Fig. 3"}
    good, bad, else_ = (
        Claim("Fig. 3: a", 1, 1, True),
        Claim("Figs. 2 to 4: b", 1, 2, False),
        Claim("Fig. 4: c", 1, 2, False),
    )
    assert (
        judged(item(), [good, else_]).verdict == REPRODUCED
        and judged(item(), [good, bad]).verdict == FAILED
    )
    assert judged(item(), [good, bad]).claims == [good, bad]


def test_an_item_needs_a_verdict_of_the_list_and_something_to_show():
    with pytest.raises(ValueError, match="verdict"):
        item("yes")
    with pytest.raises(ValueError, match="picture"):
        item(draw=None)
