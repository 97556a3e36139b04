"""What the sources of kernels contain beside plain Python: pieces and kernels, and a few calls that
Python does not have.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from .compiler.source import Tree, note, tree_of
from .typeof import declared, typeof
from .types import Block, Signature, Type, brief

JIT = os.environ.get("KINETREE_PLAIN", "0") in ("", "0")
KERNELS: list[Function] = []  # all that have been imported, in this order


class Function:
    """A function in the kernel language: a piece, which is copied into those who call it, or a
    kernel, which is called.

    inline    a piece
    entry     may Python call it?
    text      its source, if no file has it
    """

    checked = False  # are its indices checked? (code of users)
    pure = False  # does its result depend on its numbers alone?

    def __init__(
        self, py_func: Callable, inline: bool = False, entry: bool = False, text: str | None = None
    ) -> None:
        update_wrapper(self, py_func)
        self.py_func, self.inline, self._entry, self._text = py_func, inline, entry, text
        self._tree: Tree | None = None
        self._call: Callable | None = None
        if text is None:
            note(py_func)
        if not inline:
            KERNELS.append(self)

    @property
    def tree(self) -> Tree:
        """The syntax tree, read when the function is compiled."""
        if self._tree is None:
            self._tree = tree_of(self.py_func, self._text)
        return self._tree

    @property
    def name(self) -> str:
        f = self.py_func
        return f"{f.__module__.removeprefix('kinetree.')}.{f.__qualname__}"

    @property
    def named_by_content(self) -> bool:
        """May there be others of this name? Then it is known by its content."""
        f = self.py_func
        return self.inline or "<" in f.__qualname__ or not f.__module__.startswith("kinetree.")

    def declared(self) -> tuple[Type, ...] | None:
        """The types of its arguments, if its annotations say them."""
        return declared(self.py_func)

    def address(self, args: tuple[Type, ...]) -> int:
        """Where the machine code lies, found or compiled for these types."""
        from .runtime.lookup import engine

        return engine().find(self, args)[0]

    def address_for(self, signature: Signature) -> int:
        """The same for a place that calls it with exactly this signature; others are refused."""
        from .runtime.lookup import engine

        args = tuple(signature.args)
        try:
            address, found = engine().find(self, args)
        except TypeError as error:
            if not hasattr(error, "with_call") or self._in_order(args):
                raise
            raise error.with_call(f"its place calls {self.call_text(args)}") from None
        if found.return_type != signature.return_type:
            raise TypeError(
                f"{self.position}: {self.call_text(args)} returns {found.return_type}, but its place "
                f"needs {signature.return_type}."
            )
        return address

    def _in_order(self, args: tuple[Type, ...]) -> bool:
        """Whether there are as many parameters as arguments, and blocks where the names say so."""
        code = self.py_func.__code__  # type: ignore[attr-defined]
        names = code.co_varnames[: code.co_argcount]
        return len(names) == len(args) and all(
            str(kind).lower() == name
            for name, kind in zip(names, args)
            if name in ("tables", "work") or isinstance(kind, Block)
        )

    @property
    def position(self) -> str:
        """File and line, for an error message."""
        code = self.py_func.__code__  # type: ignore[attr-defined]
        return f"{code.co_filename}, line {code.co_firstlineno}"

    def call_text(self, args: tuple[Type, ...]) -> str:
        """The call with names and types of its arguments: "ends(tables: Tables, force: record)"."""
        code = self.py_func.__code__  # type: ignore[attr-defined]
        names = code.co_varnames[: code.co_argcount]
        given = ", ".join(f"{name}: {brief(kind)}" for name, kind in zip(names, args))
        return f"{code.co_name}({given})"

    def open(self, args: tuple[Type, ...]) -> Callable:
        """The function through which Python calls it with arguments of these types."""
        from .runtime.lookup import engine

        if self._call is None:
            self._call = engine().entry(self, args)
        return self._call

    def __call__(self, *args: Any) -> Any:
        if self._call is None:
            if not self._entry:
                raise TypeError(
                    f"{self.name} is called by kernels only; with KINETREE_PLAIN=1 it is plain "
                    "Python."
                )
            self.open(self.declared() or tuple(map(typeof, args)))
        assert self._call is not None
        return self._call(*args)


class InlineHelper(Function):
    """A piece of an elementary function. Python may call it, too: it runs as it is written, with
    the same bits everywhere.
    """

    def __init__(self, py_func: Callable) -> None:
        super().__init__(py_func, inline=True)

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


class Elementary(InlineHelper):
    """A function of numbers that has a copy of its own in every object that calls it; LLVM may
    merge equal calls.
    """

    pure = True


def inline_helper(function: Callable) -> Callable:
    """A piece of an elementary function, copied into those that call it."""
    return InlineHelper(function) if JIT else function


def elementary(function: Callable) -> Callable:
    """An elementary function, or a part of several that is called."""
    return Elementary(function) if JIT else function
