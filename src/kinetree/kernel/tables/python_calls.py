"""`rhs` and `project` called from Python: `@asked` in place of `@kernel`, since their signatures are
known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..decorators import JIT
from ..language import Function
from ..types import Type
from .signatures import signatures


class Asked(Function):
    """A kernel `rhs(tables, work, t, y, ydot)` or `project(tables, work, t, y)`."""

    def declared(self) -> tuple[Type, ...]:
        code: Any = self.py_func.__code__  # type: ignore[attr-defined]
        return signatures()[2 if code.co_argcount == 5 else 3].args


def asked(function: Callable) -> Callable:
    """A kernel `rhs(tables, work, t, y, ydot)` or `project(tables, work, t, y)`."""
    return Asked(function, entry=True) if JIT else function
