"""Reading and writing short vectors in one go: `load3(x)` is (x[0], x[1], x[2]), `store3(x, a)` the reverse.

As intrinsics they cost a millisecond to compile where nine subscripts of an array cost a tenth of a second.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .calls import BY_PARTS
from .jit import JIT
from .values import Tuple, parts


def loader(n: int) -> Any:
    """(x[0], .., x[n - 1])."""
    if not JIT:
        return lambda x: tuple(x[k] for k in range(n))

    @intrinsic
    def load(typingctx, x):
        return types.UniTuple(types.float64, n)(x), None

    def read(context, builder, kinds, values) -> Tuple:
        data = parts(builder, kinds[0], values[0]).data
        return Tuple([builder.load(_at(builder, data, k)) for k in range(n)])

    BY_PARTS[load] = read
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
        return types.void(x, a), None

    def write(context, builder, kinds, values) -> None:
        x, a = (parts(builder, kind, value) for kind, value in zip(kinds, values))
        for k in range(n):
            at, value = _at(builder, x.data, k), a.items[k]
            builder.store(builder.fadd(builder.load(at), value, flags=["contract"]) if add else value, at)

    BY_PARTS[store] = write
    return store


def _at(builder, data, k: int):
    return builder.gep(data, [ir.Constant(ir.IntType(64), k)], inbounds=True)
