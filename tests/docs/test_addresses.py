"""Every link on the built pages leads to a file that exists, and to an anchor in it."""

import re
from html import unescape
from urllib.parse import unquote

ADDRESS = re.compile(
    r"<(?:a|img|source|script|link|iframe)\b[^>]*?\b(?:href|src|srcset)=\"([^\"]*)\""
)
ANCHOR = re.compile(r"\b(?:id|name)=\"([^\"]+)\"")


def test_every_link_leads_to_a_file_and_an_anchor(site):
    pages = {
        page: page.read_text(encoding="utf-8")
        for page in site.rglob("*.html")
        if {".doctrees", "machines"}.isdisjoint(page.relative_to(site).parts)
    }
    anchors = {page.resolve(): set(ANCHOR.findall(text)) for page, text in pages.items()}
    broken, checked = set(), 0
    for page, text in pages.items():
        for address in map(unescape, ADDRESS.findall(text)):
            if re.match(r"[a-z]+:|//", address) or address == "#":
                continue
            checked += 1
            place, _, anchor = address.partition("#")
            target = (
                (page.parent / unquote(place.partition("?")[0])).resolve()
                if place
                else page.resolve()
            )
            known = anchors.get(target)
            if not target.exists() or (
                anchor and known is not None and unquote(anchor) not in known
            ):
                broken.add((str(page.relative_to(site)), address))
    assert checked > 10_000
    assert sorted(broken) == []


def test_every_file_that_is_offered_is_not_empty(site):
    offered = [*site.glob("notebooks/**/*.ipynb"), *site.glob("machines/*.html")]
    assert len(offered) > 40
    assert [str(path) for path in offered if path.stat().st_size < 500] == []
