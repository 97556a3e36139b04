"""Pages on a phone: none is wider than the screen, reports keep their lines, and pages of the
reference are short.
"""

import pytest

from viewer.browser import found

WIDTH, HEIGHT = 390, 844  # pixels of a phone
TALLEST = 6000  # pixels of a page of the reference at that width
READY = (
    "document.readyState === 'complete' && (!document.querySelector('.math') || "
    "(window.MathJax && MathJax.startup && MathJax.startup.promise.then(() => true)))"
)
# elements that reach beyond the screen, besides those in a box that scrolls
MEASURES = """(() => {
  const root = document.documentElement, article = document.querySelector("article") || document.body;
  const scrolls = (el) => ["auto", "scroll"].includes(getComputedStyle(el).overflowX);
  function boxed(el) {
    for (let up = el; up && up !== article; up = up.parentElement) if (scrolls(up)) return true;
    return false;
  }
  const beyond = [...article.querySelectorAll("*")].filter(
    (el) => el.getBoundingClientRect().right > root.clientWidth + 1 && !boxed(el));
  const wrapped = [...document.querySelectorAll("pre")].filter(
    (pre) => getComputedStyle(pre).whiteSpace !== "pre" || !boxed(pre));
  return { wide: root.scrollWidth > root.clientWidth, height: root.scrollHeight,
           beyond: beyond.slice(0, 3).map((el) => el.outerHTML.slice(0, 80)), wrapped: wrapped.length };
})()"""


@pytest.fixture(scope="module")
def measures(site):
    """Measures of every page by its place; the pages of the viewer are tested elsewhere."""
    if found() is None:
        pytest.skip("Chromium is not installed")
    pytest.importorskip("websockets", reason="the package websockets is not installed")
    from viewer.browser import Browser

    left_out = {".doctrees", "_static", "machines"}
    pages = [
        page
        for page in sorted(site.rglob("*.html"))
        if left_out.isdisjoint(page.relative_to(site).parts)
    ]
    browser, measured = Browser(), {}
    with browser.open(pages[0], size=(WIDTH, HEIGHT), ready=READY) as tab:
        for page in pages:
            here = f"location.href === '{page.resolve().as_uri()}' && "
            tab.go(page, here + READY)
            measured[str(page.relative_to(site))] = tab.ask(MEASURES)
    browser.close()
    assert len(measured) > 100
    return measured


def test_no_page_is_wider_than_a_phone(measures):
    assert [page for page, found in measures.items() if found["wide"]] == []


def test_nothing_reaches_beyond_the_screen_of_a_phone(measures):
    """The theme hides what is too wide; tables, formulas and blocks of code scroll by themselves."""
    assert {page: found["beyond"] for page, found in measures.items() if found["beyond"]} == {}


def test_no_block_of_code_or_text_wraps_its_lines(measures):
    """Reports of the topology have columns; a block that is too wide scrolls."""
    assert [page for page, found in measures.items() if found["wrapped"]] == []


def test_no_page_of_the_reference_is_long(measures):
    reference = {
        page: found["height"]
        for page, found in measures.items()
        if page.startswith("_generated/reference/")
    }
    assert len(reference) > 100
    assert {page: height for page, height in reference.items() if height > TALLEST} == {}
