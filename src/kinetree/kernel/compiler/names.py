"""Names and attributes: variables, global names, `x.shape`, `record.field`."""

from __future__ import annotations

import ast
import builtins
from types import ModuleType
from typing import Any

import numpy as np

from ..intrinsics import Method
from ..types import Array, Block, Record, Scalar, Static, Tuple, boolean, float64, int64
from .calls import Calls
from .values import Value, integer_value, joined, number, split

_BUILTINS = vars(builtins)
_NO_VALUES = (list, dict, set, complex, type(...), slice)


class Names(Calls):
    scope: dict[str, Any]  # names of the module and of the enclosing function
    own_names: frozenset[str]  # names of variables

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        raise NotImplementedError

    def expr_Constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, (str, bytes)):
            raise self.error(node, "a text is not a value of the kernel language")
        return self.python_value(node.value, node)

    def python_value(self, x: Any, node: ast.AST) -> Value:
        """A Python value as a constant."""
        if isinstance(x, (bool, np.bool_)):
            return Value(boolean, ("true" if x else "false",))
        if isinstance(x, (int, np.integer)):
            return self.integer_constant(int(x), node)
        if isinstance(x, float):
            return Value(float64, (number(x),))
        if isinstance(x, tuple):
            return joined(
                [self.python_value(i, node) for i in x], type(x) if hasattr(x, "_fields") else None
            )
        if isinstance(x, np.ndarray):
            return self.constant(x, node)
        if x is None or isinstance(x, _NO_VALUES):
            raise self.error(
                node,
                f"{x if x is None else f'a {type(x).__name__}'} is not a value of the kernel "
                "language",
            )
        return Value(Static(x), ())

    def expr_Name(self, node: ast.Name) -> Value:
        value = self.variable(node.id, node)
        if value is not None:
            return value
        if node.id in self.own_names:
            raise self.error(
                node,
                f"{node.id!r} is read before it is set; give it a value before, outside of the "
                "loop if there is one",
            )
        return self.outer(node)

    def outer(self, node: ast.Name) -> Value:
        """A name of the module or of the enclosing function."""
        if node.id in self.scope:
            return self.python_value(self.scope[node.id], node)
        if node.id in _BUILTINS:
            return self.python_value(_BUILTINS[node.id], node)
        raise self.error(node, f"{node.id!r} is not defined")

    def expr_Attribute(self, node: ast.Attribute) -> Value:
        value, name = self.value(node.value), node.attr
        kind = value.type
        if isinstance(kind, Record):
            found = self.field(value, name, node)
            return self.fetch(found.type, found.leaf) if isinstance(found.type, Scalar) else found
        if isinstance(kind, Block):
            return self.array_of(value, name, node)
        if isinstance(kind, Array):
            return self._of_array(node, value, kind)
        if isinstance(kind, Static):
            return self._of_static(node, kind.value)
        if isinstance(kind, Tuple) and kind.cls and name in kind.cls._fields:
            return split(value)[kind.cls._fields.index(name)]
        raise self.error(node, f"{kind} has no {name!r}")

    def _of_array(self, node: ast.Attribute, value: Value, kind: Array) -> Value:
        shape, name = value.parts[1 : 1 + kind.ndim], node.attr
        if name == "shape":
            return Value(Tuple((int64,) * kind.ndim), shape)
        if name == "ndim":
            return integer_value(kind.ndim)
        if name == "size":
            return Value(int64, (self._sizes(shape),))
        if name == "T":
            steps = tuple(reversed(self.strides(value)))
            return Value(
                Array(kind.dtype, kind.ndim, True, kind.constant),
                (value.leaf, *reversed(shape), *steps),
            )
        if name in ("ctypes", "reshape"):
            return Value(Static(Method(name, value)), ())
        raise self.error(
            node, f"arrays have shape, size, ndim, T and reshape here, but no {name!r}"
        )

    def _of_static(self, node: ast.Attribute, owner: Any) -> Value:
        if isinstance(owner, Method):
            if (owner.name, node.attr) == ("ctypes", "data"):
                return Value(int64, (self.op(f"ptrtoint ptr {owner.value.leaf} to i64"),))
        elif isinstance(owner, (ModuleType, type)) and hasattr(owner, node.attr):
            return self.python_value(getattr(owner, node.attr), node)
        elif not isinstance(owner, (ModuleType, type)):
            reason = f"{ast.unparse(node.value)!r} is a {type(owner).__name__}, an object that is not in the kernel language"
            raise self.error(node, reason)
        raise self.error(node, f"{Static(owner)} has no {node.attr!r}")
