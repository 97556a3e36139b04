"""Many short runs of one length that differ in their start alone, with little besides the steps.

They have no samples, breaks, events and log, and do not integrate the work of the elements. The
records of a run are those of `integrate.py`, copied back to their initial content for each run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.tables.status import Status
from ...options import RTOL
from . import checks, storage
from .memory import ARTICULATED, BODIES, DOFS, FULL, Y
from .newton.iteration import structure_address
from .segments import Segment, enter

MOST_CHUNKS = 1000  # of a run, each as long as the log of steps


class ShortRuns:
    """Runs of a prepared `Integration` over one length of time; for one thread.

    Parameters
    ----------
    advance : callable
        The compiled time loop, with tables, workspace and method bound.
    entry, layout, chosen
        The method, the matrix of its steps, and the values of its options.
    length : float
        Length of the runs (s).
    atol : float, array or None
        Absolute tolerances.
    n : int
        Number of states.
    second : float
        Unit of time (s) for the choice of the first step.
    """

    def __init__(
        self,
        advance: Any,
        entry: Any,
        layout: Any,
        chosen: Mapping[str, Any],
        length: float,
        atol: float | Sequence[float] | None,
        n: int,
        second: float,
    ) -> None:
        self.length, self._advance = length, advance
        control = checks.control(entry, 0.0, length, chosen, layout, 1.0)
        shape = entry.rows + (entry.matrices * n if layout.newton == FULL else 0), n
        own = storage.Storage(entry, layout, shape, storage.first_rows(n, None, False))
        tolerances = checks.absolute_tolerance(atol, chosen.get("rtol") or RTOL.default, n)
        own.begin(control, entry.coefficients(control.order), np.zeros(n), n, tolerances)
        own.control.second = second
        if layout.newton in (DOFS, BODIES, ARTICULATED):
            own.control.structure = structure_address()
        segment = own.with_own_stop(Segment(0.0, np.array([length])))
        arrays = enter(own.arrays, own.control, own.memory, entry, segment)
        self._arrays, self._control, self._memory = arrays, own.control, own.memory
        parts = arrays.control.view(np.uint8), arrays.memory.view(np.uint8), arrays.vectors
        self._parts = [(part, part.copy()) for part in parts]
        self._y = arrays.vectors[Y]

    def run(self, t: float, y: np.ndarray, until: float) -> np.ndarray | None:
        """The state after one run from y at t; None if it could not be finished."""
        for part, content in self._parts:
            part[:] = content
        self._y[:] = y
        control, memory, arrays = self._control, self._memory, self._arrays
        control.t_start = memory.t = t
        control.t_end = arrays.stops[0] = until
        for _ in range(MOST_CHUNKS):
            status = self._advance(arrays)
            if status == Status.DONE:
                return self._y.copy() if math.isfinite(memory.t) else None
            if status != Status.MORE or memory.slow_steps:
                return None
            memory.row = 0
        return None
