"""Operators. Sums and differences are fused with a product in them by a fixed rule, so that the
bits follow from the source:

    a*b + c    fma(a, b, c)         a*b - c    fma(a, b, -c)
    c + a*b    fma(a, b, c)         c - a*b    fma(-a, b, c)
    a*b + c*d  fma(a, b, c*d): the left product is fused

A product is fused if it is an operand of the sum in the same expression (also as `x ** 2`, and in
`s += a*b`). A product that was assigned to a name or returned by a function has been rounded.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..functions.powers import power
from ..types import Array, Scalar, Tuple, Type, boolean, float64, int64
from .conversions import is_integer_like
from .values import Value, integer_value, joined, known_number, number, split
from .variables import Variables

_FLOAT = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul"}
_INTEGER = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_FOLD = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "and": int.__and__,
    "or": int.__or__,
    "xor": int.__xor__,
}
_COMPARED = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}
_WORDS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
_ARRAYS = "; write a loop over the elements"
LARGEST_POWER = 64  # larger constant powers are computed in a loop


class Arithmetic(Variables):
    def binary(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        """a op b."""
        if isinstance(op, ast.Add) and isinstance(a.type, Tuple) and isinstance(b.type, Tuple):
            return joined(split(a) + split(b))
        if not (isinstance(a.type, Scalar) and isinstance(b.type, Scalar)):
            arrays = isinstance(a.type, Array) or isinstance(b.type, Array)
            raise self.error(
                node, f"there is no {a.type} {_WORDS[type(op)]} {b.type}{_ARRAYS * arrays}"
            )
        if isinstance(op, ast.Pow):
            return self.power(node, a, b)
        if isinstance(op, ast.Div):
            return Value(float64, (self.op(f"fdiv double {self.double(a)}, {self.double(b)}"),))
        integers = is_integer_like(a) and is_integer_like(b)
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            return self.remainder(
                node, isinstance(op, ast.Mod), a, b, int64 if integers else float64
            )
        if integers and type(op) in _INTEGER:
            return self._integer(node, _INTEGER[type(op)], self.cast(a, int64), self.cast(b, int64))
        if type(op) not in _FLOAT:
            raise self.error(node, f"there is no {a.type} {_WORDS[type(op)]} {b.type}")
        return self._fused(op, a, b) or self._float(op, self.double(a), self.double(b))

    def double(self, value: Value, node: ast.AST | None = None) -> str:
        return self.cast(value, float64, node).leaf

    def _float(self, op: ast.operator, x: str, y: str) -> Value:
        done = self.op(f"{_FLOAT[type(op)]} double {x}, {y}")
        return Value(float64, (done,), (x, y) if isinstance(op, ast.Mult) else None)

    def _integer(self, node: ast.AST, op: str, a: Value, b: Value) -> Value:
        if a.integer is not None and b.integer is not None:
            return self.integer_constant(_FOLD[op](a.integer, b.integer), node)
        return Value(int64, (self.op(f"{op} i64 {a.leaf}, {b.leaf}"),))

    def integer_constant(self, x: int, node: ast.AST) -> Value:
        """An integer constant, which must fit into 64 bits."""
        if not -(2**63) <= x < 2**63:
            raise self.error(
                node, f"{x if abs(x) < 10**30 else 'an integer'} has more than 64 bits"
            )
        return integer_value(x)

    def _fused(self, op: ast.operator, a: Value, b: Value) -> Value | None:
        """A sum or difference with a product, rounded once; None if there is no product."""
        minus = isinstance(op, ast.Sub)
        if isinstance(op, ast.Mult) or not (a.factors or b.factors):
            return None
        if a.factors:
            (x, y), z = a.factors, self.negative(self.double(b)) if minus else self.double(b)
        else:
            assert b.factors is not None
            (x, y), z = b.factors, self.double(a)
            x = self.negative(x) if minus else x
        return Value(float64, (self.op(f"call double @fused(double {x}, double {y}, double {z})"),))

    def negative(self, x: str) -> str:
        known = known_number(x)
        return number(-known) if known is not None else self.op(f"fneg double {x}")

    def remainder(self, node: ast.AST, rest: bool, a: Value, b: Value, kind: Scalar) -> Value:
        """a // b or a % b, rounded down as in Python."""
        a, b = self.cast(a, kind), self.cast(b, kind)
        if kind is float64:
            return self.call_operator(node, "float_remainder" if rest else "float_quotient", [a, b])
        if b.integer and a.integer is not None:
            return self.integer_constant(
                a.integer % b.integer if rest else a.integer // b.integer, node
            )
        if b.integer and b.integer > 0:
            return self._by_positive(rest, a.leaf, b.leaf)
        return self.call_operator(node, "integer_remainder" if rest else "integer_quotient", [a, b])

    def _by_positive(self, rest: bool, x: str, n: str) -> Value:
        """x // n or x % n for a constant n > 0; the remainder of LLVM is negative for x < 0."""
        r = self.op(f"srem i64 {x}, {n}")
        below = self.op(f"icmp slt i64 {r}, 0")
        if rest:
            return Value(
                int64, (self.op(f"add i64 {r}, {self.op(f'select i1 {below}, i64 {n}, i64 0')}"),)
            )
        q = self.op(f"sdiv i64 {x}, {n}")
        return Value(int64, (self.op(f"sub i64 {q}, {self.op(f'zext i1 {below} to i64')}"),))

    def power(self, node: ast.AST, a: Value, b: Value) -> Value:
        """x ** n by products for an integer n, otherwise by the exponential function.

        The power of two integers is an integer if n is a constant that is not negative, and a float
        otherwise: in Python the type depends on the sign of n, which the compiler cannot know.
        """
        if not is_integer_like(b):
            return self.call_function(node, power, [self.cast(a, float64), self.cast(b, float64)])
        n = b.integer
        if a.integer is not None and n is not None and n > LARGEST_POWER and abs(a.integer) > 1:
            raise self.error(node, "an integer has more than 64 bits")
        if n is not None and abs(n) <= LARGEST_POWER and (a.type is float64 or n >= 0):
            return self._product(node, a if a.type is float64 else self.cast(a, int64), n)
        kind = int64 if n is not None and n >= 0 and is_integer_like(a) else float64
        name = "float_power" if kind is float64 else "integer_power"
        return self.call_operator(node, name, [self.cast(a, kind), self.cast(b, int64)])

    def _product(self, node: ast.AST, x: Value, n: int) -> Value:
        """x ** n by squaring; the last product may be fused with a sum."""
        result, left = None, abs(n)
        one = Value(float64, (number(1.0),)) if x.type is float64 else integer_value(1)
        while left:
            if left & 1:
                result = x if result is None else self._times(node, result, x)
            left >>= 1
            if left:
                x = self._times(node, x, x)
        result = result or one
        return (
            result
            if n >= 0
            else Value(float64, (self.op(f"fdiv double {number(1.0)}, {result.leaf}"),))
        )

    def _times(self, node: ast.AST, x: Value, y: Value) -> Value:
        return (
            self._float(ast.Mult(), x.leaf, y.leaf)
            if x.type is float64
            else self._integer(node, "mul", x, y)
        )

    def unary(self, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
        if isinstance(op, ast.Not):
            return Value(boolean, (self.op(f"xor i1 {self.truth(value, node)}, true"),))
        if not isinstance(value.type, Scalar) or isinstance(op, ast.Invert):
            raise self.error(
                node, f"there is no {'~' if isinstance(op, ast.Invert) else 'sign'} of {value.type}"
            )
        if isinstance(op, ast.UAdd):
            return value if value.type is not boolean else self.cast(value, int64)
        if value.type is float64:
            return Value(float64, (self.negative(value.leaf),))
        return self._integer(node, "sub", integer_value(0), self.cast(value, int64))

    def compare(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> str:
        """Result (i1) of a comparison; an integer and a float are compared as floats."""
        if isinstance(op, (ast.In, ast.NotIn)) and isinstance(b.type, Tuple):
            found = "false"
            for item in split(b):
                found = self.op(f"or i1 {found}, {self.compare(node, ast.Eq(), a, item)}")
            return found if isinstance(op, ast.In) else self.op(f"xor i1 {found}, true")
        if type(op) not in _COMPARED or not (
            isinstance(a.type, Scalar) and isinstance(b.type, Scalar)
        ):
            raise self.error(node, f"{a.type} and {b.type} cannot be compared so; compare numbers")
        kind: Type = int64 if is_integer_like(a) and is_integer_like(b) else float64
        x, y = self.cast(a, kind).leaf, self.cast(b, kind).leaf
        of_floats, of_integers = _COMPARED[type(op)]
        return self.op(
            f"fcmp {of_floats} double {x}, {y}"
            if kind is float64
            else f"icmp {of_integers} i64 {x}, {y}"
        )

    def call_operator(self, node: ast.AST, name: str, args: list[Value]) -> Value:
        """Call one of the functions in `operators.py`."""
        raise NotImplementedError

    def call_function(self, node: ast.AST, f: Callable, args: list[Value]) -> Value:
        """Call an elementary function."""
        raise NotImplementedError
