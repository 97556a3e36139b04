"""Calling a kernel by an address held in a table: no code of the callee is linked, typed or even
compiled for the caller.

    apply_force = by_address("force, t", signature)  signature() is asked for when it is first
                                                     needed
    apply_force(tables.kernels[k, 0], force, ...)    in a kernel
    address_of(spring_damper.apply, signature())     when a model is lowered

An address belongs to a process: it is never hashed or stored. In plain Python it is the number of
the function in a list, counted from one: zero is nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .decorators import JIT
from .language import ByAddress
from .types import Signature

_plain: list[Callable] = []


def by_address(arguments: str, signature: Callable[[], Signature]) -> Any:
    """f(address, *arguments): calls the kernel at that address, which has exactly this signature
    and never raises.
    """
    if not JIT:
        return lambda address, *values: _plain[int(address) - 1](*values)
    return ByAddress(signature)


@cache
def address_of(kernel: Any, signature: Signature) -> int:
    """Where a kernel lies, found or compiled for exactly this signature."""
    if not JIT:
        _plain.append(kernel)
        return len(_plain)
    return kernel.address_for(signature)
