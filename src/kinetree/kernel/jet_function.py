"""User functions whose numbers are jets: value, first and half the second derivative along a curve.

The function is the same source as for floats; the compiler replaces each operation by its rule
(`algebra/jets.py`), so that derivatives are exact. Comparisons, `int(x)` and indices use the value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable

from .algebra import jets
from .compiler.functions import OF_NUMPY
from .compiler.unit import Unit
from .compiler.values import Value, split
from .compiler.writer import Writer
from .language import Function
from .types import JET, Scalar, Type, float64, jet
from .user_function import UserUnit, UserWriter

_OPERATIONS = {
    ast.Add: jets.add,
    ast.Sub: jets.subtract,
    ast.Mult: jets.multiply,
    ast.Div: jets.divide,
    ast.Mod: jets.remainder,
    ast.Pow: jets.power,
}


class JetWriter(UserWriter):
    def coefficients(self, value: Value) -> list[Value]:
        """The three coefficients; those of a number are itself, 0 and 0."""
        if value.type is not jet:
            zero = Value(float64, ("0.0",))
            return [super().cast(value, float64), zero, zero]
        return [
            Value(float64, (self.op(f"extractvalue {JET} {value.leaf}, {k}"),)) for k in range(3)
        ]

    def _made(self, parts: list[Value]) -> Value:
        whole = "zeroinitializer"
        for k, part in enumerate(parts):
            whole = self.op(f"insertvalue {JET} {whole}, double {part.leaf}, {k}")
        return Value(jet, (whole,))

    def _by_rule(self, node: ast.AST, rule: Callable, *args: Value) -> Value:
        given = [c for a in args for c in self.coefficients(a)]
        return self._made(split(self.call_function(node, rule, given)))

    def _plain(self, value: Value) -> Value:
        """The value of a jet; other values are returned as they are."""
        return self.coefficients(value)[0] if value.type is jet else value

    def cast(self, value: Value, kind: Type, node: ast.AST | None = None) -> Value:
        if value.type is kind or jet not in (value.type, kind):
            return super().cast(value, kind, node)
        if kind is jet and isinstance(value.type, Scalar):
            return self._made(self.coefficients(value))
        return super().cast(self._plain(value), kind, node)

    def truth(self, value: Value, node: ast.AST | None = None) -> str:
        return super().truth(self._plain(value), node)

    def binary(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        both = isinstance(a.type, Scalar) and isinstance(b.type, Scalar)
        if not both or jet not in (a.type, b.type):
            return super().binary(node, op, a, b)
        if isinstance(op, ast.Pow) and b.integer == 2:
            return self._by_rule(node, jets.multiply, a, a)
        if type(op) in _OPERATIONS:
            return self._by_rule(node, _OPERATIONS[type(op)], a, b)
        return super().binary(node, op, self._plain(a), self._plain(b))

    def unary(self, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
        if value.type is jet and isinstance(op, ast.USub):
            return self._by_rule(node, jets.negative, value)
        if value.type is jet and isinstance(op, ast.UAdd):
            return value
        return super().unary(node, op, value)

    def compare(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> str:
        return super().compare(node, op, self._plain(a), self._plain(b))

    def builtin(self, node: ast.Call, f: Callable, args: list[Value]) -> Value:
        f = OF_NUMPY.get(f, f) if isinstance(f, Hashable) else f
        if not any(value.type is jet for value in args):
            return super().builtin(node, f, args)
        if f in (min, max):
            return self._extreme_jet(node, f is max, args)
        if f is float and len(args) == 1:
            return args[0]
        for rules, count in ((jets.ONE, 1), (jets.TWO, 2)):
            if f in rules and len(args) == count:
                return self._by_rule(node, rules[f], *args)  # type: ignore[index]
        return super().builtin(node, f, [self._plain(value) for value in args])

    def _extreme_jet(self, node: ast.AST, largest: bool, args: list[Value]) -> Value:
        best = self.cast(args[0], jet, node)
        for value in args[1:]:
            other = self.cast(value, jet, node)
            better = self.compare(node, ast.Gt() if largest else ast.Lt(), other, best)
            best = Value(
                jet, (self.op(f"select i1 {better}, {JET} {other.leaf}, {JET} {best.leaf}"),)
            )
        return best


class JetUnit(UserUnit):
    """All functions that one user function of jets consists of."""

    def __init__(self) -> None:
        Unit.__init__(self, _writer)
        self.helpers = {}


def _writer(unit: Unit, function: Function, args: tuple[Type, ...]) -> Writer:
    return (JetWriter if function.checked else Writer)(unit, function, args)
