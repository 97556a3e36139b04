"""Synthesis and identification with known results.

    python benchmarks/design.py [--json]

`synthesis`: a four-bar linkage whose coupler point passes 12 points at 12 crank angles, drawn by known
lengths. 24 searches begin at random points of the ranges that can be assembled; `reached` counts those
that find the known lengths. `identification`: stiffness, damping and a mass of a sprung four-bar
linkage that closes a loop, from 200 angles with noise, repeated with other noise; `reached` counts the
parameters within two standard errors of the true ones (95 % are expected), `value` is the mean square
of all deviations in standard errors (1 is expected). `published`: Hoecken's straight line for half a
turn of the crank [Norton2012, table 3-1]; `value` is the deviation in percent of the length.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import kinetree as kt
from common import arguments, show, told

SEARCHES, REPEATS = 24, 20
TRUE = {"crank": 0.3, "coupler": 0.9, "rocker": 0.7, "ground": 1.0, "px": 0.5, "py": 0.35}
SPRUNG = {"stiffness": 12.0, "damping": 0.3, "mass": 0.8}
NORTON = 0.0963  # percent, of the published lengths


def path_of(crank=0.3, coupler=0.9, rocker=0.7, ground=1.0, px=0.5, py=0.35) -> kt.Model:
    """A driven four-bar with a coupler point P at (px, py) from the crank pin."""
    m = kt.Model("four-bar", gravity=(0, 0, 0))
    place = {"P": (px - coupler / 2, py, 0)}
    c = m.body("crank", kt.rod(1.0, crank, along="x"))
    b = m.body("coupler", kt.rod(1.0, coupler, along="x"), points=place, rotation=("z", 0.8))
    r = m.body("rocker", kt.rod(1.0, rocker, along="x"), rotation=("z", 1.9))
    m.joint("A", kt.Revolute("z"), m.ground, c.end("-"), start={"angle": 0.3})
    m.joint("B", kt.Revolute("z"), c.end("+"), b.end("-"))
    m.joint("C", kt.Revolute("z"), b.end("+"), r.end("+"))
    m.joint("D", kt.Revolute("z"), m.ground.at(ground, 0, 0), r.end("-"))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(start=0.3, slope=2 * np.pi)))
    return m


def sprung(stiffness=12.0, damping=0.3, mass=0.8) -> kt.Model:
    """A falling four-bar with a spring and a damper at its crank."""
    m = kt.Model("sprung four-bar")
    a = m.body("crank", kt.rod(0.5, 0.5, along="x"))
    b = m.body("coupler", kt.rod(mass, 1.2, along="x"))
    c = m.body("rocker", kt.rod(0.75, 0.75, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start={"angle": -0.3})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), c.end("-"))
    law = kt.TorsionSpring("A.angle", stiffness=stiffness, damping=damping, angle=-0.3)
    m.force("spring", law)
    return m


def hoecken(ground=2.2, coupler=2.8, height=4.64) -> kt.Model:
    m = kt.Model("Hoecken", gravity=(0, 0, 0))
    crank = m.body("crank", kt.rod(1.0, 1.0, along="x"))
    bar = m.body("bar", kt.rod(1.0, 2 * coupler, along="x"))
    rocker = m.body("rocker", kt.rod(1.0, coupler, along="x"))
    pin = m.ground.at(0, height, 0)
    m.joint("A", kt.Revolute("z"), pin, crank.end("-"), start={"angle": np.pi / 2})
    m.joint("B", kt.Revolute("z"), crank.end("+"), bar.end("-"))
    m.joint("C", kt.Revolute("z"), bar, rocker.end("+"))
    m.joint("D", kt.Revolute("z"), m.ground.at(ground, height, 0), rocker.end("-"))
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(start=np.pi / 2, slope=np.pi)))
    return m


def synthesis() -> dict[str, Any]:
    times = np.arange(12) / 12
    P = kt.kinematics(path_of(), 1.0, output_interval=1 / 12)["coupler.P.position"][:12]
    box = {name: (0.6 * one, 1.6 * one) for name, one in TRUE.items()}
    found = kt.optimize(
        path_of, box, times=times, starts=SEARCHES + 1, seed=1,
        fit={"coupler.P.position.x": P[:, 0], "coupler.P.position.y": P[:, 1]},
    )  # fmt: skip
    e = found._problem.evaluator
    true = np.array(list(TRUE.values()))
    middle = np.full(len(TRUE), 0.5)  # the start that is not random
    drawn = [s for s in found.searches if not np.array_equal(s.start, middle)][:SEARCHES]
    ends = np.array([e.low + (e.high - e.low) * s.end for s in drawn])
    off = np.abs(ends / true - 1.0).max(axis=1)
    return {
        "reached": f"{(off < 1e-6).sum()} of {len(drawn)}", "value": off.min(),
        "evaluations": found.evaluations, "drawn": found.drawn,
    }  # fmt: skip


def identification() -> dict[str, Any]:
    t = np.linspace(0.01, 2.0, 200)
    angle = kt.simulate(sprung(), 2.0, output_interval=0.01, rtol=1e-11)["A.angle"][1:]
    box = {name: (0.5 * one, 2.0 * one) for name, one in SPRUNG.items()}
    scores, evaluations = [], 0
    for seed in range(REPEATS):
        noise = 0.01 * np.random.default_rng(seed).normal(size=200)
        data = {"t": t, "A.angle": angle + noise}
        found = kt.identify(sprung, data, box, rtol=1e-7)
        scores += [(found.parameters[n] - one) / found.errors[n] for n, one in SPRUNG.items()]
        evaluations += found.evaluations
    within = (np.abs(scores) < 2.0).sum()
    return {
        "reached": f"{within} of {len(scores)}", "value": float(np.mean(np.square(scores))),
        "evaluations": evaluations, "drawn": 0,
    }  # fmt: skip


def published() -> dict[str, Any]:
    def straightness(ground: float, coupler: float) -> float:
        path = kt.kinematics(hoecken(ground, coupler), 1.0)["bar.end+.position"]
        return float(100.0 * np.ptp(path[:, 1]) / np.ptp(path[:, 0]))

    found = kt.optimize(
        hoecken,
        {"ground": (2.0, 2.6), "coupler": (2.5, 3.2), "height": (3.0, 6.0)},
        fit={"bar.end+.position.y": 0.0},
        times=np.linspace(0.0, 1.0, 61),
        norm="largest",
        start={"height": 4.9},
    )
    best = straightness(found.parameters["ground"], found.parameters["coupler"])
    lengths = straightness(2.2, 2.8)
    return {
        "reached": f"published {NORTON} %, computed {lengths:.4f} %", "value": best,
        "evaluations": found.evaluations, "drawn": 0,
    }  # fmt: skip


def main() -> None:
    given, rows = arguments(__doc__ or "", 1), []
    for case in (synthesis, identification, published):
        if given.only and case.__name__ not in given.only:
            continue
        told(case.__name__)
        began = time.process_time()
        row = case()
        rows.append({"case": case.__name__, **row, "seconds": time.process_time() - began})
    show(rows, given.json, "Known optimum, standard errors, published linkage")


if __name__ == "__main__":
    main()
