"""What a short run costs besides its steps: CPU milliseconds of warm calls, and of the first call in a
new process.

    python benchmarks/overhead.py [--json]

`simulate` is one call of `kt.simulate` over one second with the default options, `used` the same with
all its samples completed, `edited` the same after a change of the model, which is assembled anew.
`loop` is the time loop of `simulate`, `outside` the rest of it. `advance` is `Prepared.advance` over
one second, `around` that call without its time loop. `import` and `first` are those of a new process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from math import inf

import kinetree as kt
from common import arguments, best_of, show, told
from kinetree.engine.integrators import integrate
from kinetree.engine.integrators.contract import Kernels
from kinetree.models.catalogue import model_entry

MODELS = ("pendulum", "four-bar", "rssr", "excavator")
UNTIL = 1.0  # s
LOOP = integrate.loop
FIRST = """
import json, sys, time
began = time.process_time()
import kinetree as kt
from kinetree.models.catalogue import model_entry
model = model_entry(sys.argv[1]).build()
kt.simulate  # the public names are loaded at their first use
loaded = time.process_time()
kt.simulate(model, 1.0, progress=False).y
print(json.dumps([loaded - began, time.process_time() - loaded]))
"""


class TimedLoop:
    """A time loop that adds up its own CPU seconds."""

    seconds = 0.0

    def __init__(self, kernels: Kernels) -> None:
        self.advance, self.method = LOOP(kernels)

    def __call__(self, *given: object) -> object:
        began = time.process_time()
        value = self.advance(*given)
        TimedLoop.seconds += time.process_time() - began
        return value


def with_timed_loop(kernels: Kernels) -> tuple[TimedLoop, tuple]:
    loop = TimedLoop(kernels)
    return loop, loop.method


def split(run: Callable[[], object], calls: int) -> tuple[float, float]:
    """Fewest CPU seconds of the time loop in a call, and fewest around it."""
    inside, outside = inf, inf
    for _ in range(calls):
        TimedLoop.seconds, began = 0.0, time.process_time()
        run()
        whole = time.process_time() - began
        inside = min(inside, TimedLoop.seconds)
        outside = min(outside, whole - TimedLoop.seconds)
    return inside, outside


def first(name: str, repetitions: int) -> tuple[float, float]:
    """CPU seconds of the import and of the first run, in new processes."""
    found = []
    for _ in range(repetitions):
        done = subprocess.run(
            [sys.executable, "-c", FIRST, name], capture_output=True, text=True, check=True
        )
        found.append(json.loads(done.stdout))
    return min(one for one, _ in found), min(one for _, one in found)


def row(name: str, repetitions: int) -> dict:
    model, prepared = model_entry(name).build(), kt.prepare(model_entry(name).build())

    def simulate() -> kt.Solution:
        return kt.simulate(model, UNTIL, progress=False)

    def edited() -> kt.Solution:
        model.gravity[2] *= 1.0 + 1e-12
        return simulate()

    calls = {
        "simulate": simulate,
        "used": lambda: simulate().y,
        "advance": lambda: prepared.advance(UNTIL),
    }
    taken = best_of(calls, repetitions) | best_of({"edited": edited}, repetitions)
    integrate.loop = with_timed_loop
    again = kt.prepare(model_entry(name).build())
    again.advance(UNTIL)
    taken["loop"], taken["outside"] = split(simulate, 20 * repetitions)
    taken["around"] = split(lambda: again.advance(UNTIL), 20 * repetitions)[1]
    integrate.loop = LOOP
    taken["import"], taken["first"] = first(name, min(repetitions, 3))
    told(name)
    return {"model": name} | {key: round(1e3 * value, 4) for key, value in taken.items()}


if __name__ == "__main__":
    options = arguments(__doc__)
    chosen = [name for name in MODELS if not options.only or name in options.only]
    rows = [row(name, options.repeat) for name in chosen]
    show(rows, options.json, "CPU milliseconds, the fewest of several calls")
