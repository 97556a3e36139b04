"""Computing times of runs that are compared: CPU time of the whole call and time of the solver
alone, the least of several runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

REPEATS = 3


class Cost(NamedTuple):
    """CPU time (s) of the whole call and of the solver alone."""

    call: float
    solver: float


def cost(run: Callable[[], Any]) -> Cost:
    """Return the least times of several runs, after a first one that loads and compiles."""
    run()
    calls, solvers = [], []
    for _ in range(REPEATS):
        began, began_cpu = time.perf_counter(), time.process_time()
        solution = run()
        elapsed, cpu = time.perf_counter() - began, time.process_time() - began_cpu
        calls.append(cpu)
        # the solver reports elapsed time; other processes take their share of it
        solvers.append(float(solution.statistics["seconds"]) * min(1.0, cpu / elapsed))
    return Cost(min(calls), min(solvers))


def seconds(value: float) -> str:
    """Format a time with three digits."""
    return f"{value:.3g} s"
