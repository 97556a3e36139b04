"""LLVM text: registers, labels, stack slots."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..types import Type, none
from .values import KernelError, Value

if TYPE_CHECKING:
    from ..language import Function
    from .unit import Compiled, Unit

NONE = Value(none, ())


class Text:
    """The LLVM text of one function. `ended` is true after a jump or return, where no statement is
    reached.
    """

    def __init__(self, unit: Unit, function: Function) -> None:
        self.unit, self.function = unit, function

    def begin(self) -> None:
        """Start with an empty text; a function may be translated more than once."""
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.count, self.ended = 0, False
        self.called: dict[str, Compiled] = {}
        self.data: dict[str, str] = {}  # constant arrays, name: definition

    def _next(self) -> int:
        self.count += 1
        return self.count

    def op(self, text: str) -> str:
        """Emit an instruction with a result; returns its register."""
        name = f"%r{self._next()}"
        self.lines.append(f"  {name} = {text}")
        return name

    def emit(self, text: str) -> None:
        self.lines.append("  " + text)

    def label(self) -> str:
        return f"L{self._next()}"

    def at(self, label: str) -> None:
        """Start a basic block with this label."""
        self.lines.append(f"{label}:")
        self.ended = False

    def jump(self, label: str) -> None:
        if not self.ended:
            self.emit(f"br label %{label}")
        self.ended = True

    def branch(self, test: str, yes: str, no: str) -> None:
        self.emit(f"br i1 {test}, label %{yes}, label %{no}")
        self.ended = True

    def stack_slot(self, leaf: str) -> str:
        """A stack slot, initially zero; LLVM turns it into registers."""
        name = f"%s{self._next()}"
        self.slots.append(f"  {name} = alloca {leaf}\n  store {leaf} zeroinitializer, ptr {name}")
        return name

    def stack_slots(self, kind: Type) -> list[str]:
        return [self.stack_slot(leaf) for leaf in kind.leaves]

    def store_in(self, value: Value, places: list[str]) -> None:
        for leaf, part, at in zip(value.type.leaves, value.parts, places):
            self.emit(f"store {leaf} {part}, ptr {at}")

    def load_from(self, kind: Type, places: list[str]) -> Value:
        return Value(
            kind, tuple(self.op(f"load {leaf}, ptr {at}") for leaf, at in zip(kind.leaves, places))
        )

    def error(self, node: ast.AST | None, text: str) -> KernelError:
        """Error with file and line, and with the source of the node unless it is a whole function."""
        path, line = self._line(node)
        shown = ""
        if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.FunctionDef):
            shown = f" ({ast.unparse(node).partition(chr(10))[0][:90]})"
        return KernelError(text, path, line, f", in {self.function.name}{shown}")

    def _line(self, node: ast.AST | None) -> tuple[str, int]:
        code = self.function.py_func.__code__  # type: ignore[attr-defined]
        return code.co_filename, getattr(node, "lineno", None) or code.co_firstlineno

    def position(self, node: ast.AST | None) -> str:
        """File and line of a node, for an error message."""
        path, line = self._line(node)
        return f"{path}, line {line}"
