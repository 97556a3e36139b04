"""Notebooks of the tutorial and the tasks, made from their pages at the build, without outputs.

A notebook has the text and the code of its page. A cell ends behind every statement that draws, so
that the picture appears below it; pictures of the page that its code draws are left out, figures are
attached. Printed output is left out as well: it appears when the notebook runs.
"""

from __future__ import annotations

import ast
import base64
import json
import re
from pathlib import Path

from .run import FENCE

FOLDERS = ("tutorial", "tasks")  # pages below docs that are also notebooks
DRAWS = {"plot", "draw", "picture", "plot_energy", "plot_steps", "plot_stiffness"}
OFFER = re.compile(r'^<a [^>]*href="[^"]*\.ipynb"[^>]*>[^<]*</a>\n', re.MULTILINE)
FIGURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)\n?")


def write(pages: Path, site: Path) -> None:
    """Write the notebooks of all pages below `pages` to `site/notebooks/`."""
    for page in pages_with_notebook(pages):
        path = site / "notebooks" / page.relative_to(pages).with_suffix(".ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        book = notebook_from_page(page.read_text(encoding="utf-8"), page.parent)
        path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def pages_with_notebook(pages: Path) -> list[Path]:
    """Pages with code in the folders that have notebooks."""
    return [
        page
        for folder in FOLDERS
        for page in sorted((pages / folder).glob("*.md"))
        if page.name != "index.md"
    ]


def notebook_from_page(text: str, folder: Path | None = None) -> dict:
    """Return the notebook of a page; its figures are read relative to `folder`."""
    text = OFFER.sub("", text)
    cells: list[dict] = []
    end, printed = 0, False
    for match in FENCE.finditer(text):
        between, language = text[end : match.start()], match["language"].strip()
        end = match.end()
        cells += _prose(between, folder)
        shown = language == "text" and printed and not between.strip()
        printed = language == "python"
        if printed:
            cells += [_cell("code", part) for part in split(match["body"])]
        elif not shown and not language.startswith("{"):
            cells.append(_cell("markdown", match[0]))
    return _notebook(cells + _prose(text[end:], folder))


def notebook_from_script(text: str) -> dict:
    """Return the notebook of a script: its docstring as text, then its code by sections.

    A section begins at a comment at the left margin behind a blank line.
    """
    tree = ast.parse(text)
    told, code = ast.get_docstring(tree), text
    if told is not None:
        code = "\n" * tree.body[0].end_lineno + "".join(
            text.splitlines(keepends=True)[tree.body[0].end_lineno :]
        )
    inside = {
        line for node in tree.body for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    lines, starts = code.splitlines(), [0]
    for k in range(1, len(lines)):
        if lines[k].startswith("#") and not lines[k - 1].strip() and k + 1 not in inside:
            starts.append(k)
    parts = ["\n".join(lines[a:b]).strip("\n") for a, b in zip(starts, [*starts[1:], None])]
    cells = [_cell("markdown", told)] if told else []
    return _notebook(
        cells + [_cell("code", cell) for part in parts if part for cell in split(part)]
    )


def split(code: str) -> list[str]:
    """Return the code in parts, each of which ends with a statement that draws, or with the code."""
    lines, parts, begin = code.rstrip("\n").split("\n"), [], 0
    for node in ast.parse(code).body:
        if isinstance(node, ast.Expr) and _draws(node.value):
            parts.append("\n".join(lines[begin : node.end_lineno]))
            begin = node.end_lineno or begin
    rest = "\n".join(lines[begin:])
    return parts + [rest] if rest.strip() else parts


def _draws(value: ast.expr) -> bool:
    call = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
    return call and value.func.attr in DRAWS


def _prose(text: str, folder: Path | None) -> list[dict]:
    """Return one cell of text, or none; links between pages become their text."""
    attached: dict[str, dict[str, str]] = {}

    def figure(match: re.Match) -> str:
        path = (folder / match[2]) if folder is not None else None
        if "images/" in match[2] and match[2].endswith(".png"):
            return ""  # the code of the page draws it
        if path is None or not path.exists() or path.suffix != ".svg":
            return f"*Figure: {match[1]}*\n"
        attached[path.name] = {"image/svg+xml": base64.b64encode(path.read_bytes()).decode("ascii")}
        return f"![{match[1]}](attachment:{path.name})\n"

    text = FIGURE.sub(figure, text)
    text = re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:|attachment:)[^)\s]+\)", r"\1", text)
    text = re.sub(r"<details><summary>([^<]*)</summary>", r"**\1**", text)
    text = text.replace("</details>", "")
    text = re.sub(r"\n{3,}", "\n\n", text).strip("\n")
    return [_cell("markdown", text, attached)] if text.strip() else []


def _cell(kind: str, source: str, attached: dict | None = None) -> dict:
    cell: dict = {"cell_type": kind, "metadata": {}, "source": source.rstrip("\n")}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    if attached:
        cell["attachments"] = attached
    return cell


def _notebook(cells: list[dict]) -> dict:
    """Return the notebook of these cells, which are numbered."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": [{"id": f"cell-{k}", **cell} for k, cell in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
