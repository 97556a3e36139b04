"""Named tuples of arrays that kernels receive as one pointer.

    @block
    class Work(NamedTuple):
        bodies: np.ndarray
        ...

In Python, and with the JIT off, `Work` stays a named tuple. A kernel gets the address of a row of integers, for each array
where it lies and its shape; `work.bodies` loads them. Arrays are C-contiguous, so strides follow from the shape. The row never
changes while the tuple lives, which the loads say (`invariant.load`): LLVM may keep or repeat them at will. The tuple keeps its
arrays and its row alive; nothing is counted, boxed or freed in compiled code. A call that hands over 44 arrays costs 75 ns
and 20 ms to compile; with one pointer 5 ns and 3 ms.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import make_array

_WORD = ir.IntType(64)


class BlockType(types.Type):
    """Its name is short, because every symbol of every kernel contains it."""

    def __init__(self, name: str, fields: tuple[tuple[str, types.Array], ...]) -> None:
        self.fields, self.first, at = dict(fields), {}, 0
        for field, array in fields:
            self.first[field] = at
            at += 1 + array.ndim
        self._identity = (name, fields)
        super().__init__(name=name)

    @property
    def key(self):
        return self._identity


@register_model(BlockType)
class _BlockModel(models.OpaqueModel):
    """An address."""


@infer_getattr
class _BlockAttributes(AttributeTemplate):
    key = BlockType

    def generic_resolve(self, block, name):
        return block.fields.get(name)


def _word(builder, row, k: int):
    load = builder.load(builder.gep(row, [ir.Constant(_WORD, k)], inbounds=True))
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


def _product(builder, factors: list):
    total = factors[0]
    for factor in factors[1:]:
        total = builder.mul(total, factor, flags=["nsw"])
    return total


@lower_getattr_generic(BlockType)
def _array(context, builder, block, value, name):
    """The array of a field: address and shape from memory, the rest computed."""
    kind, first = block.fields[name], block.first[name]
    row, array = builder.bitcast(value, _WORD.as_pointer()), make_array(kind)(context, builder)
    itemsize = ir.Constant(_WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    shape = [_word(builder, row, first + 1 + k) for k in range(kind.ndim)]
    strides = [_product(builder, [itemsize, *shape[:k:-1]]) for k in range(kind.ndim)]
    array.data = builder.inttoptr(_word(builder, row, first), array.data.type)
    array.shape, array.strides = cgutils.pack_array(builder, shape), cgutils.pack_array(builder, strides)
    array.nitems, array.itemsize = _product(builder, shape), itemsize
    array.meminfo, array.parent = array.meminfo.type(None), array.parent.type(None)
    return array._getvalue()


@unbox(BlockType)
def _unbox(block, obj, c):
    number = c.pyapi.object_getattr_string(obj, "_address")
    address = c.pyapi.number_as_ssize_t(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, c.context.get_value_type(block)),
                       is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


def _row(values) -> np.ndarray:
    """Address and shape of every array."""
    row: list[int] = []
    for array in values:
        if not array.flags.c_contiguous:
            raise ValueError("arrays of a block must be C-contiguous")
        row += [array.ctypes.data, *array.shape]
    return np.array(row, np.int64)


def block(cls: Any) -> Any:
    """Instances of the named tuple `cls` enter kernels as one pointer."""

    def _address(self) -> int:
        if "_row" not in self.__dict__:  # made when first wanted: `_replace` knows no `__new__`
            self.__dict__["_row"] = row = _row(self)
            self.__dict__["_at"] = row.ctypes.data
        return self.__dict__["_at"]

    made = type(cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": cls.__module__, "__qualname__": cls.__qualname__,
                                       "_address": property(_address)})

    @typeof_impl.register(made)
    def typeof_block(value, context):
        fields = tuple((name, typeof_impl(array, context).copy(layout="C", readonly=False))
                       for name, array in zip(cls._fields, value))
        return BlockType(cls.__name__, fields)

    return made
