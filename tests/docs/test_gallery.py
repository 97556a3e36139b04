"""The gallery has every built-in model and every example, with a title, tags that are true, code that
runs, a film, and numbers that were checked.
"""

import json
import re
import runpy
import sys
from pathlib import Path

import pytest

from kinetree.models.catalogue import MODELS
from viewer.browser import found

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop.gallery.checks import Check, checks  # noqa: E402
from workshop.gallery.pages import anchor  # noqa: E402
from workshop.gallery.scripts import notebook, script, shown_code  # noqa: E402
from workshop.gallery.things import said_checks, tags, things  # noqa: E402

THINGS = things()
EXAMPLES = [thing for thing in THINGS if not thing.is_model]
MODELS_SHOWN = [thing for thing in THINGS if thing.is_model]
each = pytest.mark.parametrize("thing", THINGS, ids=lambda thing: thing.name)
LARGEST = 120_000  # bytes of a film


def test_all_models_and_all_examples_are_shown():
    scripts = sorted((ROOT / "examples").glob("[0-9]*.py"))
    names = [entry.name for entry in MODELS] + [path.stem.replace("_", "-") for path in scripts]
    assert [thing.name for thing in THINGS] == names


@each
def test_a_thing_has_a_plain_title_and_known_tags(thing):
    assert re.fullmatch(r"[A-Z][^_]{3,70}", thing.title)
    assert thing.title.lower() != thing.name or " " not in thing.title
    assert thing.tags and set(thing.tags) <= set(tags())


def test_titles_are_different():
    assert len({thing.title for thing in THINGS}) == len(THINGS)


@pytest.mark.parametrize("entry", MODELS, ids=lambda entry: entry.name)
def test_the_tags_of_a_model_are_true(entry):
    model = entry.build()
    report = model.topology()
    beams = any(hasattr(body, "nodes") for body in model.bodies.values())
    modes = model.generated is not None and any("_mode" in name for name in model.joints)
    kinds = {type(element.spec).__name__ for element in model.forces.values()}
    assert ("closed loop" in entry.tags) == bool(report.loops)
    assert ("open chain" in entry.tags) == (not report.loops)
    assert ("redundant" in entry.tags) == (bool(report.redundant) and not beams)
    assert ("flexible" in entry.tags) == (beams or modes)
    assert ("hydraulics" in entry.tags) == ("HydraulicCylinder" in kinds)
    rolling = all(e.spec.restricts_velocities for e in model.constraints.values())
    assert ("driven" in entry.tags) == (not rolling)
    assert ("paper" in entry.tags) == any(
        key in entry.source for key in ("Lee1994", "Han1994", "Kim1997", "LeeJoo", "Yun2005")
    )


@pytest.mark.parametrize("entry", MODELS, ids=lambda entry: entry.name)
def test_a_model_agrees_with_its_checked_numbers(entry):
    found = checks(entry.name)
    assert found and all(check.source for check in found)
    assert [check for check in found if not check.holds] == []


def test_a_check_fails_for_another_number_and_shows_the_digits_of_its_tolerance():
    check = Check("length, m", 1.25, 1.2501, 1e-3, "ruler")
    assert check.holds and check.row() == ["length, m", "1.250", "1.250", "ruler"]
    assert not check._replace(ours=1.252).holds
    assert not check._replace(ours=float("nan")).holds


@pytest.mark.parametrize("thing", EXAMPLES, ids=lambda thing: thing.name)
def test_an_example_states_what_it_checks(thing):
    text = thing.path.read_text(encoding="utf-8")
    stated = said_checks(text)
    assert len(stated) == text.count("# CHECK ") > 0
    assert all(len(sentence) > 30 for sentence in stated)


@each
def test_the_page_has_code_film_notebook_and_checked_numbers(thing, site):
    page = (site / "_generated" / "gallery" / f"{thing.name}.html").read_text(encoding="utf-8")
    for section in ("checked-numbers", "code", "see-also"):
        assert f'<section id="{section}">' in page
    assert "highlight-python" in page
    assert f'notebooks/gallery/{thing.name}.ipynb"' in page
    if thing.film:
        film = site / "machines" / f"{thing.film}.webp"
        assert 5_000 < film.stat().st_size < LARGEST
        assert b"webgl2" in film.with_suffix(".html").read_bytes()
        assert f'machines/{thing.film}.html"' in page


@each
def test_the_notebook_runs(thing, tmp_path, monkeypatch):
    """Its cells are those of the script, which is run as a file."""
    cells = [cell["source"] for cell in notebook(thing)["cells"] if cell["cell_type"] == "code"]
    assert "\n\n".join(cells).split() == script(thing).split()
    path = tmp_path / "notebook.py"
    path.write_text("\n\n".join(cells) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scope = runpy.run_path(str(path), run_name="__main__")
    assert not thing.is_model or abs(scope["sol"].t[-1] - thing.until) < 1e-9


@pytest.mark.parametrize("thing", MODELS_SHOWN, ids=lambda thing: thing.name)
def test_a_copy_of_the_shown_code_builds_the_model(thing, tmp_path):
    """The code is run as a script that is in no package."""
    path = tmp_path / "copied.py"
    path.write_text(shown_code(thing), encoding="utf-8")
    build = runpy.run_path(str(path))[thing.build.__name__]
    assert build().topology().mobility == thing.build().topology().mobility


@each
def test_the_notebook_is_on_the_site(thing, site):
    made = json.loads((site / "notebooks" / "gallery" / f"{thing.name}.ipynb").read_text("utf-8"))
    assert made == notebook(thing)


def test_every_card_leads_to_its_page(site):
    grid = (site / "gallery.html").read_text(encoding="utf-8")
    cards = re.findall(r'<div class="card"[^>]*><a href="_generated/gallery/([\w-]+)\.html"', grid)
    assert sorted(cards) == sorted(thing.name for thing in THINGS)
    assert [tag for tag in tags() if f'<li id="{anchor(tag)}">' not in grid] == []


def test_a_click_on_a_tag_shows_the_cards_of_this_tag(site):
    if found() is None:
        pytest.skip("Chromium is not installed")
    pytest.importorskip("websockets", reason="the package websockets is not installed")
    from viewer.browser import Browser

    shown = "[...document.querySelectorAll('.card')].filter((c) => c.offsetParent).length"
    click = "document.querySelector('.tag-bar a[href=\"#{}\"]').click()"
    tagged = sum("hydraulics" in thing.tags for thing in THINGS)
    browser = Browser()
    with browser.open(site / "gallery.html", ready="document.readyState === 'complete'") as tab:
        assert tab.ask(shown) == len(THINGS)
        tab.ask(click.format("hydraulics"))
        assert tab.ask(shown) == tagged < len(THINGS)
        tab.ask(click.format("hydraulics"))
        assert tab.ask(shown) == len(THINGS)
        ready = f"location.hash === '#closed-loop' && {shown} < {len(THINGS)}"
        tab.go(site / "gallery.html", ready, "#closed-loop")
        assert tab.ask(shown) == sum("closed loop" in thing.tags for thing in THINGS)
    browser.close()
