"""Computing times of runs that are compared: CPU time of the whole call and time of the solver
alone, the least of several runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

REPEATS = 3


class Cost(NamedTuple):
    """CPU time (s) of the whole call, and time (s) that the solver reports for itself."""

    call: float
    solver: float


def cost(run: Callable[[], Any]) -> Cost:
    """Return the least times of several runs, after a first one that loads and compiles."""
    run()
    calls, solvers = [], []
    for _ in range(REPEATS):
        began = time.process_time()
        solution = run()
        calls.append(time.process_time() - began)
        solvers.append(float(solution.statistics["seconds"]))
    return Cost(min(calls), min(solvers))


def seconds(value: float) -> str:
    """Format a time with three digits."""
    return f"{value:.3g} s"
