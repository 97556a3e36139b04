"""What the lowering of kernels (lowering.py) knows of a value before a single instruction is written for it.

Numba has one value of LLVM for an array, of seven parts, and puts it together and takes it apart wherever it goes. Here arrays,
tuples and ranges stay a handful of values until something needs them whole (`whole`); most never do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import count, islice
from typing import Any, NamedTuple

from llvmlite import ir as llvm

from .private import cgutils, types

WORD = cgutils.intp_t
_NOWHERE, _FAR = cgutils.voidptr_t(None), 2 ** 63 - 1
_DATA, _SHAPE, _STRIDES = 4, 5, 6  # where they lie in the value of an array; before them owner, parent, count, size of an item


class Array(NamedTuple):
    """A C-contiguous array that owns nothing."""

    data: Any
    shape: list


class Tuple(NamedTuple):
    """A tuple whose items are values, or again known by their parts."""

    items: list


class Packed(NamedTuple):
    """What a piece has answered, all parts one after the other in a value of LLVM."""

    kind: types.Type
    value: Any
    known: dict  # its parts, by the block of instructions that has taken them out


class Slice(NamedTuple):
    """From (None: the beginning) until (None: the end), in steps of one."""

    start: Any
    stop: Any


class Counting(NamedTuple):
    """A range, or its iterator: then `start` is the place on the stack where the next number lies."""

    start: Any
    stop: Any
    step: Any


class Pair(NamedTuple):
    """What an iterator answers: the next item, and whether there is one."""

    first: Any
    second: Any


def slot(builder, kind):
    """A place on the stack, without anything in it."""
    with builder.goto_entry_block():
        return builder.alloca(kind)


def constant(value) -> int | None:
    """The number that an integer is known to be."""
    return value.constant if isinstance(value, llvm.Constant) and isinstance(value.constant, int) else None


def product(builder, factors: list):
    """Of sizes; what is one is left out."""
    factors = [factor for factor in factors if constant(factor) != 1]
    return reduce(lambda a, b: builder.mul(a, b, flags=["nsw"]), factors) if factors else WORD(1)


def parts(builder, kind, value):
    """A value by its parts, where they serve: contiguous arrays and tuples."""
    if isinstance(value, Packed):
        if builder.block not in value.known:
            value.known[builder.block] = _taken_out(builder, value)
        return value.known[builder.block]
    if isinstance(value, tuple):
        return value
    if isinstance(kind, types.Array) and kind.layout == "C":
        return Array(builder.extract_value(value, _DATA), [builder.extract_value(value, [_SHAPE, k]) for k in range(kind.ndim)])
    if isinstance(kind, types.BaseTuple):
        return Tuple([builder.extract_value(value, k) for k in range(len(kind))])
    return value


def whole(context, builder, kind, value):
    """The value of LLVM that Numba has for it."""
    value = parts(builder, kind, value) if isinstance(value, Packed) else value
    if isinstance(value, Array):
        return _struct(builder, context.get_value_type(kind), _fields(context, builder, kind, value))
    if isinstance(value, Tuple):
        return context.make_tuple(builder, kind, [whole(context, builder, k, item) for k, item in zip(kind, value.items)])
    if isinstance(value, Slice):
        bounds = [WORD(usual) if given is None else given for given, usual in zip(value, (0, _FAR))]
        return _struct(builder, context.get_value_type(kind), [*bounds, WORD(1)])
    if isinstance(value, (Counting, Pair)):
        raise NotImplementedError("a range that is not the range of one loop")
    return value


def _struct(builder, kind, fields: list):
    """A value of LLVM of fields, some of which are rows of values."""
    value = kind(llvm.Undefined)
    for k, field in enumerate(fields):
        for place, part in [([k, n], f) for n, f in enumerate(field)] if isinstance(field, list) else [(k, field)]:
            value = builder.insert_value(value, part, place)
    return value


def _fields(context, builder, kind, array: Array) -> list:
    """Owner, parent, count, size of an item, data, shape and strides: as Numba has an array."""
    size = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [product(builder, [size, *array.shape[k + 1:]]) for k in range(kind.ndim)]
    return [_NOWHERE, _NOWHERE, product(builder, array.shape), size, array.data, array.shape, strides]


def apart(context, builder, kind, value) -> list:
    """A value as Numba hands it to a function: arrays field by field."""
    if isinstance(value, Array):
        fields = _fields(context, builder, kind, value)
        return [*fields[:_SHAPE], *fields[_SHAPE], *fields[_STRIDES]]
    return context.get_arg_packer([kind]).as_arguments(builder, [whole(context, builder, kind, value)])


def together(context, builder, kind, given: Iterator):
    """The value again."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        fields = list(islice(given, _SHAPE + 2 * kind.ndim))
        return Array(fields[_DATA], fields[_SHAPE: _SHAPE + kind.ndim])
    packer = context.get_arg_packer([kind])
    return packer.from_arguments(builder, list(islice(given, len(packer.argument_types))))[0]


def flat(context, kind) -> list:
    """The types of LLVM that a value of this type is handed over in."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        return [context.get_data_type(kind.dtype).as_pointer(), *[WORD] * kind.ndim]
    if isinstance(kind, types.BaseTuple):
        return [part for item in kind for part in flat(context, item)]
    return [context.get_value_type(kind)]


def flattened(builder, kind, value) -> list:
    """The values that it is handed over in."""
    value = parts(builder, kind, value)
    if isinstance(value, Array):
        return [value.data, *value.shape]
    if isinstance(value, Tuple):
        return [part for k, item in zip(kind, value.items) for part in flattened(builder, k, item)]
    return [value]


def packed_type(context, kind):
    """The type of LLVM in which a piece answers."""
    given = flat(context, kind)
    return given[0] if len(given) == 1 else llvm.LiteralStructType(given)


def packed(context, builder, kind, value):
    """What a piece answers."""
    if isinstance(value, Packed) and value.kind == kind:
        return value.value
    given = flattened(builder, kind, value)
    return given[0] if len(given) == 1 else _struct(builder, packed_type(context, kind), given)


def answered(kind, value):
    """What a piece has answered."""
    return Packed(kind, value, {}) if isinstance(kind, (types.Array, types.BaseTuple)) else value


def _taken_out(builder, answer: Packed):
    if not isinstance(answer.value.type, llvm.LiteralStructType):
        return gathered(answer.kind, lambda: answer.value)
    given = count()
    return gathered(answer.kind, lambda: builder.extract_value(answer.value, next(given)))


def gathered(kind, take: Callable[[], Any]):
    """The value again, of the next ones handed over."""
    if isinstance(kind, types.Array) and kind.layout == "C":
        return Array(take(), [take() for _ in range(kind.ndim)])
    if isinstance(kind, types.BaseTuple):
        return Tuple([gathered(item, take) for item in kind])
    return take()


def counted(builder, index, size):
    """A subscript from the front: a negative one counts from the end."""
    known = constant(index)
    if known is not None:
        return builder.add(size, index) if known < 0 else index
    return builder.select(builder.icmp_signed("<", index, index.type(0)), builder.add(index, size), index)


def element(builder, array: Array, at: list):
    """Where A[i, j, ..] begins."""
    at = [counted(builder, index, size) for index, size in zip(at, array.shape)]
    place = at[0]
    for index, size in zip(at[1:], array.shape[1:]):
        place = builder.add(builder.mul(place, size), index)
    return builder.gep(array.data, [product(builder, [place, *array.shape[len(at):]])], inbounds=True)


def sliced(builder, array: Array, part: Slice) -> Array:
    """x[a:b] of a vector: bounds beyond its ends are its ends, as in Python."""
    start, stop = (_bound(builder, bound, array.shape[0]) for bound in part)
    if part.start is None:
        return Array(array.data, [array.shape[0] if part.stop is None else stop])
    length = builder.sub(array.shape[0] if part.stop is None else stop, start, flags=["nsw"])
    length = builder.select(builder.icmp_signed("<", length, WORD(0)), WORD(0), length)
    return Array(builder.gep(array.data, [start], inbounds=True), [length])


def _bound(builder, bound, size):
    if bound is None:
        return None
    bound = counted(builder, bound, size)
    if constant(bound) is None:
        bound = builder.select(builder.icmp_signed("<", bound, WORD(0)), WORD(0), bound)
    return builder.select(builder.icmp_signed("<", size, bound), size, bound)
