"""Arrays in memory: elements, slices, reshaped views."""

from __future__ import annotations

import ast
from math import prod

from ..types import Array, int64
from .addresses import Addresses
from .conversions import is_integer_like
from .values import Value


class Memory(Addresses):
    def index(self, value: Value, node: ast.AST) -> str:
        if not is_integer_like(value):
            raise self.error(node, f"{value.type} is no index; convert it with int(...)")
        return self.cast(value, int64).leaf

    def counted(self, index: str, size: str) -> str:
        """An index counted from the start; a negative index counts from the end."""
        if index.lstrip("-").isdigit():
            return index if int(index) >= 0 else self.op(f"add i64 {size}, {index}")
        below = self.op(f"icmp slt i64 {index}, 0")
        return self.op(f"select i1 {below}, i64 {self.op(f'add i64 {index}, {size}')}, i64 {index}")

    def inside(self, index: str, size: str) -> str:
        """`counted`, with a test of the range in checked functions."""
        index = self.counted(index, size)
        if self.checked:
            self.check(self.op(f"icmp ult i64 {index}, {size}"))
        return index

    def element(self, array: Value, indices: list[str]) -> Value:
        """The address of an element, or a subarray if there are fewer indices than axes."""
        kind = array.type
        assert isinstance(kind, Array)
        n, at = kind.ndim, [self.inside(i, size) for i, size in zip(indices, array.parts[1:])]
        shape = array.parts[1 : 1 + n]
        if kind.strided:
            steps = self.strides(array)
            where = self._sum([self.times(i, s) for i, s in zip(at, steps)])
            return self._rest(
                kind, self.offset(kind.dtype, array.leaf, where), shape[len(at) :], steps[len(at) :]
            )
        where = at[0]
        for i, size in zip(at[1:], shape[1:]):
            where = self.op(f"add nsw i64 {self.times(where, size)}, {i}")
        for size in shape[len(at) :]:
            where = self.times(where, size)
        return self._rest(kind, self.offset(kind.dtype, array.leaf, where), shape[len(at) :], ())

    def _rest(self, kind: Array, at: str, shape: tuple[str, ...], steps: tuple[str, ...]) -> Value:
        if not shape:
            return Value(kind.dtype, (at,))
        return Value(
            Array(kind.dtype, len(shape), bool(steps), kind.constant), (at, *shape, *steps)
        )

    def _sum(self, terms: list[str]) -> str:
        total = terms[0]
        for term in terms[1:]:
            total = self.op(f"add nsw i64 {total}, {term}")
        return total

    def view(self, array: Value, given: list[str | tuple[str, str, str]]) -> Value:
        """View of an array by an index or (start, size, step) for each of the first axes.

        It is contiguous if only its first axis is shortened, and strided otherwise.
        """
        kind = array.type
        assert isinstance(kind, Array)
        shape = array.parts[1 : 1 + kind.ndim]
        whole = [("0", size, "1") for size in shape[len(given) :]]
        axes = [*given, *whole]
        first = next(k for k, axis in enumerate(axes) if isinstance(axis, tuple))
        after = axes[first + 1 :]
        if (
            not kind.strided
            and axes[first][2] == "1"
            and after == [("0", size, "1") for size in shape[first + 1 :]]
        ):
            row = self.element(array, [str(i) for i in axes[:first]]) if first else array
            shortened = axes[first]
            assert isinstance(shortened, tuple)
            where, size = shortened[:2]
            for n in shape[first + 1 :]:
                where = self.times(where, n)
            return Value(
                Array(kind.dtype, kind.ndim - first, False, kind.constant),
                (self.offset(kind.dtype, row.leaf, where), size, *shape[first + 1 :]),
            )
        return self._strided(array, axes)

    def _strided(self, array: Value, axes: list) -> Value:
        kind, steps = array.type, self.strides(array)
        assert isinstance(kind, Array)
        starts, sizes, left = [], [], []
        for axis, size, step in zip(axes, array.parts[1:], steps):
            if isinstance(axis, str):
                starts.append(self.times(self.inside(axis, size), step))
                continue
            starts.append(self.times(axis[0], step))
            sizes.append(axis[1])
            left.append(self.times(axis[2], step))
        at = self.offset(kind.dtype, array.leaf, self._sum(starts))
        return Value(Array(kind.dtype, len(sizes), True, kind.constant), (at, *sizes, *left))

    def bound(self, index: str, size: str) -> str:
        """A bound of a slice, clipped to 0 .. size."""
        known = index.lstrip("-").isdigit() and int(index) >= 0
        index = self.counted(index, size)
        if not known:
            index = self.op(f"call i64 @llvm.smax.i64(i64 {index}, i64 0)")
        return "0" if index == "0" else self.op(f"call i64 @llvm.smin.i64(i64 {index}, i64 {size})")

    def reshaped(self, array: Value, shape: list[str], node: ast.AST) -> Value:
        kind = array.type
        assert isinstance(kind, Array)
        if kind.strided or not shape:
            raise self.error(node, "contiguous arrays can be reshaped, to one dimension or more")
        if any(size.startswith("-") for size in shape):
            raise self.error(node, "the new shape needs all of its sizes")
        if self.checked:
            sizes = [array.parts[1:], shape]
            a, b = (self._sizes(s) for s in sizes)
            self.check(self.op(f"icmp eq i64 {a}, {b}"))
        return Value(Array(kind.dtype, len(shape), False, kind.constant), (array.leaf, *shape))

    def _sizes(self, shape) -> str:
        known = [int(s) for s in shape if s.isdigit()]
        total = str(prod(known))
        for s in shape:
            total = total if s.isdigit() else self.times(total, s)
        return total
