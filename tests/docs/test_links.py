"""Names of the interface and citations are links on every built page, and the index has them."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import kinetree.api as api
from viewer.browser import Browser, found, waited

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop import literature  # noqa: E402
from workshop.links import linked  # noqa: E402

PLACES = {
    "kt.Road": "road.html#kt.Road",
    "kt.roads": "roads.html#kt.roads",
    "kt.Section.circle": "circle.html#kt.Section.circle",
    "sol.plot": "plot.html#kt.Solution.plot",
}
KEYS = {"Lee1994": "literature.html#lee1994", "Kim1997": "literature.html#kim1997"}
TALLEST = 6000  # px at the width of a telephone


def shown(body):
    return linked(body, PLACES.get, KEYS)


def link(place, text):
    return f'<a class="api" href="{place}">{text}</a>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<p>kt.Road and kt.Unknown</p>",
            f"<p>{link(PLACES['kt.Road'], 'kt.Road')} and kt.Unknown</p>",
        ),
        ("<p>kt.Road.height</p>", f"<p>{link(PLACES['kt.Road'], 'kt.Road')}.height</p>"),
        (
            '<span class="pre">sol.plot("x")</span>',
            f'<span class="pre">{link(PLACES["sol.plot"], "sol.plot")}("x")</span>',
        ),
        ('<a href="x">kt.Road</a>', '<a href="x">kt.Road</a>'),
        ("<h1>kt.Road</h1>", "<h1>kt.Road</h1>"),
        ("<p>[Lee1994, eq. 2]</p>", f"<p>[{link(KEYS['Lee1994'], 'Lee1994')}, eq. 2]</p>"),
        ("<p>[Nobody]</p>", "<p>[Nobody]</p>"),
        (
            "<p>[Lee1994; Kim1997]</p>",
            f"<p>[{link(KEYS['Lee1994'], 'Lee1994')}; {link(KEYS['Kim1997'], 'Kim1997')}]</p>",
        ),
    ],
)
def test_names_and_keys_become_links(body, expected):
    assert shown(body) == expected


def test_names_in_highlighted_code_become_links():
    dot = '<span class="o">.</span>'
    spans = [f'<span class="n">{part}</span>' for part in ("kt", "Section", "circle")]
    code = f"<pre>{dot.join(spans)}(</pre>"
    assert shown(code) == f"<pre>{link(PLACES['kt.Section.circle'], dot.join(spans))}(</pre>"


class Unlinked(HTMLParser):
    """The text of a page outside links, headings and scripts."""

    SKIPPED = {"a", "h1", "h2", "h3", "h4", "h5", "h6", "script", "style", "svg", "title", "nav"}

    def __init__(self):
        super().__init__()
        self.depth, self.text = 0, []

    def handle_starttag(self, tag, attrs):
        self.depth += tag in self.SKIPPED

    def handle_endtag(self, tag):
        self.depth -= tag in self.SKIPPED

    def handle_data(self, data):
        self.text.append("\0" if self.depth else data)


def unlinked(page):
    article = re.search(r"<article.*?</article>", page.read_text(), re.DOTALL)
    if article is None:
        return ""
    parser = Unlinked()
    parser.feed(article[0])
    return "".join(parser.text)


def pages_of(site):
    return [page for page in site.rglob("*.html") if "machines" not in page.parts]


def test_no_public_name_is_left_without_a_link(site):
    name = re.compile(rf"\bkt\.(?:{'|'.join(api.__all__)})\b")
    assert [
        (str(page.relative_to(site)), one)
        for page in pages_of(site)
        for one in name.findall(unlinked(page))
    ] == []


def test_no_citation_is_left_without_a_link(site):
    key = re.compile(rf"\[(?:{'|'.join(literature.records())})\b")
    assert [
        (str(page.relative_to(site)), one)
        for page in pages_of(site)
        for one in key.findall(unlinked(page))
    ] == []


def test_the_links_lead_to_anchors_that_exist(site):
    anchors = {}
    broken, count = set(), 0
    for page in pages_of(site):
        for place in re.findall(r'<a class="api" href="([^"]+)"', page.read_text()):
            path, _, anchor = place.partition("#")
            target = (page.parent / path).resolve() if path else page.resolve()
            if target not in anchors:
                text = target.read_text() if target.exists() else ""
                anchors[target] = set(re.findall(r'\bid="([^"]+)"', text))
            count += 1
            if anchor not in anchors[target]:
                broken.add((page.name, place))
    assert broken == set()
    assert count > 2000


def test_the_general_index_and_the_search_have_all_public_names(site):
    index = (site / "genindex.html").read_text()
    assert [name for name in api.__all__ if f"kt.{name}<" not in index] == []
    objects = (site / "searchindex.js").read_text()
    assert '"kt"' in objects and '"Revolute"' in objects and '"inverse_dynamics"' in objects


@pytest.mark.skipif(found() is None, reason="no Chromium on this computer")
def test_no_page_of_the_reference_is_too_tall_or_too_wide_for_a_telephone(site):
    browser = Browser()
    try:
        sizes = {page: size_of(browser, page) for page in tallest(site)}
    finally:
        browser.close()
    assert {page.name: size for page, size in sizes.items() if size[1] > TALLEST} == {}
    assert {page.name: size for page, size in sizes.items() if size[0] > 390} == {}


def tallest(site):
    """The pages with the longest sources; the others are shorter."""
    pages = (site / "_generated" / "reference").rglob("*.html")
    return sorted(pages, key=lambda page: len(unlinked(page)), reverse=True)[:25]


def size_of(browser, page):
    context = browser.call("Target.createBrowserContext")["browserContextId"]
    target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)
    tab = browser.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
    session = tab["sessionId"]
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        session,
        width=390,
        height=844,
        deviceScaleFactor=1,
        mobile=False,
    )
    browser.call("Page.navigate", session, url=page.resolve().as_uri())

    def ask(expression):
        reply = browser.call(
            "Runtime.evaluate",
            session,
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
        )
        return reply["result"].get("value")

    waited(lambda: ask("document.readyState === 'complete' && location.protocol === 'file:'"), "it")
    ask("window.MathJax && MathJax.startup ? MathJax.startup.promise.then(() => 1) : 1")
    size = ask("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    browser.call("Target.disposeBrowserContext", browserContextId=context)
    return size
