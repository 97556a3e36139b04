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
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import JIT, compiled

_plain: list[Callable] = []


def by_address(arguments: str, signature: Callable[[], Any]) -> Any:
    """f(address, *arguments): calls the kernel at that address, which has exactly this signature and never raises."""
    if not JIT:
        return lambda address, *values: _plain[int(address) - 1](*values)

    def answer(given: tuple):
        called = signature()
        return (called.return_type(types.int64, *called.args), _call(called)) if given == called.args else None

    scope = {"answer": answer}  # an intrinsic must have its arguments by name
    exec(f"def call(typingctx, address, {arguments}):\n    return answer(({arguments},))", scope)
    return intrinsic(scope["call"])


def _call(called):
    """The bare call in Numba's convention, without its test for errors."""

    def codegen(context, builder, sig, args):
        function = context.call_conv.get_function_type(called.return_type, called.args)
        result, reason = (cgutils.alloca_once(builder, kind.pointee) for kind in function.args[:2])
        values = context.get_arg_packer(called.args).as_arguments(builder, args[1:])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [result, reason, *values])
        return context.get_returned_value(builder, called.return_type, builder.load(result))

    return codegen


@cache
def address_of(kernel: Any, signature: Any) -> int:
    """Where a kernel lies, compiled or loaded for exactly this signature."""
    if not JIT:
        _plain.append(kernel)
        return len(_plain)
    result = compiled(kernel, signature).overloads[signature.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
