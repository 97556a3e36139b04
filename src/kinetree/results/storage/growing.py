"""File of a running simulation: states are appended block by block, so that a killed run keeps
them.

grown.py reads this layout. When the run ends, a complete file with all channels replaces it
(archive.py). If a block cannot be written because the disk is full, it is written together with the
next one; the run continues.
"""

from __future__ import annotations

import json
import os
import struct
import tempfile
import time
import warnings
import zlib
from contextlib import suppress
from typing import IO

import numpy as np

from ...core.atomic_write import failing, is_there
from ...core.checks import a_path
from ...errors import ResultError
from ..solution import Solution
from . import archive
from .grown import MAGIC
from .reading import same_run

SECONDS, BYTES = 1.0, 1 << 22  # between two flushes, at most
NOT_FINISHED = "not finished: the run was going on, or was killed"


class Growing:
    """The file of a running simulation."""

    def __init__(self, path: str | os.PathLike, begun: Solution) -> None:
        """`begun` is the solution without samples."""
        self.path, self.begun, self.n = a_path(path, "simulate: out"), begun, len(begun.result.y)
        self.written, self.size, self.flushed, self.failed = 0, 0, time.monotonic(), False
        self.file: IO[bytes] | None = None
        if is_there(self.path) and not same_run(self.path, begun.compiled.hash, begun.options):
            raise ResultError(
                f"cannot write {os.fspath(path)!r}: another result of that name is there. Choose "
                "another name, or remove it."
            )

    def allocate(self, samples: int, width: int) -> np.ndarray:
        """Begin the results file and return the array for the states.

        Large arrays are in a temporary file without a name.
        """
        head = {
            "attributes": archive.head(self.begun, 0, outcome=NOT_FINISHED),
            "texts": archive.texts(self.begun, message=NOT_FINISHED),
            "width": self.n,
            "carried": width - self.n,
            "arrays": {
                name: archive.arrays(self.begun)[name].tolist()
                for name in ("start", "y_end", "ydot_end")
            },
        }
        with failing(self.path):
            if is_there(self.path):
                os.unlink(self.path)  # another program may have it open
            try:
                self.file = open(self.path, "xb", buffering=0)
                _write(self.file, MAGIC)
                self.size = len(MAGIC)
                self._record(json.dumps(head).encode())
            except OSError:
                self.drop()
                raise
        return (
            _on_disk(samples, width) if samples * width * 8 >= BYTES else np.zeros((samples, width))
        )

    def _record(self, content: bytes) -> None:
        """Append a record; if that fails, the file is restored."""
        assert self.file is not None
        about = struct.pack("<QI", len(content), zlib.crc32(content))
        data = about + struct.pack("<I", zlib.crc32(about)) + content
        try:
            self.file.seek(self.size)
            _write(self.file, data)
        except BaseException:
            with suppress(OSError):
                self.file.truncate(self.size)
            raise
        self.size += len(data)

    def __call__(self, t: np.ndarray, y: np.ndarray, reached: int) -> None:
        """Write new samples, if they are many or have waited long enough."""
        new = (reached - self.written) * y.shape[1] * 8
        if reached > self.written and (new >= BYTES or time.monotonic() - self.flushed >= SECONDS):
            rows, self.flushed = slice(self.written, reached), time.monotonic()
            try:
                self._record(np.column_stack([t[rows], y[rows]]).astype("<f8").tobytes())
                self.written = reached
            except OSError as error:
                if not self.failed:
                    warnings.warn(
                        f"{os.fspath(self.path)!r} cannot grow: {error.strerror or error}. The run "
                        "continues in memory, and writing is tried again.",
                        RuntimeWarning,
                        stacklevel=2,
                    )
                self.failed = True

    def finish(self, solution: Solution) -> None:
        """Replace the file by the complete one; if that fails, the file stays as it is."""
        if self.file is not None:
            self.file.close()
        try:
            archive.save(solution, self.path, None, overwrite=True)
        except ResultError as error:
            kept = ""
            if self.written:
                kept = f" It still holds the first {self.written} samples, for kt.open_solution."
            else:
                self.drop()
            raise ResultError(
                f"{error}{kept} The run is in the attribute `solution` of this error.", solution
            ) from error

    def drop(self) -> None:
        """Remove the file."""
        if self.file is not None:
            self.file.close()
        with suppress(OSError):
            os.unlink(self.path)


def _write(file: IO[bytes], data: bytes) -> None:
    """Write all bytes; an unbuffered file may accept fewer at a time."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _on_disk(samples: int, width: int) -> np.ndarray:
    """Array in a temporary file with reserved bytes, because a full disk would end the process.

    If that is not possible, the array is in memory.
    """
    try:
        with tempfile.TemporaryFile(prefix="kinetree-") as file:
            os.posix_fallocate(file.fileno(), 0, samples * width * 8)
            return np.asarray(np.memmap(file, np.float64, "r+", shape=(samples, width)))
    except (OSError, AttributeError):
        return np.zeros((samples, width))
