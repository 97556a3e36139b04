"""Write plain values as YAML: an element on one line where it fits; repeated objects become
parameters.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from ...errors import ModelError
from .scalars import plain_scalar

WIDTH = 130
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*([ .+-][A-Za-z0-9_+-]*)*")
_LONGEST_KEY = 1000  # of a name; YAML reads keys of up to 1024 characters


def text_of(parts: dict[str, Any]) -> str:
    """The text of a model file."""
    lines = []
    for key, value in _shared(parts).items():
        lines += _lines(key, value, 0)
    return "\n".join(lines) + "\n"


def _lines(key: str, value: Any, depth: int) -> list[str]:
    """`key: value` on one line, or its parts below it; sections and their elements have a line
    each.
    """
    margin, one = "  " * depth, _flow(value)
    section = isinstance(value, dict) and depth == 0
    if (
        (not section and len(margin) + len(key) + len(one) + 2 <= WIDTH)
        or not isinstance(value, (dict, list))
        or not value
    ):
        return [f"{margin}{_word(key)}: {one}"]
    if isinstance(value, dict):
        return [
            f"{margin}{_word(key)}:",
            *(line for k, v in value.items() for line in _lines(k, v, depth + 1)),
        ]
    if all(isinstance(item, (int, float)) for item in value):
        return [f"{margin}{_word(key)}: [", *_wrapped(value, margin), f"{margin}  ]"]
    return [f"{margin}{_word(key)}:", *(f"{margin}  - {_flow(item)}" for item in value)]


def _wrapped(numbers: list[Any], margin: str) -> list[str]:
    """Numbers in lines of a readable width."""
    rows, row = [], ""
    for number in numbers:
        word = f"{_flow(number)}, "
        if len(margin) + 4 + len(row) + len(word) > WIDTH:
            rows.append(row)
            row = ""
        row += word
    return [f"{margin}    {line.rstrip()}" for line in (*rows, row)]


def _flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_word(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str):
        return _word(value)
    return (
        "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)
    )


def _word(text: str) -> str:
    """A text, in quotes if YAML would read it as something else."""
    if len(text) > _LONGEST_KEY:
        raise ModelError(
            f"the name {text[:40]!r}... is longer than {_LONGEST_KEY} characters and cannot be "
            "saved."
        )
    if (
        _PLAIN.fullmatch(text)
        and isinstance(plain_scalar(text), str)
        and not text.endswith((" ", "."))
    ):
        return text
    return json.dumps(text, ensure_ascii=False)


def _shared(parts: dict[str, Any]) -> dict[str, Any]:
    """Make objects and looks that occur more than once, such as a road under all wheels,
    parameters.
    """
    counts = Counter(
        key
        for section in parts.values()
        if isinstance(section, dict)
        for key in _inside(section, 0)
    )
    names: dict[str, str] = {}
    found: dict[str, Any] = {}
    for key, count in counts.items():
        if count > 1 and len(key) > 60:
            thing = json.loads(key)
            kind = "look" if isinstance(thing, list) else thing["type"].lower().replace(".", "_")
            names[key] = kind if kind not in found else f"{kind}_{len(found) + 1}"
            found[names[key]] = thing
    if not found:
        return parts
    named = {name: _named(value, names, 0) for name, value in parts.items()}
    head = [name for name in ("kinetree", "model", "gravity") if name in named]
    return {**{name: named.pop(name) for name in head}, "parameters": found, **named}


def _inside(value: Any, depth: int) -> list[str]:
    """Nested objects that could be shared, outermost first; those within one are not listed."""
    if _can_be_shared(value, depth):
        return [json.dumps(value)]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [key for item in inner for key in _inside(item, depth + isinstance(value, dict))]


def _can_be_shared(value: Any, depth: int) -> bool:
    """Whether a value is an object with a type, or the outlines of a body."""
    thing = value[0] if isinstance(value, list) and value else value
    return depth > 1 and isinstance(thing, dict) and "type" in thing


def _named(value: Any, names: dict[str, str], depth: int) -> Any:
    if _can_be_shared(value, depth) and json.dumps(value) in names:
        return f"${{{names[json.dumps(value)]}}}"
    if isinstance(value, list):
        return [_named(item, names, depth) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _named(item, names, depth + 1) for key, item in value.items()}
