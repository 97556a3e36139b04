"""The search shows the right page first: for words of users, names of other programs, and features
that do not exist.
"""

import json
import re

import pytest

from kinetree.synonyms import NAMES, plain
from viewer.browser import found

REFERENCE = "_generated/reference"
LIMITS = "evidence/limits.html#not-available"
FIRST = {
    "prismatic": f"{REFERENCE}/joints/translational.html",
    "hinge": f"{REFERENCE}/joints/revolute.html",
    "weld": f"{REFERENCE}/joints/fixed.html",
    "slider-crank": "tasks/slider-crank.html",
    "motor": "recipes/motors.html",
    "PID": "recipes/control.html",
    "bushing": f"{REFERENCE}/forces/bushing.html",
    "contact": "recipes/contact.html",
    "friction": "recipes/stops.html",
    "flywheel": f"{REFERENCE}/shapes/rotor.html",
    "eigenfrequency": f"{REFERENCE}/analyses/modes.html",
    "natural frequency": f"{REFERENCE}/analyses/modes.html",
    "center of mass": f"{REFERENCE}/shapes/mass.html",
    "double wishbone": "recipes/double-wishbone.html",
    "inverse kinematics": "recipes/starts.html#prescribe-a-whole-pose",
    "tolerance": "recipes/tolerances.html",
    "redundant": "theory/5-four-bar.html",
    "FMU": "recipes/fmu.html",
    "Craig-Bampton": "finite-elements.html",
    "shell": LIMITS,
    "cite": "citing.html",
}
OTHERS = {  # other programs, several words, plurals
    "rsda": f"{REFERENCE}/forces/torsion-spring.html",
    "Hooke joint": f"{REFERENCE}/joints/universal.html",
    "gstiff": f"{REFERENCE}/integrators/bdf.html",
    "RK45": f"{REFERENCE}/integrators/dopri5.html",
    "natural frequencies": f"{REFERENCE}/analyses/modes.html",
    "how to add friction": "recipes/stops.html",
    "kt.Revolute": f"{REFERENCE}/joints/revolute.html",
    "bearing force": "recipes/reactions.html",
    "joint force": "recipes/reactions.html",
    "torque-speed curve": "recipes/motors.html",
    "start-up": "recipes/motors.html",
    "moment of inertia": f"{REFERENCE}/shapes/mass.html",
    "unbalance": f"{REFERENCE}/shapes/mass.html",
    "export csv": "files.html",
    "two-storey frame": "recipes/beam-frames.html",
    "frame": "recipes/beam-frames.html",
}


@pytest.fixture(scope="module")
def tab(site):
    if found() is None:
        pytest.skip("Chromium is not installed")
    pytest.importorskip("websockets", reason="the package websockets is not installed")
    from viewer.browser import Browser

    browser = Browser()
    with browser.open(site / "search.html", ready="document.readyState === 'complete'") as opened:
        yield opened
    browser.close()


@pytest.mark.parametrize("word, page", [*FIRST.items(), *OTHERS.items()])
def test_the_first_result_is_the_expected_page(tab, site, word, page):
    results = "#best-matches a, #search-results ul.search li a"
    query = "?q=" + word.replace(" ", "+")
    tab.go(
        site / "search.html",
        f"location.search === '{query}' && !!document.querySelector('{results}')",
        query,
    )
    first = tab.ask(f"document.querySelector('{results}').href")
    place = first.removeprefix(site.resolve().as_uri() + "/")
    assert place == page or ("#" not in page and place.partition("#")[0] == page)


def test_a_word_that_is_not_in_the_table_is_left_to_the_full_text_search(tab, site):
    results = "document.querySelectorAll('#search-results ul.search li a')"
    tab.go(
        site / "search.html",
        f"location.search === '?q=precesses' && {results}.length > 0",
        "?q=precesses",
    )
    assert tab.ask("document.getElementById('best-matches') === null")


def test_no_message_contradicts_the_best_matches(tab, site):
    """The full-text search finds no page with this word."""
    status = "(document.querySelector('#search-results .search-summary')?.innerText ?? '')"
    tab.go(
        site / "search.html",
        f"location.search === '?q=cartpole' && {status}.includes('page')",
        "?q=cartpole",
    )
    assert tab.ask(status) == "No further page contains all of these words."


def _table(site) -> dict:
    text = (site / "_static" / "search-words.js").read_text(encoding="utf-8")
    return json.loads(text.partition("= ")[2].rstrip().rstrip(";"))


def test_every_target_exists_in_the_built_pages(site):
    missing = []
    for place, title, _ in _table(site)["targets"]:
        page, _, anchor = place.partition("#")
        text = (site / page).read_text(encoding="utf-8") if (site / page).exists() else ""
        if not text or (anchor and f'id="{anchor}"' not in text):
            missing.append((title, place))
    assert missing == []


def test_the_table_has_all_names_of_other_programs(site):
    words = _table(site)["words"]
    others = [other for names in NAMES.values() for other in names.split()]
    assert len(others) > 300
    assert [other for other in others if not words.get(plain(other))] == []


def test_words_are_compared_in_the_browser_as_in_python(site):
    """Both strip the same words of the kind at the end of a name."""
    script = (site / "_static" / "search-first.js").read_text(encoding="utf-8")
    ends = re.search(r"\((joint\|[a-z|]*)\)\$", script)
    assert ends is not None
    for end in ends[1].split("|"):
        assert plain("hinge" + end) == "hinge"
    assert [w for w in _table(site)["words"] if not re.fullmatch("[a-z0-9]+", w)] == []
