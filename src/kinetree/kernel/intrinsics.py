"""Calls in kernels that Python does not have: kernels and user code at an address, short vectors
read and written at once, instructions of LLVM.

    apply_force = by_address("force, t", signature)  `signature()` is evaluated at the first use
    apply_force(tables.kernels[k, 0], force, ...)    in a kernel
    address_of(spring_damper.apply, signature())     in Python, when a model is lowered

A call by address links, types and compiles no code of the callee for the caller, so kernels stay
the same whatever the user adds. An address is valid in one process: it is never hashed or stored.
In plain Python it is the index of the function in a list, counted from one; zero is no function.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from .language import JIT
from .types import Block, Scalar, Signature

_C_TYPES: dict[str, Any] = {"d": ctypes.c_double, "i": ctypes.c_int64}
_plain_functions: list[Callable] = []
KERNELS_AT: dict[int, tuple[Any, Signature]] = {}  # kernels whose address was taken


class Intrinsic:
    """A call that the compiler translates itself; kernels call its instances like functions."""


class Instruction(Intrinsic):
    """An LLVM instruction as a function of numbers; `plain` is the same function in Python."""

    def __init__(
        self, text: str, result: Scalar, args: tuple[Scalar, ...], plain: Callable
    ) -> None:
        self.text, self.result, self.args, self.plain = text, result, args, plain

    def __call__(self, *args: Any) -> Any:
        return self.plain(*args)


class ByAddress(Intrinsic):
    """f(address, *arguments): call the kernel of this signature at an address."""

    def __init__(self, signature: Callable[[], Signature]) -> None:
        self.signature = signature


class Loader(Intrinsic):
    """f(x): (x[0], .., x[n - 1])."""

    def __init__(self, n: int) -> None:
        self.n = n


class Storer(Intrinsic):
    """f(x, a): x[k] = a[k], or x[k] += a[k], for k < n."""

    def __init__(self, n: int, add: bool) -> None:
        self.n, self.add = n, add


class Opened(Intrinsic):
    """f(row): the block that is described by this row of integers."""

    def __init__(self, kind: Callable[[], Block]) -> None:
        self.kind = kind


class CarriesDerivatives(Intrinsic):
    """f(): whether the kernel is compiled with dual numbers (compiler/tangents.py)."""

    def __call__(self) -> bool:
        return False


carries_derivatives = CarriesDerivatives()


class Callback(Intrinsic):
    """f((address, numbers), arguments): call C code; d is a double, i an integer or pointer."""

    def __init__(self, result: str, arguments: str) -> None:
        self.result, self.arguments = result, arguments


class Method(NamedTuple):
    """The attribute `reshape` or `ctypes` of an array, until it is called or read further."""

    name: str
    value: Any


def by_address(arguments: str, signature: Callable[[], Signature]) -> Any:
    """Function f(address, *arguments) that calls the kernel of this signature at an address."""
    if not JIT:
        return lambda address, *values: _plain_functions[int(address) - 1](*values)
    return ByAddress(signature)


@cache
def address_of(kernel: Any, signature: Signature) -> int:
    """Address of a kernel, found or compiled for exactly this signature."""
    if not JIT:
        _plain_functions.append(kernel)
        return len(_plain_functions)
    address = kernel.address_for(signature)
    KERNELS_AT[address] = kernel, signature
    return address


def loader(n: int) -> Any:
    """Function f(x) that returns (x[0], .., x[n - 1])."""
    return Loader(n) if JIT else lambda x: tuple(x[k] for k in range(n))


def storer(n: int, add: bool = False) -> Any:
    """Function f(x, a) that sets x[k] = a[k], or x[k] += a[k], for k < n."""

    def plain(x, a) -> None:
        for k in range(n):
            x[k] = x[k] + a[k] if add else a[k]

    return Storer(n, add) if JIT else plain


def _caller(result: str, arguments: str) -> Any:
    """Function f((address, numbers), arguments) with this C signature: d double, i integer or
    pointer.

    User code has two addresses: one of its machine code, or of a ctypes callback around a plain
    Python function, and one of the numbers that are its first argument. Arrays are passed as the
    address of their first element.
    """
    if JIT:
        return Callback(result, arguments)
    prototype = ctypes.CFUNCTYPE(_C_TYPES[result], *[_C_TYPES[a] for a in arguments])
    return lambda at, values: prototype(int(at[0]))(int(at[1]), *values)


# The calls that return an integer return 0, or 1 if the user code raised an exception.
call_time = _caller("d", "id")  # f(t)
call_law = _caller("d", "iddd")  # f(t, x, xdot)
# f(t, &a, &b, &parameters, count, &force, &torque)
call_wrench = _caller("i", "idiiiiii")
# f(t, &u, nu, &x, nx, &parameters, count, &xdot, &out, no)
call_control = _caller("i", "idiiiiiiiii")
# f(load, kappa, alpha, camber, &parameters, count, &out)
call_tyre = _caller("i", "iddddiii")
call_ode = _caller("i", "idiii")  # f(t, &y, n, &ydot)
