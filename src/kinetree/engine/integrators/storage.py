"""Where a run lies: tables, vectors and the log of its first steps.

A workspace belongs to one run at a time. So it keeps the storage of its last run, which serves the
next one of the same size: of a run of a few steps, a third of the time would go into arrays.
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
from .loop import INSIDE
from .memory import ATOL, CONTROL, FULL, MEMORY, STEP, Control, Run, Y
from .newton.pattern import Layout
from .probing import ROWS as PROBES
from .segments import FIRST_WATCHED, Stretch

FIRST_CHUNK = 16
FIRST_NUMBERS, MOST_FIRST = (
    2048,
    128,
)  # the first chunk of a small machine is as long as so many numbers of its state, at most
_kept: WeakKeyDictionary[Work, Room] = WeakKeyDictionary()


class Keep(Protocol):
    """Who keeps the samples of a run while it goes on."""

    def room(self, samples: int, width: int) -> np.ndarray:
        """Where they lie."""

    def __call__(self, t: np.ndarray, y: np.ndarray, reached: int) -> None:
        """The first `reached` of them are known."""


@cache
def nothing() -> Run:
    """A run without storage, the type of all; its row of addresses is known, so that others take
    over what they leave.
    """
    run: Any = Run(
        table(CONTROL, 1),
        table(MEMORY, 1),
        np.zeros((0, 0)),
        np.zeros((0, 0)),
        table(STEP, 0),
        np.zeros(0),
        np.zeros((0, 0)),
        np.zeros(0),
        np.zeros(0, np.int64),
        np.zeros((0, 0)),
        np.zeros((0, 0)),
        np.zeros(0),
        np.zeros((0, INSIDE + 1, 0)),
        np.zeros((0, 0)),
    )
    _ = JIT and run._address  # its row of addresses
    return run


all_are_like(Run, nothing)


def first_rows(n: int, chunk: int | None, watched: bool) -> int:
    """Steps of the first chunk of a machine with n states: whatever they cost, it is over within a
    moment.
    """
    if watched:
        return FIRST_WATCHED
    return (
        max(FIRST_CHUNK, min(FIRST_NUMBERS // max(n, 1), MOST_FIRST))
        if chunk is None
        else max(chunk, 1)
    )


def _overlay(dtype: np.dtype) -> type[ctypes.Structure]:
    """A record of eight-byte numbers by attributes, in place: a field of NumPy's takes four times
    as long to read or write.
    """
    kinds = {"f": ctypes.c_double, "i": ctypes.c_int64}
    return type(
        "Overlay",
        (ctypes.Structure,),
        {"_fields_": [(name, kinds[dtype[name].kind]) for name in dtype.names or ()]},
    )


_Control, _Memory = _overlay(CONTROL), _overlay(MEMORY)


def memory_of(run: Run) -> Any:
    """Its record `memory` for Python."""
    return _Memory.from_buffer(run.memory.data)


class Room:
    """The storage of one run; `control` and `memory` are its two records for Python."""

    control: Any
    memory: Any

    def __init__(
        self, entry: Integrator, layout: Layout, shape: tuple[int, int], rows: int
    ) -> None:
        room = {} if entry.layout is None else layout.room()._asdict()
        self.run = nothing()._replace(
            control=table(CONTROL, 1),
            memory=table(MEMORY, 1),
            vectors=np.zeros(shape),
            log=table(STEP, rows),
            samples_y=np.zeros((0, shape[1])),
            stops=np.zeros(1),
            **room,
        )
        self.control, self.memory = _Control.from_buffer(self.run.control.data), memory_of(self.run)
        self._bytes = self.run.memory.view(np.uint8)

    def fits(self, entry: Integrator, shape: tuple[int, int], rows: int) -> bool:
        return (
            entry.layout is None and self.run.vectors.shape == shape and len(self.run.log) == rows
        )

    def begin(
        self, control: Control, coefficients: np.ndarray, y: np.ndarray, n: int, atol: np.ndarray
    ) -> None:
        """What was asked for, numbers of the method, the initial state with n components that are
        not carried along.
        """
        if self.run.coefficients.shape != coefficients.shape:
            self.run = self.run._replace(coefficients=np.zeros_like(coefficients))
        run, self._bytes[:], self.run.vectors[:] = self.run, 0, 0.0
        run.control[0], run.coefficients[:], run.vectors[Y], run.vectors[ATOL, :n] = (
            control,
            coefficients,
            y,
            atol,
        )
        self.memory.t, self.memory.n = control.t_start, n

    def probing(self, spacing: float) -> None:
        """User code is probed inside steps, at times so far apart."""
        self.control.probe = spacing
        self.run = self.run._replace(
            probes=np.zeros((PROBES if spacing > 0.0 else 0, self.run.vectors.shape[1]))
        )

    def sampled(self, times: np.ndarray, keep: Keep | None) -> None:
        """Samples, and where they go."""
        width = self.run.vectors.shape[1]
        if keep is not None or len(times):
            room = np.zeros((len(times), width)) if keep is None else keep.room(len(times), width)
            self.run = self.run._replace(samples_t=times, samples_y=room)

    def stopping(self, piece: Stretch) -> Stretch:
        """The first stretch, whose one stop is written down here."""
        if len(piece.stops) != 1 or len(self.run.stops) != 1:
            return piece
        self.run.stops[0] = piece.stops[0]
        return Stretch(piece.start, self.run.stops)


def take(work: Work, entry: Integrator, layout: Layout, width: int, rows: int) -> Room:
    """Storage for states of that width and a first log of so many rows."""
    shape = entry.rows + (entry.matrices * width if layout.newton == FULL else 0), width
    room = _kept.pop(work, None)
    return (
        room
        if room is not None and room.fits(entry, shape, rows)
        else Room(entry, layout, shape, rows)
    )


def give_back(work: Work, room: Room) -> None:
    """The run is over: nothing of it is read again, but its samples."""
    if not len(room.run.samples_t):
        _kept[work] = room
