"""Display of objects: one line in `repr`, the full text when printed or shown in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from ..errors import no_such

LONGEST = 160  # characters of a repr


class Printable:
    """A result with a text: `repr` is its first line, a notebook shows all of it."""

    def __repr__(self) -> str:
        first = (str(self).splitlines() or [type(self).__name__])[0]
        return f"<{first if len(first) <= LONGEST else first[: LONGEST - 3] + '...'}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """At the prompt of IPython."""
        printer.text(repr(self) if cycle else str(self))


def parts_table(name: str, kinds: Mapping[str, Iterable[str]], most: int = 30) -> str:
    """HTML table of the names of the parts of an object, one row per kind, for notebooks."""
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
    """A dict whose errors about missing keys list the nearest name and all names."""

    def __init__(
        self, what: str, where: str = "", items: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()
    ) -> None:
        super().__init__(items)
        self.what, self.where = what, where

    def __missing__(self, name: object) -> Any:
        raise no_such(self.what, name, self, self.where)
