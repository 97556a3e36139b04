"""The solution of a run: its samples, with accelerations and multipliers, and its last state.

The samples of a short run are completed when they are first used; those of a long one, and of a run
with user code, at its end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from ..assembly.result import Assembly
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Failure, Result
from ..engine.integrators.segments import evaluation_times
from ..errors import SimulationError
from ..kernel.tables.workspace import Work
from ..kernel.usercode.capture import ErrorCapture
from ..kernel.usercode.signals import DeferredSignals
from ..results.completion import complete_run
from ..results.diagnosis import explain_samples
from ..results.run_data import DeferredRun, MemoryRun
from ..results.solution import Solution
from .family import family
from .run import Options

LONG = 1 << 20  # bytes of samples that are completed at the end of the run


def collect(
    assembly: Assembly,
    method: Formulation,
    options: Options,
    result: Result,
    breaks: tuple[float, ...],
    started: float,
    signals: DeferredSignals,
    at_once: bool = True,
) -> tuple[Solution, SimulationError | None]:
    """The solution of a run, and the error of a sample without accelerations.

    Unless `at_once`, short runs complete their samples at their first use.
    """
    t, y, ledger = result.samples_t, result.samples_y, result.quadratures
    if len(t) and t[-1] == result.t:
        y[-1] = result.y  # the end itself, not interpolated
    if (not result.done or result.ended) and (not len(t) or t[-1] < result.t):
        t, y = np.append(t, result.t), np.vstack([y.reshape(-1, len(result.y)), result.y])
        if ledger is not None and result.quadratures_end is not None:
            ledger = np.vstack([ledger, result.quadratures_end])
    work = None if ledger is None else family(method.name).work(assembly.compiled, ledger)
    pending = DeferredRun(
        assembly, method, options.to_dict(), result, t, time.perf_counter() - started, work, breaks
    )
    if not at_once and result.done and not assembly.compiled.code and y.nbytes < LONG:
        pending.complete = lambda: _whole(pending, options, y.copy(), ledger)
        return Solution(pending), None
    data, error = _completed(pending, options, y, ledger, lambda: signals.repeated)
    if signals.repeated:
        data.result = replace(data.result, interrupted=True)
    data.wall = time.perf_counter() - started
    solution = Solution(data)
    return solution, error and error(solution)


def _whole(
    pending: DeferredRun, options: Options, y: np.ndarray, ledger: np.ndarray | None
) -> MemoryRun:
    """The completed data; raises the error of a sample without accelerations."""
    data, error = _completed(pending, options, y, ledger)
    if error is not None:
        raise error(Solution(data))
    return data


def _completed(
    pending: DeferredRun,
    options: Options,
    y: np.ndarray,
    ledger: np.ndarray | None,
    enough: Callable[[], bool] = lambda: False,
) -> tuple[MemoryRun, Callable[[Solution], SimulationError] | None]:
    """The completed data, and the error of a solution with them; the states y are projected in
    place, because long runs are not copied.
    """
    assembly, method, result = pending.assembly, pending.method, pending.result
    lent = assembly.compiled.pool.lend(method.storage)
    at = evaluation_times(pending.t, pending.breaks, options.until)
    solved, watch = complete_run(method, assembly.compiled, lent.work, at, y, enough)
    if ledger is not None:
        kind = family(method.name)
        solved = kind.solved(assembly.compiled, options.integrator, ledger, solved)
    if watch.stop is not None:
        result = replace(result, interrupted=True, stop=watch.stop)
    data = pending.with_samples(y, solved, result)
    if len(solved.lost):
        return data, partial(_error, lent.work, watch)
    lent.give_back()
    return data, None


def _error(work: Work, watch: ErrorCapture, solution: Solution) -> SimulationError:
    """The error of a run that reached its end, with samples without accelerations."""
    failure = Failure.of(work, watch)
    message, element = explain_samples(solution, failure, work)
    return SimulationError(message, failure.t, element, solution)
