"""Reading and writing short vectors in one go: `load3(x)` is (x[0], x[1], x[2]), `store3(x, a)` the reverse.

As intrinsics they cost a millisecond to compile where nine subscripts of an array cost a tenth of a second.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from .jit import JIT


def loader(n: int) -> Any:
    """(x[0], .., x[n - 1])."""
    if not JIT:
        return lambda x: tuple(x[k] for k in range(n))

    @intrinsic
    def load(typingctx, x):
        def codegen(context, builder, sig, args):
            data = make_array(sig.args[0])(context, builder, args[0]).data
            return cgutils.pack_array(builder, [builder.load(_at(builder, data, k)) for k in range(n)])

        return types.UniTuple(types.float64, n)(x), codegen

    return load


def storer(n: int, add: bool = False) -> Any:
    """x[k] = a[k], or x[k] += a[k], for k < n."""
    if not JIT:
        def plain(x, a) -> None:
            for k in range(n):
                x[k] = x[k] + a[k] if add else a[k]
        return plain

    @intrinsic
    def store(typingctx, x, a):
        def codegen(context, builder, sig, args):
            data = make_array(sig.args[0])(context, builder, args[0]).data
            for k in range(n):
                at, value = _at(builder, data, k), builder.extract_value(args[1], k)
                builder.store(builder.fadd(builder.load(at), value, flags=["contract"]) if add else value, at)
            return context.get_dummy_value()

        return types.void(x, a), codegen

    return store


def _at(builder, data, k: int):
    return builder.gep(data, [ir.Constant(ir.IntType(64), k)], inbounds=True)
