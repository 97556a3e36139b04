"""Data of a run, from which `Solution` computes everything else.

The data are in memory (`MemoryRun`: a finished run, a resampled one, a batch of states for event
detection; `DeferredRun`: a finished run whose samples are still to be completed) or in a file that
is read on demand (`StoredRun` of simulation/reopen.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

import numpy as np

from ..assembly.result import Assembly
from ..description.model import Model
from ..engine.formulations.contract import Formulation
from ..engine.integrators.memory import STEP
from ..engine.integrators.result import Result
from ..errors import SimulationError
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from .completion import Solved
from .storage.reading import RunFile

if TYPE_CHECKING:
    from .solution import Solution

Scratch = dict[tuple[str, ...], Work]


class RunData(Protocol):
    """Interface of the data of a run."""

    @property
    def assembly(self) -> Assembly: ...
    @property
    def method(self) -> Formulation: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def result(self) -> Result: ...
    @property
    def t(self) -> np.ndarray: ...
    @property
    def y(self) -> np.ndarray: ...
    @property
    def solved(self) -> Solved: ...
    @property
    def wall(self) -> float: ...
    @property
    def ledger(self) -> np.ndarray | None: ...
    @property
    def breaks(self) -> tuple[float, ...]: ...
    @property
    def scratch(self) -> Scratch | None: ...
    @property
    def model(self) -> Model: ...
    @property
    def file(self) -> RunFile | None: ...


@dataclass
class MemoryRun:
    """Data of a run in memory."""

    assembly: Assembly
    method: Formulation
    options: dict[str, Any]
    result: Result
    t: np.ndarray  # (nt,) sample times
    y: np.ndarray  # (nt, n) states (q, v, x)
    solved: Solved  # accelerations and multipliers, if they are stored
    wall: float = 0.0  # s
    # (nt, nf + 1) work of each force element and of the drivers since the start, J
    ledger: np.ndarray | None = None
    breaks: tuple[float, ...] = ()  # times at which the equations or velocities jump
    scratch: Scratch | None = None  # workspaces that batches of states reuse
    file: ClassVar[None] = None

    @property
    def model(self) -> Model:
        return self.assembly.compiled.model

    @classmethod
    def empty(
        cls,
        assembly: Assembly,
        method: Formulation,
        options: dict[str, Any],
        breaks: tuple[float, ...] = (),
    ) -> MemoryRun:
        """Data of a run without samples, interrupted at its start."""
        y, no_states, size = assembly.y, np.zeros((0, len(assembly.y))), assembly.compiled.size
        result = Result(
            method=options["integrator"],
            status=Status.MORE,
            interrupted=True,
            t=assembly.t,
            y=y,
            ydot=np.zeros_like(y),
            log=np.zeros(0, STEP),
            samples_t=np.zeros(0),
            samples_y=no_states,
            accepted=0,
            rejected=0,
            evaluations=0,
        )
        solved = Solved.of(np.zeros((0, size["nv"])), np.zeros((0, size["ng"])))
        return cls(assembly, method, options, result, np.zeros(0), no_states, solved, breaks=breaks)


class DeferredRun:
    """Data of a run in memory whose samples are completed when they are first used.

    `complete` returns the whole data, or raises an error, which every later use raises again.
    """

    scratch: ClassVar[None] = None
    file: ClassVar[None] = None
    complete: Callable[[], MemoryRun]

    def __init__(
        self,
        assembly: Assembly,
        method: Formulation,
        options: dict[str, Any],
        result: Result,
        t: np.ndarray,
        wall: float,
        ledger: np.ndarray | None,
        breaks: tuple[float, ...],
    ) -> None:
        self.assembly, self.method, self.options, self.result = assembly, method, options, result
        self.t, self.wall, self.ledger, self.breaks = t, wall, ledger, breaks
        self._lock, self._error = threading.Lock(), cast(SimulationError | None, None)
        self._whole: MemoryRun | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the whole data."""
        return MemoryRun, tuple(getattr(self.whole, one.name) for one in fields(MemoryRun))

    @property
    def whole(self) -> MemoryRun:
        """The completed data."""
        with self._lock:
            if self._error is not None:
                raise self._error
            if self._whole is None:
                try:
                    self._whole = self.complete()
                except SimulationError as error:
                    self._error = error
                    raise
                del self.complete
            return self._whole

    @property
    def y(self) -> np.ndarray:
        return self.whole.y

    @property
    def solved(self) -> Solved:
        return self.whole.solved

    @property
    def model(self) -> Model:
        return self.assembly.compiled.model

    def with_samples(self, y: np.ndarray, solved: Solved, result: Result) -> MemoryRun:
        """The data with completed samples."""
        return MemoryRun(
            self.assembly,
            self.method,
            self.options,
            result,
            self.t,
            y,
            solved,
            self.wall,
            self.ledger,
            self.breaks,
        )


def with_data(sol: Solution, source: Solution | None = None, **changes: Any) -> Solution:
    """Return a solution in memory, with some of its data replaced; `source` is the run itself."""
    data = {one.name: getattr(sol.data, one.name) for one in fields(MemoryRun)}
    return type(sol)(MemoryRun(**(data | changes)), source or sol.source)
