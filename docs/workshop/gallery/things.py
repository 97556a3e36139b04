"""What the gallery shows: the built-in models and the example scripts, in one form."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .examples import EXAMPLES
from .examples import TAGS as FURTHER

SCRIPTS = Path(__file__).resolve().parents[3] / "examples"
SIGNS = re.compile(r"^# CHECK\s+(.*(?:\n# (?!CHECK).*)*)", re.MULTILINE)


class Thing(NamedTuple):
    """A model or an example: `path` is its source, `film` the name of its moving picture, empty if
    it has none; `build` and `until` are of a model, `run` is the name of the solution in a script,
    `plot` a channel that is plotted instead of a film.
    """

    name: str
    title: str
    text: str
    tags: tuple[str, ...]
    path: Path
    film: str
    source: str = ""
    build: Callable | None = None
    until: float = 0.0
    run: str = ""
    plot: str = ""

    @property
    def is_model(self) -> bool:
        return self.build is not None


def things() -> list[Thing]:
    """Return all models, then all examples."""
    return [*_models(), *_examples()]


def thing(name: str) -> Thing:
    """Return the model or example of that name."""
    return next(one for one in things() if one.name == name)


def tags() -> tuple[str, ...]:
    """Return all tags in the order in which they are shown."""
    from kinetree.models.catalogue import TAGS

    return (*TAGS, *FURTHER)


def said_checks(script: str) -> list[str]:
    """Return the comments of a script that begin with CHECK, as sentences."""
    found = [" ".join(text.replace("\n# ", " ").split()) for text in SIGNS.findall(script)]
    return [f"{text[0].upper()}{text[1:].rstrip('.')}." for text in found]


def _models() -> list[Thing]:
    from kinetree.models.catalogue import MODELS

    return [
        Thing(
            e.name,
            e.title,
            e.summary,
            e.tags,
            Path(inspect.getfile(e.build)),
            e.name,
            e.source,
            e.build,
            e.until,
        )
        for e in MODELS
    ]


def _examples() -> list[Thing]:
    found = []
    for path in sorted(SCRIPTS.glob("[0-9]*.py")):
        example, told = EXAMPLES[path.stem], ast.get_docstring(ast.parse(path.read_text("utf-8")))
        name = path.stem.replace("_", "-")
        text = "\n\n".join(_sentence(part) for part in (told or "").split("\n\n"))
        found.append(
            Thing(
                name,
                example.title,
                text,
                example.tags,
                path,
                (example.film or name) if example.run and not example.plot else "",
                run=example.run,
                plot=example.plot,
            )
        )
    return found


def _sentence(part: str) -> str:
    """A paragraph of a docstring on one line."""
    return " ".join(part.split())
