"""All arrays of a model in one piece of memory, with the words that are addresses.

A row of a block lists the address and the shape of each of its arrays. In the arena these addresses
are left out and listed instead: `pointers` has the offset of each such word and the offset that it
points to, `kernels` the offset of each word that is the address of a kernel, and the kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ModelError
from ...kernel.array_block import Block
from ...kernel.intrinsics import KERNELS_AT
from ...kernel.tables.records import ADDRESSES, Tables

LINE, WORD = 64, 8  # bytes


class Arena:
    """Arrays and rows of blocks, one after the other.

    Attributes
    ----------
    places : dict of str to (int, tuple of int)
        Offset in bytes and shape of every array and row, by name.
    """

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.pointers: list[tuple[int, int]] = []
        self.kernels: list[tuple[int, tuple[Any, Any]]] = []
        self._parts: list[tuple[int, np.ndarray]] = []
        self._placed: dict[int, int] = {}  # arrays by identity, which blocks share
        self.size = 0

    def add(self, name: str, array: np.ndarray) -> int:
        """Place an array; returns its offset."""
        at = self._placed.get(id(array))
        if at is None or array.size == 0:
            at = self.size
            self._parts.append((at, np.ascontiguousarray(array)))
            self._placed[id(array)] = at
            self.size += -(-max(array.nbytes, WORD) // LINE) * LINE
        self.places[name] = at, array.shape
        return at

    def add_block(self, name: str, block: Block) -> int:
        """Place a block: its row, and its arrays as "name.field"."""
        kind, row = block.kernel_type, block._row.copy()
        row[list(kind.first.values())] = 0
        start = self.add(name, row)
        for field, array in block._asdict().items():
            at = self.add(f"{name}.{field}", array)
            self.pointers.append((start + WORD * kind.first[field], at))
        if isinstance(block, Tables):
            for field in ADDRESSES:
                self._move_addresses(f"{name}.{field}", getattr(block, field))
        return start

    def _move_addresses(self, name: str, array: np.ndarray) -> None:
        """List the kernels of an array of addresses."""
        for k in np.flatnonzero(array.ravel()):
            self.add_kernel(self.places[name][0] + WORD * int(k), int(array.ravel()[k]), name)

    def add_kernel(self, at: int, address: int, what: str) -> None:
        """List a word that is the address of a kernel."""
        if address not in KERNELS_AT:
            raise ModelError(
                f"a page cannot compute this model: {what} refers to code that is not a kernel."
            )
        self.kernels.append((at, KERNELS_AT[address]))

    def content(self) -> bytes:
        """The bytes, with zeros in the places of addresses."""
        memory = np.zeros(self.size, np.uint8)
        for at, array in self._parts:
            raw = np.frombuffer(array.tobytes(), np.uint8)
            memory[at : at + len(raw)] = raw
        words = memory.view(np.int64)
        for at, _ in (*self.pointers, *self.kernels):
            words[at // WORD] = 0
        return memory.tobytes()
