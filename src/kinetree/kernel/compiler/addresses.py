"""Numbers in memory: loads and stores, fields of records, arrays of blocks, constant arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np

from ..typeof import of_dtype
from ..types import Array, Block, Record, Scalar, Type, boolean, int32, int64
from .arithmetic import Arithmetic
from .values import Value, number

MANY = 12  # names that a message lists in full


def suggestion(name: str, names: Iterable[str]) -> str:
    """Names that exist instead of an unknown one: all, or the similar ones if there are many."""
    known = list(names)
    if len(known) <= MANY:
        return f"it has {', '.join(known)}"
    near = get_close_matches(name, known, 3, 0.5)
    return (f"did you mean {' or '.join(near)}? It" if near else "it") + f" has {len(known)} names"


class Addresses(Arithmetic):
    checked = False  # whether indices are checked at run time

    def check(self, holds: str) -> None:
        """In checked functions: leave with a failure unless the condition is true."""
        if self.checked:
            fine, bad = self.label(), self.label()
            self.branch(holds, fine, bad)
            self.at(bad)
            self.fail()
            self.at(fine)

    def fail(self) -> None:
        """Leave the function with a failure."""
        raise NotImplementedError

    def fetch(self, kind: Type, at: str) -> Value:
        """Load the number, or the record, at an address."""
        if isinstance(kind, Record):
            return Value(kind, (at,))
        assert isinstance(kind, Scalar)
        part = self.op(f"load {kind.stored}, ptr {at}")
        if kind is int32:
            return Value(int64, (self.op(f"sext i32 {part} to i64"),))
        return Value(kind, (self.op(f"trunc i8 {part} to i1") if kind is boolean else part,))

    def write(self, kind: Scalar, at: str, value: Value, node: ast.AST) -> None:
        """Store a number at an address."""
        part = self.cast(value, kind, node).leaf
        if kind.register != kind.stored:
            part = self.op(
                f"{'trunc' if kind is int32 else 'zext'} {kind.register} {part} to {kind.stored}"
            )
        self.emit(f"store {kind.stored} {part}, ptr {at}")

    def offset(self, kind: Scalar | Record, at: str, k: str) -> str:
        """The address of the k-th element."""
        size = f"[{kind.dtype.itemsize} x i8]" if isinstance(kind, Record) else kind.stored
        return at if k == "0" else self.op(f"getelementptr inbounds {size}, ptr {at}, i64 {k}")

    def constant(self, array: np.ndarray, node: ast.AST) -> Value:
        """A global array of the module of the function; its numbers become part of the machine code."""
        kind = self._elements(array.dtype, node)
        if not isinstance(kind, Scalar) or not array.ndim:
            what = "a table of records" if array.ndim else "an array without dimensions"
            raise self.error(
                node, f"{what} cannot be part of the machine code; pass it as an argument"
            )
        items = ", ".join(
            f"{kind.stored} {number(float(x)) if kind.stored == 'double' else int(x)}"
            for x in array.ravel()
        )
        name = self.unit.name_of_data(f"[{array.size} x {kind.stored}] [{items}]")
        self.data[name] = (
            f"{name} = private unnamed_addr constant [{array.size} x {kind.stored}] [{items}], "
            "align 8"
        )
        return Value(Array(kind, array.ndim, constant=True), (name, *map(str, array.shape)))

    def field(self, record: Value, name: str, node: ast.AST) -> Value:
        """The address of a number in a record, or the array in one of its fields."""
        assert isinstance(record.type, Record)
        if name not in (record.type.dtype.names or ()):
            raise self.error(
                node,
                f"the record has no field {name!r}; {suggestion(name, record.type.dtype.names or ())}",
            )
        dtype, at = record.type.dtype.fields[name][:2]  # type: ignore[index]
        where = (
            self.op(f"getelementptr inbounds i8, ptr {record.leaf}, i64 {at}")
            if at
            else record.leaf
        )
        item, shape = dtype.subdtype or (dtype, ())
        kind = self._elements(item, node)
        return (
            Value(Array(kind, len(shape)), (where, *map(str, shape)))
            if shape
            else Value(kind, (where,))
        )

    def _elements(self, dtype: np.dtype, node: ast.AST) -> Scalar | Record:
        try:
            return of_dtype(dtype)
        except TypeError as reason:
            raise self.error(node, str(reason)) from None

    def array_of(self, block: Value, name: str, node: ast.AST) -> Value:
        """An array of a block. Its row of integers never changes, so LLVM may keep or repeat the
        loads.
        """
        assert isinstance(block.type, Block)
        if name not in block.type.fields:
            raise self.error(
                node, f"{block.type} has no array {name!r}; {suggestion(name, block.type.fields)}"
            )
        kind, first = block.type.fields[name], block.type.first[name]
        parts = []
        for k, leaf in enumerate(kind.leaves):
            at = self.op(f"getelementptr inbounds i64, ptr {block.leaf}, i64 {first + k}")
            parts.append(self.op(f"load {leaf}, ptr {at}, !invariant.load !0"))
        return Value(kind, tuple(parts))
