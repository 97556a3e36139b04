"""A spinning free beam with our energy-conserving integrator and with Exudyn's generalised alpha.

The beam of Simo and Vu-Quoc with EI = 500 flies undeformed into a fast spin, in space about an axis
that is none of its
own, which stretches, bends and twists it, or in its plane.

    3-D, planar    same mesh and step: CPU seconds per step of the time loop alone, by runs of
                   different length. `energy` is
                   the largest change of the total energy, relative; Exudyn's from its own node
                   outputs. `exponent`: of the time with the number of elements, since the row
                   before.
    equal error    a slender beam, pushed at its end by a constant force, meshes and steps refined
                   together: rms error of the
                   path of the tip against a fine reference, and CPU seconds of the whole motion at
                   the error of the second of Exudyn's meshes, for ours on a line through its own in
                   log-log.
"""

import time
from functools import partial
from typing import NamedTuple

import numpy as np

import kinetree as kt
from common import arguments, show


class Beam(NamedTuple):
    """What both programs are given."""

    stiffness: tuple = (1e4, 1e4, 1e4, 500.0, 500.0, 500.0)
    mass: float = 1.0
    inertia: tuple = (20.0, 10.0, 10.0)
    length: float = 10.0
    spin: tuple = (0.4, 0.5, 2.0)
    push: tuple = (0.0, 0.0, 0.0)  # N, at its end


CASES = {"3-D": Beam(), "planar": Beam(spin=(0.0, 0.0, 2.0))}
SLENDER = Beam(
    (3e4, 1.2e4, 1.2e4, 400.0, 500.0, 500.0),
    1.0,
    (1 / 30, 1 / 60, 1 / 60),
    10.0,
    (0.0, 0.0, 0.0),
    (0.0, 25.0, 15.0),
)
H = 0.01
STEPS = {
    20: (8000, 3000),
    200: (1200, 300),
    2000: (2000, 40),
}  # ours, Exudyn's: long enough to tell them from the start
UNTIL, PACE = 2.0, 0.08  # of equal error: steps of PACE / elements
LADDER = {"ours": (4, 6, 8, 12, 16), "exudyn": (8, 16, 32)}


def ours(beam, elements, h, steps, watch=False):
    """CPU seconds of the run, the change of energy, and the path of the tip."""
    m = kt.Model("beam", gravity=(0, 0, 0))
    line = m.beam(
        "b",
        [(0, 0, 0), (beam.length, 0, 0)],
        kt.Section(list(beam.stiffness), beam.mass, beam.inertia),
        elements=elements,
    )
    m.float(line, speed=dict(zip(("wx", "wy", "wz"), beam.spin)))
    if any(beam.push):
        m.force("push", kt.PointForce(beam.push), line.end("+"))
    began = time.process_time()
    sol = kt.simulate(
        m,
        steps * h,
        integrator="energy-conserving",
        step=h,
        output_interval=h if watch else steps * h / 4,
        progress=False,
    )
    spent = time.process_time() - began
    change = (
        sol.energy.imbalance
        if any(beam.push)
        else float(np.abs(sol.energy.total / sol.energy.total[0] - 1.0).max())
    )
    return spent, change, sol[f"b.{elements}.position"]


def per_step(run, steps, repeat):
    """CPU seconds per step by the difference of a long and a short run, and the change of energy of
    the long one.
    """
    run(4)  # what is compiled or loaded at first
    short, long = ([run(n) for _ in range(repeat)] for n in (steps // 4, steps))
    least = [min(spent for spent, *_ in runs) for runs in (short, long)]
    return (least[1] - least[0]) / (steps - steps // 4), max(change for _, change, _ in long)


def same_mesh(name, most, repeat):
    from peers import exudyn_beams

    beam, rows = CASES[name], []
    for elements, (many, few) in STEPS.items():
        if most and elements > most:
            continue
        mine, energy = per_step(partial(ours, beam, elements, H), many, repeat)
        theirs, other = per_step(
            partial(exudyn_beams.run, beam, elements, H, planar=name == "planar"), few, repeat
        )
        rise = (
            np.log(mine / rows[-1]["ours"]) / np.log(elements / rows[-1]["elements"])
            if rows
            else None
        )
        rows.append(
            {
                "case": name,
                "elements": elements,
                "ours": mine,
                "exudyn": theirs,
                "ratio": theirs / mine,
                "energy_ours": energy,
                "energy_exudyn": other,
                "exponent": None if rise is None else float(rise),
            }
        )
    return rows


def equal_error(repeat):
    """One row: the seconds of both at the same rms error of the tip."""
    from peers import exudyn_beams

    beam, found = SLENDER, {"ours": [], "exudyn": []}
    fine = ours(beam, 96, PACE / 96, round(UNTIL * 96 / PACE), watch=True)[2]
    runs = {
        "ours": lambda n, steps, watch: ours(beam, n, PACE / n, steps, watch),
        "exudyn": lambda n, steps, watch: exudyn_beams.run(beam, n, PACE / n, steps, False, watch),
    }
    for name, n in [(name, n) for name, sizes in LADDER.items() for n in sizes]:
        steps, run = round(UNTIL * n / PACE), runs[name]
        path = run(n, steps, True)[2][-steps:]
        at, times = np.linspace(0.0, UNTIL, steps + 1)[1:], np.linspace(0.0, UNTIL, len(fine))
        exact = np.array([np.interp(at, times, fine[:, k]) for k in range(3)]).T
        seconds, energy = per_step(
            lambda k, n=n, run=run: run(n, k, False), steps * (10 if name == "ours" else 1), repeat
        )
        found[name].append(
            (steps * seconds, float(np.sqrt(((path - exact) ** 2).sum(1).mean())), energy)
        )
    theirs, error, other = found["exudyn"][1]
    cpu, errors = (np.array([row[k] for row in found["ours"]]) for k in (0, 1))
    slope, offset = np.polyfit(np.log(errors), np.log(cpu), 1)
    mine = float(np.exp(offset + slope * np.log(error)))
    return [
        {
            "case": "equal error",
            "elements": LADDER["exudyn"][1],
            "ours": mine,
            "exudyn": theirs,
            "ratio": theirs / mine,
            "energy_ours": max(row[2] for row in found["ours"]),
            "energy_exudyn": other,
            "exponent": None,
            "error": error,
            "ours_all": [row[:2] for row in found["ours"]],
            "exudyn_all": [row[:2] for row in found["exudyn"]],
        }
    ]


def main() -> None:
    asked = arguments(__doc__.splitlines()[0], repeat=3)
    wanted = asked.only or [*CASES, "equal error"]
    rows = [
        row for name in CASES if name in wanted for row in same_mesh(name, asked.most, asked.repeat)
    ]
    rows += equal_error(asked.repeat) if "equal error" in wanted else []
    if not asked.json:
        rows = [{name: row[name] for name in rows[0]} for row in rows]
    show(
        rows,
        asked.json,
        "CPU seconds per step, of equal error of the whole motion; ratio is Exudyn over ours.",
    )


if __name__ == "__main__":
    main()
