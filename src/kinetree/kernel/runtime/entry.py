"""Calls of kernels from Python: arguments are checked and passed through ctypes, which releases the
interpreter lock.

Arrays are passed by address and shape, blocks and functions by address. A call with two arrays
takes about 2 us.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from operator import index
from typing import Any

import numpy as np

from ..compiler.values import KernelError
from ..types import (
    DUAL,
    Array,
    Nothing,
    Record,
    Scalar,
    Signature,
    Tuple,
    Type,
    boolean,
    dual,
    float64,
    int32,
)

_OF_LEAF: dict[str, Any] = {
    "double": ctypes.c_double,
    "i64": ctypes.c_int64,
    "i1": ctypes.c_bool,
    "ptr": ctypes.c_void_p,
}
_word_at, _HEAD = ctypes.c_void_p.from_address, object.__basicsize__


def _peek(array: np.ndarray) -> int:
    """Address of the data of an array: the first field after the object header in NumPy's C API."""
    return _word_at(id(array) + _HEAD).value or 0


_EXAMPLE = np.zeros(1)
_peek_is_right = _peek(_EXAMPLE) == _EXAMPLE.ctypes.data
# `ctypes.data` is 30 times slower
address_of_numbers = _peek if _peek_is_right else (lambda array: array.ctypes.data)


def entry(name: str, address: int, signature: Signature) -> Callable:
    """The Python function that calls the kernel at an address."""
    result, own = signature.return_type, name.rpartition(".")[2]
    if not _can_be_returned(result):
        raise KernelError(
            f"the kernel {name} returns {result}, which Python cannot receive; write into an array "
            "that is an argument"
        )
    own = own if own.isidentifier() else "kernel"
    leaves = ["ptr"] * (len(result.leaves) > 1) + [
        leaf for kind in signature.args for leaf in kind.leaves
    ]
    returned = _OF_LEAF[result.leaves[0]] if len(result.leaves) == 1 else None
    scope: dict[str, Any] = {
        "call": ctypes.CFUNCTYPE(returned, *(_OF_LEAF[leaf] for leaf in leaves))(address),
        "peek": address_of_numbers,
        "ndarray": np.ndarray,
        "index": index,
        "ArgumentError": ctypes.ArgumentError,
        "refuse": _refusal(name, signature),
        "room": ctypes.c_double * len(result.leaves),
        "unpack": _unpacked(result),
    }
    exec(_text(own, signature, scope), scope)  # the text has our own names and numbers only
    return scope[own]


def _text(own: str, signature: Signature, scope: dict[str, Any]) -> str:
    """Source of the function: test of the arrays, call, and conversion of the result."""
    result, names = signature.return_type, [f"a{k}" for k in range(len(signature.args))]
    arguments = [_argument(name, kind, scope) for name, kind in zip(names, signature.args)]
    tests = [test for test, _ in arguments if test]
    given = [part for _, parts in arguments for part in parts]
    several, together = len(result.leaves) > 1, ", ".join(names)
    lines = [f"def {own}({together}):"]
    if tests:
        lines += [f"    if not ({' and '.join(tests)}):", f"        refuse({together})"]
    lines += ["    out = room()"] * several
    lines += [
        "    try:",
        f"        value = call({', '.join(['out'] * several + given)})",
        "    except (TypeError, AttributeError, ArgumentError):",
        f"        refuse({together})",
        "        raise",
    ]
    if isinstance(result, Tuple):
        return "\n".join([*lines, f"    return unpack({'out' if several else 'value'})"])
    return "\n".join([*lines, "    return value"])


def _can_be_returned(kind: Type) -> bool:
    return isinstance(kind, (Scalar, Nothing)) or (
        isinstance(kind, Tuple) and all(map(_can_be_returned, kind.items))
    )


def _argument(own: str, kind: Type, scope: dict[str, Any]) -> tuple[str, list[str]]:
    """Source of the test of an argument, and of the values that are passed for it."""
    if isinstance(kind, Array):
        scope[f"{own}_dtype"] = dtype_of(kind)
        test = (
            f"isinstance({own}, ndarray) and {own}.ndim == {kind.ndim} and "
            f"{own}.dtype == {own}_dtype and {own}.flags.c_contiguous"
        )
        return test, [f"peek({own})", f"*{own}.shape"]
    if isinstance(kind, Scalar):
        return "", [
            own if kind is float64 else f"bool({own})" if kind is boolean else f"index({own})"
        ]
    if isinstance(kind, Tuple):
        raise KernelError("tuples are not passed from Python; pass their items")
    return "", [f"{own}._address"]


def dtype_of(kind: Array) -> np.dtype:
    if isinstance(kind.dtype, Record):
        return kind.dtype.dtype
    kinds: dict[Any, Any] = {float64: "f8", int32: "i4", boolean: "?", dual: DUAL}
    return np.dtype(kinds.get(kind.dtype, "i8"))


def _refusal(name: str, signature: Signature) -> Callable:
    """Function that raises an error about the arguments of a call."""

    def refuse(*given: Any) -> None:
        for k, (value, kind) in enumerate(zip(given, signature.args)):
            if (
                isinstance(value, np.ndarray)
                and _fits(value, kind)
                and not value.flags.c_contiguous
            ):
                raise TypeError(
                    f"the kernel {name} takes C-contiguous arrays; argument {k + 1} is not."
                )
            if not _fits(value, kind):
                what = (
                    f"{value.dtype} of shape {value.shape}"
                    if isinstance(value, np.ndarray)
                    else type(value).__name__
                )
                raise TypeError(f"the kernel {name} takes {kind} as argument {k + 1}, not {what}.")

    return refuse


def _fits(value: Any, kind: Type) -> bool:
    if isinstance(kind, Array):
        return (
            isinstance(value, np.ndarray)
            and value.ndim == kind.ndim
            and value.dtype == dtype_of(kind)
        )
    if isinstance(kind, Scalar):
        return hasattr(
            value,
            "__float__" if kind is float64 else "__bool__" if kind is boolean else "__index__",
        )
    return hasattr(value, "_address")


def _unpacked(result: Type) -> Callable:
    """Function that converts the words of a result, or its only word, to a tuple."""
    leaves = result.leaves

    def unpack(room: Any) -> Any:
        if len(leaves) < 2:
            return _nested(result, iter([room]))
        words = np.frombuffer(room, np.int64)
        return _nested(
            result,
            iter(
                [
                    x if leaf == "double" else bool(w & 1) if leaf == "i1" else int(w)
                    for x, w, leaf in zip(room, words, leaves)
                ]
            ),
        )

    return unpack


def _nested(kind: Type, values: Iterator) -> Any:
    if not isinstance(kind, Tuple):
        return next(values)
    items = [_nested(item, values) for item in kind.items]
    return kind.cls(*items) if kind.cls else tuple(items)
