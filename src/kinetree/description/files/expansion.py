"""Limits for the expansion of `${...}`: a few lines that refer to each other could otherwise become
gigabytes.
"""

from __future__ import annotations

from typing import Any

from ...errors import ModelError
from .document import DEEPEST

MOST_CHARACTERS = 10_000_000  # written into texts, all together
MOST_VALUES = 1_000_000  # of lists and mappings that are put in, all together


class Expansion:
    """Count what the expressions of a model insert, and raise an error before it is too much."""

    def __init__(self) -> None:
        self.characters, self.values = 0, 0
        self._sizes: dict[
            int, tuple[Any, int, int]
        ] = {}  # by id: the thing (so that the id stays its own), values, levels

    def text(self, count: int) -> None:
        """Count characters inserted into a text."""
        self.characters += count
        if self.characters > MOST_CHARACTERS:
            raise ModelError(
                f"expressions write more than {MOST_CHARACTERS} characters into the texts of this "
                "model"
            )

    def put(self, thing: Any, level: int) -> Any:
        """Count a value inserted at a level; return it."""
        if isinstance(thing, (list, dict)):
            values, levels = self._size(thing)
            if level + levels > DEEPEST:
                raise ModelError(
                    f"with its expressions the file is nested more than {DEEPEST} levels deep"
                )
            self.values += values
            if self.values > MOST_VALUES:
                raise ModelError(f"expressions put more than {MOST_VALUES} values into this model")
        return thing

    def _size(self, thing: Any, level: int = 0) -> tuple[int, int]:
        """Number of values in a list or mapping, including nested ones, and their depth."""
        if not isinstance(thing, (list, dict)):
            return 1, 0
        if id(thing) in self._sizes:
            return self._sizes[id(thing)][1:]
        if level > DEEPEST:
            raise ModelError(f"a parameter is nested more than {DEEPEST} levels deep")
        inside = [
            self._size(one, level + 1)
            for one in (thing.values() if isinstance(thing, dict) else thing)
        ]
        found = (
            1 + sum(values for values, _ in inside),
            1 + max((levels for _, levels in inside), default=0),
        )
        self._sizes[id(thing)] = thing, *found
        return found
