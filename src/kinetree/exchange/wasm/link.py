"""A small linker: relocatable objects to one WebAssembly module.

Only functions that the roots reach are linked. Objects have copies of the elementary functions that
they call; functions and constants with the same content are linked once. Memory begins with the
constants; the stack follows and grows down towards them; the rest, from `Linked.free` on, is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .objects import (
    FUNCTION_INDEX,
    GLOBAL_INDEX,
    MAGIC,
    MEMORY_I32,
    MEMORY_LEB,
    MEMORY_SLEB,
    TYPE_INDEX,
    ObjectError,
    ObjectFile,
    Piece,
    Relocation,
)

FIRST, STACK, PAGE = 1024, 1 << 18, 1 << 16  # bytes
_FUNCTION, _TABLE, _MEMORY = b"\x00", b"\x01", b"\x02"  # kinds of exports


class Linked(NamedTuple):
    """A module, and the first byte of its memory that is free."""

    code: bytes
    free: int


class Place(NamedTuple):
    """A function of an object."""

    file: int
    function: int


def link(
    files: Sequence[ObjectFile], exports: Mapping[str, str], table: Sequence[str] = ()
) -> Linked:
    """Link objects.

    exports   symbols of the functions that are called from outside, by the names they get there
    table     symbols of the functions that are called by address; their addresses are 1, 2, ...
    """
    return _Linker(files).link(exports, table)


class _Linker:
    def __init__(self, files: Sequence[ObjectFile]) -> None:
        self.files = files
        self.defined = {
            s.name: Place(n, int(s.at) - len(file.imported))  # type: ignore[arg-type]
            for n, file in enumerate(files)
            for s in file.symbols
            if s.kind == 0 and s.defined and not s.local
        }
        self.types: dict[bytes, int] = {}
        self.index: dict[Place, int] = {}  # of functions in the module
        self.known: dict[tuple, int] = {}  # functions by content
        self.bodies: list[Place] = []
        self.data = bytearray()
        self.constants: dict[tuple[bytes, int], int] = {}  # addresses by content

    def link(self, exports: Mapping[str, str], table: Sequence[str]) -> Linked:
        indices = {name: self.function(self._place(symbol)) for name, symbol in exports.items()}
        elements = [self.function(self._place(symbol)) for symbol in table]
        bodies = [self._body(place) for place in self.bodies]
        free = FIRST + len(self.data) + STACK
        free += -free % 64
        pages = -(-free // PAGE)
        kinds = [self._type(place) for place in self.bodies]  # also completes the types
        sections = [
            (1, _vector(self.types)),
            (3, _vector(unsigned(kind) for kind in kinds)),
            (4, _vector([b"\x70\x00" + unsigned(len(table) + 1)])),
            (5, _vector([b"\x00" + unsigned(pages)])),
            (6, _vector([b"\x7f\x01\x41" + signed(free) + b"\x0b"])),  # the stack pointer
            (
                7,
                _vector(
                    [
                        _text("memory") + _MEMORY + unsigned(0),
                        _text("table") + _TABLE + unsigned(0),
                        *(_text(n) + _FUNCTION + unsigned(k) for n, k in indices.items()),
                    ]
                ),
            ),
            (9, _vector([b"\x00\x41\x01\x0b" + _vector(map(unsigned, elements))])),
            (10, _vector(unsigned(len(body)) + body for body in bodies)),
            (
                11,
                _vector(
                    [
                        b"\x00\x41"
                        + signed(FIRST)
                        + b"\x0b"
                        + unsigned(len(self.data))
                        + bytes(self.data)
                    ]
                ),
            ),
        ]
        code = MAGIC + b"".join(bytes([n]) + unsigned(len(s)) + s for n, s in sections)
        return Linked(code, free)

    def _place(self, name: str) -> Place:
        if name not in self.defined:
            raise ObjectError(f"no object defines {name!r}")
        return self.defined[name]

    def function(self, place: Place) -> int:
        """Index of a function in the module; all that it calls get theirs first."""
        if place not in self.index:
            piece, key = self._piece(place), self._key(place)
            if key not in self.known:
                self.known[key] = len(self.bodies)
                self.bodies.append(place)
            self.index[place] = self.known[key]
            assert len(piece.content)
        return self.index[place]

    def _key(self, place: Place) -> tuple:
        """Content of a function: its type, its bytes, and what its relocations refer to."""
        piece, file = self._piece(place), self.files[place.file]
        targets = tuple((m.at, self._target(place.file, m)) for m in piece.relocations)
        return file.types[piece.kind], _blank(piece), targets

    def _piece(self, place: Place) -> Piece:
        return self.files[place.file].functions[place.function]

    def _type(self, place: Place) -> int:
        return self._type_index(self.files[place.file].types[self._piece(place).kind])

    def _type_index(self, kind: bytes) -> int:
        return self.types.setdefault(kind, len(self.types))

    def _target(self, n: int, move: Relocation) -> int:
        """Index or address that belongs in a place."""
        file = self.files[n]
        if move.kind == TYPE_INDEX:
            return self._type_index(file.types[move.what])
        if move.kind == GLOBAL_INDEX:
            return 0  # the stack pointer is the only global
        symbol = file.symbols[move.what]
        if move.kind == FUNCTION_INDEX:
            if not symbol.defined:
                return self.function(self._place(file.imported[symbol.at]))  # type: ignore[index]
            own = int(symbol.at) - len(file.imported)  # type: ignore[arg-type]
            return self.function(Place(n, own))
        if not symbol.defined:
            raise ObjectError(f"no object defines the data {symbol.name!r}")
        segment, offset = symbol.at  # type: ignore[misc]
        return self._address(file.segments[segment]) + offset + move.addend

    def _address(self, segment: Piece) -> int:
        if segment.relocations:
            raise ObjectError("data with addresses is not known")
        key = segment.content, segment.align
        if key not in self.constants:
            self.data += bytes(-(FIRST + len(self.data)) % (1 << segment.align))
            self.constants[key] = FIRST + len(self.data)
            self.data += segment.content
        return self.constants[key]

    def _body(self, place: Place) -> bytes:
        """A function with final indices and addresses."""
        piece = self._piece(place)
        code = bytearray(piece.content)
        for move in piece.relocations:
            code[move.at : move.at + _length(move)] = _field(move, self._target(place.file, move))
        return bytes(code)


def _length(move: Relocation) -> int:
    return 4 if move.kind == MEMORY_I32 else 5


def _field(move: Relocation, value: int) -> bytes:
    """A number in the place of a relocation, which is as long as the longest number."""
    if move.kind == MEMORY_I32:
        return value.to_bytes(4, "little")
    padded = [value >> 7 * k & 0x7F | (0x80 if k < 4 else 0) for k in range(5)]
    assert move.kind in (MEMORY_LEB, MEMORY_SLEB, FUNCTION_INDEX, TYPE_INDEX, GLOBAL_INDEX)
    return bytes(padded)


def _blank(piece: Piece) -> bytes:
    """The bytes of a function with zeros in the places of relocations."""
    code = bytearray(piece.content)
    for move in piece.relocations:
        code[move.at : move.at + _length(move)] = bytes(_length(move))
    return bytes(code)


def unsigned(value: int) -> bytes:
    """An unsigned LEB128 number."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> bytes:
    """A signed LEB128 number."""
    out = bytearray()
    while not -64 <= value < 64:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


def _vector(items: Iterable[bytes]) -> bytes:
    known = list(items)
    return unsigned(len(known)) + b"".join(known)


def _text(name: str) -> bytes:
    return unsigned(len(name.encode())) + name.encode()
