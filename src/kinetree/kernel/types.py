"""Types of the values in kernels. `int64(float64[::1], float64)` is a signature: the type of the
result, then those of the arguments.

Every type has *leaves*: the LLVM types of the machine words of its values. A number has one leaf,
an array its address and its shape, a tuple the leaves of its items in order, a block or a record
one address.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np


class Signature(NamedTuple):
    """Types of the result and of the arguments of a kernel."""

    return_type: Type
    args: tuple[Type, ...]


class Type:
    """A type of values; `code` is a short text that is the same in every process."""

    leaves: tuple[str, ...] = ()
    code: str = ""

    def __call__(self, *args: Type) -> Signature:
        return Signature(self, args)


@dataclass(frozen=True)
class Scalar(Type):
    """A number: `register` is the LLVM type of its value, `stored` that of its place in memory."""

    name: str
    register: str
    stored: str
    code: str

    @property
    def leaves(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.register,)

    def __getitem__(self, axes: Any) -> Array:
        """`float64[::1]`, `float64[:, ::1]`: arrays of one, of two dimensions."""
        return Array(self, len(axes) if isinstance(axes, tuple) else 1)

    def __str__(self) -> str:
        return self.name


float64, int64 = Scalar("float64", "double", "double", "f"), Scalar("int64", "i64", "i64", "i")
int32, boolean = Scalar("int32", "i64", "i32", "j"), Scalar("boolean", "i1", "i8", "b")


WIDTH = 4  # derivatives that a dual number carries, one for each parameter


@dataclass(frozen=True)
class Dual(Scalar):
    """A number with derivatives (compiler/tangents.py): two leaves."""

    @property
    def leaves(self) -> tuple[str, ...]:  # type: ignore[override]
        return "double", f"<{WIDTH} x double>"


dual = Dual("dual", "dual", f"[{WIDTH + 1} x double]", "d")
DUAL = np.dtype(f"V{8 * (WIDTH + 1)}")  # its place in memory: the value, then the derivatives
SCALARS = {
    "f8": float64,
    "i8": int64,
    "i4": int32,
    "b1": boolean,
    DUAL.str[1:]: dual,
}


@dataclass(frozen=True)
class Nothing(Type):
    """Type of the result of a function without `return`."""

    code: str = "n"

    def __str__(self) -> str:
        return "None"


none = void = Nothing()


@dataclass(frozen=True)
class Record(Type):
    """One row of a structured array: its address."""

    dtype: np.dtype = field(hash=False)
    leaves = ("ptr",)

    @property
    def code(self) -> str:  # type: ignore[override]
        return f"r{crc32(repr(self.dtype.descr).encode()):08x}:"

    def __str__(self) -> str:
        return f"record({', '.join(self.dtype.names or ())})"


@dataclass(frozen=True)
class Array(Type):
    """Address, shape and, unless it is C-contiguous, the strides (in elements)."""

    dtype: Scalar | Record
    ndim: int
    strided: bool = False
    constant: bool = False  # read-only

    @property
    def leaves(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("ptr", *("i64",) * (self.ndim * (1 + self.strided)))

    @property
    def code(self) -> str:  # type: ignore[override]
        return f"{self.dtype.code}{self.ndim}{'s' * self.strided}{'c' * self.constant}"

    def __str__(self) -> str:
        return f"array of {self.dtype}, {self.ndim}-dimensional{', strided' * self.strided}{', read-only' * self.constant}"


@dataclass(frozen=True)
class Tuple(Type):
    """A tuple, or the named tuple `cls`."""

    items: tuple[Type, ...]
    cls: Any = None

    @property
    def leaves(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(leaf for item in self.items for leaf in item.leaves)

    @property
    def code(self) -> str:  # type: ignore[override]
        return f"({''.join(item.code for item in self.items)})"

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


def UniTuple(kind: Type, n: int) -> Tuple:
    """A tuple of n values of one type."""
    return Tuple((kind,) * n)


@dataclass(frozen=True)
class FunctionType(Type):
    """A kernel as a value: its address."""

    signature: Signature
    leaves, code = ("ptr",), "F"

    def __str__(self) -> str:
        return "function"


@dataclass(frozen=True, eq=False)
class Static(Type):
    """A function, class or module: a value at compile time, without a value at run time."""

    value: Any

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and other.value is self.value

    def __str__(self) -> str:
        return getattr(self.value, "__name__", type(self.value).__name__)


class Block(Type):
    """A named tuple of arrays as one pointer to a row of integers: the address and the shape of each
    array.
    """

    leaves = ("ptr",)

    def __init__(self, name: str, fields: dict[str, Array]) -> None:
        self.name, self.code, self.fields, self.first, at = name, f"{name}:", fields, {}, 0
        for key, array in fields.items():
            self.first[key] = at
            at += 1 + array.ndim
        self.size = at  # integers in a row
        self.shapes = {
            key: (array.ndim, isinstance(array.dtype, Record)) for key, array in fields.items()
        }

    def __repr__(self) -> str:
        return self.name


if TYPE_CHECKING:  # annotations of arguments for type checkers ...
    Vector: TypeAlias = np.ndarray
    Matrix: TypeAlias = np.ndarray
    IntVector: TypeAlias = np.ndarray
    Int32Vector: TypeAlias = np.ndarray
else:  # ... and for the compiler
    Vector, Matrix, IntVector, Int32Vector = float64[::1], float64[:, ::1], int64[::1], int32[::1]


def type_from_code(code: str) -> Type:
    """The type of a result from its code."""
    nested: list[list[Type]] = [[]]
    for letter in code:
        if letter == "(":
            nested.append([])
        elif letter == ")":
            items = tuple(nested.pop())
            nested[-1].append(Tuple(items))
        else:
            nested[-1].append(
                {"n": none, "f": float64, "i": int64, "j": int64, "b": boolean}[letter]
            )
    return nested[0][0]


def brief(kind: Type) -> str:
    """Short text of a type, for the arguments in an error message."""
    if isinstance(kind, Record):
        names = kind.dtype.names or ()
        return f"record({', '.join(names[:2])}{', ..' * (len(names) > 2)})"
    if isinstance(kind, Array):
        return f"array of {brief(kind.dtype)}"
    if isinstance(kind, Tuple):
        return kind.cls.__name__ if kind.cls else f"tuple of {len(kind.items)}"
    return str(kind)
