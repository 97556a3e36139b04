"""Completion of the samples: projection onto the constraints, accelerations and multipliers.

A run stores the states at its samples. Accelerations and multipliers follow from them: short runs
store them too, long runs compute them again on demand, block by block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.formulations.contract import Formulation
from ..engine.formulations.samples import entry
from ..kernel.decorators import pointer
from ..kernel.tables.signatures import signatures
from ..kernel.tables.workspace import Work
from ..kernel.usercode.capture import ErrorCapture
from ..kernel.usercode.interruptible import Abandoned, InterruptibleCalls
from ..kernel.usercode.registry import user_code

KEPT = 1 << 25  # bytes beyond which what follows from the states is not kept
_BLOCK = 1 << 20  # bytes of a block


class Solved(NamedTuple):
    """Accelerations and multipliers at the samples, and the rows without them.

    The arrays are None if they are computed again on demand.
    """

    vdot: np.ndarray | None
    lam: np.ndarray | None
    lost: np.ndarray

    @classmethod
    def of(cls, vdot: np.ndarray, lam: np.ndarray) -> Solved:
        """A record with all accelerations and multipliers."""
        return cls(vdot, lam, _lost(vdot))


class Completed(NamedTuple):
    """Accelerations and multipliers, the first row without them, and the errors of user code."""

    vdot: np.ndarray
    lam: np.ndarray
    first: int
    watch: ErrorCapture
    loads: np.ndarray  # along the rows of contacts


def complete(
    method: Formulation, compiled_model: CompiledModel, work: Work, t: np.ndarray, y: np.ndarray
) -> Completed:
    """Complete the samples; the states y are projected in place."""
    size = compiled_model.size
    vdot, lam = np.full((len(t), size["nv"]), np.nan), np.full((len(t), size["ng"]), np.nan)
    loads = np.zeros((len(t), len(work.place_loads)))
    _, _, rhs, project = signatures()
    with InterruptibleCalls(list(user_code(compiled_model.tables)), work) as watched:
        try:
            first = watched(
                entry(),
                compiled_model.tables,
                work,
                pointer(method.rhs, rhs),
                pointer(method.project, project),
                t,
                y,
                *np.zeros((3, y.shape[1])),
                np.zeros(size["nv"]),
                vdot,
                lam,
                loads,
            )
        except Abandoned:
            vdot, lam = vdot.copy(), lam.copy()
            first = int(np.isfinite(vdot).all(axis=1).argmin())
    return Completed(vdot, lam, int(first), watched.errors, loads)


def complete_run(
    method: Formulation,
    compiled_model: CompiledModel,
    work: Work,
    t: np.ndarray,
    y: np.ndarray,
    enough: Callable[[], bool] = lambda: False,
) -> tuple[Solved, ErrorCapture]:
    """Complete the samples of a run; the states y are projected in place.

    `work` keeps the failure at the first sample without accelerations. `enough` is called between
    blocks; once it returns True, the other samples stay without accelerations.
    """
    size, watch, first = compiled_model.size, ErrorCapture(), None
    keep = 8 * len(t) * (size["nv"] + size["ng"]) <= KEPT
    kept, lost = [], [np.zeros(0, np.int64)]
    for rows in blocks(len(t), 8 * y.shape[1]):
        states = np.ascontiguousarray(y[rows])
        found = complete(method, compiled_model, work, t[rows], states)
        y[rows] = states
        lost.append(rows.start + _lost(found.vdot))
        if len(lost[-1]) and first is None:
            first, watch = (work.report.copy(), work.failed.copy()), found.watch
        if keep:
            kept.append(found)
        if found.watch.stop is not None or enough():
            watch = found.watch
            lost.append(np.arange(rows.stop, len(t)))
            break
    if first is not None:
        work.report[:], work.failed[:] = first
    vdot, lam = _whole(kept, len(t), size) if keep else (None, None)
    return Solved(vdot, lam, np.concatenate(lost)), watch


def _whole(
    kept: list[Completed], count: int, size: dict[str, int]
) -> tuple[np.ndarray, np.ndarray]:
    """The blocks joined, with NaN for the samples that were not computed."""
    left = count - sum(len(found.vdot) for found in kept)
    vdot, lam = (
        [getattr(found, name) for found in kept] + [np.full((left, width), np.nan)]
        for name, width in (("vdot", size["nv"]), ("lam", size["ng"]))
    )
    return np.concatenate(vdot), np.concatenate(lam)


def blocks(count: int, each: int, most: int = _BLOCK) -> Iterator[slice]:
    """Slices of the rows 0 .. count, each of at most `most` bytes with `each` bytes per row."""
    rows = max(1, most // max(each, 1))
    for start in range(0, count, rows):
        yield slice(start, min(start + rows, count))


def _lost(vdot: np.ndarray) -> np.ndarray:
    return np.flatnonzero(~np.isfinite(vdot).all(axis=1))


def parted(compiled: CompiledModel, carried: np.ndarray) -> list[np.ndarray]:
    """Split what a structural integrator carries: work, accelerations, multipliers."""
    works = len(compiled.tables.forces) + 1
    return np.split(carried, [works, works + compiled.size["nv"]], axis=1)
