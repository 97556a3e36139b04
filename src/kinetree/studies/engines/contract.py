"""What an engine does: it computes the parts that are missing, in any order.

    engine(job, parts, done, stopped)

    job        what all parts have in common; `job.maker()` makes the rows of one thread
    parts      the parts, with the cases that are still to be run
    done       called with every part that was computed
    stopped    returns True when the study is to end

Rows do not depend on the engine: each case is computed from its parameters alone.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import ModelError
from ..cases.finder import CaseFinder
from ..cases.rows import RowMaker
from ..outputs import Output
from ..parts import Part, compute

Done = Callable[[Part], None]
Stopped = Callable[[], bool]


@dataclass
class Job:
    """Everything that the parts of a study have in common."""

    make: Any
    names: tuple[str, ...]
    low: np.ndarray
    high: np.ndarray
    trials: np.ndarray  # cases from which the base model is chosen
    levels: list[np.ndarray]  # all values of parameters that have few
    named: Any
    fixed: dict[str, Any]
    outputs: tuple[Output, ...]
    until: float | None
    interval: float | None
    options: dict[str, Any]
    key: str = ""
    _finder: CaseFinder | None = field(default=None, repr=False)

    def finder(self) -> CaseFinder:
        """The finder of cases, made once in each process."""
        if self._finder is None:
            self._finder = CaseFinder(
                self.make,
                dict(zip(self.names, self.low)),
                dict(zip(self.names, self.high)),
                self.options,
                self.fixed,
                self.trials,
                self.named,
                self.until is not None,
                self.levels,
            )
        return self._finder

    def maker(self) -> RowMaker:
        """A maker of rows for one thread."""
        return RowMaker(self.finder(), self.outputs, self.until, self.interval)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_finder": None}


def packed(job: Job) -> bytes:
    """A job as bytes for other processes; functions of a script or notebook need cloudpickle."""
    try:
        import cloudpickle
    except ImportError:
        return _plainly(job)
    return cloudpickle.dumps(job)


def _plainly(job: Job) -> bytes:
    functions = [job.make, *(one.function for one in job.outputs)]
    local = [f for f in functions if getattr(f, "__module__", "") == "__main__"]
    try:
        data = pickle.dumps(job)
    except Exception:  # pickle raises many kinds
        local = local or functions
        data = b""
    if local:
        name = getattr(local[0], "__qualname__", repr(local[0]))
        raise ModelError(
            f"engine: other processes cannot import {name!r}. Put it into a module of its own, "
            "install cloudpickle (pip install kinetree[cluster]), or use engine='threads'."
        )
    return data


_jobs: dict[str, tuple[Job, RowMaker]] = {}


def compute_packed(key: str, job: bytes, part: Part) -> Part:
    """Compute a part in another process, which keeps the last jobs."""
    if key not in _jobs:
        if len(_jobs) > 3:
            _jobs.clear()
        found: Job = pickle.loads(job)
        _jobs[key] = found, found.maker()
    return compute(_jobs[key][1], part)
