"""The report on the five papers: every figure, table and drawing with its verdict, as one page and
as data.

It has the same claims as `kinetree papers`. The pictures are embedded in the page, so that it can
be sent as one file.
"""

from __future__ import annotations

import base64
import json
import struct
import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ...core.atomic_write import write
from ...errors import KinetreeError
from .catalogue import PAPERS as EXAMPLES
from .catalogue import Entry, paper_entry
from .claim import Claim
from .item import Item, Judged, judged
from .items import catalogue
from .items.pictures import PICTURES
from .page import as_html, claims_table, page


def write_report(
    folder: Path,
    items: Sequence[Item] | None = None,
    examples: Sequence[Entry] | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Path]:
    """Write index.html, items.json and claims.json to the folder; call `tell` with a line after
    each item.
    """
    items = catalogue.ITEMS if items is None else items
    examples = EXAMPLES if examples is None else examples
    claims = all_claims({item.system for item in items} | {entry.name for entry in examples}, tell)
    found = [judged(item, claims[item.system]) for item in items]
    bodies = []
    for number, one in enumerate(found, 1):
        bodies.append(body(one.item))
        tell(f"{number} of {len(found)}: {one.item.paper} {one.item.item}: {one.verdict}")
    shown = pictures(tell) if len(items) == len(catalogue.ITEMS) else ""
    every = [claim for some in claims.values() for claim in some]
    text = page(
        found,
        bodies,
        catalogue.PAPERS,
        shown + _rest(found, claims, examples),
        len(every),
        sum(c.holds for c in every),
    )
    folder.mkdir(parents=True, exist_ok=True)
    data = {name: [claim.to_dict() for claim in some] for name, some in claims.items()}
    return [
        _written(folder / "index.html", text),
        _written(folder / "items.json", as_json([one.to_dict() for one in found])),
        _written(folder / "claims.json", as_json(data)),
    ]


def verdicts(items: Sequence[Item] | None = None) -> list[Judged]:
    """Return the items with their verdicts, without drawing."""
    items = catalogue.ITEMS if items is None else items
    claims = all_claims({item.system for item in items})
    return [judged(item, claims[item.system]) for item in items]


def all_claims(
    names: set[str], tell: Callable[[str], None] = lambda line: None
) -> dict[str, list[Claim]]:
    """Return the claims of the examples of these names, in the order of the catalogue."""
    known = [entry.name for entry in EXAMPLES]
    found = {}
    for name in sorted(names, key=known.index):
        found[name] = checked(paper_entry(name))
        tell(f"{name}: {held(found[name])}")
    return found


def checked(entry: Entry) -> list[Claim]:
    """Return the claims of an example; an error becomes a claim that does not hold, so that the
    other examples go on.
    """
    try:
        return entry.check()
    except KinetreeError as error:
        return [Claim("the example can be computed", None, type(error).__name__, False, str(error))]


def held(claims: Sequence[Claim]) -> str:
    return f"{sum(claim.holds for claim in claims)} of {len(claims)} claims hold"


def body(item: Item) -> str:
    """Return picture and table of an item as HTML."""
    try:
        picture = "" if item.draw is None else _picture(item.draw, f"{item.item}: {item.caption}")
        return picture + ("" if item.tabulate is None else as_html(item.tabulate()))
    except KinetreeError as error:
        return f'<p class="note">No picture: {escape(str(error))}</p>'


def _picture(draw: Callable[[Any], Any], about: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        draw(path)
        content = path.read_bytes()
    width, height = struct.unpack(">II", content[16:24])  # of the header of a PNG file
    tall = ' class="tall"' if height > 0.9 * width else ""
    data = base64.b64encode(content).decode()
    return f'<figure><img{tall} alt="{escape(about)}" src="data:image/png;base64,{data}"></figure>'


def pictures(tell: Callable[[str], None]) -> str:
    """Return the pictures of the results that the papers are known for, as HTML."""
    parts = []
    for one in PICTURES:
        parts.append(
            f'<div class="item" id="{one.name}"><h3>{escape(one.caption)}</h3>{_picture(one.draw, one.caption)}'
            f'<p class="says">{one.paper}</p></div>'
        )
        tell(f"picture: {one.name}")
    return f'<h2 class="paper">What the papers are remembered for</h2>{"".join(parts)}'


def _rest(
    found: Sequence[Judged], claims: dict[str, list[Claim]], examples: Sequence[Entry]
) -> str:
    """Return the claims that belong to no item, about methods, equations and models, as HTML."""
    used = {id(claim) for one in found for claim in one.claims}
    parts = []
    for entry in examples:
        own = [claim for claim in claims[entry.name] if id(claim) not in used]
        if own:
            head = f'<h3 id="{entry.name}">{entry.name}: {escape(entry.summary)}</h3><p class="says">{escape(entry.source)}</p>'
            parts.append(head + claims_table(own, held(own)))
    return (
        '<div class="screen"><h2>Claims about equations, methods and models</h2>'
        f"{''.join(parts)}</div>"
        if parts
        else ""
    )


def as_json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)


def _written(path: Path, text: str) -> Path:
    write(path, text.encode(), overwrite=True)
    return path
