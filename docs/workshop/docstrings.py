"""Docstrings as the reference pages need them, in the numpydoc form, and text as Markdown.

A parameter states its unit in parentheses at the end of its description:

    bore : float
        Diameter of the piston (m).
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from numpydoc.docscrape import NumpyDocString

SECTION = re.compile(
    r"^(Parameters|Returns|Yields|Notes|See Also|Examples|Attributes)\n-{3,}$", re.M
)
_UNIT = r"(?:1|m|kg|s|N|rad|Pa|J|W|Hz)"
UNIT = re.compile(rf"\((?P<unit>{_UNIT}(?:[ /^0-9]+{_UNIT}?)*(?:[,;] [^()]*| [^()]*)?)\)")


class Docstring(NamedTuple):
    """The parts of a docstring."""

    summary: str
    prose: str
    arguments: dict[str, str] = {}  # descriptions by name
    types: dict[str, str] = {}
    returns: list[tuple[str, str, str]] = []  # name, type, description
    raises: list[tuple[str, str, str]] = []
    attributes: list[tuple[str, str, str]] = []
    notes: str = ""
    see_also: list[tuple[str, str]] = []  # name, description
    examples: str = ""
    numpydoc: bool = False


def read(thing: object) -> Docstring:
    """Read the docstring of an object."""
    text = inspect.getdoc(thing) or ""
    if not SECTION.search(text):
        summary, _, prose = text.partition("\n\n")
        return Docstring(" ".join(summary.split()), prose)
    found = NumpyDocString(text)
    listed = [*found["Parameters"], *found["Other Parameters"]]
    one_each = [(name.strip(), p) for p in listed for name in p.name.split(",")]
    return Docstring(
        " ".join(found["Summary"]),
        _block(found["Extended Summary"]),
        {name.lstrip("*"): " ".join(p.desc) for name, p in one_each},
        {name.lstrip("*"): _type(p.type) for name, p in one_each},
        [_triple(p) for p in found["Returns"]],
        [_triple(p) for p in found["Raises"]],
        [_triple(p) for p in found["Attributes"]],
        _block(found["Notes"]),
        [(name, " ".join(text)) for names, text in found["See Also"] for name, _ in names],
        _block(found["Examples"]),
        True,
    )


def _triple(p) -> tuple[str, str, str]:
    return p.name, p.type, " ".join(p.desc)


def _block(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n")


def _type(text: str) -> str:
    """The type of a parameter without its default, which the signature has."""
    return re.sub(r",? (?:optional|default .*)$", "", text)


def unit_of(text: str) -> str:
    """Return the units that a description states, or nothing."""
    return ", ".join(dict.fromkeys(found["unit"] for found in UNIT.finditer(text)))


def unbroken(unit: str) -> str:
    """Return a unit with spaces that a browser does not break, and with raised exponents."""
    unit = re.sub(r"\^([2-6])", lambda m: "²³⁴⁵⁶"[int(m[1]) - 2], unit)
    return re.sub(rf"(?<=[A-Za-z0-9]) (?={_UNIT}\b)", "\N{NO-BREAK SPACE}", unit)


def without_unit(text: str) -> str:
    """Return a description without its unit, if that is the only one and ends a clause."""
    ends = re.compile(rf"\s*{UNIT.pattern}(?=[,;:.]|$)")
    if len(UNIT.findall(text)) != 1:
        return text
    return ends.sub("", text, count=1)


def markdown(text: str) -> str:
    """Return a docstring as Markdown.

    Names stay in backticks, `.. math::` blocks and :math: roles become mathematics, and other
    indented lines a block of code.
    """
    out: list[str] = []
    lines = text.splitlines()
    while lines:
        if found := re.match(r"\.\. math::\s*(.*)", lines[0]):
            body = [found[1], *_taken(lines[1:])]
            out += ["```{math}", *(line.strip() for line in body if line.strip()), "```"]
            del lines[: len(body)]
        elif lines[0].startswith("    ") and not _in_list(out):
            body = _taken(lines)
            out += ["```text", textwrap.dedent("\n".join(body)).strip("\n"), "```"]
            del lines[: len(body)]
        else:
            line = re.sub(r"(?<=\S)  +", " ", lines.pop(0))
            out.append(_plain(re.sub(r"(?: ::|(?<=:):)$", "", line)))
    return "\n".join(out)


def _taken(lines: list[str]) -> list[str]:
    """Return the leading lines that are indented or blank."""
    count = next((n for n, x in enumerate(lines) if x.strip() and x[0] != " "), len(lines))
    return lines[:count]


def _in_list(written: list[str]) -> bool:
    """Whether the paragraph so far is an item of a list, whose lines may be indented."""
    if not written or not written[-1].strip():
        return False
    return bool(re.match(r"\s*(-|\d+\.|\*) ", written[-1])) or written[-1].startswith("  ")


def example(text: str) -> str:
    """Return an Examples section as Markdown: paragraphs, and code with its prompts."""
    parts = re.split(r"\n\s*\n", text)
    return "\n\n".join(
        f"```pycon\n{part}\n```" if part.startswith(">>>") else markdown(part) for part in parts
    )


def _plain(line: str) -> str:
    """Escape a line of prose; names in backticks and mathematics stay as they are."""
    parts = re.split(r"(:math:`[^`]*`|`+[^`]*`+)", line)
    return "".join(_marked(part) if k % 2 else _escaped(part) for k, part in enumerate(parts))


def _marked(part: str) -> str:
    """Return mathematics between dollar signs, a public class with its prefix, other names as is."""
    if part.startswith(":math:"):
        return f"${part[7:-1]}$"
    name = part.strip("`").partition(".")[0]
    return part.replace(name, f"kt.{name}", 1) if name in _classes() | _analyses() else part


def _escaped(part: str) -> str:
    return re.sub(r"([*<>\[\]$])", r"\\\1", re.sub(r"\[(\w+)\]_", r"[\1]", part))


def linked_types(text: str) -> str:
    """Return a type in which the classes of the package are names that become links."""
    from kinetree.models import vehicles

    from .attributes import result_classes

    own = {name for name in (*result_classes(), *vehicles.__all__) if name[0].isupper()}

    def name(match: re.Match) -> str:
        if match[0] in _classes():
            return f"`kt.{match[0]}`"
        return f"`{match[0]}`" if match[0] in own else match[0]

    return re.sub(r"(?<![.\w\"'`])[A-Z]\w+\b(?![\"'`])", name, text)


@cache
def _classes() -> frozenset[str]:
    """Names of the public classes, by which docstrings name them."""
    import kinetree.api as api

    return frozenset(name for name in api.__all__ if name[0].isupper())


@cache
def _analyses() -> frozenset[str]:
    """Names of public functions that no parameter has, by which docstrings name them."""
    import kinetree.api as api

    functions = {name: getattr(api, name) for name in api.__all__ if not name[0].isupper()}
    classes = [getattr(api, name) for name in _classes()]
    methods = [m for c in classes for _, m in inspect.getmembers(c, inspect.isroutine)]
    taken = {
        p for thing in (*classes, *methods, *functions.values()) for p in read(thing).arguments
    }
    return frozenset(n for n, f in functions.items() if inspect.isfunction(f)) - taken - {"mass"}


def cell(text: object) -> str:
    """Return the cell of a table."""
    return " ".join(markdown(str(text)).replace("|", r"\|").split()) or " "


def table(columns: tuple[str, ...], rows: list[tuple]) -> str:
    """Return a table in Markdown, or nothing if it has no rows."""
    if not rows:
        return ""
    lines = [columns, ("---",) * len(columns), *([cell(c) for c in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def definitions(rows: Iterable[tuple[str, tuple[str, ...], str]]) -> str:
    """Return names with their properties and meanings as a definition list."""
    return "\n\n".join(
        f"`{name}` {_properties(shown)}\n: {cell(text)}" for name, shown, text in rows
    )


def _properties(shown: tuple[str, ...]) -> str:
    return " \N{MIDDLE DOT} ".join(cell(one) for one in shown if one)
