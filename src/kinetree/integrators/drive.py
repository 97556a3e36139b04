"""Running a compiled time loop from Python, chunk after chunk: progress, cancelling, and one plain result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import typeof, types
from numba.core.dispatcher import Dispatcher

from ..compile.problem import signatures
from ..compile.tables import Tables, Work, empty_tables, workspace
from ..errors import ModelError
from ..num.jit import JIT, compiled, kernel, pointer, table
from ..num.status import Status
from ..options import Choice, values
from . import request
from .catalogue import INTEGRATORS, find
from .contract import Integrator
from .memory import ATOL, CONTROL, MEMORY, STEP, YDOT, Run, Y

FIRST_CHUNK, LARGEST_CHUNK, CHUNK_SECONDS = 16, 1 << 16, 0.1


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

    @property
    def done(self) -> bool:
        return self.status == Status.DONE


@kernel
def leave(tables, work, t, y):
    """The `settle` of a problem without invariants."""
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
              samples: Sequence[float] = (), on_chunk: Callable[[float], object] | None = None, chunk: int | None = None,
              **options: Any) -> Result:
    """Integrate ydot = rhs from y0 at t0 until the given time.

    rhs, settle   kernels as in `compile.problem`; without tables and work a plain ODE
    samples       sorted times at which the state is wanted
    on_chunk      called with the time reached about ten times a second; returning False ends the run there
    chunk         steps per chunk, instead of as many as take a tenth of a second
    options       those of the method, as its line in the catalogue names them: rtol, atol, max_step, step, order, ...
    """
    entry, y = find(method), request.initial_state(y0)
    chosen = values(options, Choice("integrator", entry, INTEGRATORS))
    control = request.control(entry, t0, until, chosen)
    times = request.sample_times(samples, t0, until)
    run = _run(entry.rows + entry.matrices * len(y), len(y), len(times))._replace(
        control=control, samples_t=times, coefficients=entry.coefficients(int(control["order"][0])))
    run.vectors[Y], run.vectors[ATOL] = y, request.absolute_tolerance(chosen.get("atol"), float(control["rtol"][0]), len(y))
    run.memory["t"] = t0
    tables = empty_tables() if tables is None else tables
    arguments = _typed(rhs, 2), _typed(settle, 3), tables, workspace(tables) if work is None else work
    advance, began = loop(entry), time.perf_counter()
    logs, status, interrupted = _chunks(advance, arguments, run, chunk, on_chunk)
    return _result(entry.name, run, logs, status, interrupted, time.perf_counter() - began)


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


def _chunks(advance: Callable, arguments: tuple, run: Run, chunk: int | None, on_chunk: Callable | None):
    """Advance until done, failed or told to stop; each chunk but the last fills its log completely."""
    logs, status, rows = [], Status.MORE, FIRST_CHUNK if chunk is None else max(chunk, 1)
    try:
        while status == Status.MORE:
            logs.append(table(STEP, rows))
            run.memory["row"], began = 0, time.perf_counter()
            status = Status(advance(*arguments, run._replace(log=logs[-1])))
            rows = rows if chunk else _next_rows(rows, time.perf_counter() - began)
            if on_chunk is not None and on_chunk(float(run.memory["t"][0])) is False and status == Status.MORE:
                return logs, status, True
    except KeyboardInterrupt:
        return logs, Status.MORE, True
    return logs, status, False


def _next_rows(rows: int, seconds: float) -> int:
    """So many steps that the next chunk takes a tenth of a second, approached carefully."""
    wanted = int(rows * CHUNK_SECONDS / max(seconds, 1e-6))
    return max(FIRST_CHUNK, min(wanted, 8 * rows, LARGEST_CHUNK))


def _result(name: str, run: Run, logs: list[np.ndarray], status: Status, interrupted: bool, seconds: float) -> Result:
    memory = run.memory[0]
    accepted, reached = int(memory["accepted"]), int(memory["sample"])
    log = np.concatenate(logs)[:accepted] if logs else np.zeros(0, STEP)
    return Result(name, status, interrupted, float(memory["t"]), run.vectors[Y].copy(), run.vectors[YDOT].copy(),
                  log.view(np.ndarray), run.samples_t[:reached], run.samples_y[:reached], accepted,
                  int(memory["rejected"]), int(memory["evaluations"]), seconds)
