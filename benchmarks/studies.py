"""Variants of a mechanism: CPU milliseconds per case at a stated error.

    python benchmarks/studies.py [--json] [--quick]

The cases are falling linkages over one second with random lengths and masses (four-bar: 3 lengths and 3
masses; RSSR: 3 lengths). `ours` is `kt.Study` with one thread, without the models that it builds once
to find the numbers that depend on parameters (`made`, seconds). `loop` is a plain loop over
`kt.simulate(make(..))`. `exudyn` and `mujoco` are the four-bar by the peers' own ways to vary
parameters, a loop over models with `SolveDynamic`, as ParameterVariation does it, and `rollout` over
copies of a model with other masses. Errors are those of the crank's angle at the end, against rtol
1e-12; the tolerance of `ours` and `loop` is chosen so that their error is not larger than that of the
peers. `threads` is the throughput of two threads over that of one (only meaningful where two
processors are free; `load` is the load average).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

import kinetree as kt
from common import arguments, show, told
from kinetree.studies.parts import Part, compute
from variants import CASES, four_bar

UNTIL, SEED = 1.0, 3
MANY = 10  # times as many cases for the comparison of threads, so that they run for a second
RTOL = 1e-5


def cpu(call: Callable[[], object], count: int) -> float:
    """CPU milliseconds per case."""
    began = time.process_time()
    call()
    return 1e3 * (time.process_time() - began) / count


def row(name: str, count: int, looped: int, repeats: int) -> dict[str, object]:
    make, ranges = CASES[name]
    space = kt.Space.random(count, ranges, seed=SEED)
    study = kt.Study(make, space, {"end": "final A.angle"}, UNTIL, rtol=RTOL)
    began = time.process_time()
    maker = study.job.maker()
    made = time.process_time() - began

    def ours() -> Part:
        return compute(maker, Part.empty(0, space.values))

    def loop() -> list[float]:
        found = []
        for k in range(looped):
            model = make(**space.case(k))
            sol = kt.simulate(model, UNTIL, rtol=RTOL, progress=False)
            found.append(sol["A.angle"][-1])
        return found

    part = ours()  # compiled and warm
    loop()
    exact = [
        kt.simulate(make(**space.case(k)), UNTIL, rtol=1e-12, progress=False)["A.angle"][-1]
        for k in range(looped)
    ]
    error = np.abs(part.columns["end"][:looped] - exact).max()
    best = {"ours": np.inf, "loop": np.inf}
    for _ in range(repeats):
        best["ours"] = min(best["ours"], cpu(ours, count))
        best["loop"] = min(best["loop"], cpu(loop, looped))
    many = kt.Space.random(MANY * count, ranges, seed=SEED)
    study = kt.Study(make, many, {"end": "final A.angle"}, UNTIL, rtol=RTOL)
    study.job.finder()
    walls = {1: np.inf, 2: np.inf}
    for workers in repeats * (1, 2):
        began = time.perf_counter()
        study.run(workers=workers, progress=False)
        walls[workers] = min(walls[workers], time.perf_counter() - began)
    return {
        "case": name,
        "n": count,
        **best,
        "ratio": best["loop"] / best["ours"],
        "error": float(error),
        "made": made,
        "patched": int((part.way == 0).sum()),
        "threads": walls[1] / walls[2],
        "load": os.getloadavg()[0],
    }


def main() -> None:
    options = arguments(__doc__ or "", 4)
    rows = []
    for name in options.only or CASES:
        told(name)
        found = row(name, 100 if options.quick else 400, 20, options.repeat)
        if name == "four-bar":
            found |= peers(options.quick)
        rows.append(found)
    show(rows, options.json, "CPU milliseconds per case; errors of the crank's angle (rad).")


def peers(quick: bool) -> dict[str, float | None]:
    """Milliseconds per case and errors of the peers that are installed."""
    found: dict[str, float | None] = {}
    from peers import study_four_bar

    exact = kt.simulate(four_bar(), UNTIL, rtol=1e-12, progress=False)["A.angle"]
    turn = float(exact[-1] - exact[0])
    for name, call in (
        ("exudyn", study_four_bar.exudyn_case),
        ("mujoco", study_four_bar.mujoco_case),
    ):
        try:
            angle, milliseconds = call(6 if quick else 20)
        except ImportError:
            found[name] = found[f"{name}_error"] = None
            continue
        found[name], found[f"{name}_error"] = milliseconds, abs(abs(angle) - abs(turn))
    return found


if __name__ == "__main__":
    main()
