"""Arrays of several blocks in one piece of memory, with the words that are addresses.

An arena is valid at any address once its words are relocated: a *move* is a word that is the address
of another place in the arena, a *call* is a word that is the address of a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

LINE = 64  # bytes: arrays begin at cache lines
SCRATCH = ("work", "seen_work", "record")  # blocks without numbers of the model


class Arena:
    """The arrays and rows of blocks, laid out one after the other."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}  # of rows ("tables") and arrays ("tables.links")
        self.moves: list[tuple[int, int]] = []
        self._buffers: dict[int, int] = {}  # place of each buffer, by its address
        self._parts: list[tuple[int, np.ndarray]] = []
        self._alive: list[np.ndarray] = []
        self.size = LINE  # arrays without elements are at place 0

    def add(self, array: np.ndarray) -> int:
        """Place of an array; several views of one buffer share it."""
        if not array.nbytes:
            return 0
        whole = _owner(array)
        start = whole.ctypes.data
        if start not in self._buffers:
            self._buffers[start] = self.size
            self._parts.append((self.size, whole))
            self.size += -(-whole.nbytes // LINE) * LINE
            self._alive.append(array)
        return self._buffers[start] + array.ctypes.data - start

    def add_blocks(self, blocks: Mapping[str, Any]) -> None:
        """Lay out blocks: their rows, their arrays, and scratch arrays of zeros at the end."""
        arrays = {
            f"{name}.{field}": array
            for name, block in blocks.items()
            for field, array in block._asdict().items()
        }
        rows = {name: _row(block) for name, block in blocks.items()}
        self.places |= {name: self.add(row) for name, row in rows.items()}

        def late(name: str) -> int:
            """The order must not depend on the numbers of the model."""
            scratch = name.partition(".")[0] in SCRATCH
            return scratch + (scratch and not _owner(arrays[name]).any())

        for name in sorted(arrays, key=late):
            self.places[name] = self.add(arrays[name])
        for name, block in blocks.items():
            first = block.kernel_type.first
            self.moves += [
                (self.places[name] + 8 * first[field], self.places[f"{name}.{field}"])
                for field in block._fields
            ]

    def bytes(self) -> np.ndarray:
        """The content, before relocation."""
        content = np.zeros(self.size, np.uint8)
        for start, array in self._parts:
            content[start : start + array.nbytes] = array.view(np.uint8)
        return content


def _owner(array: np.ndarray) -> np.ndarray:
    """The whole buffer of an array of numbers, as one row of bytes."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    flat = np.ndarray(array.nbytes, np.uint8, np.ascontiguousarray(array).data)
    return flat


def _row(block: Any) -> np.ndarray:
    """The row of a block, without addresses."""
    row, kind = block._row.copy(), block.kernel_type
    for first in kind.first.values():
        row[first] = 0
    return row
