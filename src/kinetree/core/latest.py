"""The latest results of a computation, each with its key."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

MOST = 2  # results that are kept


class Latest:
    """The latest results by key. They are neither copied nor pickled with the object that has them.

    Threads may share one: the tuple of entries is replaced as a whole.
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: tuple[tuple[Hashable, Any], ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return Latest, ()

    def __deepcopy__(self, memo: Any) -> Latest:
        return Latest()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Any:
        """The result with that key, or None."""
        for own, value in self._entries:
            if own == key:
                return value
        return None

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a result as the latest one, and drop the oldest beyond MOST."""
        others = tuple(entry for entry in self._entries if entry[0] != key)
        self._entries = ((key, value), *others)[:MOST]
