"""Storage of a run: its records, vectors, and the log of its first steps.

A workspace belongs to one run at a time. It keeps the storage of its last run, and the next run of
the same size uses it again: in a run of a few steps, a third of the time would go into arrays.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from ...kernel.array_block import all_are_like
from ...kernel.decorators import JIT, table
from ...kernel.tables.workspace import Work
from .contract import Integrator
from .memory import ARTICULATED, ATOL, CONTROL, FULL, MEMORY, STEP, Control, RunArrays, Y
from .methods.bdf import NO_JACOBIAN
from .methods.bdf_formulas import JACOBIAN as MATRIX_ROWS
from .newton.pattern import Layout
from .nodes import INNER_POINTS
from .probing import ROWS as PROBES
from .segments import FIRST_WITH_EVENTS, Segment

FIRST_CHUNK = 16  # steps of the first chunk, at least
# steps of the first chunk of a small model: numbers of its states in them, and steps, at most
FIRST_NUMBERS, MOST_FIRST = 2048, 128
_released: WeakKeyDictionary[Work, Storage] = WeakKeyDictionary()


class SampleWriter(Protocol):
    """Interface that stores the samples of a run during the run."""

    def allocate(self, samples: int, width: int) -> np.ndarray:
        """Array for all samples."""

    def __call__(self, t: np.ndarray, y: np.ndarray, reached: int) -> None:
        """Store the samples so far: the first `reached` rows of y are filled."""


@cache
def empty_arrays() -> RunArrays:
    """A run without storage, the type of all runs; others share the addresses of its arrays."""
    run: Any = RunArrays(
        control=table(CONTROL, 1),
        memory=table(MEMORY, 1),
        coefficients=np.zeros((0, 0)),
        vectors=np.zeros((0, 0)),
        log=table(STEP, 0),
        samples_t=np.zeros(0),
        samples_y=np.zeros((0, 0)),
        stops=np.zeros(0),
        lists=np.zeros(0, np.int64),
        unknowns=np.zeros((0, 0)),
        entries=np.zeros((0, 0)),
        factors=np.zeros(0),
        points=np.zeros((0, INNER_POINTS + 1, 0)),
        probes=np.zeros((0, 0)),
    )
    _ = JIT and run._address  # computes its row of addresses
    return run


all_are_like(RunArrays, empty_arrays)


def first_rows(n: int, chunk: int | None, events: bool) -> int:
    """Number of steps in the first chunk of a model with n states, small enough to return soon."""
    if events:
        return FIRST_WITH_EVENTS
    if chunk is not None:
        return max(chunk, 1)
    return max(FIRST_CHUNK, min(FIRST_NUMBERS // max(n, 1), MOST_FIRST))


def _overlay(dtype: np.dtype) -> type[ctypes.Structure]:
    """Type that accesses a record in place by attributes, four times as fast as NumPy's fields."""
    kinds = {"f": ctypes.c_double, "i": ctypes.c_int64}
    fields = [(name, kinds[dtype[name].kind]) for name in dtype.names or ()]
    return type("Overlay", (ctypes.Structure,), {"_fields_": fields})


_Control, _Memory = _overlay(CONTROL), _overlay(MEMORY)


def memory_of(arrays: RunArrays) -> Any:
    """Record `memory` for Python."""
    return _Memory.from_buffer(arrays.memory.data)


class Storage:
    """Storage of one run; `control` and `memory` are its two records for Python."""

    control: Any
    memory: Any

    def __init__(
        self, entry: Integrator, layout: Layout, shape: tuple[int, int], rows: int
    ) -> None:
        matrix = {} if entry.layout is None else layout.arrays()._asdict()
        self.layout = None if entry.layout is None else layout
        self.arrays = empty_arrays()._replace(
            control=table(CONTROL, 1),
            memory=table(MEMORY, 1),
            vectors=np.zeros(shape),
            log=table(STEP, rows),
            samples_y=np.zeros((0, shape[1])),
            stops=np.zeros(1),
            **matrix,
        )
        self.control = _Control.from_buffer(self.arrays.control.data)
        self.memory = memory_of(self.arrays)
        self._bytes = self.arrays.memory.view(np.uint8)

    def fits(self, entry: Integrator, layout: Layout, shape: tuple[int, int], rows: int) -> bool:
        """Whether a run with this method, this matrix and these sizes can use the storage.

        Sparse factors are allocated anew.
        """
        arrays, plain = self.arrays, layout.newton in (FULL, ARTICULATED)
        same = self.layout is (None if entry.layout is None else layout) and plain
        return same and arrays.vectors.shape == shape and len(arrays.log) == rows

    def begin(
        self, control: Control, coefficients: np.ndarray, y: np.ndarray, n: int, atol: np.ndarray
    ) -> None:
        """Write the options, the coefficients of the method, and the initial state.

        The last len(y) - n components of y are quadratures.
        """
        if self.arrays.coefficients.shape != coefficients.shape:
            self.arrays = self.arrays._replace(coefficients=np.zeros_like(coefficients))
        arrays = self.arrays
        self._bytes[:], arrays.vectors[:] = 0, 0.0
        arrays.control[0], arrays.coefficients[:] = control, coefficients
        arrays.vectors[Y], arrays.vectors[ATOL, :n] = y, atol
        self.memory.t, self.memory.n = control.t_start, n

    def set_probes(self, spacing: float) -> None:
        """Probe user code inside steps, at times at most `spacing` apart (s); 0: not at all."""
        self.control.probe = spacing
        rows = PROBES if spacing > 0.0 else 0
        if len(self.arrays.probes) != rows:
            probes = np.zeros((rows, self.arrays.vectors.shape[1]))
            self.arrays = self.arrays._replace(probes=probes)

    def set_samples(self, times: np.ndarray, writer: SampleWriter | None) -> None:
        """Set the sample times, and the array that takes the states there."""
        width = self.arrays.vectors.shape[1]
        if writer is not None or len(times):
            states = (
                np.zeros((len(times), width))
                if writer is None
                else writer.allocate(len(times), width)
            )
            self.arrays = self.arrays._replace(samples_t=times, samples_y=states)

    def with_own_stop(self, segment: Segment) -> Segment:
        """The first segment, with its only stop in the array of the storage."""
        if len(segment.stops) != 1 or len(self.arrays.stops) != 1:
            return segment
        self.arrays.stops[0] = segment.stops[0]
        return Segment(segment.start, self.arrays.stops)


def acquire(work: Work, entry: Integrator, layout: Layout, width: int, rows: int) -> Storage:
    """Storage for states of that width and a first log of that many rows."""
    shape = entry.rows + (entry.matrices * width if layout.newton == FULL else 0), width
    found = _released.pop(work, None)
    if found is not None and found.fits(entry, layout, shape, rows):
        return found
    return Storage(entry, layout, shape, rows)


def change_matrix(arrays: RunArrays, control: Any, memory: Any, layout: Layout | None) -> RunArrays:
    """Continue a run with another matrix of its steps; None: with the same one, for good."""
    memory.slow_steps = 0 if layout else -(1 << 60)
    if layout is None:
        return arrays
    rows, width = arrays.vectors.shape
    vectors = np.zeros((rows + 2 * width * (layout.newton == FULL), width))
    vectors[:MATRIX_ROWS] = arrays.vectors[:MATRIX_ROWS]
    vectors[len(vectors) - rows + MATRIX_ROWS :] = arrays.vectors[MATRIX_ROWS:]
    control.newton, memory.c, memory.jacobian_age = layout.newton, 0.0, NO_JACOBIAN
    control.per_jacobian, control.per_factors = layout.per_jacobian, layout.per_factors
    return arrays._replace(vectors=vectors, **layout.arrays()._asdict())


def release(work: Work, storage: Storage) -> None:
    """Keep the storage for the next run, without the samples, which are still in use."""
    if len(storage.arrays.samples_t):
        empty = np.zeros((0, storage.arrays.vectors.shape[1]))
        storage.arrays = storage.arrays._replace(samples_t=np.zeros(0), samples_y=empty)
    _released[work] = storage
