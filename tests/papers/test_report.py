"""The page of all claims: complete, readable by machines, whole when an example fails, one file that needs nothing else."""

import json
import re
from html.parser import HTMLParser

from kinetree.errors import SimulationError
from kinetree.papers.catalogue import Entry, paper_entry
from kinetree.papers.claim import Claim
from kinetree.papers.report import write_report


class Balanced(HTMLParser):
    """Every element that is opened is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.pictures = [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.pictures += tag == "img"
        if tag not in ("meta", "img", "html"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def failing():
    raise SimulationError("stopped & gave up")


def test_every_claim_stands_in_the_page_and_in_the_data(tmp_path):
    made = Entry("made", "one <example>", "nobody", lambda: [Claim("a < b", 1.5, [1, 2], False, "why & how")])
    entries = [paper_entry("euler-1"), made]
    told = []
    page, data = write_report(tmp_path / "deep" / "report", entries, told.append)
    text, claims = page.read_text(), json.loads(data.read_text())
    parsed = Balanced(text)
    assert not parsed.open and parsed.pictures == 1 and "http" not in re.sub(r"base64,[^\"]*", "", text)
    assert text.count('class="yes"') + text.count('class="no"') == sum(len(c) for c in claims.values())
    assert "one &lt;example&gt;" in text and "a &lt; b" in text and "why &amp; how" in text and "1, 2" in text
    assert told == [f"euler-1: {len(claims['euler-1'])} of {len(claims['euler-1'])} claims hold", "made: 0 of 1 claims hold"]
    assert claims["made"][0] == {"claim": "a < b", "paper": 1.5, "ours": [1, 2], "holds": False, "note": "why & how"}


def test_an_example_that_fails_leaves_the_others_whole(tmp_path):
    entries = [Entry("lost", "fails", "nobody", failing, lambda path: failing()), paper_entry("spring-linear")]
    page, data = write_report(tmp_path, entries)
    claims = json.loads(data.read_text())
    assert claims["lost"][0]["note"] == "stopped & gave up" and all(c["holds"] for c in claims["spring-linear"])
    assert "No picture: stopped &amp; gave up" in page.read_text() and not Balanced(page.read_text()).open
