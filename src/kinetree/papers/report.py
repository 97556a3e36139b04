"""One page with all that is claimed: what each paper prints beside what we find, the verdict, the reason, the picture.

It is made of the same claims as `kinetree papers`; the pictures lie within the page, so that it can be sent as one file.
"""

from __future__ import annotations

import base64
import json
import platform
import tempfile
from collections.abc import Callable, Sequence
from datetime import date
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..errors import KinetreeError
from ..writing import write
from .catalogue import PAPERS, Entry
from .claim import Claim
from .shown import shown

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2733; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 1.4rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid #dde3ea; }
th { font-weight: 600; } td.number { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.yes { color: #00684b; } .no { color: #b03000; font-weight: 700; } .note { color: #5b6775; font-size: .9em; }
img { max-width: 100%; } h2 { margin-top: 2.5rem; } a { color: #0060a0; }
"""


def write_report(folder: Path, entries: Sequence[Entry] = PAPERS, tell: Callable[[str], None] = lambda line: None) -> list[Path]:
    """index.html and claims.json in the folder; tells after each example how it went."""
    found: dict[str, list[Claim]] = {}
    sections = []
    for entry in entries:
        found[entry.name] = _checked(entry)
        sections.append(_section(entry, found[entry.name]))
        tell(f"{entry.name}: {_held(found[entry.name])}")
    page, data = folder / "index.html", folder / "claims.json"
    folder.mkdir(parents=True, exist_ok=True)
    write(page, _page(entries, found, sections).encode(), overwrite=True)
    claims = {name: [claim.to_dict() for claim in claims] for name, claims in found.items()}
    write(data, json.dumps(claims, indent=2, ensure_ascii=False).encode(), overwrite=True)
    return [page, data]


def _checked(entry: Entry) -> list[Claim]:
    """The claims; an example that ends in an error is a claim that does not hold, and the others go on."""
    try:
        return entry.check()
    except KinetreeError as error:
        return [Claim("the example can be computed", None, type(error).__name__, False, str(error))]


def _held(claims: list[Claim]) -> str:
    return f"{sum(claim.holds for claim in claims)} of {len(claims)} claims hold"


def _page(entries: Sequence[Entry], found: dict[str, list[Claim]], sections: list[str]) -> str:
    rows = "".join(f'<tr><td><a href="#{e.name}">{e.name}</a></td><td>{escape(e.source)}</td><td>{escape(e.summary)}</td>'
                   f"<td>{_held(found[e.name])}</td></tr>" for e in entries)
    of = f"Kinetree {version('kinetree')}, Python {platform.python_version()}, {date.today().isoformat()}"
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Five papers, recomputed</title><style>{_STYLE}</style>'
            f"<h1>Five papers, recomputed</h1><p>{of}. In all {_held([c for claims in found.values() for c in claims])}.</p>"
            f"<table><tr><th>example</th><th>source</th><th>what it is</th><th>verdict</th></tr>{rows}</table>"
            f"{''.join(sections)}")


def _section(entry: Entry, claims: list[Claim]) -> str:
    rows = "".join(_row(claim) for claim in claims)
    return (f'<h2 id="{entry.name}">{entry.name}: {escape(entry.summary)}</h2><p>{escape(entry.source)}</p>{_picture(entry)}'
            f"<table><tr><th>claim</th><th>paper</th><th>ours</th><th>holds</th></tr>{rows}</table>")


def _row(claim: Claim) -> str:
    note = f'<div class="note">{escape(claim.note)}</div>' if claim.note else ""
    verdict = '<td class="yes">yes</td>' if claim.holds else '<td class="no">NO</td>'
    return f"<tr><td>{escape(claim.claim)}{note}</td>{_cell(claim.paper)}{_cell(claim.ours)}{verdict}</tr>"


def _cell(value: Any) -> str:
    return f'<td class="number">{escape(shown(value))}</td>'


def _picture(entry: Entry) -> str:
    """The main figure of an example, within the page."""
    if entry.figure is None:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        try:
            entry.figure(path)
        except KinetreeError as error:
            return f'<p class="note">No picture: {escape(str(error))}</p>'
        data = base64.b64encode(path.read_bytes()).decode()
    about = escape((entry.figure.__doc__ or entry.summary).splitlines()[0])
    return f'<figure><img alt="{about}" src="data:image/png;base64,{data}"><figcaption>{about}</figcaption></figure>'
