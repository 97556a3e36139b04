"""A file that grows with its run: states go to it block by block, so that a run that is killed leaves what it had.

The states of a run with a file lie on disk while it goes on, not in memory. Whatever was flushed can be read, also while the run
goes on; when it ends the file is written anew as a whole, with its channels (archive.py).
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ..assembly.receipt import Assembly
from ..errors import ResultError
from ..formulations.contract import Formulation
from ..integrators.memory import STEP
from ..integrators.result import Result
from ..num.status import Status
from ..writing import is_there
from . import archive
from .complete import Solved
from .solution import Solution

SECONDS, BYTES = 1.0, 1 << 22  # between two flushes, at most
_CHUNK = 1 << 16  # bytes of a chunk of the file
NOT_FINISHED = "not finished: the run was going on, or was killed"


class Growing:
    """The file of a run that goes on."""

    def __init__(self, path: str | os.PathLike, begun: Solution) -> None:
        """`begun` is the solution as it would be without a single sample."""
        self.path, self.begun, self.n = Path(path), begun, len(begun.result.y)
        self.written, self.flushed = 0, time.monotonic()
        self.file: Any = None
        if is_there(self.path) and not archive.same_run(self.path, begun.compiled.hash, begun.options):
            raise ResultError(f"cannot write {os.fspath(path)!r}: another result of that name is there. Choose another name, or "
                              "remove it.")
    def room(self, samples: int, width: int) -> np.ndarray:
        """Where the states of a run lie: in a file without a name, which goes with them. The file of results begins here."""
        try:
            with archive.library("h5netcdf").File(self.path, "w", libver="latest") as file:
                self._begin(file, width - self.n)
            self.file = archive.library("h5py").File(self.path, "r+", libver="latest", locking=False)
            self.file.swmr_mode = True  # one writes, others read: what lies on disk is sound at any moment
        except OSError as error:
            hint = " Does its folder exist?" if not self.path.parent.is_dir() else ""
            raise ResultError(f"cannot write {os.fspath(self.path)!r}: {error.strerror or error}.{hint}") from None
        if samples * width * 8 < BYTES:
            return np.zeros((samples, width))
        with tempfile.TemporaryFile(prefix="kinetree-") as file:
            return np.asarray(np.memmap(file, np.float64, "w+", shape=(samples, width)))

    def _begin(self, file: Any, carried: int) -> None:
        archive.head(file, self.begun, outcome=NOT_FINISHED)
        file.dimensions = {"time": None, "state": self.n, "carried": max(carried, 1)}
        group = file.create_group(archive.GROUP)
        archive.hidden(group, self.begun, growing=True, message=NOT_FINISHED)
        made = archive.growing(file, "time", ("time",), 1, _CHUNK)
        made.attrs["units"], made.attrs["long_name"] = "s", "time"
        archive.growing(group, "y", ("time", "state"), self.n, _CHUNK)
        archive.growing(group, "carried", ("time", "carried"), max(carried, 1), _CHUNK)

    def __call__(self, t: np.ndarray, y: np.ndarray, reached: int) -> None:
        """Write what is new, if it is much or has waited for long."""
        new = (reached - self.written) * y.shape[1] * 8
        if reached > self.written and (new >= BYTES or time.monotonic() - self.flushed >= SECONDS):
            self._append(t, y, reached)

    def _append(self, t: np.ndarray, y: np.ndarray, reached: int) -> None:
        rows, file = slice(self.written, reached), self.file
        try:
            for name, values in ((f"{archive.GROUP}/y", y[rows, :self.n]), (f"{archive.GROUP}/carried", y[rows, self.n:]),
                                 ("time", t[rows])):  # times last: what they count is there
                dataset = file[name]
                dataset.resize(reached, axis=0)
                if values.size:
                    dataset[rows] = values
            file.flush()
        except OSError as error:
            raise ResultError(f"cannot write {os.fspath(self.path)!r}: {error}. What it holds up to t = {t[rows.start]:g} s can "
                              "be read.") from None
        self.written, self.flushed = reached, time.monotonic()

    def finish(self, solution: Solution) -> None:
        """The whole run in place of what has grown."""
        if self.file is not None:
            self.file.close()
        archive.save(solution, self.path, None, overwrite=True)


def begun(assembly: Assembly, method: Formulation, options: dict, breaks: tuple[float, ...]) -> Solution:
    """A run that has not come far."""
    y, none = assembly.y, np.zeros((0, len(assembly.y)))
    result = Result(options["integrator"], Status.MORE, True, assembly.t, y, np.zeros_like(y), np.zeros(0, STEP), np.zeros(0),
                    none, 0, 0, 0)
    size = assembly.compiled.size
    solved = Solved(np.zeros((0, size["nv"])), np.zeros((0, size["ng"])), np.zeros(0, np.int64))
    return Solution(assembly, method, options, result, np.zeros(0), none, solved, 0.0, None, breaks)
