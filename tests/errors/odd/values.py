"""Odd values, made anew for each call, because iterators are used up and dicts may be changed.

`NONSENSE` are those that no number can mean, whatever the argument: a call that takes one of them
as a number is at fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np

import kinetree as kt


class Failing:
    """An object of which one special method raises."""

    def __init__(self, method: str) -> None:
        self.method = method

    def _fail(self, method: str) -> None:
        if self.method == method:
            raise RuntimeError(f"__{method}__ fails")

    def __array__(self, dtype=None, copy=None):
        self._fail("array")
        return np.array(1.0)

    def __float__(self) -> float:
        self._fail("float")
        return 1.0

    def __iter__(self):
        self._fail("iter")
        return iter((1.0, 2.0, 3.0))

    def __len__(self) -> int:
        self._fail("len")
        return 3

    def __repr__(self) -> str:
        self._fail("repr")
        return "<failing>"

    def __bool__(self) -> bool:
        self._fail("bool")
        return True

    def __eq__(self, other) -> bool:
        self._fail("eq")
        return self is other

    def __hash__(self) -> int:
        self._fail("hash")
        return 1

    def __fspath__(self) -> str:
        self._fail("fspath")
        return ""


class BadPath:
    def __fspath__(self):
        raise RuntimeError("__fspath__ fails")


class OnlyFloat:
    def __float__(self) -> float:
        raise RuntimeError("__float__ fails")


class OnlyArray:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("__array__ fails")


class OnlyIter:
    def __iter__(self):
        raise RuntimeError("__iter__ fails")


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("__repr__ fails")


def other_model() -> kt.Model:
    model = kt.Model("other")
    model.joint("J", kt.Revolute(), model.ground, model.body("stranger", kt.rod(1.0, 1.0)).end("-"))
    return model


def _stranger():
    return other_model().bodies["stranger"]


NONSENSE: dict[str, Callable] = {
    "True": lambda: True,
    "np.bool": lambda: np.bool_(True),
    "datetime64": lambda: np.datetime64("2020-01-01"),
    "NaT": lambda: np.datetime64("NaT"),
    "timedelta64": lambda: np.timedelta64(5, "s"),
    "complex": lambda: 1.0 + 2.0j,
    "complex64": lambda: np.complex64(1.0),
    "text of a number": lambda: "1",
    "np.str": lambda: np.str_("1"),
    "bytes": lambda: b"1",
    "np.bytes": lambda: np.bytes_(b"1"),
    "bytearray": lambda: bytearray(b"123"),
    "memoryview": lambda: memoryview(b"123"),
    "void": lambda: np.void(b"abc"),
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "10**5000": lambda: 10**5000,
    "nan": lambda: math.nan,
    "float32 nan": lambda: np.float32("nan"),
    "Decimal NaN": lambda: Decimal("NaN"),
    "Decimal sNaN": lambda: Decimal("sNaN"),
    "Decimal 1E+999": lambda: Decimal("1E+999"),
    "Fraction of giants": lambda: Fraction(10**500, 3),
    "1e308": lambda: 1e308,
    "longdouble giant": lambda: np.longdouble("1e4000"),
    "masked": lambda: np.ma.masked,
    "array of text": lambda: np.array("x"),
    "array of None": lambda: np.array(None),
    "array of bool": lambda: np.array([True, False, True]),
    "array of dates": lambda: np.array(["2020-01-01"] * 3, "datetime64[D]"),
    "array of complex": lambda: np.array([1j, 2.0, 3.0]),
    "masked array": lambda: np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]),
    "records": lambda: np.array([(1.0, 2.0)], dtype=[("a", float), ("b", float)]),
    "set": lambda: {1.0, 2.0, 3.0},
    "frozenset": lambda: frozenset({1.0}),
    "dict of text": lambda: {"a": 1.0},
    "dict of numbers": lambda: {1: 2.0},
    "list of None": lambda: [None, None, None],
    "list of text": lambda: ["1", "2", "3"],
    "list of bool": lambda: [True, False, True],
    "list of nan": lambda: [math.nan] * 3,
    "list of giants": lambda: [10**400] * 3,
    "list with masked": lambda: [1.0, np.ma.masked, 3.0],
    "ragged": lambda: [[1.0, 2.0], [3.0]],
    "deep": lambda: [[[[[[1.0]]]]]],
    "object": lambda: object(),
    "class": lambda: int,
    "module": lambda: math,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "slice": lambda: slice(1),
    "failing array": OnlyArray,
    "failing float": OnlyFloat,
    "failing iter": OnlyIter,
    "failing repr": NoRepr,
    "failing path": BadPath,
    "other model": other_model,
    "other body": _stranger,
    "other marker": lambda: _stranger().end("+"),
}

ODD: dict[str, Callable] = {
    **NONSENSE,
    "False": lambda: False,
    "None": lambda: None,
    "inf": lambda: math.inf,
    "-inf": lambda: -math.inf,
    "denormal": lambda: 5e-324,
    "tiny": lambda: 1e-300,
    "1e149": lambda: 1e149,
    "-0.0": lambda: -0.0,
    "0": lambda: 0,
    "-1": lambda: -1,
    "int": lambda: 1,
    "Decimal": lambda: Decimal("0.5"),
    "Fraction": lambda: Fraction(1, 2),
    **{np.dtype(code).name: (lambda code=code: np.dtype(code).type(1)) for code in "bBhHiIlLefdg"},
    "uint64 max": lambda: np.uint64(2**64 - 1),
    "0-d": lambda: np.array(0.5),
    "0-d int": lambda: np.array(1),
    "empty": lambda: np.zeros(0),
    "empty rows": lambda: np.zeros((0, 3)),
    "empty columns": lambda: np.zeros((3, 0)),
    "one": lambda: np.ones(1),
    "float32 array": lambda: np.ones(3, np.float32),
    "int array": lambda: np.arange(3),
    "objects": lambda: np.array([1.0, 2, Fraction(1, 3)], object),
    "3x3": lambda: np.ones((3, 3)),
    "3x3x3": lambda: np.ones((3, 3, 3)),
    "[]": lambda: [],
    "[[]]": lambda: [[]],
    "()": lambda: (),
    "[1]": lambda: [1.0],
    "[1, 2]": lambda: [1.0, 2.0],
    "[1, 2, 3]": lambda: [1.0, 2.0, 3.0],
    "four": lambda: (1.0, 0.0, 0.0, 0.0),
    "{}": lambda: {},
    "dict of None": lambda: {"A.angle": None},
    "range": lambda: range(3),
    "iterator": lambda: iter([1.0, 2.0, 3.0]),
    "generator": lambda: (x for x in (1.0, 2.0, 3.0)),
    "text": lambda: "nonsense",
    "no text": lambda: "",
    "space": lambda: " ",
    "NUL": lambda: "a\0b",
    "surrogate": lambda: "\ud800",
    "long text": lambda: "x" * 5000,
    "dots": lambda: "..",
    "folder": lambda: "/",
    "nowhere": lambda: "/nonexistent/folder/file",
    "Path": lambda: Path("nonexistent/file"),
    "NUL path": lambda: Path("a\0b"),
    "function": lambda: len,
    "lambda": lambda: lambda *given: None,
    **{
        f"fails at {method}": (lambda method=method: Failing(method))
        for method in ("array", "float", "iter", "len", "repr", "bool", "eq", "hash", "fspath")
    },
}
