"""Expressions: one method for each kind of node, named after it."""

from __future__ import annotations

import ast
import builtins
from types import ModuleType
from typing import Any

import numpy as np

from ..language import Method
from ..types import Array, Block, Record, Scalar, Static, Tuple, boolean, float64, int64
from .calls import Calls
from .values import Value, common, joined, number, split, whole_number

_BUILTINS = vars(builtins)


class Expressions(Calls):
    scope: dict[str, Any]  # names of the module and of the function around
    own_names: frozenset[str]  # of variables

    def value(self, node: ast.expr) -> Value:
        method = getattr(self, "expr_" + type(node).__name__, None)
        if method is None:
            raise self.error(node, f"{_TOLD.get(type(node), type(node).__name__)} is not in the kernel language")
        return method(node)

    def expr_Constant(self, node: ast.Constant) -> Value:
        return self.known(node.value, node)

    def known(self, x: Any, node: ast.AST) -> Value:
        """A value that Python has while compiling."""
        if isinstance(x, (bool, np.bool_)):
            return Value(boolean, ("true" if x else "false",))
        if isinstance(x, (int, np.integer)):
            if not -2 ** 63 <= x < 2 ** 63:
                raise self.error(node, f"{x} has more than 64 bits")
            return whole_number(int(x))
        if isinstance(x, float):
            return Value(float64, (number(x),))
        if isinstance(x, tuple):
            return joined([self.known(i, node) for i in x], type(x) if hasattr(x, "_fields") else None)
        if isinstance(x, np.ndarray):
            return self.constant(x, node)
        if x is None or isinstance(x, (list, dict, set, complex, type(...))):
            raise self.error(node, f"{x if x is None else f'a {type(x).__name__}'} is no value of the kernel language")
        return Value(Static(x), ())

    def expr_Name(self, node: ast.Name) -> Value:
        value = self.variable(node.id)
        if value is not None:
            return value
        if node.id in self.own_names:
            raise self.error(node, f"{node.id!r} is read before it is set; give it a value before, outside of the loop if any")
        return self.outer(node)

    def outer(self, node: ast.Name) -> Value:
        """A name of the module or of the function around."""
        if node.id in self.scope:
            return self.known(self.scope[node.id], node)
        if node.id in _BUILTINS:
            return self.known(_BUILTINS[node.id], node)
        raise self.error(node, f"{node.id!r} is not defined")

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
            raise self.error(node, f"{value.type} is no tuple")
        return value

    def expr_Attribute(self, node: ast.Attribute) -> Value:
        value, name = self.value(node.value), node.attr
        kind = value.type
        if isinstance(kind, Record):
            found = self.field(value, name, node)
            return self.fetch(found.type, found.only) if isinstance(found.type, Scalar) else found
        if isinstance(kind, Block):
            return self.array_of(value, name, node)
        if isinstance(kind, Array):
            return self._of_array(node, value, kind)
        if isinstance(kind, Static):
            return self._of_static(node, kind.value)
        if isinstance(kind, Tuple) and kind.cls and name in kind.cls._fields:
            return split(value)[kind.cls._fields.index(name)]
        raise self.error(node, f"{kind} has no {name!r}")

    def _of_array(self, node: ast.Attribute, value: Value, kind: Array) -> Value:
        shape, name = value.parts[1:1 + kind.ndim], node.attr
        if name == "shape":
            return Value(Tuple((int64,) * kind.ndim), shape)
        if name == "ndim":
            return whole_number(kind.ndim)
        if name == "size":
            return Value(int64, (self._sizes(shape),))
        if name == "T":
            steps = tuple(reversed(self.strides(value)))
            return Value(Array(kind.dtype, kind.ndim, True, kind.constant), (value.only, *reversed(shape), *steps))
        if name in ("ctypes", "reshape"):
            return Value(Static(Method(name, value)), ())
        raise self.error(node, f"arrays have shape, size, ndim, T and reshape here, but no {name!r}")

    def _of_static(self, node: ast.Attribute, owner: Any) -> Value:
        if isinstance(owner, Method):
            if (owner.name, node.attr) == ("ctypes", "data"):
                return Value(int64, (self.op(f"ptrtoint ptr {owner.value.only} to i64"),))
        elif isinstance(owner, (ModuleType, type)) and hasattr(owner, node.attr):
            return self.known(getattr(owner, node.attr), node)
        elif not isinstance(owner, (ModuleType, type)):
            told = f"{ast.unparse(node.value)!r} is a {type(owner).__name__}, an object that is not in the kernel language"
            raise self.error(node, told)
        raise self.error(node, f"{Static(owner)} has no {node.attr!r}")

    # ------------------------------------------------------------ subscripts
    def expr_Subscript(self, node: ast.Subscript) -> Value:
        value = self.value(node.value)
        if isinstance(value.type, Tuple):
            return self._item(node, value)
        found = self.part(node, value)
        return found if isinstance(found.type, Array) else self.fetch(found.type, found.only)

    def part(self, node: ast.Subscript, value: Value) -> Value:
        """The address of an element, or the array that a subscript leaves."""
        if not isinstance(value.type, Array):
            raise self.error(node, f"{value.type} has no elements")
        given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(given) == 1 and not isinstance(given[0], ast.Slice):
            only = self.value(given[0])
            indices = split(only) if isinstance(only.type, Tuple) else [only]
            return self._element(node, value, [self.index(i, node) for i in indices])
        if not any(isinstance(g, ast.Slice) for g in given):
            return self._element(node, value, [self.index(self.value(g), node) for g in given])
        self._axes(node, value, len(given))
        return self.view(value, [self._slice(g, size) if isinstance(g, ast.Slice) else self.index(self.value(g), node)
                                 for g, size in zip(given, value.parts[1:])])

    def _element(self, node: ast.AST, value: Value, indices: list[str]) -> Value:
        self._axes(node, value, len(indices))
        return self.element(value, indices) if indices else value

    def _axes(self, node: ast.AST, value: Value, count: int) -> None:
        assert isinstance(value.type, Array)
        if count > value.type.ndim:
            raise self.error(node, f"{count} indices for {value.type}")

    def _slice(self, node: ast.Slice, size: str) -> tuple[str, str, str]:
        """Start, size and step of a slice of an axis."""
        step = "1" if node.step is None else self.index(self.value(node.step), node)
        if not step.isdigit() or step == "0":
            raise self.error(node.step or node, "the step of a slice must be a positive constant")
        start, stop = (None if b is None else self.bound(self.index(self.value(b), b), size) for b in (node.lower, node.upper))
        n = size if stop is None else stop
        if start not in (None, "0"):
            n = self.op(f"sub nsw i64 {n}, {start}")
            n = self.op(f"call i64 @llvm.smax.i64(i64 {n}, i64 0)")
        if step != "1":
            n = self.op(f"sdiv i64 {self.op(f'add i64 {n}, {int(step) - 1}')}, {step}")
        return start or "0", n, step

    def _item(self, node: ast.Subscript, value: Value) -> Value:
        """An item of a tuple, or several; with a variable as index all items need a type in common."""
        items = split(value)
        if isinstance(node.slice, ast.Slice):
            bounds = [None if b is None else self.value(b).whole for b in (node.slice.lower, node.slice.upper, node.slice.step)]
            return joined(items[slice(*bounds)])
        index = self.value(node.slice)
        if index.whole is not None:
            if not -len(items) <= index.whole < len(items):
                raise self.error(node, f"the tuple has {len(items)} items")
            return items[index.whole]
        kind = items[0].type if items else None
        for item in items[1:]:
            kind = kind and common(kind, item.type)
        if kind is None:
            raise self.error(node, "items of different types can be taken by a constant index only")
        return self._variable_item([self.cast(item, kind, node) for item in items], self.index(index, node))

    def _variable_item(self, items: list[Value], index: str) -> Value:
        at, kind, parts = self.inside(index, str(len(items))), items[0].type, []
        for leaf, row in zip(kind.leaves, zip(*(item.parts for item in items))):
            room = self.place(f"[{len(items)} x {leaf}]")
            for k, part in enumerate(row):
                self.do(f"store {leaf} {part}, ptr {self.op(f'getelementptr inbounds {leaf}, ptr {room}, i64 {k}')}")
            parts.append(self.op(f"load {leaf}, ptr {self.op(f'getelementptr inbounds {leaf}, ptr {room}, i64 {at}')}"))
        return Value(kind, tuple(parts))

    # ------------------------------------------------------------ operators
    def expr_BinOp(self, node: ast.BinOp) -> Value:
        return self.binary(node, node.op, self.value(node.left), self.value(node.right))

    def expr_UnaryOp(self, node: ast.UnaryOp) -> Value:
        return self.unary(node, node.op, self.value(node.operand))

    def expr_Compare(self, node: ast.Compare) -> Value:
        left, whole = self.value(node.left), "true"
        for op, other in zip(node.ops, node.comparators):
            right = self.value(other)
            test = self.compare(node, op, left, right)
            whole = test if whole == "true" else self.op(f"and i1 {whole}, {test}")
            left = right
        return Value(boolean, (whole,))

    def test(self, node: ast.expr, yes: str, no: str) -> None:
        """Go on at one label or the other, evaluating no more than needed."""
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
        sides = ((yes, lambda: self.value(other)), (no, keep)) if isinstance(node.op, ast.And) else (
            (yes, keep), (no, lambda: self.value(other)))
        return self._either(node, sides)

    def expr_IfExp(self, node: ast.IfExp) -> Value:
        yes, no = self.label(), self.label()
        self.test(node.test, yes, no)
        return self._either(node, ((yes, lambda: self.value(node.body)), (no, lambda: self.value(node.orelse))))

    def _either(self, node: ast.expr, sides: tuple) -> Value:
        """The value of the side that was taken, as the type that both have in common."""
        before, end, found = self.lines, self.label(), []
        for label, make in sides:
            self.lines = []
            self.at(label)
            found.append((make(), self.lines))
        kind = common(found[0][0].type, found[1][0].type)
        if kind is None:
            raise self.error(node, f"one side is {found[0][0].type}, the other {found[1][0].type}")
        places = self.places_of(kind)
        for value, lines in found:
            self.lines = lines
            self.put(self.cast(value, kind, node), places)
            self.do(f"br label %{end}")
            before += lines
        self.lines = before
        self.at(end)
        return self.take(kind, places)

    def expr_Call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.error(node, "arguments are passed by position in kernels")
        f = self.value(node.func)
        args: list[Value] = []
        for given in node.args:
            args += split(self._tuple(given.value)) if isinstance(given, ast.Starred) else [self.value(given)]
        return self.call(node, f, args)


_TOLD = {ast.ListComp: "a comprehension", ast.List: "a list", ast.Dict: "a dict", ast.Set: "a set", ast.Lambda: "a lambda",
         ast.GeneratorExp: "a generator", ast.DictComp: "a comprehension", ast.SetComp: "a comprehension",
         ast.JoinedStr: "a text", ast.NamedExpr: "the operator :=", ast.Await: "await", ast.Yield: "yield",
         ast.Starred: "a star", ast.YieldFrom: "yield"}
