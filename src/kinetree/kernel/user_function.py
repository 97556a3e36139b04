"""User functions in the kernel language: indices are checked at run time, `raise` leaves the
function, and helper functions need no decorator.
"""

from __future__ import annotations

import ast
import types as python
from collections.abc import Callable

from .compiler.source import Tree, checked_tree_of, closed_over
from .compiler.unit import Unit
from .compiler.values import Value
from .compiler.writer import Writer
from .language import Function
from .types import Array, Scalar, Static, Type, float64, int64

# the floats that a function closes over or has as defaults
VALUES = Array(float64, 1, constant=True)


class UserFunction(Function):
    """A user function, or a helper function that it calls."""

    checked = True

    def __init__(self, py_func: Callable) -> None:
        super().__init__(py_func, inline=True)

    @property
    def tree(self) -> Tree:
        if self._tree is None:
            self._tree = checked_tree_of(self.py_func)
        return self._tree


class OuterFunction(UserFunction):
    """The function that the user passed. Its first argument is the array of its floats, then come
    the `count` arguments of its shape.
    """

    def __init__(self, py_func: python.FunctionType, count: int) -> None:
        super().__init__(py_func)
        self.count = count
        floats = [name for name, value in closed_over(py_func).items() if isinstance(value, float)]
        self.closed_over = {name: k for k, name in enumerate(floats)}


class UserWriter(Writer):
    """Writer of code that fails where Python raises: at an index out of range, a division of an
    integer by 0, a variable without a value.
    """

    _values = "kinetree values"  # no variable can have this name

    def begin(self) -> None:
        super().begin()
        # for each variable a stack slot that is true once the variable has been set
        self.was_set: dict[str, str] = {}

    def assign(self, name: str, value: Value, node: ast.AST | None = None) -> None:
        super().assign(name, value, node)
        if name not in self.was_set:
            self.was_set[name] = self.stack_slot("i1")
        self.emit(f"store i1 true, ptr {self.was_set[name]}")

    def variable(self, name: str, node: ast.AST | None = None) -> Value | None:
        value = super().variable(name, node)
        if value is not None:
            self.check(self.op(f"load i1, ptr {self.was_set[name]}"))
        return value

    def parameters(self, names: list[str]) -> list[str]:
        f = self.function
        return [self._values, *names[: f.count]] if isinstance(f, OuterFunction) else names

    def first_values(self) -> None:
        """Assign the defaults of missing arguments: floats from the values, others as constants."""
        f = self.function
        if not isinstance(f, OuterFunction):
            return
        names = f.py_func.__code__.co_varnames[: f.py_func.__code__.co_argcount]  # type: ignore[attr-defined]
        defaults = f.py_func.__defaults__ or ()  # type: ignore[attr-defined]
        k = len(f.closed_over)
        for name, default in zip(names[len(names) - len(defaults) :], defaults):
            value = self._given(k) if isinstance(default, float) else None
            k += isinstance(default, float)
            if name in names[f.count :]:
                self.assign(name, value or self.python_value(default, f.tree))

    def remainder(self, node: ast.AST, rest: bool, a: Value, b: Value, kind: Scalar) -> Value:
        if kind is int64:
            b = self.cast(b, int64)
            self.check(self.op(f"icmp ne i64 {b.leaf}, 0"))  # Python raises
        return super().remainder(node, rest, a, b, kind)

    def outer(self, node: ast.Name) -> Value:
        f = self.function
        if isinstance(f, OuterFunction) and node.id in f.closed_over:
            return self._given(f.closed_over[node.id])
        return super().outer(node)

    def _given(self, k: int) -> Value:
        values = self.variable(self._values)
        assert values is not None
        return self.fetch(float64, self.offset(float64, values.leaf, str(k)))

    def call(self, node: ast.Call, f: Value, args: list[Value]) -> Value:
        inner = getattr(f.type.value, "py_func", None) if isinstance(f.type, Static) else None
        if isinstance(inner, python.FunctionType) and not isinstance(f.type.value, Function):  # type: ignore[attr-defined]
            f = Value(Static(inner), ())  # decorated by Numba
        return super().call(node, f, args)

    def helper(self, node: ast.AST, f: python.FunctionType) -> Function:
        assert isinstance(self.unit, UserUnit)
        return self.unit.helpers.setdefault(f, UserFunction(f))


class UserUnit(Unit):
    """All functions that one user function consists of."""

    def __init__(self) -> None:
        super().__init__(_writer)
        self.helpers: dict[python.FunctionType, UserFunction] = {}


def _writer(unit: Unit, function: Function, args: tuple[Type, ...]) -> Writer:
    return (UserWriter if function.checked else Writer)(unit, function, args)
