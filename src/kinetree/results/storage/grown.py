"""The file of a run that goes on or was killed, for reading; growing.py writes it.

    magic                  what the file begins with
    record, record, ...    the first is JSON: texts, attributes, the start; each other one has rows
                           of samples: time, state
                           and what is carried along

A record has its length and the checksums of that and of its content before it. A last record that
is not all there was being written; any other fault is damage.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...errors import ResultError
from .container import sound

MAGIC = b"KINETREE RUN 2\r\n"
_RECORD = struct.Struct("<QII")  # length of the content, its checksum, checksum of these two


class Grown:
    """Reader of the file of an unfinished run, with the interface of `Container`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self.sound():
            self._places = list(self._records())
            if not self._places:
                raise ResultError(
                    f"{self} holds nothing yet: its run has just begun, or was killed at once."
                )
            head = json.loads(self._content(*self._places.pop(0)))
            self._width, self._carried = int(head["width"]), int(head["carried"])
            if min(self._width, self._carried) < 0:
                raise ValueError("a negative number of states")
            columns = 8 * (1 + self._width + self._carried)
            if any(length % columns for _, length, _ in self._places):
                raise ValueError("a block with parts of rows")
            count = sum(length // columns for _, length, _ in self._places)
            self._held = {
                f"text {name}": np.frombuffer(str(said).encode(), np.uint8)
                for name, said in head["texts"].items()
            }
            self._held.update(
                {str(name): np.array(values, float) for name, values in head["arrays"].items()}
            )
            shapes = {
                "time": (count,),
                "y": (count, self._width),
                "carried": (count, self._carried),
            }
            self.arrays: dict[str, Any] = {
                name: SimpleNamespace(shape=values.shape) for name, values in self._held.items()
            }
            self.arrays.update(
                {name: SimpleNamespace(shape=shape) for name, shape in shapes.items()}
            )
            self.index = {"attributes": head["attributes"], "channels": []}

    def __str__(self) -> str:
        return repr(os.fspath(self.path))

    def sound(self) -> AbstractContextManager[None]:
        return sound(self)

    def _records(self) -> Iterator[tuple[int, int, int]]:
        """Offset, length and checksum of the complete records."""
        with open(self.path, "rb") as file:
            end = file.seek(0, os.SEEK_END)
            at = len(MAGIC)
            while at + _RECORD.size <= end:
                file.seek(at)
                about = file.read(_RECORD.size)
                length, checksum, own = _RECORD.unpack(about)
                if zlib.crc32(about[:-4]) != own:
                    raise ResultError(
                        f"{self} is damaged: a record at byte {at} is not as it was written."
                    )
                at += _RECORD.size
                if at + length > end:
                    return
                yield at, length, checksum
                at += length

    def _content(self, offset: int, length: int, checksum: int) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(offset)
            found = file.read(length)
        if zlib.crc32(found) != checksum or len(found) != length:
            raise ResultError(
                f"{self} is damaged, or was finished after it was opened: the record at byte "
                f"{offset} is not as it "
                "was written."
            )
        return found

    def read(self, name: str, first: int = 0, last: int | None = None) -> np.ndarray:
        if name in self._held:
            return self._held[name]
        start, width = {
            "time": (0, 1),
            "y": (1, self._width),
            "carried": (1 + self._width, self._carried),
        }[name]
        with self.sound():
            rows = [
                np.frombuffer(self._content(*place), "<f8").reshape(
                    -1, 1 + self._width + self._carried
                )
                for place in self._places
            ]
            found = np.concatenate(
                [np.zeros((0, width)), *(part[:, start : start + width] for part in rows)]
            )
        return found[:, 0] if name == "time" else found
