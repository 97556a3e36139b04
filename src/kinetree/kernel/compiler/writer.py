"""Translation of one function: its arguments, its body, its result, and the LLVM text."""

from __future__ import annotations

import ast
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ..language import Function
from ..types import Static, Tuple, Type, none
from .calls import convention, has_vectors
from .source import closed_over
from .statements import Statements
from .text import NONE
from .values import Value, common
from .variables import Retry

if TYPE_CHECKING:
    from .unit import Unit

_PURE = "nounwind willreturn memory(none)"
_PASSES = 40  # each pass widens the type of a variable or of the result; few are needed


class Compiled(NamedTuple):
    """LLVM text of a function for one set of types; `called` are the functions that it calls."""

    function: Function
    symbol: str
    args: tuple[Type, ...]
    result: Type
    text: str
    called: tuple[Compiled, ...]
    data: dict[str, str]

    @property
    def declaration(self) -> str:
        kind, given, _ = convention(self.args, self.result, self.function.inline)
        return f'declare {_returned(kind)} @"{self.symbol}"({", ".join(given)}) nounwind'


class Writer(Statements):
    def __init__(self, unit: Unit, function: Function, args: tuple[Type, ...]) -> None:
        super().__init__(unit, function)
        f: Any = function.py_func
        self.args, self.checked = args, function.checked
        self.result: Type | None = None
        self.scope: dict[str, Any] = f.__globals__
        if f.__closure__:
            self.scope = {**self.scope, **closed_over(f)}
        self.own_names = frozenset(f.__code__.co_varnames)

    def compiled(self) -> Compiled:
        tree = self.function.tree
        if tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.posonlyargs:
            raise self.error(tree, "functions take a fixed number of arguments by position")
        names = self.parameters([a.arg for a in tree.args.args])
        if len(names) != len(self.args):
            raise self.error(
                tree, f"{self.function.name} takes {len(names)} arguments, not {len(self.args)}"
            )
        self.forget_types()
        for _ in range(_PASSES):
            try:
                self._write(names, tree)
                return self._finished()
            except Retry:
                continue
            except RecursionError:
                raise self.error(tree, "its expressions are nested too deeply") from None
        raise self.error(tree, "the types of its variables do not converge")

    def parameters(self, names: list[str]) -> list[str]:
        """Names of the arguments."""
        return names

    def first_values(self) -> None:
        """Assign variables, besides the arguments, before the first statement."""

    def _write(self, names: list[str], tree: ast.FunctionDef | ast.Lambda) -> None:
        self.begin()
        self.fails = False
        k = 0
        for name, kind in zip(names, self.args):
            n = len(kind.leaves)
            self.assign(name, Value(kind, tuple(f"%a{k + j}" for j in range(n))))
            k += n
        self.first_values()
        if isinstance(tree, ast.Lambda):
            self.return_value(self.value(tree.body), tree)
        else:
            self.body(tree.body)
        if not self.ended:
            if self.result not in (None, none):
                raise self.error(
                    tree, "some paths through the function end without a value, others return one"
                )
            self.return_value(NONE, tree)

    def return_value(self, value: Value, node: ast.AST) -> None:
        wide = value.type if self.result is None else common(self.result, value.type)
        if wide is None:
            raise self.error(
                node, f"the function returns {value.type} here and {self.result} elsewhere"
            )
        if _has_static(wide):
            raise self.error(node, f"{wide} cannot be returned")
        if self.result is not None and wide != self.result:
            self.result = wide
            raise Retry
        self.result = wide
        value, leaves, self.ended = self.cast(value, wide, node), wide.leaves, True
        if not leaves:
            self.emit("ret void")
        elif len(leaves) == 1:
            self.emit(f"ret {leaves[0]} {value.leaf}")
        elif self.function.inline or has_vectors(wide):
            kind, whole = convention((), wide, True)[0], "undef"
            for k, (leaf, part) in enumerate(zip(leaves, value.parts)):
                whole = self.op(f"insertvalue {kind} {whole}, {leaf} {part}, {k}")
            self.emit(f"ret {kind} {whole}")
        else:
            for k, (leaf, part) in enumerate(zip(leaves, value.parts)):
                self.emit(
                    f"store {leaf} {part}, ptr "
                    f"{self.op(f'getelementptr inbounds i64, ptr %out, i64 {k}')}"
                )
            self.emit("ret void")

    def fail(self) -> None:
        self.emit("store i8 1, ptr %failed")
        self.jump("failing")
        self.fails = True

    def _finished(self) -> Compiled:
        result, f = self.result or none, self.function
        kind, _, through = convention(self.args, result, f.inline, f.checked)
        head = [
            f"{leaf} %a{k}" for k, leaf in enumerate(leaf for a in self.args for leaf in a.leaves)
        ]
        head = ["ptr %out"] * through + head + ["ptr %failed"] * f.checked
        if self.fails:
            self.lines += [
                "failing:",
                "  ret void" if kind == "void" else f"  ret {kind} zeroinitializer",
            ]
        inside = "\n".join(
            ["entry:", *self.slots, "  br label %begin", "begin:", *self.lines, "}", ""]
        )
        symbol = self.unit.symbol(f, self.args, f"{kind} {', '.join(head)}\n{inside}")
        how = (
            ("define internal", _PURE if f.pure else "alwaysinline nounwind")
            if f.inline
            else ("define", "nounwind")
        )
        text = f'{how[0]} {_returned(kind)} @"{symbol}"({", ".join(head)}) {how[1]} {{\n{inside}'
        return Compiled(f, symbol, self.args, result, text, tuple(self.called.values()), self.data)


def with_callees(compiled: Compiled) -> list[Compiled]:
    """A kernel and all kernels it calls, directly or through other functions."""
    seen, todo = {compiled.symbol: compiled}, [compiled]
    while todo:
        for other in todo.pop().called:
            if other.symbol not in seen:
                seen[other.symbol] = other
                todo.append(other)
    return [one for one in seen.values() if not one.function.inline]


def _has_static(kind: Type) -> bool:
    """Whether a type is, or contains, a function, class or module, which exist only at compile
    time.
    """
    return isinstance(kind, Static) or (
        isinstance(kind, Tuple) and any(map(_has_static, kind.items))
    )


def _returned(kind: str) -> str:
    """Type of a result; a truth value fills the byte that C reads."""
    return "zeroext i1" if kind == "i1" else kind


def digest(text: str, length: int = 12) -> str:
    return sha256(text.encode()).hexdigest()[:length]
