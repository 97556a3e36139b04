"""Subscripts: elements and slices of arrays, items of tuples."""

from __future__ import annotations

import ast

from ..types import Array, Tuple, boolean
from .names import Names
from .values import Value, common, joined, split


class Subscripts(Names):
    def expr_Subscript(self, node: ast.Subscript) -> Value:
        value = self.value(node.value)
        if isinstance(value.type, Tuple):
            return self._item(node, value)
        found = self.part(node, value)
        return found if isinstance(found.type, Array) else self.fetch(found.type, found.leaf)

    def part(self, node: ast.Subscript, value: Value) -> Value:
        """The address of an element, or the array that a subscript selects."""
        if not isinstance(value.type, Array):
            raise self.error(node, f"{value.type} has no elements")
        given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(g, ast.Constant) and isinstance(g.value, str) for g in given):
            raise self.error(node, "fields of records are attributes here, as in rows[k].mass")
        if len(given) == 1 and not isinstance(given[0], ast.Slice):
            only = self.value(given[0])
            indices = split(only) if isinstance(only.type, Tuple) else [only]
            return self._element(node, value, [self._place(i, node) for i in indices])
        if not any(isinstance(g, ast.Slice) for g in given):
            return self._element(node, value, [self._place(self.value(g), node) for g in given])
        self._axes(node, value, len(given))
        return self.view(
            value,
            [
                self._slice(g, size)
                if isinstance(g, ast.Slice)
                else self._place(self.value(g), node)
                for g, size in zip(given, value.parts[1:])
            ],
        )

    def _place(self, value: Value, node: ast.AST) -> str:
        """The index of an element. A truth value is refused: in NumPy it selects all or nothing."""
        if value.type is boolean:
            raise self.error(node, "a truth value is no index; convert it with int(...)")
        return self.index(value, node)

    def _element(self, node: ast.AST, value: Value, indices: list[str]) -> Value:
        self._axes(node, value, len(indices))
        return self.element(value, indices) if indices else value

    def _axes(self, node: ast.AST, value: Value, count: int) -> None:
        assert isinstance(value.type, Array)
        if count > value.type.ndim:
            raise self.error(node, f"{count} indices for {value.type}")

    def _slice(self, node: ast.Slice, size: str) -> tuple[str, str, str]:
        """Start, size and step of a slice along an axis."""
        step = "1" if node.step is None else self.index(self.value(node.step), node)
        if not step.isdigit() or step == "0":
            raise self.error(node.step or node, "the step of a slice must be a positive constant")
        start, stop = (
            None if b is None else self.bound(self.index(self.value(b), b), size)
            for b in (node.lower, node.upper)
        )
        n = size if stop is None else stop
        if start not in (None, "0"):
            n = self.op(f"sub nsw i64 {n}, {start}")
            n = self.op(f"call i64 @llvm.smax.i64(i64 {n}, i64 0)")
        if step != "1":
            n = self.op(f"sdiv i64 {self.op(f'add i64 {n}, {int(step) - 1}')}, {step}")
        return start or "0", n, step

    def _item(self, node: ast.Subscript, value: Value) -> Value:
        """An item or a slice of a tuple; with a variable index all items need a common type."""
        items = split(value)
        if isinstance(node.slice, ast.Slice):
            return joined(items[self._constant_slice(node.slice)])
        index = self.value(node.slice)
        if index.integer is not None:
            if not -len(items) <= index.integer < len(items):
                raise self.error(node, f"the tuple has {len(items)} items")
            return items[index.integer]
        kind = items[0].type if items else None
        for item in items[1:]:
            kind = kind and common(kind, item.type)
        if kind is None:
            raise self.error(node, "items of different types can be taken by a constant index only")
        return self._variable_item(
            [self.cast(item, kind, node) for item in items], self.index(index, node)
        )

    def _constant_slice(self, node: ast.Slice) -> slice:
        """A slice of a tuple, whose bounds must be constants."""
        given = (node.lower, node.upper, node.step)
        bounds = [None if b is None else self.value(b).integer for b in given]
        if any(a is not None and b is None for a, b in zip(given, bounds)) or bounds[2] == 0:
            raise self.error(node, "tuples are sliced by constants, with a step that is not 0")
        return slice(*bounds)

    def _variable_item(self, items: list[Value], index: str) -> Value:
        at, kind, parts = self.inside(index, str(len(items))), items[0].type, []
        for leaf, row in zip(kind.leaves, zip(*(item.parts for item in items))):
            room = self.stack_slot(f"[{len(items)} x {leaf}]")
            for k, part in enumerate(row):
                self.emit(
                    f"store {leaf} {part}, ptr "
                    f"{self.op(f'getelementptr inbounds {leaf}, ptr {room}, i64 {k}')}"
                )
            parts.append(
                self.op(
                    f"load {leaf}, ptr "
                    f"{self.op(f'getelementptr inbounds {leaf}, ptr {room}, i64 {at}')}"
                )
            )
        return Value(kind, tuple(parts))
