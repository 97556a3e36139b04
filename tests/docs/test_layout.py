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
MEASURES = """(() => {
  const root = document.documentElement;
  const wrapped = [...document.querySelectorAll("pre")].filter((pre) => {
    const style = getComputedStyle(pre);
    return style.whiteSpace !== "pre" || !["auto", "scroll"].includes(style.overflowX);
  });
  const tables = [...document.querySelectorAll("table.docutils")].filter(
    (table) => table.scrollWidth > root.clientWidth && !table.closest(".table-wrapper"));
  return { wide: root.scrollWidth > root.clientWidth, height: root.scrollHeight,
           wrapped: wrapped.length, tables: tables.length };
})()"""


@pytest.fixture(scope="module")
def measures(site):
    """Measures of every page by its place; the pages of the viewer are tested elsewhere."""
    if found() is None:
        pytest.skip("Chromium is not installed")
    pytest.importorskip("websockets", reason="the package websockets is not installed")
    from viewer.browser import Browser

    pages = [p for p in sorted(site.rglob("*.html")) if p.parent != site / "machines"]
    pages = [p for p in pages if "_static" not in p.relative_to(site).parts]
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


def test_no_block_of_code_or_text_wraps_its_lines(measures):
    """Reports of the topology have columns; a block that is too wide scrolls."""
    assert [page for page, found in measures.items() if found["wrapped"]] == []


def test_wide_tables_scroll_by_themselves(measures):
    assert [page for page, found in measures.items() if found["tables"]] == []


def test_no_page_of_the_reference_is_long(measures):
    reference = {
        page: found["height"]
        for page, found in measures.items()
        if page.startswith("_generated/reference/")
    }
    assert len(reference) > 100
    assert {page: height for page, height in reference.items() if height > TALLEST} == {}
