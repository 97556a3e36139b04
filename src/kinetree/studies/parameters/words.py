"""The arrays of a block in one piece of memory, whose numbers can be listed, compared and replaced.

Every array of `Tables` consists of words of eight bytes. A word is a number (a float), or part of the
structure (an index, a count, a kind), or an address of this process. Models that differ in
parameters alone have equal structure, and numbers that are written in place turn the tables of one
into those of the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...kernel.tables.records import ADDRESSES, Tables

WORD = 8
_LINE = 64  # bytes: arrays begin at cache lines


class Words(NamedTuple):
    """Tables in one piece of memory: the tables, and all their words as floats."""

    tables: Tables
    numbers: np.ndarray

    @property
    def raw(self) -> np.ndarray:
        """The words as integers."""
        return self.numbers.view(np.int64)


def _size(array: np.ndarray) -> int:
    return -(-array.nbytes // _LINE) * _LINE


def own_words(tables: Tables) -> Words:
    """A copy of tables in one piece of memory that may be written."""
    memory = np.zeros(sum(map(_size, tables)) + _LINE, np.uint8)
    first = -memory.ctypes.data % _LINE
    memory, at, arrays = memory[first : first + len(memory) - _LINE], 0, {}
    for name, array in tables._asdict().items():
        arrays[name] = np.ndarray(array.shape, array.dtype, memory.data, at).view(type(array))
        arrays[name][...] = array
        at += _size(array)
    return Words(tables._replace(**arrays), memory.view(np.float64))


_KNOWN: dict[tuple[tuple[int, ...], ...], Layout] = {}


class Layout(NamedTuple):
    """What each word of tables is, the same for all models of one structure."""

    shapes: tuple[tuple[int, ...], ...]
    numbers: np.ndarray  # per word, whether it is a number
    structure: np.ndarray  # per word, whether it is part of the structure
    places: tuple[tuple[str, int], ...]  # name and first word of each array
    groups: np.ndarray  # per word, the number of its field in its row; -1 for words of no array

    @classmethod
    def of(cls, tables: Tables) -> Layout:
        """The layout of tables, in the order of `own_words`, found once for tables of one shape."""
        shapes = tuple(array.shape for array in tables)
        if shapes not in _KNOWN:
            if len(_KNOWN) > 100:
                _KNOWN.clear()
            _KNOWN[shapes] = cls._found(tables, shapes)
        return _KNOWN[shapes]

    @classmethod
    def _found(cls, tables: Tables, shapes: tuple[tuple[int, ...], ...]) -> Layout:
        numbers, structure, places, groups, at, group = [], [], [], [], 0, 0
        for name, array in tables._asdict().items():
            count = _size(array) // WORD
            number, whole = np.zeros(count, bool), np.zeros(count, bool)
            each, other, field = _kinds(array.dtype)
            used = array.size * len(each)
            number[:used], whole[:used] = np.tile(each, array.size), np.tile(other, array.size)
            if name in ADDRESSES:
                whole[:] = False
            elif array.dtype.itemsize < WORD:
                whole[:] = True  # narrow integers
            own = np.full(count, -1)
            if array.dtype.names:
                own[:used] = (field + len(each) * np.arange(array.size)[:, None]).ravel() + group
                group += used
            elif array.ndim:  # numbers of all kinds: areas beside stiffnesses
                own[:] = group + np.arange(count)
                group += count
            numbers.append(number)
            groups.append(own)
            structure.append(whole)
            places.append((name, at))
            at += count
        return cls(
            shapes,
            np.concatenate(numbers),
            np.concatenate(structure),
            tuple(places),
            np.concatenate(groups),
        )

    def name(self, tables: Tables, word: int) -> str:
        """A word in the form "links[2].mass", for messages."""
        table, first = next(one for one in reversed(self.places) if one[1] <= word)
        array, k = getattr(tables, table), word - first
        if not array.dtype.names:
            return f"{table}[{k}]"
        row, k = divmod(k, array.dtype.itemsize // WORD)
        for field in array.dtype.names:
            kind, offset = _fields(array.dtype)[field]
            if offset <= WORD * k < offset + kind.itemsize:
                within = k - offset // WORD
                return f"{table}[{row}].{field}" + (f"[{within}]" if kind.shape else "")
        return f"{table}[{row}]"


def _kinds(dtype: np.dtype) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per word of one element: whether it is a number, whether it is part of the structure, and the
    first word of its field.
    """
    count = max(1, dtype.itemsize // WORD)
    number, whole, first = np.zeros(count, bool), np.ones(count, bool), np.arange(count)
    if not dtype.names:
        number[:] = dtype.kind == "f"
        return number, ~number, first
    for field in dtype.names:
        kind, offset = _fields(dtype)[field]
        span = slice(offset // WORD, -(-(offset + kind.itemsize) // WORD))
        first[span] = offset // WORD
        if kind.base.kind == "f":
            number[span], whole[span] = True, False
        elif field == "address":
            whole[span] = False
    return number, whole, first


def _fields(dtype: np.dtype) -> dict[str, tuple[np.dtype, int]]:
    """Type and offset of each field of a record."""
    return {name: (one[0], one[1]) for name, one in (dtype.fields or {}).items()}
