"""Computing times of runs that are compared with each other: of the whole call and of the solver
alone, least of several.
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
    """The least of several runs, after one that loads and prepares whatever is kept."""
    run()
    calls, solvers = [], []
    for _ in range(REPEATS):
        began = time.process_time()
        solution = run()
        calls.append(time.process_time() - began)
        solvers.append(float(solution.statistics["seconds"]))
    return Cost(min(calls), min(solvers))


def seconds(value: float) -> str:
    """Three digits."""
    return f"{value:.3g} s"
