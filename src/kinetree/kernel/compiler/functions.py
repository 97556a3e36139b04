"""Functions of Python and `math` that kernels may call: exact instructions, and the elementary
functions of `kernel/functions`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ..functions.catalogue import INTEGER, ONE, TWO
from ..types import Array, Scalar, Tuple, boolean, float64, int64
from .conversions import is_integer_like
from .memory import Memory
from .values import Value, integer_value, number

_INFINITY = number(math.inf)
EXACT = {
    math.sqrt: "llvm.sqrt.f64",
    math.fabs: "llvm.fabs.f64",
    abs: "llvm.fabs.f64",
    math.copysign: "llvm.copysign.f64",
}
_CONVERSIONS = (int, float, bool, math.trunc, math.isfinite, math.isnan, math.isinf)
OF_NUMPY: dict[Any, Callable] = {  # of NumPy with one number
    np.sqrt: math.sqrt,
    np.sin: math.sin,
    np.cos: math.cos,
    np.tan: math.tan,
    np.exp: math.exp,
    np.log: math.log,
    np.arcsin: math.asin,
    np.arccos: math.acos,
    np.arctan: math.atan,
    np.arctan2: math.atan2,
    np.sinh: math.sinh,
    np.cosh: math.cosh,
    np.tanh: math.tanh,
    np.hypot: math.hypot,
    np.abs: abs,
    np.fabs: math.fabs,
    np.isfinite: math.isfinite,
    np.isnan: math.isnan,
    np.float64: float,
    np.log10: math.log10,
    np.log2: math.log2,
    np.copysign: math.copysign,
    np.expm1: math.expm1,
    np.log1p: math.log1p,
    np.arcsinh: math.asinh,
    np.arccosh: math.acosh,
    np.arctanh: math.atanh,
    np.power: math.pow,
    np.fmod: math.fmod,
    np.isinf: math.isinf,
}


class Functions(Memory):
    def builtin(self, node: ast.Call, f: Callable, args: list[Value]) -> Value:
        """f(*args) for a function of Python or `math`, or of NumPy with numbers as arguments."""
        f = OF_NUMPY.get(f, f) if isinstance(f, Hashable) else f
        if f in (min, max):
            return self._extreme(node, f is max, args)
        wanted = 2 if f in TWO or f is math.copysign else 1
        if len(args) != wanted:
            raise self.error(
                node,
                f"{_called(f)} takes {wanted} argument{'s' * (wanted > 1)} here, not {len(args)}",
            )
        if f is len:
            return self._length(node, args[0])
        if f in _CONVERSIONS or f in EXACT or f in ONE or f in TWO or f in INTEGER:
            for value in args:
                if not isinstance(value.type, Scalar):
                    raise self.error(node, f"{_called(f)} of {value.type}: it takes numbers")
            return self._of_numbers(node, f, args)
        raise self.error(
            node,
            f"{_called(f)} is not in the kernel language; docs/kernel-language.md lists what is",
        )

    def _of_numbers(self, node: ast.AST, f: Callable, args: list[Value]) -> Value:
        x = args[0]
        if f in (int, math.trunc) or (f in INTEGER and is_integer_like(x)):
            return self.cast(x, int64)
        if f is float:
            return self.cast(x, float64)
        if f is bool:
            return Value(boolean, (self.truth(x),))
        if f is abs and is_integer_like(x):
            return Value(
                int64,
                (self.op(f"call i64 @llvm.abs.i64(i64 {self.cast(x, int64).leaf}, i1 false)"),),
            )
        if f is math.isnan:
            return Value(boolean, (self.op(f"fcmp uno double {self.double(x)}, 0.0"),))
        if f in (math.isfinite, math.isinf):
            size = self.op(f"call double @llvm.fabs.f64(double {self.double(x)})")
            return Value(
                boolean,
                (
                    self.op(
                        f"fcmp {'olt' if f is math.isfinite else 'oeq'} double {size}, {_INFINITY}"
                    ),
                ),
            )
        floats = [self.cast(value, float64) for value in args]
        if f in EXACT:
            given = ", ".join(f"double {value.leaf}" for value in floats)
            return Value(float64, (self.op(f"call double @{EXACT[f]}({given})"),))
        return self.call_function(node, ONE.get(f) or TWO.get(f) or INTEGER[f], floats)

    def _extreme(self, node: ast.AST, largest: bool, args: list[Value]) -> Value:
        """min or max as in Python: the first of equal arguments; max(a, b) is b only if b > a."""
        if len(args) < 2:
            raise self.error(node, "min and max take two or more numbers here")
        best = args[0]
        for value in args[1:]:
            better = self.compare(node, ast.Gt() if largest else ast.Lt(), value, best)
            kind = int64 if is_integer_like(best) and is_integer_like(value) else float64
            a, b = self.cast(best, kind).leaf, self.cast(value, kind).leaf
            best = Value(
                kind, (self.op(f"select i1 {better}, {kind.register} {b}, {kind.register} {a}"),)
            )
        return best

    def _length(self, node: ast.AST, value: Value) -> Value:
        if isinstance(value.type, Array):
            return Value(int64, (value.parts[1],))
        if isinstance(value.type, Tuple):
            return integer_value(len(value.type.items))
        raise self.error(node, f"{value.type} has no length")


def _called(f: object) -> str:
    module = getattr(f, "__module__", None)
    name = getattr(f, "__name__", repr(f))
    return f"{module}.{name}" if module not in (None, "builtins") else name


def declarations() -> list[str]:
    """Declarations of all LLVM functions that the text of a module may call."""
    lines = [
        f"declare double @{name}({'double, double' if 'copysign' in name else 'double'})"
        for name in sorted(set(EXACT.values()))
    ]
    return lines + [
        "declare double @llvm.fma.f64(double, double, double)",
        "declare i64 @llvm.abs.i64(i64, i1)",
        "declare i64 @llvm.smax.i64(i64, i64)",
        "declare i64 @llvm.smin.i64(i64, i64)",
        "declare i64 @llvm.fptosi.sat.i64.f64(double)",
    ]
