"""The page of all benchmarks: a table per script, plots where there are sizes."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from results_page import page

    yield page
    sys.modules.pop("results_page")


RECORD = {
    "date": "2026-01-01",
    "processor": "any",
    "system": "Linux",
    "versions": {"kinetree": "0.1.0"},
    "rows": {
        "growth": [
            {"case": "a & b", "n": 10, "seconds": 1.0e-3, "exudyn": None},
            {"case": "a & b", "n": 100, "seconds": 2.34e-2, "exudyn": 1.0},
        ],
        "gap": [{"program": "one", "gap": 1e-16}],
        "missing": [],
    },
}


def test_every_row_is_on_the_page_and_sizes_are_plotted(page):
    text = page(RECORD)
    growth, gap, missing = text.split("<h2>")[1:]
    assert "<td>a &amp; b</td><td>100</td><td>0.0234</td><td>1</td>" in growth
    assert growth.count("<svg") == 1 and growth.count("<tr>") == 3
    assert "<svg" not in gap and "<td>1e-16</td>" in gap
    assert "No rows" in missing and "<table>" not in missing


def test_the_page_needs_no_other_file(page):
    text = page(RECORD)
    assert "src=" not in text and "<script" not in text
