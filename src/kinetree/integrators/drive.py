"""Running a compiled time loop from Python, chunk after chunk: progress, cancelling, and one plain result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core.dispatcher import Dispatcher

from ..compile.problem import signatures
from ..compile.tables import Tables, Work, empty_tables, workspace
from ..errors import ModelError, SimulationError
from ..num.callback import call_ode
from ..num.fault import accuse, check_all
from ..num.jit import JIT, Pointer, compiled, kernel, pointer, table
from ..num.status import Status
from ..options import Choice, values
from ..usercode.aside import LeftBehind
from ..usercode.guard import Watch, watching
from ..usercode.watch import Watched
from . import request
from .budget import Budget
from .catalogue import INTEGRATORS, find
from .contract import Integrator
from .halts import FIRST_WATCHED, MOST_WATCHED, Halt, Occurrence, Watcher, all_nodes
from .loop import INSIDE, advance
from .memory import ATOL, CONTROL, MEMORY, OWN, STEP, YDOT, Run, Y
from .request import Numbers
from .steplog import StepLog
from .stretches import NO_BREAKS, TOGETHER, Breaks, Stretch, arrive, enter, stretches

FIRST_CHUNK, LARGEST_CHUNK, CHUNK_SECONDS = 16, 1 << 16, 0.1


class Jump(NamedTuple):
    """States on both sides of a break, with the components carried along."""

    t_before: float
    t: float
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True)
class Failure:
    """An evaluation that failed: its time and state, the element without a value (see num/fault.py), what Python code raised."""

    t: float
    y: np.ndarray
    fault: int
    culprit: int
    reason: str | None

    @classmethod
    def of(cls, work: Work, watch: Watch, n: int | None = None) -> Failure:
        """The last one that the workspace remembers; the first n components of its state are the machine's."""
        report = work.report[0]
        t = float(report["t_failed"])
        return cls(t, work.failed[:n].copy(), int(report["last_fault"]), int(report["last_culprit"]), watch.at(t))


@dataclass(frozen=True)
class Result:
    """What a run has done, finished or not; `y` is the last good state and `t` its time."""

    method: str
    status: Status  # DONE, MORE (interrupted), or the cause why the run ended early
    interrupted: bool
    t: float
    y: np.ndarray  # (n,)
    ydot: np.ndarray  # (n,)
    log: np.ndarray  # STEP, one row per accepted step, or per several of a long run (`steplog.py`)
    samples_t: np.ndarray  # the sample times reached
    samples_y: np.ndarray  # (len(samples_t), n), not settled
    accepted: int
    rejected: int
    evaluations: int
    seconds: float = 0.0  # of computing, the time loop alone
    carried: np.ndarray | None = None  # (len(samples_t), m) components carried along, and ...
    carried_end: np.ndarray | None = None  # ... (m,) at the last good state
    jumps: tuple[Jump, ...] = ()  # breaks passed
    failure: Failure | None = None  # the last evaluation that failed, if that ended the run
    stop: BaseException | None = None  # what interrupted it: KeyboardInterrupt, SystemExit, ...
    events: tuple[Occurrence, ...] = ()  # in the order of time
    ended: str = ""  # the event that ended the run

    @property
    def done(self) -> bool:
        return self.status == Status.DONE

    def __repr__(self) -> str:
        return f"<{self.method}: {self.status.name.lower()} at t = {self.t:g} s, {self.accepted} steps>"


@kernel
def leave(tables, work, t, y):
    """The `settle` of a problem without invariants."""
    return 0


@kernel
def user_equation(tables, work, t, y, ydot):
    """The `rhs` of a plain ODE: ydot = f(t, y) by the user's code at an address."""
    if call_ode(tables.settings[0].address, (t, y.ctypes.data, y.shape[0], ydot.ctypes.data)) != 0:
        accuse(work.report[0])
    check_all(work.report[0], ydot)
    return 0


def signature():
    """The one signature of the time loop, and those of a method's `start` and `step`, and of its `dense`."""
    t_tables, t_work, rhs, settle = signatures()
    problem = types.FunctionType(rhs), types.FunctionType(settle), t_tables, t_work, typeof(_run(0, 0, 0))
    step, dense = types.int64(*problem), types.int64(problem[-1], types.float64, types.float64[::1])
    return types.int64(*map(types.FunctionType, (step, step, dense)), *problem), step, dense


@cache
def loop(method: Integrator) -> Callable:
    """The time loop with the method's kernels, compiled or loaded."""
    whole, step, dense = signature()
    start, one, inside = method.kernels
    return partial(compiled(advance, whole), pointer(start, step), pointer(one, step), pointer(inside, dense))


def integrate(rhs: Callable, y0: Numbers, until: float, *, settle: Callable = leave,
              tables: Tables | None = None, work: Work | None = None, t0: float = 0.0, method: str = "adams",
              samples: Numbers = (), on_chunk: Callable[[float], object] | None = None, chunk: int | None = None,
              breaks: Breaks = NO_BREAKS, jump: Callable[[float, np.ndarray], Status] | None = None,
              carried: Numbers = (), watcher: Watcher | None = None,
              **options: Any) -> Result:
    """Integrate ydot = rhs from y0 at t0 until the given time.

    rhs, settle   kernels as in `compile.problem`; without tables and work a plain ODE
    samples       sorted times at which the state is wanted
    on_chunk      called with the time reached about ten times a second; returning False ends the run there
    chunk         steps per chunk, instead of as many as take a tenth of a second
    breaks        times at which steps end; where something jumps the method starts anew
    jump          called with (t, y) just after such a time, may change y in place; any status but OK ends the run
    carried       sizes of the last components of y, on which nothing depends: their errors are held below rtol of that, and
                  do not dilute those of the others
    watcher       finds events (`halts.py`)
    options       those of the method, as its line in the catalogue names them: rtol, atol, max_step, step, order, ...
    """
    entry, y = find(method), request.initial_state(y0)
    chosen = values(options, Choice("integrator", entry, INTEGRATORS))
    control = request.control(entry, t0, until, chosen)
    times = request.sample_times(samples, t0, until)
    run = _run(entry.rows + entry.matrices * len(y), len(y), len(times))._replace(
        control=control, samples_t=times, coefficients=entry.coefficients(int(control["order"][0])))
    n = len(y) - len(carried)
    run.vectors[Y], run.vectors[ATOL, n:] = y, np.array(carried) * float(control["rtol"][0])
    run.vectors[ATOL, :n] = request.absolute_tolerance(chosen.get("atol"), float(control["rtol"][0]), n)
    run.memory["t"], run.memory["n"], control["share"] = t0, n, math.sqrt(len(y) / max(n, 1)) or 1.0
    budget = Budget(entry, len(times), chosen["max_steps"], chosen["time_limit"], until)
    tables = empty_tables() if tables is None else tables
    work = (workspace(tables) if work is None else work)._replace(failed=np.zeros(len(y)))
    arguments = _typed(rhs, 2), _typed(settle, 3), tables, work
    pieces = stretches(t0, until, breaks.joined(chosen["breakpoints"]))
    with Watched(tables, work) as watched:
        progress = Progress(entry, arguments, run, chunk, on_chunk, budget, watched, watcher)
        result = progress.through(pieces, jump, until).result()
    if watched.watch.stop is not None:
        return replace(result, interrupted=True, stop=watched.watch.stop)
    return result if result.done or result.interrupted else replace(result, failure=Failure.of(work, watched.watch, n))


def _run(rows: int, n: int, samples: int) -> Run:
    """Storage of a run; also the type of all."""
    return Run(table(CONTROL, 1), table(MEMORY, 1), np.zeros((0, 0)), np.zeros((rows, n)), table(STEP, 0),
               np.zeros(samples), np.zeros((samples, n)), np.zeros(0), np.zeros((0, INSIDE + 1, n)))


@cache
def _typed(function: Callable, which: int) -> Callable | Pointer:
    """The kernel compiled for the signature the loops call."""
    if JIT and not isinstance(function, Dispatcher):
        raise ModelError(f"{function!r} is not compiled: decorate it with @kernel from kinetree.num.jit.")
    return pointer(function, signatures()[which])


class Progress:
    """A run on its way: stretch after stretch, chunk after chunk."""

    def __init__(self, method: Integrator, arguments: tuple, run: Run, chunk: int | None, on_chunk: Callable | None,
                 budget: Budget, watched: Watched, watcher: Watcher | None = None) -> None:
        self.method, self.arguments, self.run, self.budget = method, arguments, run, budget
        self.watched, self.watcher = watched, watcher
        self.halt: Halt | None = None
        self.stop: BaseException | None = None
        self.chunk, self.on_chunk, self.advance = chunk, on_chunk, loop(method)
        self.began, self.log = time.perf_counter(), StepLog()
        self.jumps: list[Jump] = []
        self.status, self.interrupted, self.rows = Status.MORE, False, FIRST_CHUNK if chunk is None else max(chunk, 1)
        if watcher is not None:
            self.rows = FIRST_WATCHED

    def through(self, pieces: list[Stretch], jump: Callable | None, until: float) -> Progress:
        """All stretches, as far as it goes."""
        for k, piece in enumerate(pieces):
            if k > 0 and not self._over(piece.start, jump):
                return self
            self._stretch(piece)
            if self.status != Status.DONE or (self.halt and self.halt.ended):
                return self
        if float(self.run.memory[0]["t"]) < until:
            arrive(self.run, until)
        return self

    def _stretch(self, piece: Stretch) -> None:
        """To the end of a stretch, anew after each halt."""
        end = float(piece.stops[-1])
        rest: Stretch | None = piece
        while rest is not None:
            self.halt, self.status = None, Status.MORE
            self.run = enter(self.run, self.method, rest)
            if self.watcher is not None:
                self.watcher.begin(rest.start, self.run.vectors[Y])
            self._chunks()
            rest = self._after_halt(end) if self.halt is not None and self.status == Status.MORE else None

    def _after_halt(self, end: float) -> Stretch | None:
        """What is left of the stretch after a halt; at its end, or that of the run, only the slope there."""
        halt, t = self.halt, float(np.nextafter(self.halt.t, np.inf))
        self.jumps.append(Jump(halt.t, t, halt.before, halt.after))
        self.run.vectors[Y] = halt.after
        if halt.error is not None:
            self.stop, self.interrupted = halt.error, True
        elif halt.ended or t >= end - TOGETHER * abs(end):
            self.run = enter(self.run, self.method, Stretch(halt.t, np.array([halt.t])))
            self.run.control["h_initial"] = 1.0  # of no step: it is already there
            self._chunks()
        else:
            stops = self.run.stops[self.run.stops > t]
            return Stretch(t, stops)
        return None

    def _over(self, t: float, jump: Callable | None) -> bool:
        """From one side of a break to the other."""
        y = self.run.vectors[Y]
        before = y.copy()
        with watching(self.watched.watch):
            status = Status.OK if jump is None else jump(t, y)
        if status != Status.OK:
            y[:], self.status = before, status
            return False
        self.jumps.append(Jump(float(self.run.memory[0]["t"]), t, before, y.copy()))
        return True

    def _chunks(self) -> None:
        """Advance until the stretch is done, failed or told to stop; each chunk but the last fills its log completely."""
        try:
            while self.status == Status.MORE and not self.interrupted:
                self._one_chunk()
                if self.halt is not None:
                    return
        except KeyboardInterrupt:
            self.status, self.interrupted = Status.MORE, True
        except LeftBehind:
            self.status, self.interrupted, self.run = Status.MORE, True, _at_rest(self.run)

    def _one_chunk(self) -> None:
        memory, began = self.run.memory[0], time.perf_counter()
        rows = self.budget.rows(self.rows, memory)
        log, start = table(STEP, rows), (float(memory["t"]), self.run.vectors[Y].copy())
        watched = rows if self.watcher is not None and self.halt is None else 0
        nodes = np.zeros((watched, INSIDE + 1, self.run.vectors.shape[1]))
        memory["row"] = 0
        try:
            self.status = Status(self.watched(self.advance, *self.arguments, self.run._replace(log=log, nodes=nodes)))
            if watched and memory["row"]:
                self._look(*start, log, nodes)
        finally:
            self.log.add(log[: int(memory["row"])])
        if self.watched.watch.stop is not None:
            self.status, self.interrupted = Status.DONE if self.status == Status.DONE else Status.MORE, True
            return
        self.rows = self._next_rows(rows, time.perf_counter() - began)
        told = self.on_chunk is None or self.on_chunk(float(memory["t"])) is not False
        if self.status == Status.MORE:
            self.interrupted = not told
            self.status = self.budget.spent(memory) if told else Status.MORE

    def _look(self, t: float, y: np.ndarray, log: np.ndarray, nodes: np.ndarray) -> None:
        """Show the chunk to the watcher; where it halts, forget what lies behind."""
        memory, count = self.run.memory[0], int(self.run.memory[0]["row"])
        ends = np.concatenate([[t], log["t"][:count]])
        try:
            halt = self.watcher.look(ends, all_nodes(y, nodes[:count]))
        except SimulationError as error:
            self.stop, self.interrupted, self.status = error, True, Status.MORE
            return
        if halt is None:
            return
        kept = int(np.searchsorted(ends[1:], halt.t))  # whole steps before it
        if kept < count and halt.t > ends[kept]:
            row, kept = log[kept], kept + 1
            row["t"], row["h"] = halt.t, halt.t - ends[kept - 1]
            row["shortest"] = row["longest"] = row["h"]
        memory["accepted"] += kept - count
        for what in ("rejected", "evaluations"):  # of what is forgotten: the next step is charged with them
            memory[f"{what}_logged"] -= log[what][kept:count].sum()
        memory["row"], memory["t"], self.run.vectors[Y] = kept, halt.t, halt.before
        memory["sample"] = min(int(memory["sample"]), int(np.searchsorted(self.run.samples_t, halt.t)))
        self.halt, self.status = halt, Status.MORE

    def _next_rows(self, rows: int, seconds: float) -> int:
        """Steps of the next chunk; with events a number that no clock decides, so that the run can be repeated."""
        if self.watcher is not None:
            return FIRST_WATCHED if self.halt is not None else min(2 * rows, MOST_WATCHED)
        return self.rows if self.chunk else _next_rows(rows, seconds)

    def result(self) -> Result:
        run, memory = self.run, self.run.memory[0]
        n, reached = int(memory["n"]), int(memory["sample"])
        return Result(self.method.name, self.status, self.interrupted, float(memory["t"]), run.vectors[Y, :n].copy(),
                      run.vectors[YDOT, :n].copy(), self.log.rows(), run.samples_t[:reached], run.samples_y[:reached, :n],
                      int(memory["accepted"]), int(memory["rejected"]), int(memory["evaluations"]),
                      time.perf_counter() - self.began, run.samples_y[:reached, n:], run.vectors[Y, n:].copy(),
                      tuple(self.jumps), None, self.stop, tuple(self.watcher.happened) if self.watcher is not None else (),
                      self.halt.ended if self.halt is not None else "")


def _at_rest(run: Run) -> Run:
    """A copy of what another thread has left while it does not come back from an evaluation: twice the same."""
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
