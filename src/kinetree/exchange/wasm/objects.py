"""Reader of the relocatable WebAssembly objects that LLVM writes.

An object is a module with two more sections: `linking` names its functions and data, `reloc.*` lists
the places in code and data that contain their final indices and addresses.
[WebAssembly tool conventions, Linking.md]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, CODE, DATA = 0, 1, 2, 3, 10, 11
# kinds of relocations
(FUNCTION_INDEX, TABLE_INDEX, MEMORY_LEB, MEMORY_SLEB, MEMORY_I32, TYPE_INDEX, GLOBAL_INDEX) = (
    *(0, 1, 3, 4, 5, 6, 7),
)
_WITH_ADDEND = {MEMORY_LEB, MEMORY_SLEB, MEMORY_I32}
_KNOWN = {FUNCTION_INDEX, *_WITH_ADDEND, TYPE_INDEX, GLOBAL_INDEX}
_UNDEFINED, _LOCAL, _NAMED = 0x10, 0x02, 0x40
_SEGMENTS, _SYMBOLS = 5, 8  # parts of the section `linking`
_OF_FUNCTION, _OF_DATA, _OF_GLOBAL, _OF_SECTION, _OF_TABLE = 0, 1, 2, 3, 5


class ObjectError(ValueError):
    """An object that LLVM wrote has a part that the linker does not know."""


class Symbol(NamedTuple):
    """A function or a piece of data by its name; `at` is its index, or (segment, offset)."""

    name: str
    kind: int
    at: int | tuple[int, int]
    defined: bool
    local: bool


class Relocation(NamedTuple):
    """A place, counted from the start of its function or segment, and what belongs there."""

    kind: int
    at: int
    what: int  # index of a symbol, or of a type
    addend: int


class Piece(NamedTuple):
    """A function or a segment of data with its relocations."""

    content: bytes
    relocations: tuple[Relocation, ...]
    kind: int = 0  # of a function: index of its type
    align: int = 0  # of a segment: power of two


@dataclass
class ObjectFile:
    """Functions, data and symbols of one object."""

    types: list[bytes] = field(default_factory=list)
    imported: list[str] = field(default_factory=list)  # functions, which have the first indices
    functions: list[Piece] = field(default_factory=list)
    segments: list[Piece] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)


class Cursor:
    """Reads numbers, names and bytes one after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def number(self) -> int:
        """An unsigned LEB128 number."""
        return self._number()[0]

    def signed(self) -> int:
        """A signed LEB128 number."""
        value, bits, last = self._number()
        return value - (1 << bits) if last & 0x40 else value

    def _number(self) -> tuple[int, int, int]:
        """A number of seven bits per byte, how many bits it has, and its last byte."""
        value, bits, byte = 0, 0, 0x80
        while byte >= 0x80:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << bits
            bits += 7
        return value, bits, byte

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode("utf-8")

    @property
    def more(self) -> bool:
        return self.at < len(self.data)


def read_object(data: bytes) -> ObjectFile:
    """The functions, the data and the symbols of an object."""
    if data[:8] != MAGIC:
        raise ObjectError("this is not a WebAssembly object")
    found, kinds, code, segments = ObjectFile(), list[int](), b"", b""
    aligned, moves = list[int](), dict[str, list[Relocation]]()
    cursor = Cursor(data, 8)
    while cursor.more:
        number = cursor.take(1)[0]
        section = Cursor(cursor.take(cursor.number()))
        if number == TYPE:
            found.types = [_function_type(section) for _ in range(section.number())]
        elif number == IMPORT:
            names = [_imported(section) for _ in range(section.number())]
            found.imported = [name for name in names if name is not None]
        elif number == FUNCTION:
            kinds = [section.number() for _ in range(section.number())]
        elif number == CODE:
            code = section.data
        elif number == DATA:
            segments = section.data
        elif number == CUSTOM:
            name = section.name()
            if name == "linking":
                aligned = _linking(section, found)
            elif name in ("reloc.CODE", "reloc.DATA"):
                moves[name] = _relocations(section)
    found.functions = [
        Piece(*_within(code, a, b, moves.get("reloc.CODE", [])), kind)
        for (a, b), kind in zip(_bodies(code), kinds)
    ]
    found.segments = [
        Piece(*_within(segments, a, b, moves.get("reloc.DATA", [])), 0, align)
        for (a, b), align in zip(_spans(segments), aligned)
    ]
    return found


def _function_type(section: Cursor) -> bytes:
    """The bytes of a type: arguments, then results."""
    start = section.at
    section.take(1)
    for _ in range(2):
        section.take(section.number())
    return section.data[start : section.at]


def _imported(section: Cursor) -> str | None:
    """Read an import; its name if it is a function."""
    section.name()
    name = section.name()
    kind = section.take(1)[0]
    if kind in (1, 2):  # a table has the type of its elements before its limits
        section.take(kind == 1)
        flags = section.number()
        section.number()
        if flags & 1:
            section.number()
    else:
        section.take(2) if kind == 3 else section.number()
    return None if kind else name


def _linking(section: Cursor, found: ObjectFile) -> list[int]:
    """Read the symbols; returns the alignments of the segments."""
    aligned: list[int] = []
    section.number()  # version
    while section.more:
        kind = section.take(1)[0]
        part = Cursor(section.take(section.number()))
        if kind == _SEGMENTS:
            for _ in range(part.number()):
                part.name()
                aligned.append(part.number())
                part.number()
        elif kind == _SYMBOLS:
            found.symbols = [_symbol(part) for _ in range(part.number())]
    return aligned


def _symbol(part: Cursor) -> Symbol:
    kind, flags = part.take(1)[0], part.number()
    defined, name = not flags & _UNDEFINED, ""
    at: int | tuple[int, int] = 0
    if kind == _OF_DATA:
        name = part.name()
        if defined:
            at = part.number(), part.number()
            part.number()
    elif kind == _OF_SECTION:
        at = part.number()
    elif kind in (_OF_FUNCTION, _OF_GLOBAL, _OF_TABLE):
        at = part.number()
        if defined or flags & _NAMED:
            name = part.name()
    else:
        raise ObjectError(f"symbols of kind {kind} are not known")
    return Symbol(name, kind, at, defined, bool(flags & _LOCAL))


def _relocations(section: Cursor) -> list[Relocation]:
    section.number()  # of the section
    found = []
    for _ in range(section.number()):
        kind, at, index = section.number(), section.number(), section.number()
        if kind not in _KNOWN:
            raise ObjectError(f"relocations of kind {kind} are not known")
        found.append(Relocation(kind, at, index, section.signed() if kind in _WITH_ADDEND else 0))
    return found


def _bodies(code: bytes) -> list[tuple[int, int]]:
    """Start and end of each function in the section of code."""
    cursor, found = Cursor(code), []
    for _ in range(cursor.number() if code else 0):
        size = cursor.number()
        found.append((cursor.at, cursor.at + size))
        cursor.at += size
    return found


def _spans(data: bytes) -> list[tuple[int, int]]:
    """Start and end of the bytes of each segment of data."""
    cursor, found = Cursor(data), []
    for _ in range(cursor.number() if data else 0):
        cursor.number()  # active, in memory 0
        cursor.take(1)
        cursor.signed()
        cursor.take(1)
        size = cursor.number()
        found.append((cursor.at, cursor.at + size))
        cursor.at += size
    return found


def _within(
    data: bytes, start: int, end: int, moves: list[Relocation]
) -> tuple[bytes, tuple[Relocation, ...]]:
    """A part of a section, with the relocations in it."""
    own = (m._replace(at=m.at - start) for m in moves if start <= m.at < end)
    return data[start:end], tuple(own)
