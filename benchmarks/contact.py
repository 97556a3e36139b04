"""Contact: Kinetree beside MuJoCo and Exudyn, in one process.

Machines (`contact_machines.py`): CPU seconds of a run in every program with the fastest of its
settings that reaches the error in the name of the row; None where no setting does within 0.3 s.
`ratio` is our time over that of the faster peer.

Heaps (`--only` takes the names of rows): CPU time per step of 2 ms with friction 0.5, taken alternately,
and the depth of the contacts at the end and at worst (mm). `mujoco` is the fastest of its solvers with
default and with stiff contacts (solref .004 1, solimp .99 .999 .0001), `elliptic` its Newton solver with
the elliptic cone, which has the same friction cone as ours. The depths of `mujoco` are those of its
fastest setting. The row `growth` has the exponent of the time with the number of contacts, from 100 to
1000 balls. `exudyn` is None for heaps: it has no rigid contact of boxes. `--quick` leaves out 1000 balls.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

import contact_machines
import kinetree as kt
from common import arguments, show, told
from peers import mujoco_heaps

STEP = 2e-3
S = kt.shapes
WALLS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
TURNS = (("y", math.pi / 2), ("y", -math.pi / 2), ("x", -math.pi / 2), ("x", math.pi / 2))


class Scene(NamedTuple):
    """Bodies as balls of a radius or boxes of half sides, their centers, and walls at a distance."""

    x: np.ndarray
    half: tuple[float, ...]
    mass: float
    walls: float | None
    until: float


def balls(count: int, until: float) -> Scene:
    """Balls in layers above the floor of a bin."""
    rng, side = np.random.default_rng(1), max(5, round(count ** (1 / 3)))
    x = [
        (
            i % side * 0.12 - 0.06 * (side - 1),
            i // side % side * 0.12 - 0.06 * (side - 1),
            0.1 + 0.12 * (i // side**2),
        )
        for i in range(count)
    ]
    x = np.array(x) + rng.uniform(-0.004, 0.004, (count, 3))
    return Scene(x, (0.05,), 0.5, 0.06 * side + 0.05, until)


def stack(count: int) -> Scene:
    x = np.array([(0.0, 0.0, 0.1 + 0.2 * i) for i in range(count)])
    return Scene(x, (0.1, 0.1, 0.1), 1.0, None, 4.0)


def wall(rows: int) -> Scene:
    x = [
        ((j - 0.5 * (rows - i - 1)) * 0.21, 0.0, 0.1 + 0.2 * i)
        for i in range(rows)
        for j in range(rows - i)
    ]
    return Scene(np.array(x), (0.1, 0.1, 0.1), 1.0, None, 2.0)


SCENES: dict[str, Callable[[], Scene]] = {
    "stack 10": lambda: stack(10),
    "stack 30": lambda: stack(30),
    "wall 55": lambda: wall(10),
    "balls 100": lambda: balls(100, 1.0),
    "balls 1000": lambda: balls(1000, 0.8),
}


def model_of(scene: Scene) -> kt.Model:
    m, shapes = kt.Model("heap"), []
    shapes.append(S.HalfSpace().on(m.ground))
    if scene.walls is not None:
        for normal, turn in zip(WALLS, TURNS):
            at = m.ground.at(*(-scene.walls * n for n in normal), rotation=turn)
            shapes.append(S.HalfSpace().on(at))
    ball = len(scene.half) == 1
    sides = tuple(2.0 * h for h in scene.half)
    for i, p in enumerate(scene.x):
        own = kt.sphere(scene.mass, scene.half[0]) if ball else kt.box(scene.mass, sides)
        body = m.body(f"body{i}", own, position=tuple(map(float, p)))
        m.float(body)
        shapes.append((S.Ball(scene.half[0]) if ball else S.Box(sides)).on(body))
    m.contact_group("heap", shapes, friction=0.5)
    return m


def ours(m: kt.Model, until: float, samples: float) -> kt.Solution:
    return kt.simulate(m, until, integrator="time-stepping", step=STEP, output_interval=samples)


def row(name: str, scene: Scene, repeat: int) -> dict:
    told(name)
    m, steps = model_of(scene), round(scene.until / STEP)
    depth = ours(m, scene.until, STEP)["heap.gap"]
    peers = mujoco_heaps.settings(scene) if find_spec("mujoco") else {}
    best: dict[str, float] = dict.fromkeys(["ours", *peers], math.inf)
    ends: dict[str, float] = {}
    for _ in range(repeat):
        began = time.process_time()
        ours(m, scene.until, scene.until)
        best["ours"] = min(best["ours"], time.process_time() - began)
        for setting, run in peers.items():
            began = time.process_time()
            ends[setting] = run(steps)
            best[setting] = min(best[setting], time.process_time() - began)
    fastest = min(peers, key=lambda one: best[one]) if peers else None
    elliptic = [best[one] for one in peers if one.startswith("elliptic")]
    return {
        "case": name,
        "ours": best["ours"] / steps,
        "mujoco": best[fastest] / steps if fastest else None,
        "exudyn": None,
        "ratio": best["ours"] / best[fastest] if fastest else None,
        "elliptic": min(elliptic) / steps if elliptic else None,
        "setting": fastest,
        "our depth": -1e3 * float(min(depth[-1], 0.0)),
        "our worst": -1e3 * float(depth.min()),
        "mujoco depth": ends.get(fastest) if fastest else None,
    }


def growth(rows: list[dict]) -> list[dict]:
    """Exponent of the time from 100 to 1000 balls."""
    found = {one["case"]: one for one in rows}
    if not {"balls 100", "balls 1000"} <= found.keys():
        return []
    few, many = found["balls 100"], found["balls 1000"]
    empty = dict.fromkeys(few)
    exponents = {
        side: math.log10(many[side] / few[side])
        for side in ("ours", "mujoco")
        if many[side] and few[side]
    }
    return [{**empty, "case": "growth", **exponents}]


def main() -> None:
    given = arguments(__doc__, repeat=3)
    names = [n for n in SCENES if not given.only or n in given.only]
    if given.quick and "balls 1000" in names:
        names.remove("balls 1000")
    rows = [row(name, SCENES[name](), given.repeat) for name in names]
    rows += growth(rows)
    for name, case in contact_machines.cases().items():
        if not given.only or name in given.only:
            rows += contact_machines.rows(name, case, given.repeat)
    keys = dict.fromkeys(key for one in rows for key in one)
    rows = [dict.fromkeys(keys) | one for one in rows]
    note = "CPU seconds per step of heaps and per run of machines; depths in mm."
    show(rows, given.json, note)


if __name__ == "__main__":
    main()
