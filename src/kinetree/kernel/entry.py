"""Calling a kernel from Python: arguments are checked and passed through ctypes, which releases the interpreter lock.

Arrays are passed by address and shape, blocks and functions by address. A call with two arrays takes about 2 us.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from .types import Array, Record, Scalar, Signature, Tuple, Type, boolean, float64, int32, none

_C: dict[Type, Any] = {none: None, float64: ctypes.c_double, boolean: ctypes.c_bool}
_word_at, _HEAD = ctypes.c_void_p.from_address, object.__basicsize__


def _peek(array: np.ndarray) -> int:
    """Where the numbers of an array lie: the first field behind the head of the object, in NumPy's C interface."""
    return _word_at(id(array) + _HEAD).value or 0


_EXAMPLE = np.zeros(1)
address_of_numbers = _peek if _peek(_EXAMPLE) == _EXAMPLE.ctypes.data else (lambda array: array.ctypes.data)  # 30 times slower


def c_types(args: tuple[Type, ...]) -> list[Any]:
    """What ctypes passes for arguments of these types."""
    of_leaf = {"double": ctypes.c_double, "i64": ctypes.c_int64, "i1": ctypes.c_bool, "ptr": ctypes.c_void_p}
    return [of_leaf[leaf] for kind in args for leaf in kind.leaves]


def entry(name: str, address: int, signature: Signature) -> Callable:
    """A function of Python that calls the kernel at an address."""
    scope: dict[str, Any] = {"peek": address_of_numbers, "ndarray": np.ndarray, "refuse": _refusal(name, signature)}
    names = [f"a{k}" for k in range(len(signature.args))]
    tests, given = [], []
    for own, kind in zip(names, signature.args):
        test, passed = _argument(own, kind, scope)
        tests += test
        given += passed
    result, kinds = signature.return_type, c_types(signature.args)
    several = isinstance(result, Tuple) and len(result.leaves) > 1
    returned = None if several else _C.get(result, ctypes.c_int64)
    if isinstance(result, Tuple) and len(result.items) == 1:
        returned = _C.get(result.items[0], ctypes.c_int64)
    scope["kernel"] = ctypes.CFUNCTYPE(returned, *[ctypes.c_void_p] * several, *kinds)(address)
    lines = [f"def call({', '.join(names)}):"]
    if tests:
        lines += [f"    if not ({' and '.join(tests)}):", f"        refuse({', '.join(names)})"]
    if several and isinstance(result, Tuple):
        scope["room"], scope["unpack"] = ctypes.c_double * len(result.leaves), _unpacked(result)
        lines += ["    out = room()", f"    kernel({', '.join(['out', *given])})", "    return unpack(out)"]
    elif isinstance(result, Tuple):
        lines += [f"    return (kernel({', '.join(given)}),)"]
    else:
        lines += [f"    return kernel({', '.join(given)})"]
    exec("\n".join(lines), scope)  # made of numbers alone
    return scope["call"]


def _argument(own: str, kind: Type, scope: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Tests of an argument and what is passed for it, as text."""
    if isinstance(kind, Array):
        scope[f"{own}_dtype"] = dtype_of(kind)
        test = (f"isinstance({own}, ndarray) and {own}.ndim == {kind.ndim} and {own}.dtype == {own}_dtype "
                f"and {own}.flags.c_contiguous")
        return [test], [f"peek({own})", f"*{own}.shape"]
    if isinstance(kind, Scalar):
        return [], [own if kind is float64 else f"int({own})" if kind is not boolean else f"bool({own})"]
    if isinstance(kind, Tuple):
        raise TypeError("tuples are not passed from Python; pass their items")
    return [], [f"{own}._address"]


def dtype_of(kind: Array) -> np.dtype:
    if isinstance(kind.dtype, Record):
        return kind.dtype.dtype
    return np.dtype({float64: "f8", int32: "i4", boolean: "?"}.get(kind.dtype, "i8"))


def _refusal(name: str, signature: Signature) -> Callable:
    def refuse(*given: Any) -> None:
        for k, (value, kind) in enumerate(zip(given, signature.args)):
            if isinstance(kind, Array):
                told = f"{value.dtype} of shape {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
                if not isinstance(value, np.ndarray) or value.ndim != kind.ndim or value.dtype != dtype_of(kind):
                    raise TypeError(f"the kernel {name} takes {kind} as argument {k + 1}, not {told}.")
                if not value.flags.c_contiguous:
                    raise TypeError(f"the kernel {name} takes C-contiguous arrays; argument {k + 1} is not.")
    return refuse


def _unpacked(result: Tuple) -> Callable:
    """The tuple out of its words, which lie one behind the other."""
    floats = [leaf == "double" for leaf in result.leaves]

    def unpack(room) -> tuple:
        words = np.frombuffer(room, np.int64)
        values = iter([x if is_float else int(w) for x, w, is_float in zip(room, words, floats)])
        return shape(result, values)

    def shape(kind: Tuple, values) -> tuple:
        items = [shape(item, values) if isinstance(item, Tuple) else next(values) for item in kind.items]
        return kind.cls(*items) if kind.cls else tuple(items)
    return unpack
