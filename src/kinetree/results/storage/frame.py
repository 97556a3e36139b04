"""The NetCDF-4 (HDF5) part of a results file, made in memory without the arrays.

HDF5 never writes to the disk itself, because a write that fails inside the library cannot be
undone. It writes into a `Frame`, which keeps only the pages that are written. `container.py` writes
the arrays into their places as plain bytes.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ...errors import ResultError

_PAGE = 1 << 12  # bytes


class Frame(io.RawIOBase):
    """A file in memory that stores only the pages that were written."""

    def __init__(self) -> None:
        super().__init__()
        self._pages: dict[int, bytearray] = {}
        self.size = self._at = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self.size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def truncate(self, size: int | None = None) -> int:
        self.size = self._at if size is None else size
        return self.size

    def write(self, content: Any) -> int:
        data = bytes(content)
        for page, start, at, count in _pieces(self._at, len(data)):
            self._pages.setdefault(page, bytearray(_PAGE))[start : start + count] = data[
                at : at + count
            ]
        self._at += len(data)
        self.size = max(self.size, self._at)
        return len(data)

    def part(self, first: int, last: int) -> bytes:
        """The bytes from first to last, zero where nothing was written."""
        out = bytearray(last - first)
        for page, start, at, count in _pieces(first, last - first):
            if page in self._pages:
                out[at : at + count] = self._pages[page][start : start + count]
        return bytes(out)

    def readinto(self, buffer: Any) -> int:
        count = min(len(buffer), max(0, self.size - self._at))
        buffer[:count] = self.part(self._at, self._at + count)
        self._at += count
        return count


def _pieces(first: int, length: int):
    """Page, start in the page, offset from first and bytes of a range."""
    at = 0
    while at < length:
        page, start = divmod(first + at, _PAGE)
        count = min(_PAGE - start, length - at)
        yield page, start, at, count
        at += count


def library(name: str) -> Any:
    """Import a library for results files, or raise an error with the command that installs it."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise ResultError(f"files of results need the package {name}: pip install {name}") from None


def place(
    group: Any,
    name: str,
    dims: tuple[str, ...],
    shape: tuple[int, ...],
    dtype: str,
    unit: str = "",
    about: str = "",
) -> tuple[Any, int]:
    """Create a variable of a NetCDF group without its values; return it and the offset of its
    values.
    """
    made = group.create_variable(name, dims, dtype=np.dtype(dtype))
    if unit:
        made.attrs["units"], made.attrs["long_name"] = unit, about
    if 0 in shape:
        return made, 0
    made[(0,) * len(shape)] = 0  # the first number written is what reserves the place of all
    return made, int(made._h5ds.id.get_offset())


def labels(file: Any, name: str, dim: str, texts: list[str]) -> None:
    """Write a short text for each entry of a dimension, compressed."""
    packed = np.array([text.encode() for text in texts], np.bytes_)
    made = file.create_variable(
        name, (dim,), dtype=packed.dtype, data=packed, chunks=packed.shape, compression="gzip"
    )
    made.attrs["_Encoding"] = "utf-8"


def place_text(group: Any, name: str, length: int) -> int:
    """Create a text of the given number of bytes; return its offset."""
    if not length:
        return 0
    made = group.create_variable(name, (), dtype=np.dtype(f"S{length}"))
    made[()] = b"?"
    return int(made._h5ds.id.get_offset())
