"""Loops: `while`, and `for` over a range, an array or a tuple."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from ..types import Array, Tuple, int64
from .expressions import Expressions
from .values import Value, split
from .variables import State


@dataclass
class Loop:
    """An open loop: the labels of `continue` and `break`, and the variables at them."""

    again: str
    end: str
    back: list[State] = field(default_factory=list)
    out: list[State] = field(default_factory=list)


class Loops(Expressions):
    def begin(self) -> None:
        super().begin()
        self.loops: list[Loop] = []

    def body(self, statements: list[ast.stmt]) -> None:
        raise NotImplementedError

    def store(self, target: ast.expr, value: Value) -> None:
        raise NotImplementedError

    def stmt_While(self, node: ast.While) -> None:
        def test(inside: str, after: str) -> None:
            if forever:
                self.jump(inside)
            else:
                self.test(node.test, inside, after)

        forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self._loop(node, test, lambda: None, forever)

    def stmt_For(self, node: ast.For) -> None:
        if (
            isinstance(node.iter, ast.Call)
            and isinstance(node.iter.func, ast.Name)
            and node.iter.func.id == "range"
        ):
            self._count(node, *self._range(node.iter), lambda k: Value(int64, (k,)))
            return
        over = self.value(node.iter)
        if isinstance(over.type, Tuple):
            self._unrolled(node, split(over))
        elif isinstance(over.type, Array):
            self._count(node, "0", over.parts[1], "1", lambda k: self._row(over, k))
        else:
            raise self.error(
                node.iter, f"loops go over a range, an array or a tuple, not over {over.type}"
            )

    def _range(self, node: ast.Call) -> tuple[str, str, str]:
        """Start, stop and step of range(...)."""
        bounds = [self.index(self.value(a), a) for a in node.args]
        if not 1 <= len(bounds) <= 3 or node.keywords:
            raise self.error(node, "range takes one to three integers by position")
        start, stop, step = ("0", bounds[0], "1") if len(bounds) == 1 else (*bounds, "1")[:3]
        if step == "0":
            raise self.error(node, "the step of range is 0")
        if not step.lstrip("-").isdigit() and self.checked:
            self.check(self.op(f"icmp ne i64 {step}, 0"))
        return start, stop, step

    def _row(self, array: Value, k: str) -> Value:
        found = self.element(array, [k])
        return found if isinstance(found.type, Array) else self.fetch(found.type, found.leaf)

    def _count(
        self, node: ast.For, start: str, stop: str, step: str, item: Callable[[str], Value]
    ) -> None:
        """A counting loop. The counter has a stack slot of its own: the body may assign the loop
        variable.
        """
        place = self.stack_slot("i64")
        self.emit(f"store i64 {start}, ptr {place}")
        number = ""

        def test(inside: str, after: str) -> None:
            nonlocal number
            number = self.op(f"load i64, ptr {place}")
            self.emit(f"store i64 {self.op(f'add nsw i64 {number}, {step}')}, ptr {place}")
            self.branch(self._continues(number, stop, step), inside, after)

        self._loop(node, test, lambda: self.store(node.target, item(number)), False)

    def _continues(self, k: str, stop: str, step: str) -> str:
        if step.lstrip("-").isdigit():
            return self.op(f"icmp {'slt' if int(step) > 0 else 'sgt'} i64 {k}, {stop}")
        up, below, above = (
            self.op(f"icmp {test}")
            for test in (f"sgt i64 {step}, 0", f"slt i64 {k}, {stop}", f"sgt i64 {k}, {stop}")
        )
        return self.op(f"select i1 {up}, i1 {below}, i1 {above}")

    def _loop(
        self,
        node: ast.While | ast.For,
        test: Callable[[str, str], None],
        first: Callable[[], None],
        forever: bool,
    ) -> None:
        """A loop: `test` branches to one of two labels, `first` starts every iteration."""
        head, inside, after, loop = self.label(), self.label(), self.label(), Loop("", self.label())
        loop.again = head
        self.jump(head)
        self.at(head)
        before = dict(self.now)
        self.read_before.append({})
        self.loops.append(loop)
        test(inside, after)
        self.at(inside)
        first()
        self.body(node.body)
        if not self.ended:
            loop.back.append(self.now)
        self.jump(head)
        self.loops.pop()
        self.check_iterations(loop.back, node)
        self.read_before.pop()
        if not forever:
            self.at(after)
            self.now = self.merge([before, *loop.back])
            self.body(node.orelse)
            if not self.ended:
                loop.out.append(self.now)
            self.jump(loop.end)
        self._after(loop)

    def _after(self, loop: Loop) -> None:
        if loop.out:
            self.at(loop.end)
            self.now = self.merge(loop.out)

    def _unrolled(self, node: ast.For, items: list[Value]) -> None:
        """A loop over a tuple, whose items may have different types: the body once for each item."""
        end = self.label()
        out: list[State] = []
        for item in items:
            loop = Loop(self.label(), end, out=out)
            self.loops.append(loop)
            self.store(node.target, item)
            self.body(node.body)
            self.loops.pop()
            if not self.ended:
                loop.back.append(self.now)
            self.jump(loop.again)
            if not loop.back:
                break
            self.at(loop.again)
            self.now = self.merge(loop.back)
        if not self.ended:
            self.body(node.orelse)
        if not self.ended:
            out.append(self.now)
        self.jump(end)
        self._after(Loop("", end, out=out))

    def stmt_Break(self, node: ast.Break) -> None:
        self.loops[-1].out.append(self.now)
        self.jump(self.loops[-1].end)

    def stmt_Continue(self, node: ast.Continue) -> None:
        self.loops[-1].back.append(self.now)
        self.jump(self.loops[-1].again)

    def each(self, size: str, body: Callable[[str], None]) -> None:
        """Emit a loop that runs body(k) for k < size."""
        place, head, inside, end = self.stack_slot("i64"), self.label(), self.label(), self.label()
        self.emit(f"store i64 0, ptr {place}")
        self.jump(head)
        self.at(head)
        k = self.op(f"load i64, ptr {place}")
        self.branch(self.op(f"icmp slt i64 {k}, {size}"), inside, end)
        self.at(inside)
        body(k)
        self.emit(f"store i64 {self.op(f'add nsw i64 {k}, 1')}, ptr {place}")
        self.jump(head)
        self.at(end)
