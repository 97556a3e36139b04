"""Conversion of a value to another type: numbers, arrays to strided arrays, tuples item by item."""

from __future__ import annotations

import ast

from ..types import Array, FunctionType, Scalar, Tuple, Type, boolean, float64
from .text import Text
from .values import Value, joined, number, split


class Conversions(Text):
    def cast(self, value: Value, kind: Type, node: ast.AST | None = None) -> Value:
        """Convert a value to another type, which must be able to represent it."""
        if value.type == kind:
            return Value(kind, value.parts)
        if isinstance(kind, Scalar) and isinstance(value.type, Scalar):
            return Value(kind, (self._number(value, kind),))
        if (
            isinstance(kind, Tuple)
            and isinstance(value.type, Tuple)
            and len(kind.items) == len(value.type.items)
        ):
            return joined(
                [self.cast(item, k, node) for item, k in zip(split(value), kind.items)], kind.cls
            )
        if (
            isinstance(kind, Array)
            and isinstance(value.type, Array)
            and self._fits(value.type, kind)
        ):
            return Value(
                kind,
                value.parts
                if kind.strided == value.type.strided
                else (*value.parts, *self.strides(value)),
            )
        if (
            isinstance(kind, FunctionType)
            and isinstance(value.type, FunctionType)
            and kind.signature == value.type.signature
        ):
            return value
        raise self.error(node, f"{value.type} where {kind} is needed")

    @staticmethod
    def _fits(given: Array, wanted: Array) -> bool:
        return (
            (given.dtype, given.ndim) == (wanted.dtype, wanted.ndim)
            and (wanted.strided or not given.strided)
            and (wanted.constant or not given.constant)
        )

    def _number(self, value: Value, kind: Scalar) -> str:
        part, given = value.leaf, value.type
        assert isinstance(given, Scalar)
        if kind.register == given.register:
            return part
        if kind is boolean:
            return self.truth(value)
        if kind is float64:
            if value.integer is not None:
                return number(float(value.integer))
            return self.op(
                f"{'uitofp' if given is boolean else 'sitofp'} {given.register} {part} to double"
            )
        # NaN gives 0, and numbers out of range the largest integers, on every processor
        if given is float64:
            return self.op(f"call i64 @llvm.fptosi.sat.i64.f64(double {part})")
        return {"true": "1", "false": "0"}.get(part) or self.op(f"zext i1 {part} to i64")

    def truth(self, value: Value, node: ast.AST | None = None) -> str:
        """Whether the value is true, as an i1."""
        if value.type is boolean:
            return value.leaf
        if value.type is float64:
            return self.op(f"fcmp une double {value.leaf}, 0.0")
        if isinstance(value.type, Scalar):
            return self.op(f"icmp ne i64 {value.leaf}, 0")
        if isinstance(value.type, Tuple):
            return "true" if value.type.items else "false"
        raise self.error(node, f"{value.type} is neither true nor false; compare numbers")

    def strides(self, array: Value) -> tuple[str, ...]:
        """Strides of an array, in elements."""
        assert isinstance(array.type, Array)
        n = array.type.ndim
        if array.type.strided:
            return array.parts[1 + n :]
        shape, found = array.parts[1:], ["1"]
        for size in reversed(shape[1:]):
            found.insert(0, self.times(found[0], size))
        return tuple(found)

    def times(self, a: str, b: str) -> str:
        """Product of two sizes, which cannot overflow."""
        return a if b == "1" else b if a == "1" else self.op(f"mul nsw i64 {a}, {b}")


def is_integer_like(value: Value) -> bool:
    """Whether a value is an integer or a truth value."""
    return isinstance(value.type, Scalar) and value.type.register in ("i64", "i1")
