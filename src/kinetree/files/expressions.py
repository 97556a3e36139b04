"""Expressions in model files: `${L / 2}`. A small language of numbers, parsed by `ast` and computed here; nothing is evaluated.

    numbers, parameters by name, + - * / // % **, comparisons, `a if condition else b`, and the functions and constants below
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ModelError, no_such, short

LONGEST = 1000  # characters
DEEPEST = 60
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}
FUNCTIONS: dict[str, Callable] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "atan2": math.atan2, "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log10": math.log10, "hypot": math.hypot,
    "radians": math.radians, "degrees": math.degrees, "abs": abs, "min": min, "max": max, "floor": math.floor,
    "ceil": math.ceil}
_BINARY: dict[type, Callable] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: math.pow}
_UNARY: dict[type, Callable] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_COMPARE: dict[type, Callable] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne}
_EMBEDDED = re.compile(r"\$\{([^{}]*)\}")


def has_expression(text: str) -> bool:
    return "${" in text


def expanded(text: str, known: Mapping[str, Any]) -> Any:
    """The text with its expressions computed: a value where it is one expression, text where there is more around it."""
    whole = _EMBEDDED.fullmatch(text)
    if whole:
        return evaluate(whole[1], known)
    found = _EMBEDDED.sub(lambda match: _written(evaluate(match[1], known), match[0]), text)
    if has_expression(found):
        raise ModelError(f"the expression in {short(text)} is not closed; write ${{...}} without braces inside")
    return found


def _written(value: Any, source: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ModelError(f"{source} is {short(value)}, which cannot stand within a text")
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def evaluate(source: str, known: Mapping[str, Any]) -> Any:
    """The value of an expression; a name alone may also be a list, a text or a mapping."""
    if len(source) > LONGEST:
        raise ModelError(f"the expression {short(source, 60)} has more than {LONGEST} characters")
    name = source.strip()
    if name in known:
        return known[name]
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ModelError(f"the expression {short(source)} cannot be read; it is made of numbers, parameters, + - * / ** and "
                         f"functions ({', '.join(FUNCTIONS)})") from None
    try:
        value = _value(tree.body, known, DEEPEST)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise ModelError(f"the expression {short(source)} has no value: {error}") from None
    if isinstance(value, complex) or not math.isfinite(value):
        raise ModelError(f"the expression {short(source)} is not finite")
    return value


def _value(node: ast.AST, known: Mapping[str, Any], left: int) -> Any:
    if left == 0:
        raise ModelError(f"an expression is nested more than {DEEPEST} levels deep")
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name):
            return _named(name, known)
        case ast.UnaryOp(op=sign, operand=a) if type(sign) in _UNARY:
            return _UNARY[type(sign)](_value(a, known, left - 1))
        case ast.BinOp(left=a, op=sign, right=b) if type(sign) in _BINARY:
            return _BINARY[type(sign)](_value(a, known, left - 1), _value(b, known, left - 1))
        case ast.IfExp(test=test, body=a, orelse=b):
            return _value(a if _value(test, known, left - 1) else b, known, left - 1)
        case ast.Compare(left=a, ops=[sign], comparators=[b]) if type(sign) in _COMPARE:
            return float(_COMPARE[type(sign)](_value(a, known, left - 1), _value(b, known, left - 1)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                raise no_such("function", name, FUNCTIONS, " in expressions")
            return float(FUNCTIONS[name](*(_value(a, known, left - 1) for a in arguments)))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as k)):
            return _item(name, k, known)
    raise ModelError(f"{type(node).__name__} is not part of expressions; they are made of numbers, parameters, + - * / ** and "
                     f"functions ({', '.join(FUNCTIONS)})")


def _named(name: str, known: Mapping[str, Any]) -> float:
    if name in known:
        value = known[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(f"the parameter {name!r} is {short(value)}, not a number to compute with")
        return float(value)
    if name in CONSTANTS:
        return CONSTANTS[name]
    raise no_such("parameter", name, [*known, *CONSTANTS], " for an expression")


def _item(name: str, k: int, known: Mapping[str, Any]) -> float:
    """`${p[1]}` of a parameter that is a list of numbers."""
    if name not in known:
        raise no_such("parameter", name, known, " for an expression")
    values = known[name]
    if not isinstance(values, list) or not -len(values) <= k < len(values) or isinstance(values[k], (str, bool, list, dict)):
        raise ModelError(f"the parameter {name!r} is {short(values)}, which has no number {k}")
    return float(values[k])
