"""Text representations of objects: one line for `repr`, the whole text for `print` and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from ..errors import no_such

LONGEST = 160  # characters of a repr


class Printable:
    """A result with a printed report: `repr` is its first line, a notebook shows all of it."""

    def __repr__(self) -> str:
        first = (str(self).splitlines() or [type(self).__name__])[0]
        return f"<{first if len(first) <= LONGEST else first[: LONGEST - 3] + '...'}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Text for the prompt of IPython."""
        printer.text(repr(self) if cycle else str(self))


def parts_table(name: str, kinds: Mapping[str, Iterable[str]], most: int = 30) -> str:
    """The names of the parts of an object as a table for a notebook, one row per kind."""
    rows = []
    for kind, parts in kinds.items():
        names = [escape(part) for part in parts]
        if names:
            more = f", and {len(names) - most} more" if len(names) > most else ""
            rows.append(
                f"<tr><th>{len(names)} {kind}</th><td style='text-align: "
                f"left'>{', '.join(names[:most])}{more}</td></tr>"
            )
    return f"<table><caption>{escape(name)}</caption>{''.join(rows)}</table>"


class NameDict(dict[str, Any]):
    """A dict whose error for a missing key suggests the nearest name and lists all names."""

    def __init__(
        self, what: str, where: str = "", items: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()
    ) -> None:
        super().__init__(items)
        self.what, self.where = what, where

    def __missing__(self, name: object) -> Any:
        raise no_such(self.what, name, self, self.where)
