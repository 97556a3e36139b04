"""One HTML page about a study: summary, plots and the first rows of the table."""

from __future__ import annotations

import base64
import html
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.atomic_write import write
from ..core.checks import a_path, flag
from ..errors import KinetreeError
from .plots.catalogue import PLOTS, plot

if TYPE_CHECKING:
    from .result import StudyResult

ROWS = 200  # of the table
TITLES = {
    "tornado": "Effect of each parameter",
    "contour": "Contours",
    "scatter": "Scatter matrix",
    "parallel": "Parallel coordinates",
    "convergence": "Convergence of mean and standard deviation",
}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
pre { background: #f4f4f4; padding: 1em; overflow-x: auto; white-space: pre-wrap; }
img { max-width: 100%; }
table { border-collapse: collapse; font-size: 13px; }
td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: right; }
.scroll { overflow: auto; max-height: 30em; }
.failed td { color: #a33; }
"""


def write_page(table: StudyResult, path: str | os.PathLike[str], overwrite: bool) -> Path:
    """Write the page, and return its path."""
    path = a_path(path, "report: path")
    write(path, page(table), flag(overwrite, "report: overwrite"))
    return path


def page(table: StudyResult) -> str:
    """The text of the page; it needs no other files."""
    title = f"Study of {html.escape(table.study._source.what)}"
    parts = [f"<h1>{title}</h1>", f"<pre>{html.escape(str(table))}</pre>"]
    for output in table.scalars()[:6]:
        parts.append(f"<h2>{html.escape(output)}</h2>")
        for kind in ("tornado", "contour", "convergence"):
            parts.append(_figure(table, kind, output))
    for kind in ("scatter", "parallel"):
        parts.append(_figure(table, kind, None))
    parts.append(f"<h2>Cases</h2>{_rows(table)}")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _figure(table: StudyResult, kind: str, output: str | None) -> str:
    """A plot as a picture in the page; nothing if the study has too few cases for it."""
    assert kind in PLOTS
    try:
        drawn: Any = plot(table, kind, None, output, {})
    except KinetreeError:
        return ""
    picture = io.BytesIO()
    drawn.savefig(picture, format="png", dpi=110)
    data = base64.b64encode(picture.getvalue()).decode()
    return f'<h3>{TITLES[kind]}</h3><img alt="{TITLES[kind]}" src="data:image/png;base64,{data}">'


def _rows(table: StudyResult) -> str:
    names = (*table.study.space.names, *table.scalars())
    columns = [table[name] for name in names]
    head = "".join(f"<th>{html.escape(one)}</th>" for one in ("case", *names, "status", "reason"))
    body = []
    status, reasons = table.status, table.reasons
    for k in range(min(len(table), ROWS)):
        cells = [str(k), *(f"{c[k]:.8g}" if np.isfinite(c[k]) else "" for c in columns)]
        cells += [str(status[k]), html.escape(reasons[k])]
        kind = "" if status[k] == "done" else ' class="failed"'
        body.append(f"<tr{kind}>{''.join(f'<td>{c}</td>' for c in cells)}</tr>")
    more = f"<p>The first {ROWS} of {len(table)} cases.</p>" if len(table) > ROWS else ""
    return f'{more}<div class="scroll"><table><tr>{head}</tr>{"".join(body)}</table></div>'
