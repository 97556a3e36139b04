"""Calls of inline functions, of kernels by symbol or by address, and of user code."""

from __future__ import annotations

import ast
import types as python
from typing import Any

from .. import intrinsics, language
from ..types import (
    Array,
    FunctionType,
    Signature,
    Static,
    Tuple,
    Type,
    UniTuple,
    boolean,
    float64,
    int32,
    int64,
)
from . import operators
from .functions import Functions
from .text import NONE
from .values import Value, joined, split

_LETTERS = {"d": float64, "i": int64}
_OPERATORS = {
    name: language.Function(f, True)
    for name, f in vars(operators).items()
    if isinstance(f, python.FunctionType)
}


def convention(
    args: tuple[Type, ...], result: Type, inline: bool, checked: bool = False
) -> tuple[str, list[str], bool]:
    """LLVM type of the result, types of the arguments, and whether the first argument is a pointer
    for the result.

    A checked function has one more argument: a pointer to the flag that it sets when it fails.
    """
    given = [leaf for a in args for leaf in a.leaves] + ["ptr"] * checked
    if len(result.leaves) < 2:
        return (result.leaves[0] if result.leaves else "void"), given, False
    return (
        ("{" + ", ".join(result.leaves) + "}", given, False)
        if inline or has_vectors(result)
        else ("void", ["ptr", *given], True)
    )


def has_vectors(result: Type) -> bool:
    """Whether a result has leaves that are longer than a word: then it is returned by value."""
    return any(leaf.startswith("<") for leaf in result.leaves)


class Calls(Functions):
    with_derivatives = False  # whether floats are dual numbers

    def call(self, node: ast.Call, f: Value, args: list[Value]) -> Value:
        if isinstance(f.type, FunctionType):
            return self._call_address(node, f.leaf, f.type.signature, args)
        if not isinstance(f.type, Static):
            raise self.error(node, f"{f.type} cannot be called")
        called = getattr(f.type.value, "kernel_function", f.type.value)
        if isinstance(called, language.Function):
            return self._call_function(node, called, args)
        if isinstance(called, (intrinsics.Intrinsic, intrinsics.Method)):
            return self._intrinsic(node, called, args)
        if isinstance(called, type) and hasattr(called, "_fields"):
            if len(args) != len(called._fields):
                raise self.error(
                    node, f"{called.__name__} has the fields {', '.join(called._fields)}"
                )
            return joined(args, called)
        if isinstance(called, python.FunctionType):
            return self._call_function(node, self.helper(node, called), args)
        return self.builtin(node, called, args)

    def python_value(self, x: Any, node: ast.AST) -> Value:
        """A Python value as a constant."""
        raise NotImplementedError

    def helper(self, node: ast.AST, f: python.FunctionType) -> language.Function:
        """The function of the kernel language for a plain Python function that is called."""
        raise self.error(
            node,
            f"{f.__qualname__} is a function of Python; decorate it with @inline or @kernel to call "
            "it here",
        )

    def call_operator(self, node: ast.AST, name: str, args: list[Value]) -> Value:
        return self._call_function(node, _OPERATORS[name], args)

    def call_function(self, node: ast.AST, f: Any, args: list[Value]) -> Value:
        return self._call_function(node, f, args)

    def _intrinsic(self, node: ast.Call, f: Any, args: list[Value]) -> Value:
        """A call of `kernel/intrinsics.py`."""
        self._check_intrinsic(node, f, args)
        if isinstance(f, intrinsics.ByAddress):
            address = self.op(f"inttoptr i64 {self.index(args[0], node)} to ptr")
            return self._call_address(node, address, f.signature(), args[1:])
        if isinstance(f, intrinsics.Loader):
            return Value(
                UniTuple(float64, f.n),
                tuple(
                    self.op(f"load double, ptr {self._float_at(node, args[0], k)}")
                    for k in range(f.n)
                ),
            )
        if isinstance(f, intrinsics.Storer):
            return self._store(node, f, *args)
        if isinstance(f, intrinsics.Opened):
            return Value(f.kind(), args[0].parts[:1])
        if isinstance(f, intrinsics.CarriesDerivatives):
            return Value(boolean, ("true" if self.with_derivatives else "false",))
        if isinstance(f, intrinsics.Callback):
            return self._call_user_code(node, f, *args)
        if isinstance(f, intrinsics.Instruction):
            given = [self.cast(a, kind, node).leaf for a, kind in zip(args, f.args, strict=True)]
            return Value(f.result, (self.op(f.text.format(*given)),))
        if f.name != "reshape":
            raise self.error(node, f"arrays have no {f.name}(...) here")
        shape = [s for a in args for s in (split(a) if isinstance(a.type, Tuple) else [a])]
        return self.reshaped(f.value, [self.index(s, node) for s in shape], node)

    def _check_intrinsic(self, node: ast.AST, f: Any, args: list[Value]) -> None:
        """Check the number of arguments of an intrinsic, and which are tuples or integer arrays."""
        counts = {
            intrinsics.CarriesDerivatives: 0,
            intrinsics.Loader: 1,
            intrinsics.Storer: 2,
            intrinsics.Opened: 1,
            intrinsics.Callback: 2,
        }
        wanted = (
            len(f.args) if isinstance(f, intrinsics.Instruction) else counts.get(type(f), len(args))
        )
        if len(args) != wanted or (isinstance(f, intrinsics.ByAddress) and not args):
            raise self.error(
                node, f"this call takes {wanted or 'one or more'} arguments, not {len(args)}"
            )
        if isinstance(f, (intrinsics.Storer, intrinsics.Callback)):
            n = f.n if isinstance(f, intrinsics.Storer) else len(f.arguments) - 1
            if not isinstance(args[1].type, Tuple) or len(args[1].type.items) != n:
                raise self.error(
                    node, f"the second argument is {args[1].type}, not a tuple of {n} items"
                )
        if isinstance(f, (intrinsics.Opened, intrinsics.Callback)):
            row = args[0].type
            if not isinstance(row, Array) or (row.dtype, row.ndim, row.strided) != (
                int64,
                1,
                False,
            ):
                raise self.error(node, f"the first argument is {row}, not an array of integers")

    def _float_at(self, node: ast.AST, x: Value, k: int) -> str:
        """The address of the k-th float of a contiguous array."""
        if not isinstance(x.type, Array) or x.type.dtype is not float64 or x.type.strided:
            raise self.error(node, f"{x.type} where a contiguous array of floats is needed")
        return self.offset(float64, x.leaf, str(k))

    def _store(self, node: ast.AST, f: intrinsics.Storer, x: Value, a: Value) -> Value:
        for k, item in enumerate(split(a)[: f.n]):
            at = self._float_at(node, x, k)
            value = self.cast(item, float64, node)
            if f.add:
                value = self.binary(node, ast.Add(), self.fetch(float64, at), value)
            self.write(float64, at, value, node)
        return NONE

    def _call_user_code(
        self, node: ast.AST, f: intrinsics.Callback, at: Value, values: Value
    ) -> Value:
        """Call C code at a pair of addresses: that of the code and that of its first argument."""
        address, numbers = (self.fetch(int64, self.element(at, [k]).leaf) for k in "01")
        kinds = [_LETTERS[letter] for letter in f.arguments]
        given = [
            self.cast(v, kind, node).leaf
            for v, kind in zip([numbers, *split(values)], kinds, strict=True)
        ]
        handed = ", ".join(f"{kind.register} {part}" for kind, part in zip(kinds, given))
        where, result = self.op(f"inttoptr i64 {address.leaf} to ptr"), _LETTERS[f.result]
        return Value(result, (self.op(f"call {result.register} {where}({handed})"),))

    def _call_function(self, node: ast.AST, f: language.Function, args: list[Value]) -> Value:
        defaults = getattr(f.py_func, "__defaults__", None) or ()
        wanted = f.py_func.__code__.co_argcount  # type: ignore[attr-defined]
        missing = wanted - len(args)
        if missing < 0 or missing > len(defaults):
            raise self.error(
                node,
                f"{f.py_func.__name__} takes {wanted} argument{'s' * (wanted != 1)}, not "
                f"{len(args)}",
            )
        if missing:
            args = [*args, *(self.python_value(value, node) for value in defaults[-missing:])]
        kinds = tuple(int64 if a.type is int32 else a.type for a in args)
        compiled = self.unit.get(f, kinds, self, node)
        self.called[compiled.symbol] = compiled
        return self._emit_call(
            node, f'@"{compiled.symbol}"', compiled.args, compiled.result, args, f
        )

    def _call_address(
        self, node: ast.AST, pointer: str, signature: Signature, args: list[Value]
    ) -> Value:
        if len(args) != len(signature.args):
            raise self.error(
                node,
                f"the kernel at this address takes {len(signature.args)} arguments, not {len(args)}",
            )
        for k, (given, wanted) in enumerate(zip(args, signature.args)):
            if given.type != wanted and not (
                isinstance(given.type, Array) and isinstance(wanted, Array)
            ):
                raise self.error(
                    node,
                    f"argument {k + 1} is {given.type}, which does not match the {wanted} of the "
                    "signature",
                )
        return self._emit_call(node, pointer, signature.args, signature.return_type, args, None)

    def _emit_call(
        self,
        node: ast.AST,
        target: str,
        kinds: tuple[Type, ...],
        result: Type,
        args: list[Value],
        f: language.Function | None,
    ) -> Value:
        """Emit a call, with a test of the failure flag if the function is checked."""
        inline, checked = f is not None and f.inline, f is not None and f.checked
        kind, leaves, through = convention(kinds, result, inline, checked)
        given = [
            part for a, k in zip(args, kinds, strict=True) for part in self.cast(a, k, node).parts
        ]
        given += ["%failed"] * checked
        if through:
            room = self.stack_slot(f"[{len(result.leaves)} x i64]")
            given.insert(0, room)
        handed = ", ".join(f"{leaf} {part}" for leaf, part in zip(leaves, given, strict=True))
        if kind == "void":
            self.emit(f"call void {target}({handed})")
            done = (
                Value(
                    result, tuple(self._word(room, k, leaf) for k, leaf in enumerate(result.leaves))
                )
                if through
                else NONE
            )
        else:
            whole = self.op(f"call {kind} {target}({handed})")
            parts = (
                [whole]
                if len(result.leaves) == 1
                else [
                    self.op(f"extractvalue {kind} {whole}, {k}") for k in range(len(result.leaves))
                ]
            )
            done = Value(result, tuple(parts))
        if checked:
            self.check(self.op(f"icmp eq i8 {self.op('load i8, ptr %failed')}, 0"))
        return done

    def _word(self, room: str, k: int, leaf: str) -> str:
        return self.op(
            f"load {leaf}, ptr {self.op(f'getelementptr inbounds i64, ptr {room}, i64 {k}')}"
        )
