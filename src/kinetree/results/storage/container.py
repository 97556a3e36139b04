"""Layout of a results file: a NetCDF-4 frame with the arrays, an index and a footer.

    frame      HDF5, for other programs; the arrays are stored as plain little-endian values
    index      JSON, compressed: offset, shape, type and checksums (CRC-32) of every array and text,
               attributes, channels, and the checksums of the other bytes of the frame
    footer     length and checksum of the index, and a checksum of itself

Every byte is covered by a checksum. Kinetree reads with the index alone and never passes a file to
HDF5; each size is compared with the size of the file before anything is read.
"""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ...errors import KinetreeError, ResultError
from .frame import Frame

FORMAT = 2
TYPES = ("<f8", "<i8", "|i1", "|u1")
_MAGIC = b"KINETREE"
HDF5 = b"\x89HDF\r\n\x1a\n"
_FOOTER = struct.Struct(
    "<8sIIQQI"
)  # magic, format, checksum of the index, its length, unpacked, checksum of the footer
_RATIO = 1100  # zlib packs no better
_LARGEST_INDEX = 1 << 28  # bytes, unpacked
_WRONG = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    MemoryError,
    RecursionError,
    struct.error,
    zlib.error,
)


@contextmanager
def sound(file: object, wrong: tuple[type[Exception], ...] = (Exception,)) -> Iterator[None]:
    """Convert errors about invalid values into one ResultError with the name of the file."""
    try:
        yield
    except KinetreeError:
        raise
    except wrong as error:
        raise ResultError(
            f"{file} is damaged: it has values that no run of Kinetree writes "
            f"({type(error).__name__}: "
            f"{str(error)[:80]})."
        ) from error


class Piece(NamedTuple):
    """An array of the frame: its offset, and its rows block by block."""

    name: str
    offset: int
    shape: tuple[int, ...]
    dtype: str
    blocks: Callable[
        [], Iterable[np.ndarray]
    ]  # together the array, in order; each has a checksum of its own


def pack(file: IO[bytes], frame: Frame, pieces: list[Piece], index: dict[str, Any]) -> None:
    """Write a frame with its arrays, and the index."""
    arrays: dict[str, list] = {}
    gaps: list[list[int]] = []
    at = 0
    for piece in sorted(pieces, key=lambda one: one.offset):
        if 0 in piece.shape:
            arrays[piece.name] = [0, piece.shape, piece.dtype, []]
            continue
        _gap(file, frame, at, piece.offset, gaps)
        sums, at = [], piece.offset
        for block in piece.blocks():
            data = np.ascontiguousarray(block, piece.dtype).tobytes()
            file.write(data)
            sums.append([len(data), zlib.crc32(data)])
            at += len(data)
        arrays[piece.name] = [piece.offset, piece.shape, piece.dtype, sums]
    _gap(file, frame, at, frame.size, gaps)
    plain = json.dumps(
        {**index, "format": FORMAT, "arrays": arrays, "frame": gaps}, separators=(",", ":")
    ).encode()
    packed = zlib.compress(plain, 6)
    file.write(packed)
    footer = _FOOTER.pack(_MAGIC, FORMAT, zlib.crc32(packed), len(packed), len(plain), 0)[:-4]
    file.write(footer + struct.pack("<I", zlib.crc32(footer)))


def _gap(file: IO[bytes], frame: Frame, first: int, last: int, gaps: list[list[int]]) -> None:
    """Write the bytes of the frame between two arrays."""
    if last > first:
        data = frame.part(first, last)
        file.write(data)
        gaps.append([first, len(data), zlib.crc32(data)])


class Container:
    """Reader of a file of this format; the file is open only during a read."""

    def __init__(self, path: Path | bytes) -> None:
        self.path = path
        with self.sound():
            with self._opened() as (file, size):
                self.index = self._index(file, size)
                for first, count, checksum in self.index["frame"]:
                    self._checked(file, size, first, count, checksum, "its frame")
            self.arrays = {
                str(name): Array.of(entry) for name, entry in self.index["arrays"].items()
            }

    @contextmanager
    def _opened(self) -> Iterator[tuple[IO[bytes], int]]:
        import io

        try:
            with (
                io.BytesIO(self.path)
                if isinstance(self.path, bytes)
                else open(self.path, "rb") as file
            ):
                yield file, file.seek(0, os.SEEK_END)
        except OSError as error:
            raise ResultError(f"{self} cannot be read: {error.strerror or error}.") from error

    def __str__(self) -> str:
        return (
            "the pickled solution" if isinstance(self.path, bytes) else repr(os.fspath(self.path))
        )

    def sound(self) -> AbstractContextManager[None]:
        return sound(self, _WRONG)

    def _index(self, file: IO[bytes], size: int) -> dict[str, Any]:
        if size < _FOOTER.size:
            raise ResultError(f"{self} is not a result of Kinetree: it has {size} bytes.")
        file.seek(size - _FOOTER.size)
        footer = file.read(_FOOTER.size)
        magic, version, checksum, length, unpacked, own = _FOOTER.unpack(footer)
        if zlib.crc32(footer[:-4]) != own and self._is_text(file):
            raise ResultError(
                f"{self} is a text file, not a result of Kinetree. kt.load reads model files."
            )
        if zlib.crc32(footer[:-4]) != own:
            raise ResultError(
                f"{self} is damaged or not a result of Kinetree: its footer is not as it was "
                "written."
            )
        if version != FORMAT:
            raise ResultError(
                f"{self} has format {version}, and this version of Kinetree reads formats up to "
                f"{FORMAT}. Open it "
                "with the version that wrote it, or a later one."
            )
        if magic != _MAGIC or unpacked > min(_RATIO * length + _RATIO, _LARGEST_INDEX):
            raise ResultError(f"{self} is damaged: its footer is not as it was written.")
        packed = self._checked(
            file, size - _FOOTER.size, size - _FOOTER.size - length, length, checksum, "its index"
        )
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(packed, unpacked)
        if len(plain) != unpacked or unpacker.decompress(unpacker.unconsumed_tail, 1):
            raise ResultError(
                f"{self} is damaged: its index has another length than its footer says."
            )
        found = json.loads(plain)
        if not isinstance(found, dict):
            raise TypeError("the index is no mapping")
        return found

    @staticmethod
    def _is_text(file: IO[bytes]) -> bool:
        """Whether a file begins with text, as model files do; results begin with a byte that is
        none.
        """
        file.seek(0)
        return (
            b"\x00" not in (start := file.read(200))
            and start.isascii()
            and not start.startswith(b"KINETREE")
        )

    def _checked(
        self, file: IO[bytes], size: int, offset: int, count: int, checksum: int, what: str
    ) -> bytes:
        """Read bytes within the file and compare their checksum."""
        if not (0 <= offset and 0 <= count and offset + count <= size):
            raise ResultError(f"{self} is damaged: {what} lies outside the file.")
        file.seek(offset)
        data = file.read(count)
        if len(data) != count or zlib.crc32(data) != checksum:
            raise ResultError(
                f"{self} is damaged, or was changed after it was opened: {what} is not as it was "
                "written."
            )
        return data

    def read(self, name: str, first: int = 0, last: int | None = None) -> np.ndarray:
        """Read an array, or some of its blocks, joined along the rows."""
        array = self.arrays.get(name)
        if array is None:
            raise ResultError(f"{self} has no {name!r}; it was not finished.")
        with self.sound(), self._opened() as (file, size):
            found = b"".join(
                self._checked(file, size, *block, f"{name!r}")
                for block in array.blocks()[first:last]
            )
            shape = array.shape if last is None else (-1, *array.shape[1:])
            values = np.frombuffer(found, array.dtype).astype(
                np.dtype(array.dtype).newbyteorder("=")
            )
            return values.reshape(shape)


class Array(NamedTuple):
    """Place of an array in the file."""

    offset: int
    shape: tuple[int, ...]
    dtype: str
    sums: list[tuple[int, int]]  # (bytes, checksum) of each block

    @classmethod
    def of(cls, entry: list) -> Array:
        """Entry of the index; every number is checked."""
        offset, shape, dtype, sums = entry
        found = cls(
            _whole(offset),
            tuple(map(_whole, shape)),
            dtype,
            [(_whole(count), _whole(crc)) for count, crc in sums],
        )
        if dtype not in TYPES or math.prod(found.shape) * np.dtype(dtype).itemsize != sum(
            count for count, _ in found.sums
        ):
            raise ValueError("an array has another size than its blocks")
        return found

    def blocks(self) -> list[tuple[int, int, int]]:
        """Offset, number of bytes and checksum of each block."""
        at, found = self.offset, []
        for count, checksum in self.sums:
            found.append((at, count, checksum))
            at += count
        return found


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ValueError(f"{str(value)[:40]} is no size")
    return value
