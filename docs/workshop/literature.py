"""The literature that docstrings and pages cite, from references.bib, which is read strictly."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    '"': "\u0308",
    "^": "\u0302",
    "~": "\u0303",
    "v": "\u030c",
    "c": "\u0327",
}
SIGNS = {"o": "ø", "O": "Ø", "ss": "ß", "ae": "æ", "aa": "å", "l": "ł", "i": "ı"}
GREEK = {"alpha": "α", "beta": "β"}
SHOWN = (
    "author",
    "editor",
    "title",
    "journal",
    "booktitle",
    "publisher",
    "institution",
    "note",
    "volume",
    "number",
    "pages",
    "year",
)


@cache
def records() -> dict[str, dict[str, str]]:
    """Return the fields of every record by its key."""
    import kinetree

    path = Path(kinetree.__file__).parent / "references.bib"
    return parse(path.read_text(encoding="utf-8"))


def parse(text: str) -> dict[str, dict[str, str]]:
    """Read BibTeX; unbalanced braces, text between records and duplicate keys raise an error."""
    found: dict[str, dict[str, str]] = {}
    text, at = re.sub(r"^\s*%.*$", "", text, flags=re.MULTILINE), 0
    while begin := re.compile(r"\s*@(\w+)\{\s*(\w+)\s*,").match(text, at):
        key = begin[2]
        if key in found:
            raise ValueError(f"two records have the key {key}")
        found[key], at = _fields(text, begin.end(), key)
    if text[at:].strip():
        raise ValueError(f"no record begins here: {text[at:].strip()[:60]!r}")
    return found


def _fields(text: str, at: int, key: str) -> tuple[dict[str, str], int]:
    """Return the fields of a record and the position behind it."""
    fields: dict[str, str] = {}
    while field := re.compile(r"\s*(\w+)\s*=\s*\{").match(text, at):
        value, at = _braced(text, field.end(), key)
        if field[1] in fields:
            raise ValueError(f"{key} has two fields {field[1]}")
        fields[field[1]] = value
        comma = re.compile(r"\s*,").match(text, at)
        if comma is None:
            break
        at = comma.end()
    end = re.compile(r"\s*\}").match(text, at)
    if end is None:
        raise ValueError(f"{key}: a field or a closing brace expected at {text[at : at + 40]!r}")
    return fields, end.end()


def _braced(text: str, at: int, key: str) -> tuple[str, int]:
    """Return the text up to the brace that closes it, and the position behind that."""
    depth = 1
    for n in range(at, len(text)):
        depth += (text[n] == "{") - (text[n] == "}")
        if depth == 0:
            return text[at:n], n + 1
    raise ValueError(f"{key}: a brace is not closed")


def plain(value: str) -> str:
    """Return a value as it is read: accents as letters, without braces."""
    accented = r"\\([\"'`^~]|[vc](?=[\s{]))\s*\{?\\?(\w)\}?"
    value = re.sub(accented, lambda m: m[2] + ACCENTS[m[1]], value)
    value = re.sub(r"\$\\(\w+)\$", lambda m: GREEK[m[1]], value)
    value = re.sub(r"\\(\w+)\s*", lambda m: SIGNS[m[1]], value)
    value = unicodedata.normalize("NFC", re.sub(r"[{}]", "", value))
    return " ".join(value.replace("--", "\N{EN DASH}").split())


def bibliography() -> str:
    """Return the page: all keys with their sources, each with an anchor."""
    rows = [
        f"- []{{#{key.lower()}}}**\\[{key}\\]** {_sentence(fields)}"
        for key, fields in sorted(records().items(), key=lambda one: one[0].lower())
    ]
    lead = "Sources by the keys with which pages, docstrings and tables cite them."
    return "\n".join(["# Literature", "", lead, "", *rows, ""])


def _sentence(fields: dict[str, str]) -> str:
    shown = {name: plain(fields[name]) for name in SHOWN if name in fields}
    for name in ("author", "editor"):
        if name in shown:
            shown[name] = shown[name].replace(" and others", " et al.").replace(" and ", "; ")
    if "number" in shown:
        shown["number"] = f"no. {shown['number']}"
    if "editor" in shown:
        shown["editor"] += " (ed.)"
    return ", ".join(shown.values()) + "."
