"""Running a compiled time loop from Python, chunk after chunk: progress, cancelling, and one plain result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numba import typeof, types
from numba.core.dispatcher import Dispatcher

from ..compile.problem import signatures
from ..compile.tables import Tables, Work, empty_tables, workspace
from ..errors import ModelError
from ..num.callback import call_ode
from ..num.fault import accuse, check_all
from ..num.jit import JIT, compiled, kernel, pointer, table
from ..num.status import Status
from ..usercode.aside import LeftBehind
from ..usercode.guard import Watch
from ..usercode.watch import Watched
from . import request
from .catalogue import find
from .contract import Integrator
from .memory import ATOL, CONTROL, MEMORY, OWN, STEP, YDOT, Run, Y

FIRST_CHUNK, LARGEST_CHUNK, CHUNK_SECONDS = 16, 1 << 16, 0.1


@dataclass(frozen=True)
class Failure:
    """An evaluation that failed: its time and state, the element without a value (see num/fault.py), what Python code raised."""

    t: float
    y: np.ndarray
    fault: int
    culprit: int
    reason: str | None

    @classmethod
    def of(cls, work: Work, watch: Watch) -> Failure:
        """The last one that the workspace remembers."""
        report = work.report[0]
        t = float(report["t_failed"])
        return cls(t, work.failed.copy(), int(report["last_fault"]), int(report["last_culprit"]), watch.at(t))


@dataclass(frozen=True)
class Result:
    """What a run has done, finished or not; `y` is the last good state and `t` its time."""

    method: str
    status: Status  # DONE, MORE (interrupted), or the cause why the run ended early
    interrupted: bool
    t: float
    y: np.ndarray  # (n,)
    ydot: np.ndarray  # (n,)
    log: np.ndarray  # STEP, one row per accepted step
    samples_t: np.ndarray  # the sample times reached
    samples_y: np.ndarray  # (len(samples_t), n), not settled
    accepted: int
    rejected: int
    evaluations: int
    seconds: float = 0.0  # of computing, the time loop alone
    failure: Failure | None = None  # the last evaluation that failed, if that ended the run
    stop: BaseException | None = None  # what interrupted it: KeyboardInterrupt, SystemExit, ...

    @property
    def done(self) -> bool:
        return self.status == Status.DONE


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
    """The one signature of all time loops."""
    t_tables, t_work, rhs, settle = signatures()
    return types.int64(types.FunctionType(rhs), types.FunctionType(settle), t_tables, t_work, typeof(_run(0, 0, 0)))


@cache
def loop(method: Integrator) -> Callable:
    """The method's time loop, compiled or loaded."""
    return compiled(method.advance, signature()) if JIT else method.advance


def integrate(rhs: Callable, y0: Sequence[float], until: float, *, settle: Callable = leave,
              tables: Tables | None = None, work: Work | None = None, t0: float = 0.0, method: str = "adams",
              rtol: float = 1e-8, atol: float | Sequence[float] | None = None, max_step: float | None = None,
              step: float | None = None, first_step: float | None = None, order: int | None = None,
              threshold: float | None = None, calibrate: bool | None = None, samples: Sequence[float] = (),
              on_chunk: Callable[[float], object] | None = None, chunk: int | None = None) -> Result:
    """Integrate ydot = rhs from y0 at t0 until the given time.

    rhs, settle   kernels as in `compile.problem`; without tables and work a plain ODE
    step, order   of fixed-step methods; `order` is the highest order for 'adams' and 'bdf'
    threshold     of 'switching': L (1/s) from which a system counts as stiff; `calibrate`: whether costs may move it
    samples       sorted times at which the state is wanted
    on_chunk      called with the time reached about ten times a second; returning False ends the run there
    chunk         steps per chunk, instead of as many as take a tenth of a second
    """
    entry, y = find(method), request.initial_state(y0)
    control = request.control(entry, t0, until, rtol, max_step, step, first_step, order, threshold, calibrate)
    times = request.sample_times(samples, t0, until)
    run = _run(entry.rows + entry.matrices * len(y), len(y), len(times))._replace(
        control=control, samples_t=times, coefficients=entry.coefficients(int(control["order"][0])))
    run.vectors[Y], run.vectors[ATOL] = y, request.absolute_tolerance(atol, rtol, len(y))
    run.memory["t"] = t0
    tables = empty_tables() if tables is None else tables
    work = (workspace(tables) if work is None else work)._replace(failed=np.zeros(len(y)))
    arguments = _typed(rhs, 2), _typed(settle, 3), tables, work
    advance, began = loop(entry), time.perf_counter()
    with Watched(tables, work) as watched:
        logs, status, run = _chunks(watched, advance, arguments, run, chunk, on_chunk)
    result = _result(entry.name, run, logs, status, time.perf_counter() - began)
    if result.interrupted or watched.watch.stop is not None:
        return replace(result, interrupted=True, stop=watched.watch.stop)
    return result if result.done else replace(result, failure=Failure.of(work, watched.watch))


def _run(rows: int, n: int, samples: int) -> Run:
    """Storage of a run; also the type of all."""
    return Run(table(CONTROL, 1), table(MEMORY, 1), np.zeros((0, 0)), np.zeros((rows, n)), table(STEP, 0),
               np.zeros(samples), np.zeros((samples, n)))


@cache
def _typed(function: Callable, which: int) -> Callable:
    """The kernel compiled for the signature the loops call."""
    if JIT and not isinstance(function, Dispatcher):
        raise ModelError(f"{function!r} is not compiled: decorate it with @kernel from kinetree.num.jit.")
    return pointer(function, signatures()[which])


def _chunks(watched: Watched, advance: Callable, arguments: tuple, run: Run, chunk: int | None, on_chunk: Callable | None):
    """Advance until done, failed or told to stop (MORE); each chunk but the last fills its log completely."""
    logs, status, rows = [], Status.MORE, FIRST_CHUNK if chunk is None else max(chunk, 1)
    try:
        while status == Status.MORE:
            logs.append(table(STEP, rows))
            run.memory["row"], began = 0, time.perf_counter()
            status = Status(watched(advance, *arguments, run._replace(log=logs[-1])))
            if watched.watch.stop is not None and status != Status.DONE:
                return logs, Status.MORE, run
            rows = rows if chunk else _next_rows(rows, time.perf_counter() - began)
            if on_chunk is not None and on_chunk(float(run.memory["t"][0])) is False:
                break
    except KeyboardInterrupt:
        return logs, Status.MORE, run
    except LeftBehind:
        return logs, Status.MORE, _at_rest(run)
    return logs, status, run


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


def _result(name: str, run: Run, logs: list[np.ndarray], status: Status, seconds: float) -> Result:
    memory = run.memory[0]
    accepted, reached = int(memory["accepted"]), int(memory["sample"])
    log = np.concatenate(logs)[:accepted] if logs else np.zeros(0, STEP)
    return Result(name, status, status == Status.MORE, float(memory["t"]), run.vectors[Y].copy(), run.vectors[YDOT].copy(),
                  log.view(np.ndarray), run.samples_t[:reached], run.samples_y[:reached], accepted,
                  int(memory["rejected"]), int(memory["evaluations"]), seconds)
