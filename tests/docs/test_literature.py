"""The literature is read strictly, and every citation has its record."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop import literature, reference  # noqa: E402

BIB = ROOT / "src" / "kinetree" / "references.bib"
FILES = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
CITED = re.compile(r"\[([A-Z][A-Za-z]+(?:1[89]|20)\d\d|LeeJoo)\b([^\[\]\n]*)\]")


def test_the_page_has_one_row_per_record():
    records = re.findall(r"^@\w+\{(\w+),", BIB.read_text(), re.MULTILINE)
    rows = re.findall(r"^- \[\]\{#(\w+)\}", reference.pages()["literature"], re.MULTILINE)
    assert sorted(rows) == sorted(key.lower() for key in records)
    assert len(rows) > 50


@pytest.mark.parametrize("key", literature.records())
def test_a_record_has_author_title_and_year(key):
    fields = literature.records()[key]
    assert {"author", "editor"} & set(fields) and fields["title"].strip()
    assert re.fullmatch(r"(1[89]|20)\d\d", fields.get("year", "")) or key == "LeeJoo"  # undated


def test_every_key_that_is_cited_has_a_record():
    cited = {
        key
        for file in FILES
        for first, rest in CITED.findall(file.read_text(encoding="utf-8"))
        for key in (first, *re.findall(r"\b[A-Z][a-z]+(?:19|20)\d\d\b", rest))
    }
    assert len(cited) > 40
    assert cited - set(literature.records()) == set()


def test_accents_and_signs_are_letters():
    page = reference.pages()["literature"]
    assert "González" in page and "generalized-α" in page and "Nørsett" in page
    assert "Drmač" in page and "Krešimir" in page and "Führer" in page
    assert not re.search(r"[{}\\$\"](?!\[|\])", page.replace("[]{#", "").replace("}**", "**"))


def test_hunt_and_crossley_have_their_own_record():
    assert literature.records()["Hunt1975"]["author"].startswith("Hunt")
    assert literature.records()["Haug1979"]["author"].startswith("Haug")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@book{A1, title = {x}, year = {1990}\n@book{B1, title = {y}}", "A1"),
        ("@book{A1, title = {x{y}, year = {1990}", "not closed"),
        ("@book{A1, title = {x}}\n@book{A1, title = {y}}", "two records"),
        ("@book{A1, title = {x}}}\n", "no record begins"),
        ("@book{A1, title = {x}, title = {y}}", "two fields"),
    ],
)
def test_a_broken_file_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        literature.parse(text)
