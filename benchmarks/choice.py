"""Which integrator is the best default: CPU milliseconds of the time loop to the same final error.

    python benchmarks/choice.py [--json] [--only four-bar ...]

Each built-in model without beams runs to min(its own end, 2 s), with 500 samples as `simulate` has
them and without samples, at tolerances from 1e-2 to 1e-12. The error is that of the last state, in
units of the model (rad; m relative to its size; per second), against `dop853` at rtol 1e-13. A row has
the milliseconds in which each integrator reaches an error, interpolated between the tolerances; "-"
where it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, log

import numpy as np

import kinetree as kt
from common import arguments, show, told
from kinetree.engine.integrators import integrate
from kinetree.models.catalogue import MODELS, model_entry
from kinetree.simulation.run import tolerances
from overhead import LOOP, TimedLoop, with_timed_loop

UNTIL = 2.0  # s
BEFORE = {"n-four-bar": 0.5}  # s: ends before a change point
INTEGRATORS = ("adams", "dop853", "dopri5", "switching")
ERRORS = (1e-3, 1e-5, 1e-7, 1e-9)
TOLERANCES = tuple(10.0 ** (-k / 2) for k in range(4, 25))
LONG = 0.1  # CPU seconds after which a run is not repeated


def end_state(prepared: kt.Prepared, end: float, rtol: float, samples: bool) -> np.ndarray:
    if samples:
        return prepared.run(end, rtol=rtol, progress=False).result.y
    state = prepared.advance(end, rtol=rtol)
    return np.concatenate([state.q, state.v, state.x])


def fewest_seconds(run: Callable[[], np.ndarray], repeat: int) -> tuple[np.ndarray, float]:
    """The end state, and the fewest CPU seconds of the time loop."""
    fewest, spent = inf, 0.0
    for _ in range(repeat):
        TimedLoop.seconds = 0.0
        y = run()
        fewest, spent = min(fewest, TimedLoop.seconds), spent + TimedLoop.seconds
        if spent > LONG:
            break
    return y, fewest


def measured(
    prepared: kt.Prepared, end: float, exact: np.ndarray, repeat: int, samples: bool
) -> list[tuple[float, float]]:
    """(error, CPU seconds of the time loop) at each tolerance."""
    found, units = [], tolerances(prepared.assembly, 1.0)
    for rtol in TOLERANCES:
        try:
            run = partial(end_state, prepared, end, rtol, samples)
            y, seconds = fewest_seconds(run, repeat)
        except kt.SimulationError:
            continue
        found.append((float(np.abs((y - exact) / units).max()), seconds))
    return found


def to_reach(error: float, pairs: list[tuple[float, float]]) -> float | None:
    """Seconds to reach an error, between the last tolerance that misses it and the next."""
    missed = [k for k, (own, _) in enumerate(pairs) if own > error]
    first = missed[-1] + 1 if missed else 0
    if first == len(pairs):
        return None
    if first == 0:
        return pairs[0][1]
    (a, before), (b, after) = pairs[first - 1], pairs[first]
    share = log(a / error) / log(a / b) if 0.0 < b < a else 1.0
    return before * (after / before) ** share


def rows(name: str, repeat: int) -> list[dict]:
    entry = model_entry(name)
    model, end = entry.build(), min(BEFORE.get(name, UNTIL), entry.until)
    exact = end_state(kt.prepare(model, integrator="dop853"), end, 1e-13, True)
    integrate.loop = with_timed_loop
    found = []
    for samples in (True, False):
        pairs = {
            one: measured(kt.prepare(model, integrator=one), end, exact, repeat, samples)
            for one in INTEGRATORS
        }
        for error in ERRORS:
            taken = {one: to_reach(error, pairs[one]) for one in INTEGRATORS}
            shown = {one: None if s is None else round(1e3 * s, 3) for one, s in taken.items()}
            found.append({"model": name, "samples": 500 if samples else 0, "error": error, **shown})
    integrate.loop = LOOP
    told(name)
    return found


if __name__ == "__main__":
    options = arguments(__doc__, repeat=5)
    names = [one.name for one in MODELS if not one.name.startswith(("flexible", "ralf"))]
    chosen = [name for name in names if not options.only or name in options.only]
    found = [row for name in chosen for row in rows(name, options.repeat)]
    show(found, options.json, "CPU milliseconds of the time loop to the final error")
