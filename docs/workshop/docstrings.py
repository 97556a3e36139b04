"""Docstrings as the pages need them: a sentence, prose, arguments one per line, and Markdown that
shows them as written.

An argument stands at the beginning of a line with two blanks or more behind its name, its unit in
brackets:

    bore, rod    diameters of the piston and of its rod (m)
    air          share of free air in the oil (1)
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

ROW = re.compile(r"^(?P<names>\*{0,2}[A-Za-z_]\w*(?:, [A-Za-z_]\w*)*)(?: {2,}| : )(?P<text>\S.*)$")
_UNIT = r"(?:1|m|kg|s|N|rad|Pa|J|W|Hz)"
UNIT = re.compile(rf"\((?P<unit>{_UNIT}(?:[ /^0-9]+{_UNIT}?)*(?:[,;] [^()]*| [^()]*)?)\)")


class Said(NamedTuple):
    """What a docstring says."""

    summary: str
    prose: str
    arguments: dict[str, str]


def read(thing: object) -> Said:
    """The docstring of a thing, its arguments apart from its prose."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    end = next((k for k, line in enumerate(lines) if not line.strip()), len(lines))
    if lines and any(ROW.match(line) for line in lines[1:end]):
        end = 1
    rows, prose, last = {}, [], None
    for line in lines[end:]:
        if match := ROW.match(line):
            last = [name.lstrip("*") for name in match["names"].split(", ")]
            rows.update(dict.fromkeys(last, match["text"]))
        elif last and line.startswith("    ") and line.strip():
            rows.update({name: f"{rows[name]} {line.strip()}" for name in last})
        else:
            last = None
            prose.append(line)
    return Said(" ".join(lines[:end]), "\n".join(prose).strip("\n"), rows)


def unit_of(text: str) -> str:
    """The unit that a description of an argument ends with, or names first; nothing if it names
    none.
    """
    found = UNIT.search(text)
    return found["unit"] if found else ""


def without_unit(text: str) -> str:
    return re.sub(r"\s+([,;.])", r"\1", UNIT.sub("", text, count=1)).strip()


def markdown(text: str) -> str:
    """A docstring as Markdown: what looks like markup there is none, `names` apart; indented lines
    are equations.
    """
    return "\n".join(
        line if line.startswith("    ") else _plain(line) for line in text.splitlines()
    )


def _plain(line: str) -> str:
    """A line of prose; what stands between backticks is left alone."""
    parts = line.split("`")
    return "`".join(
        part if k % 2 else re.sub(r"([*<>\[\]$])", r"\\\1", part) for k, part in enumerate(parts)
    )


def cell(text: object) -> str:
    """A cell of a table."""
    return markdown(str(text)).replace("|", r"\|") or " "


def table(columns: tuple[str, ...], rows: list[tuple]) -> str:
    """A table in Markdown; nothing if it has no rows."""
    if not rows:
        return ""
    lines = [columns, ("---",) * len(columns), *([cell(c) for c in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
