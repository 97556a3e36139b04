"""Whether a case that did not close at the first attempt closes at all.

The search of `assembly/prepare.py` tries about eighty starts, and its explanation of a failure takes
a second. Here the same starts are tried by the kernel of `closing.py`, also without the directions
of G that are nearly redundant. If none of them comes near to a closed position, the case is
infeasible. Otherwise the general way decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

RESTARTS = 8  # as in assembly/positions.py
WEIGHTS = (1e6, 1e3, 30.0, 1.0)  # of given start values, as in assembly/prepare.py
FAR = 1e-3  # relative to the size of the model; the largest gap that is ever absorbed is 1e-5
RCOND = (1e-9, 1e-2)  # singular values that count as redundant
MOST = 20  # coordinates; the parts of larger models are searched one by one


class Infeasible(Exception):
    """A case that does not assemble; the text says by how much."""


def nearest_gap(finder: Any) -> float:
    """The smallest violation (m) of all attempts for the case of a `StartFinder`; zero in doubt."""
    free, q = finder.free, finder.patched.others["drawn position"]
    if len(q) > MOST:
        return 0.0
    best = np.inf
    for equations, root in _problems(finder):
        rng = np.random.default_rng(0)
        for attempt in range(RESTARTS):
            push = np.zeros(len(root))
            if attempt:
                push = rng.normal(size=len(root)) * 0.02 * 2.0**attempt * root
            for rcond in RCOND:
                start = q.copy()
                x = finder.x_of(equations, start)
                error = equations.close_from(finder.t, start, x, push, root, rcond)
                best = min(best, error if np.isfinite(error) else np.inf)
                if best <= FAR * free.length:
                    return 0.0
    return best


def _problems(finder: Any) -> Iterator[tuple[Any, np.ndarray]]:
    """The equations to close, with one over the square root of the weights."""
    if finder.held is not None:
        yield finder.held, finder.held.root
    for weight in WEIGHTS if finder.held is not None else WEIGHTS[-1:]:
        yield finder.free, finder.free.root / np.sqrt(np.where(finder.given, weight, 1.0))
