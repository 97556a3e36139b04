"""The page of the five papers as HTML: an index by paper and by verdict, then every item with its
picture or table.

The page contains everything, so that it can be sent as one file, read without a network and on a
phone, and printed.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import date
from html import escape
from importlib.metadata import version
from typing import Any

from .claim import Claim
from .item import VERDICTS, Judged, Table
from .shown import shown

STYLE = """
:root { --ink: #1d2733; --soft: #5b6775; --line: #dde3ea; --link: #0060a0; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 58rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-bottom: 2px solid var(--ink); } h3 { margin: 2.2rem 0 .3rem; }
a { color: var(--link); } p { margin: .4rem 0; } figure { margin: .6rem 0; } img { max-width: 100%; height: auto; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .6rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } td { font-variant-numeric: tabular-nums; min-width: 3.2em; } td.number { white-space: nowrap; }
.verdict { display: inline-block; border-radius: 1em; padding: 0 .7em; font-size: .85em; font-weight: 600; color: #fff; }
.v0 { background: #00684b; } .v1 { background: #0060a0; } .v2 { background: #b03000; } .v3 { background: #6b5b00; }
.yes { color: #00684b; } .no { color: #b03000; font-weight: 700; } .note, .says { color: var(--soft); font-size: .92em; }
details { margin: .4rem 0 1rem; } summary { cursor: pointer; color: var(--link); }
ul.index { padding-left: 0; list-style: none; columns: 20rem; } ul.index li { margin: .15rem 0; break-inside: avoid; }
@media print { @page { margin: 14mm; } body { font-size: 9.5pt; max-width: none; margin: 0; padding: 0; }
  .screen, details { display: none; } .item { break-inside: avoid; } h2, h3 { break-after: avoid; } h3 { margin-top: 1.2rem; }
  h2.paper { break-before: page; margin-top: 0; } figure img { max-height: 82mm; max-width: 100%; }
  figure img.tall { max-height: 130mm; }
  .scroll { overflow: visible; } table { font-size: 8pt; width: auto; } td { min-width: 0; } td.number { white-space: nowrap; }
  .verdict { color: #000; border: 1px solid #000; background: none; } a { color: inherit; text-decoration: none; } }
@media (max-width: 30rem) { body { font-size: 15px; padding: 0 .7rem; } th, td { padding-right: .5rem; font-size: .9em; }
  figure { overflow-x: auto; } figure img { width: 36rem; max-width: none; } }
"""


def page(
    found: Sequence[Judged],
    bodies: Sequence[str],
    papers: dict[str, str],
    extra: str,
    claims: int,
    held: int,
) -> str:
    """Return the whole page; `bodies` are the pictures and tables of the items as HTML."""
    of = f"Kinetree {version('kinetree')}, Python {platform.python_version()}, {date.today().isoformat()}"
    sections = []
    for key, title in papers.items():
        own = [_item(one, body) for one, body in zip(found, bodies) if one.item.paper == key]
        if own:
            sections.append(
                f'<h2 class="paper" id="{key}">{escape(title)}</h2><p class="says">{key}</p>{"".join(own)}'
            )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
        f'initial-scale=1"><title>Five papers, figure by figure</title><style>{STYLE}</style></head><body>'
        f"<h1>Five papers, figure by figure</h1><p>{of}. {len(found)} items; {held} of {claims} "
        "claims hold. The papers print neither the axes of most curves nor most of the data; each "
        "item states what is proposed in their place. CPU times are compared within one run and "
        'decide no verdict. <span class="screen">Wide figures and tables scroll sideways.</span></p>'
        f"{_index(found, papers)}{''.join(sections)}{extra}</body></html>"
    )


def verdict_mark(verdict: str) -> str:
    return f'<span class="verdict v{VERDICTS.index(verdict)}">{verdict}</span>'


def link(one: Judged) -> str:
    return f"{one.item.paper}-{one.item.name}"


def _index(found: Sequence[Judged], papers: dict[str, str]) -> str:
    by_paper = "".join(
        f'<h3><a href="#{key}">{key}</a></h3><ul class="index">'
        + "".join(
            f'<li><a href="#{link(one)}">{escape(one.item.item)}</a> {verdict_mark(one.verdict)}</li>'
            for one in found
            if one.item.paper == key
        )
        + "</ul>"
        for key in papers
        if any(one.item.paper == key for one in found)
    )
    by_verdict = ""
    for verdict in VERDICTS:
        own = [one for one in found if one.verdict == verdict]
        listed = ", ".join(
            f'<a href="#{link(one)}">{one.item.paper} {escape(one.item.item)}</a>' for one in own
        )
        by_verdict += f"<p>{verdict_mark(verdict)} {len(own)}: {listed or 'none'}</p>"
    return f"<h2>By verdict</h2>{by_verdict}<h2>By paper</h2>{by_paper}"


def _item(one: Judged, body: str) -> str:
    item = one.item
    return (
        f'<div class="item" id="{link(one)}"><h3>{escape(item.item)} &middot; {escape(item.caption)}</h3>{body}'
        f'<p class="says">The paper: {escape(item.says)}.</p><p>{verdict_mark(one.verdict)} {escape(one.reason)}</p></div>'
        f"{claims_table(one.claims)}"
    )


def claims_table(claims: Sequence[Claim], title: str = "") -> str:
    """Return the claims as a table that is folded at first."""
    if not claims:
        return ""
    rows = "".join(_row(claim) for claim in claims)
    count = title or f"{len(claims)} claim{'s' if len(claims) > 1 else ''} about this item"
    return (
        f'<details><summary>{escape(count)}</summary><div class="scroll"><table>'
        f"<tr><th>claim</th><th>paper</th><th>ours</th><th>holds</th></tr>{rows}</table></div></details>"
    )


def _row(claim: Claim) -> str:
    note = f'<div class="note">{escape(claim.note)}</div>' if claim.note else ""
    verdict = '<td class="yes">yes</td>' if claim.holds else '<td class="no">NO</td>'
    return f"<tr><td>{escape(claim.claim)}{note}</td>{_cell(claim.paper)}{_cell(claim.ours)}{verdict}</tr>"


def _cell(value: Any) -> str:
    return f"<td>{escape(shown(value))}</td>"


def _table_cell(value: Any) -> str:
    """Return a cell; numbers and short texts are not broken into two lines."""
    text = escape(str(value))
    whole = len(text) < 10 or (text[:1] in "0123456789-+" and " " not in text)
    return f'<td class="number">{text}</td>' if whole else f"<td>{text}</td>"


def as_html(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join(
        "<tr>" + "".join(_table_cell(value) for value in row) + "</tr>" for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div>{note}'
