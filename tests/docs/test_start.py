"""The first pages: landing pages in two languages, performance, glossary, questions, README."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from workshop import landing, performance
from workshop.run import blocks_of
from workshop.validation.cases import PROBLEMS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BACK_MATTER = (
    "cheat-sheet.md",
    "glossary.md",
    "faq.md",
    "citing.md",
    "evidence/validation.md",
    "evidence/performance.md",
)
SEARCHED = (
    "prismatic",
    "hinge",
    "weld",
    "slider-crank",
    "motor",
    "PID",
    "bushing",
    "contact",
    "friction",
    "flywheel",
    "eigenfrequency",
    "natural frequency",
    "center of mass",
    "double wishbone",
    "inverse kinematics",
    "tolerance",
    "redundant",
    "FMU",
    "Craig-Bampton",
    "cite",
)


def text(page):
    return (DOCS / page).read_text(encoding="utf-8")


def code(page):
    return next(block.body for block in blocks_of(text(page)) if block.language == "python")


def links(page):
    """Targets of the page, without the links between the two languages."""
    return set(re.findall(r"\]\(([^)\s]+)\)", text(page))) - {
        "ko.md",
        "index.md",
        "theory/papers.md",
    }


@pytest.mark.parametrize("page", ["index.md", "ko.md"])
def test_a_landing_page_has_the_install_line_and_ten_lines_of_code(page):
    first_screen = text(page).partition("\n## ")[0]
    assert "`pip install .`" in first_screen
    assert 5 <= len([line for line in code(page).splitlines() if line.strip()]) <= 10


def test_the_landing_pages_have_the_same_code_and_links():
    assert code("ko.md") == code("index.md")
    assert links("ko.md") == links("index.md")


@pytest.mark.parametrize("target", BACK_MATTER)
def test_the_landing_page_links_to_what_readers_look_for(target):
    assert f"]({target})" in text("index.md")


def test_korean_text_says_its_language():
    """Every block of Korean text is within an element with lang="ko", headings and one line aside."""
    outside = re.sub(r'<div[^>]*lang="ko">.*?(?=\n## |\Z)', "", text("ko.md"), flags=re.DOTALL)
    lines = [line for line in outside.splitlines() if re.search("[가-힣]", line)]
    assert [line for line in lines if not line.startswith(("#", "아래에서"))] == []


def test_the_picture_of_the_landing_page_moves_is_small_and_has_a_still_form(tmp_path):
    landing.write(tmp_path)
    moving, still = tmp_path / "excavator.webp", tmp_path / "excavator.png"
    assert Image.open(moving).n_frames > 20
    assert moving.stat().st_size < 500_000 and still.stat().st_size < 150_000
    assert "landing.write(" in text("conf.py")
    for page in ("index.md", "ko.md"):
        assert 'media="(prefers-reduced-motion: reduce)" srcset="landing/excavator.png"' in text(
            page
        )
        assert 'href="machines/excavator.html"' in text(page)


def test_the_moving_picture_of_the_readme_exists():
    name = re.search(r"\((docs/images/[\w-]+\.webp)\)", (ROOT / "README.md").read_text())[1]
    assert Image.open(ROOT / name).n_frames > 20 and (ROOT / name).stat().st_size < 500_000


def recorded(script, **wanted):
    rows = json.loads(performance.RECORD.read_text())["rows"][script]
    return next(row for row in rows if all(row[key] == value for key, value in wanted.items()))


def shown(seconds):
    """Milliseconds with two digits, as in the sentences."""
    return f"{float(f'{1e3 * seconds:.2g}'):g} ms"


@pytest.mark.parametrize("page", ["index.md", "ko.md", "../README.md"])
def test_measured_claims_are_those_of_the_recorded_run(page):
    loop = recorded("closed_loops", case="andrews", wanted=1e-6)
    assert shown(loop["ours"]) in text(page) and shown(loop["exudyn"]) in text(page)
    ours = recorded("loop_gap", program="kinetree")
    other = recorded("loop_gap", program="mujoco, default", step=0.002)
    assert f"{ours['gap']:.0e}" in text(page)
    assert f"{1e3 * other['gap']:.1f} mm" in text(page)


@pytest.mark.parametrize("page", ["faq.md", "../README.md"])
def test_the_number_of_published_values_is_that_of_the_table(page):
    count = sum(len(problem.cases) for problem in PROBLEMS)
    assert re.search(rf"\b{count} \[?published values", text(page))


def test_the_page_of_the_performance_shows_all_recorded_scripts(tmp_path):
    performance.write(tmp_path)
    made = {path.stem.removeprefix("performance-") for path in tmp_path.glob("*.txt")}
    included = set(
        re.findall(r"_generated/performance-(\w+)\.txt", text("evidence/performance.md"))
    )
    assert made == included and len(made) > 4
    record = json.loads(performance.RECORD.read_text())
    assert record["date"] in (tmp_path / "performance-setup.txt").read_text()
    for figure in re.findall(r"figures/(performance-\w+\.svg)", text("evidence/performance.md")):
        assert (tmp_path / "figures" / figure).stat().st_size > 0


def test_every_term_of_the_glossary_leads_to_a_page():
    rows = [line for line in text("glossary.md").splitlines() if line.startswith("| ")]
    body = [row for row in rows if not row.startswith(("| term", "| if you"))]
    assert len(body) > 100
    assert [row for row in body if not re.search(r"\]\([\w/.-]+\.md\) \|$", row)] == []


@pytest.mark.parametrize("word", SEARCHED)
def test_the_glossary_has_the_words_that_readers_search(word):
    assert word.lower() in text("glossary.md").lower()


def test_there_are_at_least_twenty_questions_each_with_an_answer():
    parts = re.split(r"^### ", text("faq.md"), flags=re.MULTILINE)[1:]
    assert len(parts) >= 20
    for part in parts:
        question, _, answer = part.partition("\n")
        assert question.endswith("?") and 8 < len(answer.split()) < 80, question


def test_the_citation_on_the_page_is_that_of_the_citation_file():
    from ruamel.yaml import YAML

    citation = YAML(typ="safe").load(ROOT / "CITATION.cff")
    for value in (citation["title"], citation["version"], citation["license"]):
        assert f"{{{value}}}" in text("citing.md")
