"""The literature that docstrings cite, from references.bib."""

from __future__ import annotations

import re
from pathlib import Path

from . import docstrings

RECORD = re.compile(r"^@\w+\{(\w+),(.*?)^\}", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$", re.DOTALL | re.MULTILINE)
SHOWN = (
    "author",
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


def bibliography() -> str:
    """Return all keys with their sources."""
    import kinetree

    text = (Path(kinetree.__file__).parent / "references.bib").read_text(encoding="utf-8")
    rows = [
        (f"[{key}]", _sentence(dict(FIELD.findall(body)))) for key, body in RECORD.findall(text)
    ]
    shown = docstrings.table(("key", "source"), rows)
    return f"# Literature\n\nKeys in brackets, as they are cited in docstrings and tables.\n\n{shown}\n"


def _sentence(fields: dict[str, str]) -> str:
    plain = {
        name: " ".join(re.sub(r"[{}\\\"]", "", value).split()).replace("--", "-")
        for name, value in fields.items()
    }
    return (
        ", ".join(f"no. {plain[n]}" if n == "number" else plain[n] for n in SHOWN if n in plain)
        + "."
    )
