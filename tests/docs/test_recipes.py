"""Recipes: every page is in the index, has the same parts, and names only what exists."""

import re
from pathlib import Path

import pytest

import kinetree as kt
from kinetree.models import vehicles

DOCS = Path(__file__).resolve().parents[2] / "docs"
RECIPES = sorted(p for p in (DOCS / "recipes").glob("*.md") if p.name != "index.md")
TOPICS = [
    DOCS / f"{name}.md"
    for name in (
        "joints-and-drives hydraulics beams flexible-arms vehicles files viewer how-to-choose "
        "same-bits evidence/limits"
    ).split()
]
PAGES = [*RECIPES, DOCS / "recipes" / "index.md", *TOPICS, *(DOCS / "coming-from").glob("*.md")]


def named(page):
    return str(page.relative_to(DOCS))


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def python_of(text: str) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE))


def test_the_index_lists_every_recipe_and_every_topic_page_in_a_table():
    text = (DOCS / "recipes" / "index.md").read_text()
    rows = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    listed = {(DOCS / "recipes" / target).resolve() for target in re.findall(r"\]\(([^)#]+)", rows)}
    wanted = [*RECIPES, *(page for page in TOPICS if page.name != "limits.md")]
    assert [named(page) for page in wanted if page not in listed] == []
    toctree = text.partition("toctree")[2]
    assert [p.stem for p in RECIPES if not re.search(rf"^{p.stem}$", toctree, re.M)] == []


def test_the_index_leads_from_what_is_missing_to_limits_and_a_way_round():
    text = (DOCS / "recipes" / "index.md").read_text().partition("## Not available")[2]
    assert "../evidence/limits.md" in text
    for missing in ("contact", "FMU", "URDF", "finite-element", "Craig-Bampton", "trajectory"):
        row = next(line for line in text.splitlines() if missing in line and line.startswith("|"))
        assert re.search(r"\]\([^)]+\.md\)", row), missing


@pytest.mark.parametrize("page", RECIPES, ids=named)
def test_a_recipe_has_problem_code_check_pitfalls_and_links(page):
    text = page.read_text()
    assert re.search(r"^\*\*Problem\.\*\* \S", text, re.M)
    assert "import kinetree as kt" in python_of(text)
    assert re.search(r"\bassert\b|by hand|by_hand", python_of(text))
    assert len(re.findall(r"^- \*\*.+", text.partition("## What can go wrong")[2], re.M)) >= 3
    assert len(re.findall(r"\]\(", text.partition("## See also")[2])) >= 3
    assert "glossary.md" in text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_formula_is_in_a_code_block(page):
    """An indented block is code; formulas are typeset between dollar signs."""
    text = without_code(page.read_text())
    assert re.findall(r"(?:^|\n)\n {4,}(?![-*|]|\$)\S[^\n]*", text) == []
    assert re.findall(r"^ *\$\$[^$]*\$\$", text, re.M) or "$$" not in text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_name_of_the_package_on_a_page_exists(page):
    text = page.read_text()
    names = set(re.findall(r"\bkt\.([A-Za-z_]\w*)", text))
    assert [name for name in names if not hasattr(kt, name)] == []
    tools = set(re.findall(r"\bv\.([A-Z]\w*|add_\w+|both_sides|suspension_curves)\b", text))
    assert [name for name in tools if not hasattr(vehicles, name)] == []


def test_friction_and_stops_are_explained_on_one_page_only():
    others = [p for p in PAGES if p.name != "stops.md" and "coming-from" not in str(p)]
    explained = re.compile(r"`(coulomb|static|stribeck|transition|lower_end=True)`|stribeck=")
    found = {named(p): explained.findall(p.read_text()) for p in others}
    allowed = {"evidence/limits.md", "recipes/slow-runs.md"}  # name the speed of sticking only
    assert {p: words for p, words in found.items() if words and p not in allowed} == {}


def test_the_pages_that_were_merged_are_gone():
    assert [name for name in ("events.md", "user-code.md") if (DOCS / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_sentences_are_short(page):
    sentences = pytest.importorskip(f"{__package__}.sentences")
    text = page.read_text()
    lengths = [sentences.words(s) for s in sentences.sentences(text)]
    if "recipes" in named(page):
        assert sentences.long_sentences(text) == []
    assert sum(n > 30 for n in lengths) <= 0.05 * len(lengths)
    assert sum(lengths) / len(lengths) < 18
