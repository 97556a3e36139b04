"""The page that computes, in headless Chromium."""

import json

import numpy as np
import pytest
from tests.viewer.browser import found
from tests.viewer.conftest import browser  # noqa: F401

import kinetree as kt

from .machines import four_bar

pytestmark = pytest.mark.skipif(
    found() is None, reason="no Chromium is installed (Debian: apt-get install chromium)"
)
SLIDERS = {"crank": (0.3, 0.6), "stiffness": (0.0, 20.0)}
SLIDER = """(k, share) => { const one = document.querySelectorAll('#desk input')[k];
    one.value = share * one.max; one.dispatchEvent(new Event('input')); return viewer.engine.values[k]; }"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "four-bar.html"
    return kt.playground(four_bar, path, sliders=SLIDERS, rtol=1e-12, playing=False)


@pytest.fixture(scope="module")
def tab(browser, page):  # noqa: F811
    with browser.open(page, size=(1000, 700)) as tab:
        yield tab


def state(tab) -> np.ndarray:
    return np.array(tab.ask("[...viewer.engine.y.subarray(0, viewer.engine.data.numbers.n)]"))


def test_a_page_runs_without_network_and_without_complaints(tab, page):
    assert tab.complaints() == []
    assert tab.requests() == []
    # 170 kB of kernels, 60 kB of the viewer, and the scene
    assert len(page.text.encode()) < 400_000


def test_a_moved_slider_changes_the_motion_to_that_of_simulate(tab):
    before = tab.ask(
        "(() => { viewer.reset(); viewer.engine.advance(1); return viewer.engine.y[0]; })()"
    )
    value = tab.ask(f"({SLIDER})(0, 0.25)")
    assert abs(value - 0.375) < 1e-12
    assert tab.ask("(() => { viewer.reset(); return viewer.engine.advance(1); })()") == 0
    sol = kt.simulate(four_bar(crank=value), 1.0, rtol=1e-12, progress=False)
    own = state(tab)
    # some hundred steps with errors of 1e-12
    np.testing.assert_allclose(own, [*sol.q[-1], *sol.v[-1], *sol.x[-1]], atol=1e-9)
    assert abs(own[0] - before) > 0.01
    tab.ask(f"({SLIDER})(0, 2 / 3)")


def test_the_outline_of_a_body_follows_its_length(tab):
    """The drawn crank gets shorter with the slider."""
    drawn = (
        "viewer.scene.data.solids.filter(s => s.on === 1 && s.kind === 'cylinder')"
        ".map(s => Math.hypot(...s.a.map((a, k) => a - s.b[k])))[0]"
    )
    tab.ask(f"({SLIDER})(0, 2 / 3)")
    long = tab.ask(drawn)
    tab.ask(f"({SLIDER})(0, 0)")
    short = tab.ask(drawn)
    tab.ask(f"({SLIDER})(0, 2 / 3)")
    assert long - short == pytest.approx(0.2, rel=0.1)  # outlines are rounded to 6 digits


def test_a_picture_of_a_running_page_takes_little_time_to_compute(tab):
    """Computing is a small part of a frame of 16 ms, also on a slow computer; drawing is separate."""
    tab.ask("viewer.reset(); viewer.play(true)")
    tab.wait("viewer.t > 1")
    tab.ask("viewer.play(false)")
    assert tab.ask("viewer.cost") < 16.0
    assert tab.ask("viewer.chart.times.length") > 5


def test_a_body_follows_the_pointer_that_drags_it(tab):
    tab.ask("viewer.reset()")
    crank = "viewer.scene.data.things.findIndex(t => t.name === 'crank')"
    x, y = tab.ask(f"viewer.project(viewer.scene.data.things[{crank}].at)")
    tab.pointer("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    assert tab.ask("viewer.held?.frame") == 1
    tab.pointer("mouseMoved", x, y - 150, button="left", buttons=1)
    tab.wait("viewer.t > 0.5")
    pulled = tab.ask("viewer.engine.y[0]")
    tab.pointer("mouseReleased", x, y - 150, button="left")
    assert tab.ask("viewer.held") is None
    tab.ask("viewer.play(false); viewer.reset()")
    tab.ask("viewer.engine.advance(0.5)")
    assert abs(pulled - tab.ask("viewer.engine.y[0]")) > 0.05


def test_buttons_pause_step_and_reset(tab):
    click = "document.getElementById('{}').click()".format
    tab.ask(click("reset"))
    assert tab.ask("viewer.t") == 0
    tab.ask(click("next"))
    assert tab.ask("viewer.t") == pytest.approx(1 / 60)
    tab.ask(click("play"))
    assert tab.ask("viewer.playing")
    tab.ask(click("play"))
    assert not tab.ask("viewer.playing")


def test_a_value_that_is_not_possible_is_reported_in_words(browser, tmp_path):  # noqa: F811
    path = tmp_path / "long.html"
    kt.playground(four_bar, path, sliders={"crank": (0.3, 4.0, 0.5)}, playing=False)
    with browser.open(path) as tab:
        tab.ask(f"({SLIDER})(0, 1)")
        assert "not possible" in tab.ask("document.getElementById('note').textContent")
        assert tab.ask("viewer.engine.values[0]") == 0.5
        assert tab.complaints() == []


def test_a_browser_without_webassembly_is_told_so(browser, page):  # noqa: F811
    with browser.open(page, before="delete window.WebAssembly") as tab:
        assert "WebAssembly" in tab.ask("document.getElementById('message').textContent")


def test_everything_fits_on_a_phone(browser, page):  # noqa: F811
    with browser.open(page, dark=True, size=(390, 844)) as tab:
        assert tab.ask("document.documentElement.scrollWidth") == 390
        boxes = json.loads(
            tab.ask(
                "JSON.stringify(['picture', 'play', 'reset', 'desk', 'chart', 'legend'].map(id => "
                "document.getElementById(id).getBoundingClientRect().toJSON()))"
            )
        )
        assert all(b["left"] >= 0 and b["right"] <= 390 and b["bottom"] <= 844 for b in boxes)
        assert boxes[0]["height"] > 250
