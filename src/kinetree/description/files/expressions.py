"""Expressions in model files: `${L / 2}`. A small language of numbers, parsed by `ast` and computed
here, without `eval`.

    numbers, parameters by name, + - * / // % **, comparisons, `a if condition else b`, and the
    functions and constants below

Parameters with units keep their dimension, as far as following.py can determine it.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...errors import ModelError, no_such, short
from .dimensions import Dimension, Measured
from .following import PLAIN, Kind, of_function, of_power, of_product, of_sum
from .units import in_words, unit_of

LONGEST = 1000  # characters
DEEPEST = 60
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}
FUNCTIONS: dict[str, Callable] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "hypot": math.hypot,
    "radians": math.radians,
    "degrees": math.degrees,
    "abs": abs,
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
}
_SUMS: dict[type, tuple[Callable, str]] = {
    ast.Add: (operator.add, "the sum of"),
    ast.Sub: (operator.sub, "the difference of"),
    ast.Mod: (operator.mod, "a % b of"),
}
_PRODUCTS: dict[type, tuple[Callable, int]] = {
    ast.Mult: (operator.mul, 1),
    ast.Div: (operator.truediv, -1),
    ast.FloorDiv: (operator.floordiv, -1),
}
_UNARY: dict[type, Callable] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_COMPARE: dict[type, Callable] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_EMBEDDED = re.compile(r"\$\{([^{}]*)\}")
_WITH_UNIT = re.compile(r"\s*\$\{([^{}]*)\}\s*([^\W\d_].{0,60}|[°%].{0,60}|1/.{0,60})")


class Term(NamedTuple):
    """A value within an expression, and its dimension if known."""

    value: float
    kind: Kind = PLAIN


def has_expression(text: str) -> bool:
    return "${" in text


def expanded(
    text: str, known: Mapping[str, Any], count: Callable[[int], None] = lambda characters: None
) -> Any:
    """Evaluate the expressions in a text: a value if it is a single expression, otherwise text.

    `count` is called with the number of characters before they are written, and may raise an error.
    """

    def written(match: re.Match) -> str:
        text = _written(evaluate(match[1], known), match[0])
        count(len(text))
        return text

    whole = _EMBEDDED.fullmatch(text)
    if whole:
        return evaluate(whole[1], known)
    if (measured := _WITH_UNIT.fullmatch(text)) and "${" not in measured[2]:
        value = evaluate(measured[1], known)
        if isinstance(value, Measured):
            return _in_unit(value, measured[2].strip(), text)
    found = _EMBEDDED.sub(written, text)
    if has_expression(found):
        raise ModelError(
            f"the expression in {short(text)} is not closed; write ${{...}} without braces inside"
        )
    return found


def _in_unit(value: Measured, unit: str, text: str) -> Any:
    """`${L} m` where L has a unit itself: only the same SI unit may follow."""
    meant = unit_of(unit)
    if meant.factor != 1.0 or not value.dimension.fits(meant.dimension):
        raise ModelError(
            f"{short(text)}: {value.text} is {in_words(value.dimension)} in SI units already; "
            f"leave out {unit!r}"
        )
    return Measured(value, meant.dimension, text)


def _written(value: Any, source: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ModelError(f"{source} is {short(value)}, which cannot stand within a text")
    try:
        number = float(value)
    except OverflowError:
        raise ModelError(f"{source} is too large") from None
    return repr(int(value)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def evaluate(source: str, known: Mapping[str, Any]) -> Any:
    """The value of an expression; a single name may also be a list, a text or a mapping."""
    if len(source) > LONGEST:
        raise ModelError(f"the expression {short(source, 60)} has more than {LONGEST} characters")
    name = source.strip()
    if name in known:
        value = known[name]
        return (
            Measured(value, value.dimension, f"${{{name}}}")
            if isinstance(value, Measured)
            else value
        )
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ModelError(
            f"the expression {short(source)} cannot be read; it is made of numbers, parameters, + "
            "- * / ** and "
            f"functions ({', '.join(FUNCTIONS)})"
        ) from None
    try:
        value, kind = _value(tree.body, known, DEEPEST)
    except (ArithmeticError, ValueError, TypeError) as error:
        if isinstance(error, ModelError):
            raise type(error)(f"in the expression {short(source)}: {error}") from None
        raise ModelError(f"the expression {short(source)} has no value: {error}") from None
    if isinstance(value, complex) or not math.isfinite(value):
        raise ModelError(f"the expression {short(source)} is not finite")
    return Measured(value, kind, f"${{{name}}}") if isinstance(kind, Dimension) else value


def _value(node: ast.AST, known: Mapping[str, Any], left: int) -> Term:
    if left == 0:
        raise ModelError(f"an expression is nested more than {DEEPEST} levels deep")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Term(float(number))
        case ast.Name(id=name):
            return _named(name, known)
        case ast.UnaryOp(op=sign, operand=a) if type(sign) in _UNARY:
            value, kind = _value(a, known, left - 1)
            return Term(_UNARY[type(sign)](value), kind)
        case ast.BinOp(left=a, op=sign, right=b):
            return _combined(type(sign), _value(a, known, left - 1), _value(b, known, left - 1))
        case ast.IfExp(test=test, body=a, orelse=b):
            return _value(a if _value(test, known, left - 1).value else b, known, left - 1)
        case ast.Compare(left=a, ops=[sign], comparators=[b]) if type(sign) in _COMPARE:
            first, second = _value(a, known, left - 1), _value(b, known, left - 1)
            of_sum((first.kind, second.kind), "comparing")
            return Term(float(_COMPARE[type(sign)](first.value, second.value)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                raise no_such("function", name, FUNCTIONS, " in expressions")
            parts = [_value(a, known, left - 1) for a in arguments]
            kind = of_function(name, [part.kind for part in parts])
            return Term(float(FUNCTIONS[name](*(part.value for part in parts))), kind)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as k)):
            return _item(name, k, known)
    raise ModelError(
        f"{type(node).__name__} is not part of expressions; they are made of numbers, parameters, "
        "+ - * / ** and "
        f"functions ({', '.join(FUNCTIONS)})"
    )


def _combined(sign: type, a: Term, b: Term) -> Term:
    """Apply an operator to two values."""
    if sign in _SUMS:
        compute, words = _SUMS[sign]
        return Term(compute(a.value, b.value), of_sum((a.kind, b.kind), words))
    if sign in _PRODUCTS:
        compute, power = _PRODUCTS[sign]
        return Term(compute(a.value, b.value), of_product(a.kind, b.kind, power))
    if sign is ast.Pow:
        return Term(math.pow(a.value, b.value), of_power(a.kind, b.kind, b.value))
    raise ModelError(
        f"{sign.__name__} is not part of expressions; they are made of numbers, parameters, + - * "
        "/ ** and "
        f"functions ({', '.join(FUNCTIONS)})"
    )


def _named(name: str, known: Mapping[str, Any]) -> Term:
    if name in known:
        value = known[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(
                f"the parameter {name!r} is {short(value)}, not a number to compute with"
            )
        return _term(value)
    if name in CONSTANTS:
        return Term(CONSTANTS[name])
    raise no_such("parameter", name, [*known, *CONSTANTS], " for an expression")


def _term(value: float) -> Term:
    return Term(float(value), value.dimension if isinstance(value, Measured) else None)


def _item(name: str, k: int, known: Mapping[str, Any]) -> Term:
    """`${p[1]}` for a parameter that is a list of numbers."""
    if name not in known:
        raise no_such("parameter", name, known, " for an expression")
    values = known[name]
    if (
        not isinstance(values, list)
        or not -len(values) <= k < len(values)
        or isinstance(values[k], (str, bool, list, dict))
    ):
        raise ModelError(f"the parameter {name!r} is {short(values)}, which has no number {k}")
    return _term(values[k])
