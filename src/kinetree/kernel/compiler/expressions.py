"""Expressions: one method for each kind of node, named after it."""

from __future__ import annotations

import ast

from ..types import Tuple, boolean
from .subscripts import Subscripts
from .text import NONE
from .values import Value, common, joined, split


class Expressions(Subscripts):
    def value(self, node: ast.expr) -> Value:
        """The value of an expression; raises KernelError for a function that returns nothing."""
        value = self.result_of(node)
        if value.type == NONE.type:
            raise self.error(node, "the function returns nothing, so this has no value")
        return value

    def result_of(self, node: ast.expr) -> Value:
        """The value of an expression, or NONE."""
        method = getattr(self, "expr_" + type(node).__name__, None)
        if method is None:
            raise self.error(
                node, f"{_NAMES.get(type(node), type(node).__name__)} is not in the kernel language"
            )
        return method(node)

    def expr_Tuple(self, node: ast.Tuple) -> Value:
        items = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                items += split(self._tuple(item.value))
            else:
                items.append(self.value(item))
        return joined(items)

    def _tuple(self, node: ast.expr) -> Value:
        value = self.value(node)
        if not isinstance(value.type, Tuple):
            raise self.error(node, f"{value.type} is not a tuple; only tuples can have a star")
        return value

    def expr_BinOp(self, node: ast.BinOp) -> Value:
        return self.binary(node, node.op, self.value(node.left), self.value(node.right))

    def expr_UnaryOp(self, node: ast.UnaryOp) -> Value:
        return self.unary(node, node.op, self.value(node.operand))

    def expr_Compare(self, node: ast.Compare) -> Value:
        """`a < b < c` is `a < b and b < c`, with b evaluated once."""
        left, whole, later = self.value(node.left), "true", node.comparators[1:]
        if not all(isinstance(other, (ast.Name, ast.Constant)) for other in later):
            return self._compare_in_turn(node, left)
        for op, other in zip(node.ops, node.comparators):
            right = self.value(other)
            test = self.compare(node, op, left, right)
            whole = test if whole == "true" else self.op(f"and i1 {whole}, {test}")
            left = right
        return Value(boolean, (whole,))

    def _compare_in_turn(self, node: ast.Compare, left: Value) -> Value:
        """A chain of comparisons whose later operands may call functions: they are evaluated only if
        all comparisons before are true.
        """
        place, end = self.stack_slot("i1"), self.label()
        for op, other in zip(node.ops, node.comparators):
            right, more = self.value(other), self.label()
            test = self.compare(node, op, left, right)
            self.emit(f"store i1 {test}, ptr {place}")
            self.branch(test, more, end)
            self.at(more)
            left = right
        self.jump(end)
        self.at(end)
        return Value(boolean, (self.op(f"load i1, ptr {place}"),))

    def test(self, node: ast.expr, yes: str, no: str) -> None:
        """Branch to one of two labels, evaluating only the operands that are needed."""
        if isinstance(node, ast.BoolOp):
            for part in node.values[:-1]:
                more = self.label()
                self.test(part, *((more, no) if isinstance(node.op, ast.And) else (yes, more)))
                self.at(more)
            self.test(node.values[-1], yes, no)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.test(node.operand, no, yes)
        else:
            self.branch(self.truth(self.value(node), node), yes, no)

    def expr_BoolOp(self, node: ast.BoolOp) -> Value:
        """`a and b` is a if that is false, else b; the same for `or`."""
        first, rest = node.values[0], node.values[1:]
        other = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), rest[0])
        left = self.value(first)
        yes, no, keep = self.label(), self.label(), lambda: left
        self.branch(self.truth(left, first), yes, no)
        sides = (
            ((yes, lambda: self.value(other)), (no, keep))
            if isinstance(node.op, ast.And)
            else ((yes, keep), (no, lambda: self.value(other)))
        )
        return self._either(node, sides)

    def expr_IfExp(self, node: ast.IfExp) -> Value:
        yes, no = self.label(), self.label()
        self.test(node.test, yes, no)
        return self._either(
            node, ((yes, lambda: self.value(node.body)), (no, lambda: self.value(node.orelse)))
        )

    def _either(self, node: ast.expr, sides: tuple) -> Value:
        """The value of the side that is evaluated, converted to the common type of both."""
        before, end, found = self.lines, self.label(), []
        for label, make in sides:
            self.lines = []
            self.at(label)
            found.append((make(), self.lines))
        kind = common(found[0][0].type, found[1][0].type)
        if kind is None:
            raise self.error(node, f"one side is {found[0][0].type}, the other {found[1][0].type}")
        places = self.stack_slots(kind)
        for value, lines in found:
            self.lines = lines
            self.store_in(self.cast(value, kind, node), places)
            self.emit(f"br label %{end}")
            before += lines
        self.lines = before
        self.at(end)
        return self.load_from(kind, places)

    def expr_Call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.error(node, "arguments are passed by position in kernels")
        f = self.value(node.func)
        args: list[Value] = []
        for given in node.args:
            args += (
                split(self._tuple(given.value))
                if isinstance(given, ast.Starred)
                else [self.value(given)]
            )
        return self.call(node, f, args)


_NAMES = {
    ast.ListComp: "a comprehension",
    ast.List: "a list",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.Lambda: "a lambda",
    ast.GeneratorExp: "a generator",
    ast.DictComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "the operator :=",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.Starred: "a star here",
    ast.YieldFrom: "yield",
}
