"""Repetition of a run with samples inside its steps, for values between two samples.

Samples are interpolated and do not change the steps: the repeated run takes the same steps, and its
samples are values of the polynomial of each step. It is not used if its states at the samples of
the first run differ, for example if user code does not return the same values twice.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernel.usercode.signals import deferred
from ..results.solution import Solution
from .collect import collect
from .family import family
from .run import Options, advance, breaks_in, lent_workspace

POINTS = 4  # samples per step
ROOM = 1 << 28  # bytes of states, beyond which there are fewer
# of the range of a state: rounding, and measured costs of "switching", change the last digits of a
# run
SAME = 1e-4


def repeated(sol: Solution) -> Solution | None:
    """The same run with several samples per step; None if it cannot be repeated."""
    events = sol.watched
    if (events is None and sol.options["events"]) or not len(sol.result.log) or len(sol.t) < 2:
        return None
    options, assembly, method = _options(sol.options), sol.assembly, sol.method
    breaks = breaks_in(assembly, options.until, options.chosen)
    breaks = family(method.name).breaks(breaks, sol.t, options.chosen)
    started, end = time.perf_counter(), sol.result.t
    with deferred() as (signals, _):
        lent = lent_workspace(assembly, method, options)
        result = advance(
            assembly,
            method,
            options.to_dict(),
            _times(sol),
            lent.work,
            breaks,
            lambda t: t < end and signals.exception is None,
            events or (),
        )
        found = collect(assembly, method, options, result, sol.breaks, started, signals)[0]
    if signals.exception is not None:
        raise signals.exception
    return found if _same(sol, found) else None


def _options(said: Mapping[str, Any]) -> Options:
    own = {name: said[name] for name in Options.__dataclass_fields__ if name != "chosen"}
    own["events"] = tuple(own["events"])
    return Options(**own, chosen={name: value for name, value in said.items() if name not in own})


def _times(sol: Solution) -> np.ndarray:
    """Sample times of the run, and times that divide each step equally."""
    log, last = sol.result.log, sol.t[-1]
    most = max(1, ROOM // (8 * sol.y.shape[1] * max(1, int(log["steps"].sum()))))
    parts = min(POINTS, most) * np.maximum(log["steps"], 1)
    begins = np.concatenate([[sol.t[0]], log["t"][:-1]])
    place = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts) + 1
    inside = np.repeat(begins, parts) + np.repeat((log["t"] - begins) / parts, parts) * place
    return np.unique(np.concatenate([sol.t, inside[(inside > sol.t[0]) & (inside < last)]]))


def _same(sol: Solution, found: Solution) -> bool:
    """Whether both runs have the same states at the samples of the first."""
    rows = np.searchsorted(found.t, sol.t)
    if not len(found.t) or rows[-1] >= len(found.t) or not np.array_equal(found.t[rows], sol.t):
        return False
    allowed = (
        SAME * np.maximum(np.ptp(sol.y, axis=0), 1e-9 * np.abs(sol.y).max(axis=0, initial=0.0))
        + 1e-300
    )
    return bool((np.abs(found.y[rows] - sol.y) <= allowed).all())
