"""Assignments and `+=` to names, elements, slices and fields."""

from __future__ import annotations

import ast

from ..types import DUAL, Array, Record, Scalar, Tuple, boolean, dual, int32
from .loops import Loops
from .values import Value, split

SIZES = {int32: 4, boolean: 1, dual: DUAL.itemsize}  # bytes of numbers that do not have 8


class Assignments(Loops):
    def stmt_Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.store(target, value)

    def stmt_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.store(node.target, self.value(node.value))

    def store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.assign(target.id, value, target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            if not isinstance(value.type, Tuple) or len(value.type.items) != len(target.elts):
                raise self.error(
                    target, f"{value.type} cannot be unpacked into {len(target.elts)} names"
                )
            for inner, item in zip(target.elts, split(value)):
                self.store(inner, item)
        else:
            found = self.where(target)
            if isinstance(found.type, Array):
                self._fill(target, found, value)
            elif isinstance(found.type, Scalar):
                self.write(found.type, found.leaf, value, target)
            else:
                raise self.error(target, "records are copied field by field")

    def where(self, target: ast.expr) -> Value:
        """The address of a number in memory, or an array to be filled."""
        found = None
        if isinstance(target, ast.Attribute):
            record = self.value(target.value)
            if isinstance(record.type, Record):
                found = self.field(record, target.attr, target)
        elif isinstance(target, ast.Subscript):
            array = self.value(target.value)
            if isinstance(array.type, Array) and array.type.constant:
                raise self.error(target, "the array is read-only")
            found = self.part(target, array) if isinstance(array.type, Array) else None
        if found is None or not (
            isinstance(found.type, Scalar) or isinstance(target, ast.Subscript)
        ):
            if found is not None and isinstance(found.type, Array):
                raise self.error(
                    target, f"this is an array; write {ast.unparse(target)}[:] to set its elements"
                )
            raise self.error(
                target, "this cannot be set; names, elements of arrays and fields of records can"
            )
        return found

    def _fill(self, node: ast.expr, array: Value, value: Value) -> None:
        """x[a:b] = value: a number for all elements, the items of a tuple, or a contiguous array of
        the same shape.
        """
        kind = array.type
        assert isinstance(kind, Array)
        if not isinstance(kind.dtype, Scalar):
            raise self.error(node, "records are copied field by field")
        if isinstance(value.type, Scalar):
            self.each(array.parts[1], lambda k: self._fill_one(node, array, k, value))
        elif isinstance(value.type, Tuple) and kind.ndim == 1:
            items = split(value)
            self.check(self.op(f"icmp eq i64 {array.parts[1]}, {len(items)}"))
            for k, item in enumerate(items):
                self.write(kind.dtype, self.element(array, [str(k)]).leaf, item, node)
        elif (
            isinstance(value.type, Array)
            and not (kind.strided or value.type.strided)
            and ((kind.dtype, kind.ndim) == (value.type.dtype, value.type.ndim))
        ):
            self._copy(array, value, kind)
        else:
            raise self.error(
                node,
                f"{value.type} cannot be copied into {kind} at once; write a loop over the elements",
            )

    def _fill_one(self, node: ast.expr, array: Value, k: str, value: Value) -> None:
        found = self.element(array, [k])
        if isinstance(found.type, Array):
            self._fill(node, found, value)
        else:
            assert isinstance(found.type, Scalar)
            self.write(found.type, found.leaf, value, node)

    def _copy(self, array: Value, value: Value, kind: Array) -> None:
        for a, b in zip(array.parts[1:], value.parts[1:]):
            self.check(self.op(f"icmp eq i64 {a}, {b}"))
        assert isinstance(kind.dtype, Scalar)
        size = self.times(self._sizes(array.parts[1:]), str(SIZES.get(kind.dtype, 8)))  # bytes
        self.emit(
            f"call void @llvm.memmove.p0.p0.i64(ptr {array.leaf}, ptr {value.leaf}, i64 {size}, i1 "
            "false)"
        )

    def stmt_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            left = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            if isinstance(left.type, Array):
                raise self.error(node, "arrays are changed element by element; write a loop")
            self.assign(
                node.target.id, self.binary(node, node.op, left, self.value(node.value)), node
            )
            return
        found = self.where(node.target)
        if not isinstance(found.type, Scalar):
            raise self.error(node, "arrays are changed element by element; write a loop")
        left = self.fetch(found.type, found.leaf)
        self.write(
            found.type, found.leaf, self.binary(node, node.op, left, self.value(node.value)), node
        )
