"""The syntax tree of a function from its file, which must not have changed since its import."""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import os
import textwrap
import tokenize
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from .values import KernelError

Tree = ast.FunctionDef | ast.Lambda

_stamps: dict[str, tuple[int, int]] = {}  # time and size of files when they were imported


def note(function: Callable) -> None:
    """Store the state of the file of a function while it is imported."""
    path = function.__code__.co_filename  # type: ignore[attr-defined]
    if path not in _stamps:
        _stamps[path] = _stamp(path)


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:  # generated
        return 0, 0
    return found.st_mtime_ns, found.st_size


def tree_of(function: Callable, text: str | None = None) -> Tree:
    """The syntax tree of a function of Kinetree, from its text or from its file."""
    code: types.CodeType = function.__code__  # type: ignore[attr-defined]
    path = code.co_filename
    if text is None and _stamps.get(path) != _stamp(path):
        raise _changed(code)
    nodes = _functions(path, text or _text(function)).get(code.co_firstlineno, [])
    found = [node for node in nodes if _matches(node, code)]
    if not found:
        raise _missing(code)
    return found[0]


def checked_tree_of(function: Callable) -> Tree:
    """The syntax tree of a user function; its bytecode must be that of the imported function."""
    code: types.CodeType = function.__code__  # type: ignore[attr-defined]
    text = _text(function)
    nodes = _functions(code.co_filename, text).get(code.co_firstlineno, []) or _block(code, text)
    found = [node for node in nodes if _matches(node, code)]
    if not found:
        raise _missing(code)
    same = [node for node in found if _instructions(_recompiled(node)) == _instructions(code)]
    if not same:
        raise _changed(code)
    return same[0]


def _block(code: types.CodeType, text: str) -> list[Tree]:
    """Functions of a file that is not Python as a whole (a page, a notebook), from the block of
    lines that belong to the function.
    """
    try:
        block = inspect.getblock(text.splitlines(keepends=True)[code.co_firstlineno - 1 :])
        tree = ast.increment_lineno(
            ast.parse(textwrap.dedent("".join(block))), code.co_firstlineno - 1
        )
    except (SyntaxError, IndexError, tokenize.TokenError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, Tree)]


def _recompiled(node: Tree) -> types.CodeType:
    """The bytecode of a function, compiled on its own."""
    alone: ast.stmt = (
        node if isinstance(node, ast.FunctionDef) else ast.copy_location(ast.Expr(node), node)
    )
    return next(_inner(compile(ast.Module([alone], []), "", "exec", dont_inherit=True)))


# instructions that depend on the code around a function
_ELSEWHERE = (
    "LOAD_GLOBAL",
    "LOAD_DEREF",
    "LOAD_ATTR",
    "LOAD_METHOD",
    "PUSH_NULL",
    "PRECALL",
    "CALL",
    "COPY_FREE_VARS",
    "MAKE_CELL",
    "LOAD_CLOSURE",
    "EXTENDED_ARG",
    "NOP",
)


def _instructions(code: types.CodeType) -> list[tuple[str, str]]:
    """The instructions of a function that do not depend on the code around it."""
    jumps = {*dis.hasjrel, *dis.hasjabs}
    return [
        (i.opname, "" if i.opcode in jumps else i.argrepr)
        for i in dis.get_instructions(code)
        if i.opname not in _ELSEWHERE
    ]


def closed_over(function: Any) -> dict[str, Any]:
    """The variables of the enclosing functions that a function reads, without those not set yet."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        with suppress(ValueError):  # empty
            found[name] = cell.cell_contents
    return found


def _missing(code: types.CodeType) -> KernelError:
    return KernelError(
        f"the source of {code.co_name!r} cannot be found; functions that are compiled must be in a "
        "file",
        code.co_filename,
        code.co_firstlineno,
    )


def _changed(code: types.CodeType) -> KernelError:
    return KernelError(
        f"the file is not the one that {code.co_name!r} was imported from; start Python again",
        code.co_filename,
        code.co_firstlineno,
    )


def _text(function: Any) -> str:
    linecache.checkcache(function.__code__.co_filename)
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


@cache
def _functions(path: str, text: str) -> dict[int, list[Tree]]:
    """Functions of a file by their first line, which is that of the first decorator."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    found: dict[int, list[Tree]] = {}
    for node in ast.walk(tree):
        if isinstance(node, Tree):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            found.setdefault(first, []).append(node)
    return found


def _inner(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _inner(constant)


def _matches(node: Tree, code: types.CodeType) -> bool:
    """Whether a node is the function of this code; a lambda must enclose all its instructions."""
    if isinstance(node, ast.FunctionDef):
        return node.name == code.co_name
    body = node.body
    ends = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    places = [
        ((a, c), (b, d)) for a, b, c, d in code.co_positions() if None not in (a, b, c, d) and d
    ]
    return code.co_name == "<lambda>" and all(
        ends[0] <= first and last <= ends[1] for first, last in places
    )
