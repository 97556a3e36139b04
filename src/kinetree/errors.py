"""One tree of errors: before a run, during a run, and about files. Every message says what, which,
expected, next step.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Any

from .synonyms import called_here


class KinetreeError(Exception):
    """Base of all errors Kinetree raises on purpose."""


class ModelError(KinetreeError, ValueError):
    """The model or a request cannot be right; found before a run."""


class TopologyError(ModelError):
    """Bodies and joints do not form a machine."""


class AssemblyError(ModelError):
    """No consistent state was found; names the joints that stay open.

    To find out why can take longer than the search: `message` may be a function, called when the
    text is first asked for.
    """

    def __init__(self, message: str | Callable[[], str] = "") -> None:
        super().__init__(message)

    def __str__(self) -> str:
        if self.args and callable(self.args[0]):
            self.args = (self.args[0](),)
        return super().__str__()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),), self.__dict__ or None


class NameNotFound(ModelError, KeyError):
    """A name that is not in the model."""

    def __str__(self) -> str:
        return str(self.args[0])


class SimulationError(KinetreeError, RuntimeError):
    """A run could not go on; carries the time, the element and what was computed so far."""

    def __init__(
        self,
        message: str,
        t: float = float("nan"),
        element: str | None = None,
        solution: Any = None,
    ) -> None:
        super().__init__(message)
        self.t, self.element, self.solution = t, element, solution


class ResultError(KinetreeError):
    """A result or its file cannot be read or written; `solution` is what was to be written, where
    there is one.
    """

    def __init__(self, message: str, solution: Any = None) -> None:
        super().__init__(message)
        self.solution = solution


def short(value: object, longest: int = 200) -> str:
    """What the user gave, as it is written in an error: not more than a line or two."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # whole numbers of thousands of digits, and objects that cannot be shown
        text = f"<{type(value).__name__}>"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def counted(number: int, one: str, many: str = "") -> str:
    """`1 body`, `3 bodies`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def suggestion(name: object, names: Iterable[str]) -> str:
    """` Did you mean 'elbow'?`, ` 'Hinge' is called 'Revolute' here.`, or nothing."""
    names = list(names)
    if not isinstance(name, str):
        return ""
    ours = called_here(name, names)
    if ours:
        return f" {short(name)} is called {' or '.join(map(repr, ours))} here."
    close = difflib.get_close_matches(name[:100], names, 1)
    return f" Did you mean {close[0]!r}?" if close else ""


def no_such(what: str, name: object, names: Iterable[str], where: str = "") -> NameNotFound:
    """`no joint named 'elbwo' in model 'arm'. Did you mean 'elbow'? Joints: shoulder, elbow,
    wrist.`
    """
    names = list(names)
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    known = f" {many.capitalize()}: {', '.join(names)}." if names else f" There are no {many}."
    return NameNotFound(f"no {what} named {short(name)}{where}.{suggestion(name, names)}{known}")
