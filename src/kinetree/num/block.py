"""Named tuples of arrays that kernels receive as one pointer.

    @block
    class Work(NamedTuple):
        bodies: np.ndarray
        ...

In Python, and with the JIT off, `Work` reads as the named tuple. A kernel gets the address of a row of integers, for each array
where it lies and its shape; `work.bodies` loads them. Arrays are C-contiguous, so strides follow from the shape. The row never
changes while the block lives, which the loads say (`invariant.load`): LLVM may keep or repeat them at will. The block keeps its
arrays and its row alive; nothing is counted, boxed or freed in compiled code. A call that hands over 44 arrays costs 75 ns
and 20 ms to compile; with one pointer 5 ns and 3 ms.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.extending import NativeValue, infer_getattr, intrinsic, models, register_model, unbox

from .calls import BY_PARTS
from .private import AttributeTemplate, cgutils
from .values import Array, parts

_WORD = ir.IntType(64)


class BlockType(types.Type):
    """Its name is short, because every symbol of every kernel contains it."""

    def __init__(self, name: str, fields: tuple[tuple[str, types.Array], ...]) -> None:
        self.fields, self.first, at = dict(fields), {}, 0
        for field, array in fields:
            self.first[field] = at
            at += 1 + array.ndim
        self.size = at  # words of a row
        self.shapes = {field: (array.ndim, isinstance(array.dtype, types.Record)) for field, array in fields}
        self._identity = (name, fields)
        super().__init__(name=name)

    @property
    def key(self):
        return self._identity

    def field(self, context, builder, block, name: str) -> Array:
        """The array of a field, as kernels have it: address and shape from memory."""
        kind, first = self.fields[name], self.first[name]
        row = builder.bitcast(block, _WORD.as_pointer())
        data = builder.inttoptr(_word(builder, row, first), context.get_data_type(kind.dtype).as_pointer())
        return Array(data, [_word(builder, row, first + 1 + k) for k in range(kind.ndim)])

    def __hash__(self) -> int:
        """Of the name alone: Numba asks for it 100,000 times."""
        return hash(self.name)


@register_model(BlockType)
class _BlockModel(models.OpaqueModel):
    """An address."""


def _word(builder, row, k: int):
    load = builder.load(builder.gep(row, [ir.Constant(_WORD, k)], inbounds=True))
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


@infer_getattr
class _BlockAttributes(AttributeTemplate):
    key = BlockType

    def generic_resolve(self, block, name):
        return block.fields.get(name)


@unbox(BlockType)
def _unbox(block, obj, c):
    number = c.pyapi.object_getattr_string(obj, "_address")
    address = c.pyapi.number_as_ssize_t(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, c.context.get_value_type(block)),
                       is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


_word_at, _HEAD = ctypes.c_void_p.from_address, object.__basicsize__


def _peek(array: np.ndarray) -> int:
    """Where the numbers of an array lie: the first field behind the head of the object, in NumPy's C interface."""
    return _word_at(id(array) + _HEAD).value or 0


_EXAMPLE = np.zeros(1)
address_of_numbers = _peek if _peek(_EXAMPLE) == _EXAMPLE.ctypes.data else (lambda array: array.ctypes.data)  # 30 times slower


def _write(kind: BlockType, arrays: dict[str, np.ndarray], row: np.ndarray) -> None:
    """Address and shape of each array, which must be what the type says, into the row."""
    words, first, shapes = row.data, kind.first, kind.shapes  # which takes numbers one by one six times as fast
    for name, array in arrays.items():
        if (array.ndim, array.dtype.names is not None) != shapes[name]:
            raise TypeError(f"{name}: {array.ndim} dimensions of {array.dtype}, where {kind} has {kind.fields[name]}")
        if not array.flags.c_contiguous:
            raise ValueError(f"{name}: arrays of a block must be C-contiguous")
        k = first[name]
        words[k] = address_of_numbers(array)
        for size in array.shape:
            k += 1
            words[k] = size


class Block:
    """Arrays by name, as a named tuple has them, but no tuple: Numba would look at every array at every call from Python.

    What it finds instead is the type of all instances, taken from the first, and the address of the row.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _numba_type_: ClassVar[BlockType]

    def __init__(self, *values, **named) -> None:
        self.__dict__.update(zip(self._fields, values, strict=False), **named)
        if len(values) + len(named) != len(self._fields) or set(self.__dict__) != set(self._fields):
            raise TypeError(f"{type(self).__name__} has the arrays {', '.join(self._fields)}")

    def __setattr__(self, name: str, value) -> None:
        raise AttributeError(f"{type(self).__name__} keeps its arrays; _replace gives another one")

    def __getattr__(self, name: str):
        if name in ("_address", "_row"):
            row = np.zeros(self._numba_type_.size, np.int64)
            _write(self._numba_type_, self._asdict(), row)
            self._keep(row)
        elif name == "_numba_type_":
            fields = tuple((field, typeof(array).copy(layout="C", readonly=False)) for field, array in self._asdict().items())
            type(self)._numba_type_ = BlockType(type(self).__name__, fields)
        else:
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return getattr(self, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self._fields)}>"

    def __iter__(self) -> Iterator[np.ndarray]:
        return map(self.__dict__.__getitem__, self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __reduce__(self):
        return type(self), tuple(self)  # addresses stay behind

    def _asdict(self) -> dict[str, np.ndarray]:
        return dict(zip(self._fields, self))

    def _replace(self, **changed):
        """Another one with some other arrays; of a row that is known the rest is taken over."""
        if not changed.keys() <= self.__dict__.keys():
            raise TypeError(f"{type(self).__name__} has the arrays {', '.join(self._fields)}")
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changed)
        if "_row" in self.__dict__:
            row = self._row.copy()
            _write(self._numba_type_, changed, row)
            other._keep(row)
        return other

    def _keep(self, row: np.ndarray) -> None:
        """The row that kernels read stays alive as long as the block."""
        self.__dict__.update(_row=row, _address=address_of_numbers(row))


def opened(kind: Callable[[], BlockType]) -> Any:
    """f(row) in a kernel: the block whose row of integers it is."""
    @intrinsic
    def from_row(typingctx, row):
        return kind()(row), None

    BY_PARTS[from_row] = lambda context, builder, kinds, values: builder.bitcast(
        parts(builder, kinds[0], values[0]).data, cgutils.voidptr_t)
    return from_row


def block(cls: Any) -> Any:
    """Instances of the named tuple `cls` enter kernels as one pointer."""
    own = {name: getattr(cls, name) for name in ("__doc__", "__module__", "__qualname__", "_fields")}
    if cls.__repr__.__module__ == cls.__module__:  # not that of all named tuples
        own["__repr__"] = cls.__repr__
    return type(cls.__name__, (Block,), own)
