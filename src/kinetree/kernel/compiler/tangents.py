"""Kernels with dual numbers: every float carries its derivatives with respect to some parameters.

    x + x' e,   e^2 = 0:        (x y)' = x' y + x y',      sin(x)' = cos(x) x',      ...

The source of the kernels is the same. Types follow from the values, so that a kernel called with
dual arguments computes dual results. Values have the same bits as without derivatives; comparisons,
conversions to integers and truth values use the values alone, so that the path through a kernel is
the same too. An operation or a function without a rule below is an error when the kernel is
compiled. User code is called with values and returns no derivatives: they are NaN.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

from .. import intrinsics, language
from ..functions.catalogue import INTEGER, ONE, TWO
from ..types import (
    DUAL,
    WIDTH,
    Array,
    Block,
    FunctionType,
    Record,
    Scalar,
    Signature,
    Tuple,
    Type,
    UniTuple,
    boolean,
    dual,
    float64,
    int64,
)
from .conversions import is_integer_like
from .text import NONE
from .unit import Unit
from .values import Value, number, split
from .writer import Writer

VECTOR = f"<{WIDTH} x double>"
ZERO = "zeroinitializer"
_NAN = f"<{', '.join([f'double {number(math.nan)}'] * WIDTH)}>"
_ONE = Value(float64, (number(1.0),))
_NAMES: dict[Any, Callable] = {f: g for g, f in {**ONE, **TWO, **INTEGER}.items()}


def widened(kind: Type) -> Type:
    """The type with dual numbers in the place of floats."""
    if kind is float64:
        return dual
    if isinstance(kind, Record):
        return Record(wide_dtype(kind.dtype))
    if isinstance(kind, Array):
        return Array(widened(kind.dtype), kind.ndim, kind.strided, kind.constant)  # type: ignore[arg-type]
    if isinstance(kind, Tuple):
        return Tuple(tuple(map(widened, kind.items)), kind.cls)
    if isinstance(kind, Block):
        return wide_block(kind)
    return kind


_blocks: dict[int, tuple[Block, Block]] = {}


def wide_block(kind: Block) -> Block:
    """The type of a block with dual numbers: one for each type."""
    if id(kind) not in _blocks:
        fields = {name: widened(array) for name, array in kind.fields.items()}
        _blocks[id(kind)] = kind, Block(f"Dual{kind.name}", fields)  # type: ignore[arg-type]
    return _blocks[id(kind)][1]


def wide_dtype(dtype: Any) -> Any:
    """The dtype of a record with dual numbers in the place of floats."""
    import numpy as np

    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((wide_dtype(item), shape))
    if dtype.names:
        fields = [(name, wide_dtype(dtype.fields[name][0])) for name in dtype.names]
        return np.dtype(fields, align=True)
    return DUAL if dtype.str[1:] == "f8" else dtype


class TangentWriter(Writer):
    """Translates a function whose arguments may be dual numbers."""

    with_derivatives = True

    # --- parts of a dual number

    def plain(self, value: Value) -> Value:
        """The value without derivatives."""
        return Value(float64, value.parts[:1], value.factors) if value.type is dual else value

    def slope(self, value: Value) -> str:
        """The derivatives; those of a plain number are zero."""
        return value.parts[1] if value.type is dual else ZERO

    def with_slope(self, value: Value, slope: str) -> Value:
        return Value(dual, (self.double(value), slope), value.factors)

    def spread(self, x: str) -> str:
        """A vector whose items are all x."""
        one = self.op(f"insertelement {VECTOR} poison, double {x}, i64 0")
        return self.op(
            f"shufflevector {VECTOR} {one}, {VECTOR} poison, <{WIDTH} x i32> zeroinitializer"
        )

    def scaled(self, x: str, slope: str) -> str:
        """x times the derivatives."""
        if slope == ZERO:
            return ZERO
        return self.op(f"fmul {VECTOR} {self.spread(x)}, {slope}")

    def sum(self, a: str, b: str) -> str:
        if ZERO in (a, b):
            return b if a == ZERO else a
        return self.op(f"fadd {VECTOR} {a}, {b}")

    def minus(self, a: str) -> str:
        return a if a == ZERO else self.op(f"fneg {VECTOR} {a}")

    def plus_scaled(self, x: str, slope: str, rest: str) -> str:
        """x times the derivatives, plus others."""
        if slope == ZERO:
            return rest
        if rest == ZERO:
            return self.scaled(x, slope)
        return self.op(
            f"call {VECTOR} @llvm.fma.v{WIDTH}f64({VECTOR} {self.spread(x)}, {VECTOR} {slope}, "
            f"{VECTOR} {rest})"
        )

    # --- conversions and memory

    def cast(self, value: Value, kind: Type, node: ast.AST | None = None) -> Value:
        if kind is dual and isinstance(value.type, Scalar) and value.type is not dual:
            return Value(dual, (super().cast(value, float64, node).leaf, ZERO))
        if value.type is dual and kind is not dual and isinstance(kind, Scalar):
            if kind in (boolean, int64):
                return super().cast(self.plain(value), kind, node)
            raise self.error(node, "a number with derivatives where one without them is needed")
        return super().cast(value, kind, node)

    def truth(self, value: Value, node: ast.AST | None = None) -> str:
        return super().truth(self.plain(value), node)

    def fetch(self, kind: Type, at: str) -> Value:
        if kind is not dual:
            return super().fetch(kind, at)
        value = self.op(f"load double, ptr {at}")
        return Value(dual, (value, self.op(f"load {VECTOR}, ptr {self._tail(at)}, align 8")))

    def write(self, kind: Scalar, at: str, value: Value, node: ast.AST) -> None:
        if kind is not dual:
            super().write(kind, at, value, node)
            return
        found = self.cast(value, dual, node)
        self.emit(f"store double {found.parts[0]}, ptr {at}")
        self.emit(f"store {VECTOR} {found.parts[1]}, ptr {self._tail(at)}, align 8")

    def _tail(self, at: str) -> str:
        return self.op(f"getelementptr inbounds double, ptr {at}, i64 1")

    # --- operators

    def binary(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        if dual not in (a.type, b.type) or not (
            isinstance(a.type, Scalar) and isinstance(b.type, Scalar)
        ):
            return super().binary(node, op, a, b)
        if isinstance(op, ast.Pow):
            return self.power(node, a, b)
        value = super().binary(node, op, self.plain(a), self.plain(b))
        x, y = self.double(self.plain(a)), self.double(self.plain(b))
        s, r = self.slope(a), self.slope(b)
        if isinstance(op, ast.Add):
            return self.with_slope(value, self.sum(s, r))
        if isinstance(op, ast.Sub):
            return self.with_slope(value, self.sum(s, self.minus(r)))
        if isinstance(op, ast.Mult):
            return self.with_slope(value, self.plus_scaled(x, r, self.scaled(y, s)))
        if isinstance(op, ast.Div):
            inverse = self.op(f"fdiv double {number(1.0)}, {y}")
            back = self.op(f"fneg double {value.leaf}")
            return self.with_slope(value, self.scaled(inverse, self.plus_scaled(back, r, s)))
        if isinstance(op, ast.Mod) and b.type is not dual:
            return self.with_slope(value, s)
        if isinstance(op, ast.FloorDiv):
            return self.with_slope(value, ZERO)
        raise self.error(node, "this operator has no derivative here")

    def power(self, node: ast.AST, a: Value, b: Value) -> Value:
        if dual not in (a.type, b.type):
            return super().power(node, a, b)
        base, exponent = self.plain(a), self.plain(b)
        value = super().power(node, base, exponent)
        slope = ZERO
        if a.type is dual and exponent.integer != 0:
            if exponent.integer is not None:
                lower = super().power(node, base, self.integer_constant(exponent.integer - 1, node))
            elif is_integer_like(exponent):
                lower = super().power(
                    node, base, super().binary(node, ast.Sub(), exponent, _integer_one())
                )
            else:
                lower = super().power(node, base, super().binary(node, ast.Sub(), exponent, _ONE))
            factor = super().binary(node, ast.Mult(), self._float64(exponent), lower)
            slope = self.scaled(factor.leaf, self.slope(a))
        if b.type is dual:
            logarithm = self.call_function(node, ONE[math.log], [self._float64(base)])
            factor = super().binary(node, ast.Mult(), value, logarithm)
            slope = self.plus_scaled(factor.leaf, self.slope(b), slope)
        return self.with_slope(Value(float64, value.parts), slope)

    def _float64(self, value: Value) -> Value:
        return super().cast(value, float64)

    def unary(self, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
        if value.type is not dual or isinstance(op, ast.Not):
            return super().unary(node, op, value)
        if isinstance(op, ast.UAdd):
            return value
        return self.with_slope(
            super().unary(node, op, self.plain(value)), self.minus(self.slope(value))
        )

    def compare(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> str:
        return super().compare(node, op, self.plain(a), self.plain(b))

    # --- functions

    def _of_numbers(self, node: ast.AST, f: Callable, args: list[Value]) -> Value:
        if all(value.type is not dual for value in args):
            return super()._of_numbers(node, f, args)
        plain = [self.plain(value) for value in args]
        if f is float:
            return args[0]
        value = super()._of_numbers(node, f, plain)
        if value.type is not float64:  # int, floor, isfinite, ...
            return value
        return self._ruled(node, f, value, plain, [self.slope(v) for v in args])

    def _extreme(self, node: ast.AST, largest: bool, args: list[Value]) -> Value:
        if all(value.type is not dual for value in args) or len(args) < 2:
            return super()._extreme(node, largest, args)
        best = self.cast(args[0], dual)
        for other in args[1:]:
            value = self.cast(other, dual)
            better = self.compare(node, ast.Gt() if largest else ast.Lt(), value, best)
            best = self.chosen(better, value, best)
        return best

    def chosen(self, test: str, a: Value, b: Value) -> Value:
        """a if the test holds, otherwise b, both dual."""
        return Value(
            dual,
            tuple(
                self.op(f"select i1 {test}, {leaf} {x}, {leaf} {y}")
                for leaf, x, y in zip(dual.leaves, a.parts, b.parts)
            ),
        )

    def _ruled(
        self, node: ast.AST, f: Callable, value: Value, args: list[Value], slopes: list[str]
    ) -> Value:
        """The value of an elementary function with derivatives by the rule of the function."""
        rule = RULES.get(f)
        if rule is None:
            name = getattr(f, "__name__", str(f))
            raise self.error(node, f"{name} has no rule for its derivative")
        given = [self._float64(value) for value in args]
        slope = ZERO
        for k, factor in enumerate(rule):
            if slopes[k] != ZERO:
                if factor is None:
                    raise self.error(node, f"{f.__name__} has no derivative here")
                by = factor(Rules(self, node), value, *given).leaf
                # an infinite slope times a derivative of zero is zero
                by = self._finite(by, slopes[k])
                slope = self.plus_scaled(by, slopes[k], slope)
        return self.with_slope(Value(float64, value.parts), slope)

    def _finite(self, x: str, slope: str) -> str:
        """x, or zero where it is not finite: at the tip of sqrt, hypot and atan2."""
        size = self.op(f"call double @llvm.fabs.f64(double {x})")
        finite = self.op(f"fcmp olt double {size}, {number(math.inf)}")
        return self.op(f"select i1 {finite}, double {x}, double {number(0.0)}")

    # --- calls

    def return_value(self, value: Value, node: ast.AST) -> None:
        """Kernels return dual numbers only, so that their results have one type."""
        if not self.function.inline:
            value = self.cast(value, widened(value.type), node)
        super().return_value(value, node)

    def _call_function(self, node: ast.AST, f: language.Function, args: list[Value]) -> Value:
        duals = any(_has_duals(value.type) for value in args)
        if duals and f.pure:
            known = _NAMES.get(f)
            if known is None:
                raise self.error(node, f"{f.name} has no rule for its derivative")
            plain = [self.plain(value) for value in args]
            value = super()._call_function(node, f, [self._as_float(v) for v in plain])
            if value.type is not float64:
                return value
            return self._ruled(node, known, value, plain, [self.slope(v) for v in args])
        if not f.inline:  # a kernel has one signature
            args = [self.cast(v, dual) if v.type is float64 else v for v in args]
        return super()._call_function(node, f, args)

    def _as_float(self, value: Value) -> Value:
        return value if value.type is float64 else self._float64(value)

    def _call_address(
        self, node: ast.AST, pointer: str, signature: Signature, args: list[Value]
    ) -> Value:
        """A call of a kernel with dual numbers, unless the tables it is called with are plain."""
        if args and args[0].type == signature.args[0]:
            return super()._call_address(node, pointer, signature, args)
        wide = wide_signature(signature)
        args = [self.cast(v, dual) if v.type is float64 else v for v in args]
        return super()._call_address(node, pointer, wide, args)

    def _intrinsic(self, node: ast.Call, f: Any, args: list[Value]) -> Value:
        first = args[0].type if args else None
        on_duals = isinstance(first, Array) and first.dtype is dual
        if isinstance(f, intrinsics.Loader) and on_duals and not first.strided:  # type: ignore[union-attr]
            items = [self.fetch(dual, self.offset(dual, args[0].leaf, str(k))) for k in range(f.n)]
            return Value(UniTuple(dual, f.n), tuple(p for item in items for p in item.parts))
        if isinstance(f, intrinsics.Storer) and on_duals and not first.strided:  # type: ignore[union-attr]
            for k, item in enumerate(split(args[1])[: f.n]):
                at = self.offset(dual, args[0].leaf, str(k))
                value = self.cast(item, dual, node)
                if f.add:
                    value = self.binary(node, ast.Add(), self.fetch(dual, at), value)
                self.write(dual, at, value, node)
            return NONE
        return super()._intrinsic(node, f, args)

    def _call_user_code(
        self, node: ast.AST, f: intrinsics.Callback, at: Value, values: Value
    ) -> Value:
        items = [self.plain(item) for item in split(values)]
        plain = Value(
            Tuple(tuple(item.type for item in items)), tuple(p for i in items for p in i.parts)
        )
        found = super()._call_user_code(node, f, at, plain)
        return Value(dual, (found.leaf, _NAN)) if found.type is float64 else found


def _integer_one() -> Value:
    return Value(int64, ("1",))


def _has_duals(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return any(map(_has_duals, kind.items))
    return kind is dual


class Rules:
    """Arithmetic with plain numbers, for the derivatives of the elementary functions."""

    def __init__(self, writer: TangentWriter, node: ast.AST) -> None:
        self.writer, self.node = writer, node

    def do(self, op: ast.operator, a: Value | float, b: Value | float) -> Value:
        return self.writer.binary(self.node, op, self._value(a), self._value(b))

    def call(self, f: Callable, *args: Value) -> Value:
        return Writer._of_numbers(self.writer, self.node, f, list(args))  # type: ignore[arg-type]

    def _value(self, x: Value | float) -> Value:
        return x if isinstance(x, Value) else Value(float64, (number(x),))

    def mul(self, a, b) -> Value:
        return self.do(ast.Mult(), a, b)

    def div(self, a, b) -> Value:
        return self.do(ast.Div(), a, b)

    def add(self, a, b) -> Value:
        return self.do(ast.Add(), a, b)

    def sub(self, a, b) -> Value:
        return self.do(ast.Sub(), a, b)

    def sign(self, x: Value) -> Value:
        """-1, 0 or 1, by the sign of x."""
        up = self.writer.op(f"fcmp ogt double {x.leaf}, 0.0")
        down = self.writer.op(f"fcmp olt double {x.leaf}, 0.0")
        low = self.writer.op(f"select i1 {down}, double {number(-1.0)}, double {number(0.0)}")
        return Value(
            float64, (self.writer.op(f"select i1 {up}, double {number(1.0)}, double {low}"),)
        )


def _size(r: Rules, x: Value, y: Value) -> Value:
    return r.add(r.mul(x, x), r.mul(y, y))


_LN2, _LN10 = math.log(2.0), math.log(10.0)
# For each function the derivative by each argument, from the value v and the arguments; None: it
# has none.
RULES: dict[Callable, tuple[Callable[..., Value] | None, ...]] = {
    math.sqrt: (lambda r, v, x: r.div(0.5, v),),
    math.fabs: (lambda r, v, x: r.sign(x),),
    abs: (lambda r, v, x: r.sign(x),),
    math.copysign: (
        lambda r, v, x, y: r.mul(r.sign(x), r.call(math.copysign, _ONE, y)),
        lambda r, v, x, y: Value(float64, (number(0.0),)),
    ),
    math.sin: (lambda r, v, x: r.call(math.cos, x),),
    math.cos: (lambda r, v, x: r.sub(0.0, r.call(math.sin, x)),),
    math.tan: (lambda r, v, x: r.add(1.0, r.mul(v, v)),),
    math.asin: (lambda r, v, x: r.div(1.0, r.call(math.sqrt, r.sub(1.0, r.mul(x, x)))),),
    math.acos: (lambda r, v, x: r.div(-1.0, r.call(math.sqrt, r.sub(1.0, r.mul(x, x)))),),
    math.atan: (lambda r, v, x: r.div(1.0, r.add(1.0, r.mul(x, x))),),
    math.exp: (lambda r, v, x: v,),
    math.expm1: (lambda r, v, x: r.add(v, 1.0),),
    math.sinh: (lambda r, v, x: r.call(math.cosh, x),),
    math.cosh: (lambda r, v, x: r.call(math.sinh, x),),
    math.tanh: (lambda r, v, x: r.sub(1.0, r.mul(v, v)),),
    math.log: (lambda r, v, x: r.div(1.0, x),),
    math.log2: (lambda r, v, x: r.div(1.0 / _LN2, x),),
    math.log10: (lambda r, v, x: r.div(1.0 / _LN10, x),),
    math.log1p: (lambda r, v, x: r.div(1.0, r.add(1.0, x)),),
    math.asinh: (lambda r, v, x: r.div(1.0, r.call(math.sqrt, r.add(1.0, r.mul(x, x)))),),
    math.acosh: (lambda r, v, x: r.div(1.0, r.call(math.sqrt, r.sub(r.mul(x, x), 1.0))),),
    math.atanh: (lambda r, v, x: r.div(1.0, r.sub(1.0, r.mul(x, x))),),
    math.atan2: (
        lambda r, v, y, x: r.div(x, _size(r, x, y)),
        lambda r, v, y, x: r.sub(0.0, r.div(y, _size(r, x, y))),
    ),
    math.hypot: (lambda r, v, x, y: r.div(x, v), lambda r, v, x, y: r.div(y, v)),
    math.pow: (
        lambda r, v, x, y: r.mul(y, r.call(math.pow, x, r.sub(y, 1.0))),
        lambda r, v, x, y: r.mul(v, r.call(math.log, x)),
    ),
    math.fmod: (lambda r, v, x, y: _ONE, None),
}


class TangentUnit(Unit):
    """Functions translated with dual numbers."""

    def __init__(self) -> None:
        super().__init__(TangentWriter)

    def symbol(self, function: language.Function, args: tuple[Type, ...], content: str) -> str:
        return "tangent" + str(WIDTH) + "." + super().symbol(function, args, content)

    def module(self, kernels, fused: bool = True) -> str:
        kind = ", ".join([VECTOR] * 3)
        return super().module(kernels, fused) + (
            f"\ndeclare {VECTOR} @llvm.fma.v{WIDTH}f64({kind})\n"
        )


def wide_signature(signature: Signature) -> Signature:
    """The signature of a kernel with dual numbers."""
    return Signature(widened(signature.return_type), tuple(map(widened, signature.args)))


__all__ = ["FunctionType", "TangentUnit", "wide_block", "wide_dtype", "wide_signature", "widened"]
