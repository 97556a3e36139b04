"""Functions of the kernel language: kernels and inline functions."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from .compiler.source import Tree, note, tree_of
from .typeof import declared, typeof
from .types import Block, Signature, Type, brief

JIT = os.environ.get("KINETREE_PLAIN", "0") in ("", "0")
KERNELS: list[Function] = []  # all imported kernels, in the order of import


class Function:
    """A function in the kernel language.

    inline    whether it is copied into its callers; otherwise it is a kernel, which is called
    entry     whether Python may call it
    text      its source, if it is not in a file
    listed    whether the library of all kernels contains it
    """

    checked = False  # whether its indices are checked at run time (user code)
    pure = False  # whether its result depends only on its arguments, which are numbers

    def __init__(
        self,
        py_func: Callable,
        inline: bool = False,
        entry: bool = False,
        text: str | None = None,
        listed: bool = True,
    ) -> None:
        update_wrapper(self, py_func)
        self.py_func, self.inline, self._entry, self._text = py_func, inline, entry, text
        self._tree: Tree | None = None
        self._call: Callable | None = None
        if text is None:
            note(py_func)
        if not inline and listed:
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
        """Whether several functions may have its name, so that its symbol includes its content."""
        f = self.py_func
        return self.inline or "<" in f.__qualname__ or not f.__module__.startswith("kinetree.")

    def declared(self) -> tuple[Type, ...] | None:
        """The types of its arguments from its annotations, or None."""
        return declared(self.py_func)

    def address(self, args: tuple[Type, ...]) -> int:
        """Address of the machine code for these types, found or compiled."""
        from .runtime.lookup import engine

        return engine().find(self, args)[0]

    def address_for(self, signature: Signature) -> int:
        """Address for a caller that needs exactly this signature; raises TypeError otherwise."""
        from .runtime.lookup import engine

        args = tuple(signature.args)
        try:
            address, found = engine().find(self, args)
        except TypeError as error:
            if not hasattr(error, "with_call") or self._in_order(args):
                raise
            raise error.with_call(f"it is called as {self.call_text(args)}") from None
        if found.return_type != signature.return_type:
            raise TypeError(
                f"{self.position}: {self.call_text(args)} returns {found.return_type}, but its "
                f"caller needs {signature.return_type}."
            )
        return address

    def _in_order(self, args: tuple[Type, ...]) -> bool:
        """Whether the number of parameters matches, and blocks are where the names expect them."""
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
        """A call with names and types of its arguments: "ends(tables: Tables, force: record)"."""
        code = self.py_func.__code__  # type: ignore[attr-defined]
        names = code.co_varnames[: code.co_argcount]
        given = ", ".join(f"{name}: {brief(kind)}" for name, kind in zip(names, args))
        return f"{code.co_name}({given})"

    def open(self, args: tuple[Type, ...]) -> Callable:
        """The function of Python that calls it with arguments of these types."""
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
    """Inline function of the elementary functions. Python may call it: it then runs as plain
    Python, with the same bits.
    """

    def __init__(self, py_func: Callable) -> None:
        super().__init__(py_func, inline=True)

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)


class Elementary(InlineHelper):
    """A function of numbers, with one copy in every object file that calls it; LLVM may merge equal
    calls.
    """

    pure = True


def inline_helper(function: Callable) -> Callable:
    """Make an inline function that is used by elementary functions."""
    return InlineHelper(function) if JIT else function


def elementary(function: Callable) -> Callable:
    """Make an elementary function, or a function that several of them call."""
    return Elementary(function) if JIT else function
