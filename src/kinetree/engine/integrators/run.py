"""A run on its way from Python: stretch after stretch, chunk after chunk; progress, cancelling,
events.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ...errors import KinetreeError
from ...kernel.decorators import table
from ...kernel.tables.status import Status
from ...kernel.usercode.capture import watching
from ...kernel.usercode.watch import Watched
from ...kernel.usercode.worker_thread import LeftBehind
from .budget import Budget
from .contract import Integrator
from .loop import INSIDE
from .memory import OWN, STEP, YDOT, Run, Y
from .result import Jump, Result
from .segments import (
    FIRST_WATCHED,
    MOST_WATCHED,
    Halt,
    Stretch,
    Watcher,
    all_nodes,
    arrive,
    closeness,
    enter,
)
from .steplog import StepLog
from .storage import FIRST_CHUNK, Keep, Room, memory_of

LARGEST_CHUNK, CHUNK_SECONDS = 1 << 16, 0.1
MOST_SWITCHES = 10_000  # found inside steps; then user code is no longer probed


class Journey:
    """A run on its way: stretch after stretch, chunk after chunk."""

    def __init__(
        self,
        method: Integrator,
        advance: Callable,
        room: Room,
        chunk: int | None,
        on_chunk: Callable | None,
        budget: Budget,
        watched: Watched,
        watcher: Watcher | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.method, self.advance, self.run, self.budget, self.keep = (
            method,
            advance,
            room.run,
            budget,
            keep,
        )
        self.control, self.memory = room.control, room.memory
        self.watched, self.watcher = watched, watcher
        self.halt: Halt | None = None
        self.stop: BaseException | None = None
        self.chunk, self.on_chunk = chunk, on_chunk
        self.began, self.log = time.perf_counter(), StepLog()
        self.jumps: list[Jump] = []
        self.close = 0.0  # times as near to each other are one (s)
        self.behind: Stretch | None = None  # what follows a switch that was found inside a step
        self.switched: list[float] = []  # when user code switched there
        self.status, self.interrupted, self.rows = Status.MORE, False, len(room.run.log)

    def through(
        self,
        pieces: list[Stretch],
        jump: Callable | None,
        until: float,
        begin: Callable | None = None,
    ) -> Journey:
        """All stretches, as far as it goes."""
        self.close = closeness(self.memory.t, until)
        first = (
            jump if pieces[0].start > self.memory.t else begin
        )  # a start at a break is the state after it
        if first is not None and not self._changed(pieces[0].start, first):
            return self
        for k, piece in enumerate(pieces):
            if k > 0 and not self._over(piece.start, jump):
                return self
            self._stretch(piece)
            if self.status != Status.DONE or (self.halt and self.halt.ended):
                return self
        if self.memory.t < until:
            arrive(self.run, self.memory, until)
        return self

    def _stretch(self, piece: Stretch) -> None:
        """To the end of a stretch, anew after each halt and each switch of user code inside a step."""
        rest: Stretch | None = piece
        while rest is not None:
            self.halt, self.status = None, Status.MORE
            self.run = enter(self.run, self.control, self.memory, self.method, rest)
            if self.watcher is not None:
                self.watcher.begin(rest.start, self.run.vectors[Y])
            self._chunks()
            rest = self._rest(piece)

    def _rest(self, piece: Stretch) -> Stretch | None:
        """What is left of a stretch, after it has come to its end, to a halt, or to a step that was
        taken back.
        """
        if self.halt is not None and self.status == Status.MORE:
            self.behind = None
            return self._after_halt(self.halt, piece)
        if self.status == Status.SWITCHED:
            quiet, loud, t = self.memory.quiet, self.memory.loud, self.memory.t
            self.behind = Stretch(loud, piece.stops[piece.stops > loud])
            if quiet - t > self.close:
                return Stretch(
                    t, np.append(piece.stops[(piece.stops > t) & (piece.stops < quiet)], quiet)
                )
        elif self.status != Status.DONE:
            return None
        behind, self.behind = self.behind, None
        if behind is not None:
            y = self.run.vectors[Y].copy()
            self.jumps.append(Jump(self.memory.t, behind.start, y, y))
            self.switched.append(behind.start)
            self.control.probe *= len(self.switched) < MOST_SWITCHES
        return behind

    def _after_halt(self, halt: Halt, piece: Stretch) -> Stretch | None:
        """What is left of the stretch after a halt; at its end, or that of the run, only the slope
        there.
        """
        t = float(np.nextafter(halt.t, np.inf))
        self.jumps.append(Jump(halt.t, t, halt.before, halt.after))
        self.run.vectors[Y] = halt.after
        if halt.error is not None:
            self.stop, self.interrupted = halt.error, True
        elif halt.ended or t >= piece.stops[-1] - self.close:
            self.run = enter(
                self.run,
                self.control,
                self.memory,
                self.method,
                Stretch(halt.t, np.array([halt.t])),
            )
            self.control.h_initial = 1.0  # of no step: it is already there
            self._chunks()
        else:
            return Stretch(t, piece.stops[piece.stops > t])
        return None

    def _over(self, t: float, jump: Callable | None) -> bool:
        """From one side of a break to the other."""
        y = self.run.vectors[Y]
        before = y.copy()
        if jump is not None and not self._changed(t, jump):
            return False
        self.jumps.append(Jump(self.memory.t, t, before, y.copy()))
        return True

    def _changed(self, t: float, change: Callable) -> bool:
        """Whether a change of the state was made; nothing is changed where it was not."""
        y = self.run.vectors[Y]
        before = y.copy()
        with watching(self.watched.watch):
            status = change(t, y)
        if status != Status.OK:
            y[:], self.status = before, status
        return status == Status.OK

    def _chunks(self) -> None:
        """Advance until the stretch is done, failed or told to stop; each chunk but the last fills
        its log completely.
        """
        try:
            while self.status == Status.MORE and not self.interrupted:
                self._one_chunk()
                if self.halt is not None:
                    return
        except (KeyboardInterrupt, SystemExit) as stop:
            self.status, self.interrupted = Status.MORE, True
            self.stop = None if isinstance(stop, KeyboardInterrupt) else stop
        except LeftBehind:
            self.status, self.interrupted, self.run = Status.MORE, True, _at_rest(self.run)
            self.memory = memory_of(self.run)

    def _one_chunk(self) -> None:
        memory, began = self.memory, time.perf_counter()
        rows = self.budget.rows(self.rows, memory)
        if len(self.run.log) != rows:
            self.run = self.run._replace(log=table(STEP, rows))
        run, log, memory.row = self.run, self.run.log, 0
        watcher = self.watcher if self.halt is None else None
        if watcher is not None:
            start, run = (
                (memory.t, run.vectors[Y].copy()),
                run._replace(nodes=_room_for_nodes(rows, run)),
            )
        try:
            self.status = Status(self.watched(self.advance, run))
            if watcher is not None and memory.row:
                self._look(watcher, *start, log, run.nodes)
        finally:
            self.log.add(log[: memory.row])
        if self.keep is not None:
            self.keep(run.samples_t, run.samples_y, memory.sample)
        if self.watched.watch.stop is not None:
            self.status, self.interrupted = (
                Status.DONE if self.status == Status.DONE else Status.MORE,
                True,
            )
            return
        if self.stop is not None:
            return
        self.rows = self._next_rows(rows, time.perf_counter() - began)
        told = self.on_chunk is None or self.on_chunk(memory.t) is not False
        if self.status == Status.MORE:
            self.interrupted = not told
            self.status = self.budget.spent(memory) if told else Status.MORE

    def _look(
        self, watcher: Watcher, t: float, y: np.ndarray, log: np.ndarray, nodes: np.ndarray
    ) -> None:
        """Show the chunk to the watcher; where it halts, forget what lies behind."""
        memory, count = self.memory, self.memory.row
        ends = np.concatenate([[t], log["t"][:count]])
        try:
            halt = watcher.look(ends, all_nodes(y, nodes[:count]))
        except KinetreeError as error:
            self.stop, self.interrupted, self.status = error, True, Status.MORE
            return
        if halt is None:
            return
        kept = int(np.searchsorted(ends[1:], halt.t))  # whole steps before it
        if kept < count and halt.t > ends[kept]:
            row, kept = log[kept], kept + 1
            row["t"], row["h"] = halt.t, halt.t - ends[kept - 1]
            row["shortest"] = row["longest"] = row["h"]
        memory.accepted += kept - count
        memory.rejected_logged -= int(
            log["rejected"][kept:count].sum()
        )  # of what is forgotten: the next step ...
        memory.evaluations_logged -= int(
            log["evaluations"][kept:count].sum()
        )  # ... is charged with them
        memory.row, memory.t, self.run.vectors[Y] = kept, halt.t, halt.before
        memory.sample = min(memory.sample, int(np.searchsorted(self.run.samples_t, halt.t)))
        self.halt, self.status = halt, Status.MORE

    def _next_rows(self, rows: int, seconds: float) -> int:
        """Steps of the next chunk; with events a number that no clock decides, so that the run can
        be repeated.
        """
        if self.watcher is not None:
            return FIRST_WATCHED if self.halt is not None else min(2 * rows, MOST_WATCHED)
        return self.rows if self.chunk else _next_rows(rows, seconds)

    def result(self) -> Result:
        """What was done, copied where the storage serves other runs."""
        run, memory, watcher = self.run, self.memory, self.watcher
        n, reached = memory.n, memory.sample
        return Result(
            self.method.name,
            self.status,
            self.interrupted,
            memory.t,
            run.vectors[Y, :n].copy(),
            run.vectors[YDOT, :n].copy(),
            self.log.rows(),
            run.samples_t[:reached],
            run.samples_y[:reached, :n],
            memory.accepted,
            memory.rejected,
            memory.evaluations,
            time.perf_counter() - self.began,
            run.samples_y[:reached, n:],
            run.vectors[Y, n:].copy(),
            tuple(self.jumps),
            None,
            self.stop,
            tuple(watcher.happened) if watcher is not None else (),
            self.halt.ended if self.halt is not None else "",
            tuple(self.switched),
        )


def _room_for_nodes(rows: int, run: Run) -> np.ndarray:
    return np.zeros((rows, INSIDE + 1, run.vectors.shape[1]))


def _at_rest(run: Run) -> Run:
    """A copy of what another thread has left while it does not come back from an evaluation: twice
    the same.
    """
    before, now = b"", _copied(run)
    while before != (before := now.memory.tobytes() + now.vectors.tobytes()):
        time.sleep(0.01)
        now = _copied(run)
    return now


def _copied(run: Run) -> Run:
    return run._replace(memory=run.memory.copy(), vectors=run.vectors[:OWN].copy())


def _next_rows(rows: int, seconds: float) -> int:
    """So many steps that the next chunk takes a tenth of a second, approached carefully."""
    wanted = int(rows * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(FIRST_CHUNK, min(wanted, 8 * rows, LARGEST_CHUNK))
