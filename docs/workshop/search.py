"""What the search shows first: pages for words of users, and the entries of the reference for names of
other programs.

The full-text search of Sphinx finds words that are on the pages. The table that is written here adds
the words that users bring along, to be shown above its results by `static/search-first.js`.
"""

from __future__ import annotations

import json
import types
from pathlib import Path

from sphinx.util import logging

from kinetree.synonyms import NAMES, plain

from . import docstrings
from .concepts import CONCEPTS, FOR_NAMES, PLACES

Target = tuple[str, str, str]  # address, title, note


def entries(objects: dict[str, tuple[str, str]]) -> list[tuple[str, Target]]:
    """Return words with their targets, the most important ones of a word first.

    `objects` has page and anchor of every name of the interface.
    """
    found: list[tuple[str, Target]] = []
    for concept in CONCEPTS:
        page, _, anchor = concept.page.partition("#")
        target = (_address(page, anchor), concept.title, concept.note)
        found += [(word.strip(), target) for word in concept.words.split(",")]
    for name, words in FOR_NAMES.items():
        target = _of_name(name, objects)
        found += [(word.strip(), target) for word in words.split(",")]
    for name, others in NAMES.items():
        target = _of_name(name, objects)
        found += [(word, target) for word in (name, *others.split())]
    found += [(full.rpartition(".")[2], _of_name(full, objects)) for full in objects]
    return found


def table(objects: dict[str, tuple[str, str]]) -> dict:
    """Return the targets, and for every word, as it is compared, the numbers of its targets."""
    targets: dict[Target, int] = {}
    words: dict[str, list[int]] = {}
    for word, target in entries(objects):
        number = targets.setdefault(target, len(targets))
        numbers = words.setdefault(plain(word), [])
        if all(list(targets)[k][0] != target[0] for k in numbers):
            numbers.append(number)
    return {"targets": list(targets), "words": words}


def _of_name(name: str, objects: dict[str, tuple[str, str]]) -> Target:
    """The entry of a name of the interface; of an option, the page of the options."""
    if name in PLACES:
        return _address(PLACES[name]), name, ""
    full = name if name in objects else f"kt.{name}"
    page, anchor = objects[full]
    return _address(page, anchor), full, f"{_summary(full)} Reference: {_group(page)}.".lstrip()


def _summary(full: str) -> str:
    """The first sentence about a public name; empty for others."""
    import kinetree.api as api

    first, _, name = full.partition(".")
    if first != "kt" or name not in api.__all__ or isinstance(getattr(api, name), types.ModuleType):
        return ""
    return docstrings.read(getattr(api, name)).summary


def _group(page: str) -> str:
    """The part of the reference to which a page belongs."""
    return page.removeprefix("_generated/reference/").partition("/")[0].replace("-", " ")


def _address(page: str, anchor: str = "") -> str:
    return f"{page}.html" + (f"#{anchor}" if anchor else "")


def _table(env) -> dict:
    objects = env.get_domain("py").objects.items()
    return table({name: (entry.docname, entry.node_id) for name, entry in objects})


def check(app, env) -> None:
    """Warn about words that lead to no page."""
    for place, title, _ in _table(env)["targets"]:
        if place.partition("#")[0].removesuffix(".html") not in env.found_docs:
            logging.getLogger(__name__).warning("search: %r leads to %s, no page", title, place)


def write(app) -> None:
    """Write the table for the search page."""
    text = json.dumps(_table(app.env), ensure_ascii=False, separators=(",", ":"))
    path = Path(app.outdir) / "_static" / "search-words.js"
    path.write_text(f"window.searchWords = {text};\n", encoding="utf-8")
