"""A run: segment after segment and chunk after chunk, with progress, cancellation and events."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ...errors import KinetreeError
from ...kernel.decorators import table
from ...kernel.tables.status import Status
from ...kernel.usercode.capture import capturing
from ...kernel.usercode.interruptible import Abandoned, InterruptibleCalls
from ..heaps.storage import grown
from .budget import Budget
from .contract import Integrator
from .memory import METHOD_ROWS, SLOW_STEPS, STEP, YDOT, RunArrays, Y
from .newton.pattern import Layout
from .nodes import INNER_POINTS
from .result import Jump, Result
from .segments import (
    FIRST_WITH_EVENTS,
    MOST_WITH_EVENTS,
    ContactEvents,
    EventDetector,
    Interruption,
    Occurrence,
    Segment,
    arrive,
    enter,
    time_tolerance,
    with_start_points,
)
from .steplog import StepLog
from .storage import FIRST_CHUNK, SampleWriter, Storage, change_matrix, memory_of

LARGEST_CHUNK, CHUNK_SECONDS = 1 << 16, 0.1
MOST_SWITCHES = 10_000  # found inside steps; after them user code is not probed any more


class Run:
    """One integration in progress."""

    def __init__(
        self,
        method: Integrator,
        advance: Callable,
        storage: Storage,
        chunk: int | None,
        on_chunk: Callable | None,
        budget: Budget,
        watched: InterruptibleCalls,
        detector: EventDetector | None = None,
        sample_writer: SampleWriter | None = None,
        next_layout: Callable[[], Layout | None] = lambda: None,
        contacts: ContactEvents | None = None,
    ) -> None:
        self.method, self.advance, self.budget = method, advance, budget
        self.arrays, self.control, self.memory = storage.arrays, storage.control, storage.memory
        self.watched, self.detector, self.sample_writer = watched, detector, sample_writer
        self.interruption: Interruption | None = None
        self.stop: BaseException | None = None
        self.chunk, self.on_chunk, self.next_layout = chunk, on_chunk, next_layout
        self.contacts = contacts
        self.began, self.log = time.perf_counter(), StepLog()
        self.jumps: list[Jump] = []
        self.close = 0.0  # times closer than this are equal (s)
        self.after_switch: Segment | None = None  # follows a switch found inside a step
        self.switched: list[float] = []  # times of these switches
        self.status, self.interrupted, self.rows = Status.MORE, False, len(storage.arrays.log)

    def execute(
        self,
        segments: list[Segment],
        jump: Callable | None,
        until: float,
        begin: Callable | None = None,
    ) -> Run:
        """Integrate all segments, or as many as possible."""
        self.close = time_tolerance(self.memory.t, until)
        # a start at a break has the state after the break
        first = jump if segments[0].start > self.memory.t else begin
        if first is not None and not self._change_state(segments[0].start, first):
            return self
        if not self._start_contacts(segments[0].start):
            return self
        for k, segment in enumerate(segments):
            if k > 0 and not self._cross_break(segment.start, jump):
                return self
            self._execute_segment(segment)
            if self.status != Status.DONE or (self.interruption and self.interruption.ended):
                return self
        if self.memory.t < until:
            arrive(self.arrays, self.memory, until)
        return self

    def _execute_segment(self, segment: Segment) -> None:
        """Integrate a segment; restart after each interruption and each switch of user code."""
        rest: Segment | None = segment
        while rest is not None:
            self.interruption, self.status = None, Status.MORE
            self.arrays = enter(self.arrays, self.control, self.memory, self.method, rest)
            if self.detector is not None:
                self.detector.begin(rest.start, self.arrays.vectors[Y])
            self._chunks()
            rest = self._rest(segment)

    def _rest(self, segment: Segment) -> Segment | None:
        """Rest of a segment after its end, an interruption, or a step that was undone."""
        if self.interruption is not None and self.status == Status.MORE:
            self.after_switch = None
            return self._after_interruption(self.interruption, segment)
        if self.status == Status.CONTACT and self.contacts is not None:
            return self._after_contact(segment)
        if self.status == Status.SWITCHED:
            memory, stops = self.memory, segment.stops
            t, before, after = memory.t, memory.switch_before, memory.switch_after
            self.after_switch = Segment(after, stops[stops > after])
            if before - t > self.close:
                return Segment(t, np.append(stops[(stops > t) & (stops < before)], before))
        elif self.status != Status.DONE:
            return None
        rest, self.after_switch = self.after_switch, None
        if rest is not None:
            y = self.arrays.vectors[Y].copy()
            self.jumps.append(Jump(self.memory.t, rest.start, y, y))
            self.switched.append(rest.start)
            self.control.probe *= len(self.switched) < MOST_SWITCHES
        return rest

    def _start_contacts(self, t: float) -> bool:
        """Find the modes of the contacts at the start of a segment; False if that fails."""
        return self.contacts is None or self._change_state(t, self.contacts.start)

    def _after_contact(self, segment: Segment) -> Segment | None:
        """Rest of the segment after the event of a contact, which may change the velocities."""
        y, t = self.arrays.vectors[Y], self.memory.t
        before, after = y.copy(), float(np.nextafter(t, np.inf))
        if self.contacts is None or not self._change_state(t, self.contacts.happen):
            return None
        self.jumps.append(Jump(t, after, before, y.copy()))
        if after < segment.stops[-1] - self.close:
            return Segment(after, segment.stops[segment.stops > after])
        self._finish_at(t)
        return None

    def _finish_at(self, t: float) -> None:
        """End the segment at a time that is reached; only the slope is evaluated there."""
        self.status = Status.MORE
        here = Segment(t, np.array([t]))
        self.arrays = enter(self.arrays, self.control, self.memory, self.method, here)
        self.control.h_initial = 1.0  # unused: the segment has no step
        self._chunks()

    def _after_interruption(self, interruption: Interruption, segment: Segment) -> Segment | None:
        """Rest of the segment after an interruption; at its end only the slope is evaluated."""
        t = float(np.nextafter(interruption.t, np.inf))
        self.jumps.append(Jump(interruption.t, t, interruption.before, interruption.after))
        self.arrays.vectors[Y] = interruption.after
        if interruption.error is not None:
            self.stop, self.interrupted = interruption.error, True
        elif interruption.ended or t >= segment.stops[-1] - self.close:
            self._finish_at(interruption.t)
        elif self._start_contacts(t):
            return Segment(t, segment.stops[segment.stops > t])
        return None

    def _cross_break(self, t: float, jump: Callable | None) -> bool:
        """Move the state from one side of a break to the other; False if that fails."""
        y = self.arrays.vectors[Y]
        before = y.copy()
        if jump is not None and not self._change_state(t, jump):
            return False
        if not self._start_contacts(t):
            return False
        self.jumps.append(Jump(self.memory.t, t, before, y.copy()))
        return True

    def _change_state(self, t: float, change: Callable) -> bool:
        """Apply `change` to the state; False if it fails, and then the state is unchanged."""
        y = self.arrays.vectors[Y]
        before = y.copy()
        with capturing(self.watched.errors):
            status = change(t, y)
        if status != Status.OK:
            y[:], self.status = before, status
        return status == Status.OK

    def _chunks(self) -> None:
        """Advance until the segment is done, fails or is stopped.

        Each chunk but the last fills its log completely.
        """
        try:
            while self.status == Status.MORE and not self.interrupted:
                self._one_chunk()
                if self.interruption is not None:
                    return
        except (KeyboardInterrupt, SystemExit) as stop:
            self.status, self.interrupted = Status.MORE, True
            self.stop = None if isinstance(stop, KeyboardInterrupt) else stop
        except Abandoned:
            self.status, self.interrupted = Status.MORE, True
            self.arrays = _settled_copy(self.arrays)
            self.memory = memory_of(self.arrays)

    def _one_chunk(self) -> None:
        memory, began = self.memory, time.perf_counter()
        rows = self.budget.rows(self.rows, memory)
        if len(self.arrays.log) != rows:
            self.arrays = self.arrays._replace(log=table(STEP, rows))
        arrays, log, memory.row = self.arrays, self.arrays.log, 0
        detector = self.detector if self.interruption is None else None
        if detector is not None:
            start = memory.t, arrays.vectors[Y].copy()
            points = np.zeros((rows, INNER_POINTS + 1, arrays.vectors.shape[1]))
            arrays = arrays._replace(points=points)
        try:
            self.status = Status(self.watched(self.advance, arrays))
            if detector is not None and memory.row:
                self._detect(detector, *start, log, arrays.points)
        finally:
            self.log.add(log[: memory.row])
        if self.sample_writer is not None:
            self.sample_writer(arrays.samples_t, arrays.samples_y, memory.sample)
        if self.watched.errors.stop is not None:
            self.interrupted = True
            self.status = Status.DONE if self.status == Status.DONE else Status.MORE
            return
        if self.stop is not None:
            return
        if len(self.arrays.heap) and self.arrays.heap[0]["wanted"].any():
            self.arrays = grown(self.arrays)
        if memory.slow_steps >= SLOW_STEPS:
            self.arrays = change_matrix(self.arrays, self.control, memory, self.next_layout())
        self.rows = self._next_rows(rows, time.perf_counter() - began)
        go_on = self.on_chunk is None or self.on_chunk(memory.t) is not False
        if self.status == Status.MORE:
            self.interrupted = not go_on
            self.status = self.budget.limit_reached(memory) if go_on else Status.MORE

    def _detect(
        self, detector: EventDetector, t: float, y: np.ndarray, log: np.ndarray, points: np.ndarray
    ) -> None:
        """Detect the events of a chunk; where one interrupts the run, discard the later steps."""
        memory, count = self.memory, self.memory.row
        ends = np.concatenate([[t], log["t"][:count]])
        try:
            found = detector.process(ends, with_start_points(y, points[:count]))
        except KinetreeError as error:
            self.stop, self.interrupted, self.status = error, True, Status.MORE
            return
        if found is None:
            return
        kept = int(np.searchsorted(ends[1:], found.t))  # whole steps before it
        if kept < count and found.t > ends[kept]:
            row, kept = log[kept], kept + 1
            row["t"], row["h"] = found.t, found.t - ends[kept - 1]
            row["shortest"] = row["longest"] = row["h"]
        memory.accepted += kept - count
        # the costs of the discarded steps count for the next step
        memory.rejected_logged -= int(log["rejected"][kept:count].sum())
        memory.evaluations_logged -= int(log["evaluations"][kept:count].sum())
        memory.row, memory.t, self.arrays.vectors[Y] = kept, found.t, found.before
        memory.sample = min(memory.sample, int(np.searchsorted(self.arrays.samples_t, found.t)))
        self.interruption, self.status = found, Status.MORE

    def _next_rows(self, rows: int, seconds: float) -> int:
        """Steps of the next chunk; with events independent of the clock, so that runs repeat."""
        if self.detector is not None:
            interrupted = self.interruption is not None
            return FIRST_WITH_EVENTS if interrupted else min(2 * rows, MOST_WITH_EVENTS)
        return self.rows if self.chunk else _next_rows(rows, seconds)

    def _occurrences(self) -> tuple[Occurrence, ...]:
        """Occurrences of events and of contacts, in the order of time."""
        own = self.detector.occurrences if self.detector is not None else []
        touched = self.contacts.occurrences if self.contacts is not None else []
        return tuple(sorted([*own, *touched], key=lambda one: one.t) if touched else own)

    def result(self) -> Result:
        """The result so far; arrays that later runs use again are copied."""
        arrays, memory = self.arrays, self.memory
        n, reached = memory.n, memory.sample
        return Result(
            self.method.name,
            self.status,
            self.interrupted,
            memory.t,
            arrays.vectors[Y, :n].copy(),
            arrays.vectors[YDOT, :n].copy(),
            self.log.rows(),
            arrays.samples_t[:reached],
            arrays.samples_y[:reached, :n],
            memory.accepted,
            memory.rejected,
            memory.evaluations,
            time.perf_counter() - self.began,
            arrays.samples_y[:reached, n:],
            arrays.vectors[Y, n:].copy(),
            tuple(self.jumps),
            None,
            self.stop,
            self._occurrences(),
            self.interruption.ended if self.interruption is not None else "",
            tuple(self.switched),
            int(memory.factorizations),
        )


def _settled_copy(arrays: RunArrays) -> RunArrays:
    """A copy of arrays that another thread may still write: taken when two copies agree."""
    before, now = b"", _copied(arrays)
    while before != (before := now.memory.tobytes() + now.vectors.tobytes()):
        time.sleep(0.01)
        now = _copied(arrays)
    return now


def _copied(arrays: RunArrays) -> RunArrays:
    return arrays._replace(memory=arrays.memory.copy(), vectors=arrays.vectors[:METHOD_ROWS].copy())


def _next_rows(rows: int, seconds: float) -> int:
    """Number of steps that take CHUNK_SECONDS, at most eight times as many as in the last chunk."""
    wanted = int(rows * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(FIRST_CHUNK, min(wanted, 8 * rows, LARGEST_CHUNK))
