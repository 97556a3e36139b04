"""Tutorial, tasks and recipes: length of sentences, exercises with answers, figures, notebooks."""

import re
from pathlib import Path

import pytest

from .sentences import long_sentences, sentences, words

DOCS = Path(__file__).resolve().parents[2] / "docs"
LESSONS = sorted(
    (DOCS / "tutorial").glob("[0-9]*-*.md"), key=lambda page: int(page.stem.split("-")[0])
)
TASKS = sorted(page for page in (DOCS / "tasks").glob("*.md") if page.name != "index.md")
PROSE = [
    page
    for folder in ("tutorial", "tasks", "recipes")
    for page in sorted((DOCS / folder).glob("*.md"))
]
ANSWER = re.compile(r"<details><summary>Answer</summary>\n\n(.*?)\n</details>", re.DOTALL)


def named(page):
    return f"{page.parent.name}/{page.stem}"


def test_there_are_twelve_lessons_and_five_tasks():
    assert [page.stem.split("-")[0] for page in LESSONS] == [str(k) for k in range(12)]
    assert [page.stem for page in TASKS] == [
        "double-wishbone",
        "inverted-pendulum",
        "portal-frame",
        "robot-arm",
        "slider-crank",
    ]


@pytest.mark.parametrize("page", PROSE, ids=named)
def test_no_sentence_is_longer_than_thirty_words(page):
    assert long_sentences(page.read_text(encoding="utf-8")) == []


def test_sentences_have_less_than_eighteen_words_on_average():
    found = [s for page in PROSE for s in sentences(page.read_text(encoding="utf-8"))]
    assert sum(map(words, found)) / len(found) < 18.0


@pytest.mark.parametrize("page", [*LESSONS, *TASKS], ids=named)
def test_a_page_has_three_exercises_whose_answers_are_code_with_output(page):
    text = page.read_text(encoding="utf-8")
    answers = ANSWER.findall(text)
    assert len(answers) >= 3
    assert text.count("<details>") == text.count("</details>") == len(answers)
    assert [
        a for a in answers if not re.search(r"```python\n.*?^```\n\n```text", a, re.S | re.M)
    ] == []


@pytest.mark.parametrize("page", LESSONS, ids=named)
def test_exercises_are_the_last_section_of_a_lesson(page):
    titles = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert titles[-1] == "Exercises"


@pytest.mark.parametrize("page", TASKS, ids=named)
def test_a_task_has_a_drawing_a_check_by_hand_mistakes_and_variations(page):
    text = page.read_text(encoding="utf-8")
    assert re.search(r"!\[[^\]]+\]\(\.\./_generated/figures/learn-[a-z-]+\.svg\)", text)
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert {"Check by hand", "What can go wrong", "Variations"} <= set(titles)
    check = text.split("## Check by hand")[1].split("\n## ")[0]
    assert "```python" in check and "```text" in check


@pytest.mark.parametrize("page", [*LESSONS, *TASKS], ids=named)
def test_the_first_line_below_the_title_offers_the_notebook(page):
    line = page.read_text(encoding="utf-8").splitlines()[2]
    href = f"../notebooks/{page.parent.name}/{page.stem}.ipynb"
    assert line == f'<a href="{href}" download>Download this page as a notebook</a>'


def test_every_figure_that_a_page_shows_is_drawn():
    import sys

    sys.path.insert(0, str(DOCS))
    from workshop.figures import figures

    shown = {
        name
        for page in [*LESSONS, *TASKS]
        for name in re.findall(
            r"_generated/figures/([\w-]+)\.svg", page.read_text(encoding="utf-8")
        )
    }
    assert len(shown) > 10
    assert sorted(shown - set(figures())) == []


@pytest.mark.parametrize(
    ("text", "longest"),
    [
        ("# A title of many many words\n\nOne two three. Four five.\n", 3),
        ("- one two\n- three four five\n", 3),
        ("A [link of four words](page.md) and `some code here` count.\n", 8),
        ("| a | table |\n|---|---|\n\n```python\nmany words of code\n```\n\nShort one.\n", 2),
        ("The value $a + b = c$ is small.\n", 5),
        ("It ends with `x`. `y` begins the next one.\n", 5),
    ],
)
def test_words_of_sentences_are_counted_as_they_are_read(text, longest):
    assert max(map(words, sentences(text))) == longest


def test_a_long_sentence_is_found_with_its_number_of_words():
    text = "Short. " + "Word " + "word " * 29 + "end.\n"
    assert [found[:8] for found in long_sentences(text)] == ["31 words"]
