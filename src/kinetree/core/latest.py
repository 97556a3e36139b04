"""The latest results of a computation, each with its key."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class Latest:
    """The latest results by key. They are neither copied nor pickled with the object that has them.

    `most` is their number. Threads may share one: the tuple of entries is replaced as a whole.
    """

    __slots__ = ("_entries", "_most", "asked")

    def __init__(self, most: int = 2) -> None:
        self._most = most
        self.asked = False  # whether a result was asked for before
        self._entries: tuple[tuple[Hashable, Any], ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return Latest, (self._most,)

    def __deepcopy__(self, memo: Any) -> Latest:
        return Latest(self._most)

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Any:
        """The result with that key, or None."""
        for own, value in self._entries:
            if own == key:
                return value
        return None

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a result as the latest one, and drop the oldest beyond `most`."""
        others = tuple(entry for entry in self._entries if entry[0] != key)
        self._entries = ((key, value), *others)[: self._most]
