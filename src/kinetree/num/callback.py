"""Calling user code by address: kernels stay compiled and cached whatever the user plugs in.

Code is found at a pair of addresses: of the machine code, from `numba.cfunc` (fast) or from a ctypes callback around a
plain Python function (slow, but it works), and of the numbers it is given first, whatever else it is called with. Arrays
are passed as the address of their first element.
"""

import ctypes
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .jit import JIT, inline
from .private import cgutils

_LETTERS: dict[str, tuple[Any, type[ctypes.c_double] | type[ctypes.c_int64]]] = {
    "d": (types.float64, ctypes.c_double), "i": (types.int64, ctypes.c_int64)}


def _caller(result: str, arguments: str):
    """A function f(address, *arguments) calling machine code with that C signature (d double, i integer or pointer)."""
    if not JIT:
        prototype = ctypes.CFUNCTYPE(_LETTERS[result][1], *[_LETTERS[a][1] for a in arguments])
        return lambda address, *values: prototype(int(address))(*values)
    kinds = [_LETTERS[a][0] for a in arguments]

    @intrinsic
    def call(typingctx, address, values):
        signature = _LETTERS[result][0](types.int64, types.Tuple(kinds))

        def codegen(context, builder, sig, args):
            pieces = cgutils.unpack_tuple(builder, args[1], len(kinds))
            function = ir.FunctionType(context.get_value_type(sig.return_type),
                                       [context.get_value_type(k) for k in kinds])
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), pieces)

        return signature, codegen

    return call


def _by_tuple(result: str, arguments: str):
    raw = _caller(result, arguments)
    if not JIT:
        return lambda at, values: raw(at[0], int(at[1]), *values)
    return inline(lambda at, values: raw(at[0], (at[1], *values)))


call_time = _by_tuple("d", "id")  # f(t)
call_law = _by_tuple("d", "iddd")  # f(t, x, xdot)
call_wrench = _by_tuple("i", "idiiiiii")  # f(t, &a, &b, &parameters, count, &force, &torque), 0 or 1 if it raised
call_control = _by_tuple("i", "idiiiiiiiii")  # f(t, &u, nu, &x, nx, &parameters, count, &xdot, &out, no), likewise
call_tyre = _by_tuple("i", "iddddiii")  # f(load, kappa, alpha, camber, &parameters, count, &out), likewise
call_ode = _by_tuple("i", "idiii")  # f(t, &y, n, &ydot), likewise
