"""Calling a kernel by an address held in a table: no code of the callee is linked, typed or even compiled for the caller.

    apply_force = by_address("force, t", signature)  signature() -> Numba signature, asked for when first needed
    apply_force(tables.kernels[k, 0], force, ...)    in a kernel
    address_of(spring_damper.apply, signature())     when a model is lowered: compiles the kinds present, no others

An address belongs to a process: it is never hashed or stored. With the JIT off it is the number of the function in
a list, counted from one: zero is nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types
from numba.extending import intrinsic

from .calls import BY_PARTS, bare_call
from .jit import JIT, compiled
from .values import apart

_plain: list[Callable] = []


def by_address(arguments: str, signature: Callable[[], Any]) -> Any:
    """f(address, *arguments): calls the kernel at that address, which has exactly this signature and never raises."""
    if not JIT:
        return lambda address, *values: _plain[int(address) - 1](*values)

    def answer(given: tuple):
        called = signature()
        return (called.return_type(types.int64, *called.args), None) if given == called.args else None

    scope = {"answer": answer}  # an intrinsic must have its arguments by name
    exec(f"def call(typingctx, address, {arguments}):\n    return answer(({arguments},))", scope)
    called = intrinsic(scope["call"])
    BY_PARTS[called] = lambda context, builder, kinds, values: _call(context, builder, signature(), values)
    return called


def _call(context, builder, called, values: list):
    """The bare call in Numba's convention."""
    function = context.call_conv.get_function_type(called.return_type, called.args)
    handed = [part for kind, value in zip(called.args, values[1:]) for part in apart(context, builder, kind, value)]
    answer = bare_call(builder, builder.inttoptr(values[0], function.as_pointer()), handed)
    return context.get_returned_value(builder, called.return_type, answer)


@cache
def address_of(kernel: Any, signature: Any) -> int:
    """Where a kernel lies, compiled or loaded for exactly this signature."""
    if not JIT:
        _plain.append(kernel)
        return len(_plain)
    result = compiled(kernel, signature).overloads[signature.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
