"""Values at compile time: a type, and an LLVM register or constant for each of its leaves."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ..types import Array, Scalar, Tuple, Type, boolean, dual, float64, int64


class KernelError(TypeError):
    """A function is not in the kernel language: `reason` as a sentence, with `path` and `line`.

    `calls` are the calls that lead there, innermost first, with the types of their arguments: an
    argument may be the mistake.
    """

    def __init__(
        self,
        reason: str,
        path: str = "",
        line: int = 0,
        where: str = "",
        calls: tuple[str, ...] = (),
    ) -> None:
        self.reason, self.path, self.line, self.where = reason, path, line, where
        self.calls = calls
        place = f"{path}, line {line}{where}: " if path else ""
        super().__init__("; ".join([f"{place}{reason}", *calls]) + ".")

    def with_call(self, call: str) -> KernelError:
        """The same error with one more call around it."""
        return KernelError(self.reason, self.path, self.line, self.where, (*self.calls, call))


class Value(NamedTuple):
    """A value of a type; `factors` are those of a product in the same expression, which may still be
    fused with a sum.
    """

    type: Type
    parts: tuple[str, ...]
    factors: tuple[str, str] | None = None

    @property
    def leaf(self) -> str:
        """The only leaf of a number or an address."""
        return self.parts[0]

    @property
    def integer(self) -> int | None:
        """The value of an integer constant, or None."""
        known = self.type in (int64, boolean) and self.parts[0].lstrip("-").isdigit()
        return int(self.parts[0]) if known else None


def number(x: float) -> str:
    """A double as LLVM writes it, to the last bit."""
    return "0x" + struct.pack(">d", x).hex().upper()


def known_number(part: str) -> float | None:
    return struct.unpack(">d", bytes.fromhex(part[2:]))[0] if part.startswith("0x") else None


def integer_value(x: int) -> Value:
    return Value(int64, (str(x),))


def split(value: Value) -> list[Value]:
    """The items of a tuple."""
    assert isinstance(value.type, Tuple)
    found, k = [], 0
    for kind in value.type.items:
        n = len(kind.leaves)
        found.append(Value(kind, value.parts[k : k + n]))
        k += n
    return found


def joined(items: list[Value], cls: type | None = None) -> Value:
    """A tuple of these items."""
    return Value(Tuple(tuple(i.type for i in items), cls), tuple(p for i in items for p in i.parts))


def common(a: Type, b: Type) -> Type | None:
    """The type that values of both can be converted to, or None."""
    if a == b:
        return a
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return next((kind for kind in (dual, float64) if kind in (a, b)), int64)
    if isinstance(a, Array) and isinstance(b, Array) and (a.dtype, a.ndim) == (b.dtype, b.ndim):
        return Array(a.dtype, a.ndim, a.strided or b.strided, a.constant or b.constant)
    if (
        isinstance(a, Tuple)
        and isinstance(b, Tuple)
        and len(a.items) == len(b.items)
        and a.cls in (None, b.cls)
    ):
        items = [common(x, y) for x, y in zip(a.items, b.items)]
        return None if None in items else Tuple(tuple(i for i in items if i), b.cls)
    return None
