"""Length of the sentences of all pages: no long one in tutorial, tasks and recipes, few elsewhere."""

import re
from pathlib import Path

import pytest

from .sentences import LONGEST, long_sentences, sentences, words

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOT_PROSE = {"changes.md", "contributing.md"}  # each includes a file of another folder
STRICT = {"tutorial", "tasks", "recipes"}
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if page.name not in NOT_PROSE
    and not {"_build", "_generated", "decisions"} & set(page.relative_to(DOCS).parts)
]


def named(page):
    return str(page.relative_to(DOCS).with_suffix(""))


def lengths(page):
    """Words of each sentence; Korean sentences end with a period before a Korean letter."""
    text = re.sub(r"(?<=[가-힣])\.\**\s+(?=[가-힣])", ".\n\n", page.read_text(encoding="utf-8"))
    return [words(sentence) for sentence in sentences(text)]


def test_the_pages_are_found():
    assert len(PAGES) > 75
    assert {"index", "tutorial/1-pendulum", "theory/papers", "ko"} <= set(map(named, PAGES))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_at_most_five_percent_of_the_sentences_of_a_page_are_long(page):
    found = lengths(page)
    allowed = 0.0 if page.parent.name in STRICT else 0.05
    assert sum(n > LONGEST for n in found) <= allowed * len(found), long_sentences(page.read_text())


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_mean_length_of_the_sentences_of_a_page_is_below_eighteen_words(page):
    found = lengths(page)
    assert sum(found) / len(found) < 18.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two three. Four `five six` seven!", [3, 3]),
        ("A [link of four words](page.md) ends.\n\n- An item\n- Another item here", [6, 2, 3]),
        ("```text\nno words\n```\n\nThe force $a + b$ acts.\n\n| a table | here |", [4]),
    ],
)
def test_words_are_those_that_a_reader_sees(text, expected):
    assert [words(sentence) for sentence in sentences(text)] == expected
