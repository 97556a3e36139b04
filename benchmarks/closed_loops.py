"""Closed loops to the same final error, 1e-3, 1e-4 and 1e-6 relative: Kinetree, Exudyn and Simbody
in one run.

Each side gets the loosest setting at which it and the next tighter ones reach the error (our rtol,
Exudyn's number of steps, Simbody's accuracy; `search.py`), found first; then the solver calls alone
are timed, model building and assembly left out on all sides. The Exudyn models are the fastest of
several formulations tried (see `peers/exudyn_models.py`); `four-bar short` ends before the change
point, where nobody needs to take care, and has planar bodies there. Simbody comes through OpenSim
and has RSSR alone. `--quick` leaves out Cartesian coordinates, Simbody and the single evaluation.
Besides, one evaluation of the accelerations of RSSR: ours in a compiled loop, as the time loops
make it, and Pinocchio's `constraintDynamics` through its Python binding; both give the same
accelerations before they are timed.
"""

import contextlib
import io
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from common import arguments, best_of, show, told
from kinetree.engine.formulations import augmented
from kinetree.engine.integrators.result import Result
from kinetree.kernel.decorators import kernel
from kinetree.models.catalogue import model_entry
from machines import four_bars_end
from ours import Ours, counts
from peers import references
from search import Search

ERRORS = (1e-3, 1e-4, 1e-6)
SHORT = 0.5
SECONDS = 2.0  # of CPU after which a program is not repeated again
# our model, end time, reference, what is compared: (body, point in body axes), coordinates used
CASES = {
    "rssr": (
        "rssr",
        2.0,
        references.rssr,
        (("crank", (0, 0, 0)), ("rocker", (0, 0, 0))),
        (0, 1, 2),
    ),
    "andrews": (
        "andrews",
        0.03,
        references.andrews,
        (("K1", (0.007, 0, 0)), ("K3", (0.02, -0.018, 0))),
        (0, 1),
    ),
    "four-bar": ("n-four-bar", 10.0, references.four_bar, (("upright0", (0, 0, 0.5)),), (0, 2)),
    "four-bar short": (
        "n-four-bar",
        SHORT,
        lambda: four_bars_end(2, SHORT),
        (("upright0", (0, 0, 0.5)),),
        (0, 2),
    ),
}


INTEGRATORS = (
    "adams",
    "dopri5",
    "dop853",
)  # the better one counts, as with the forms of a model tried in Exudyn
OPTIONAL = (
    "dop853",
)  # its long steps may land beside the change point of the four-bar, where it stops
ALONE = "relative", "exudyn"  # what a quick run has


class Side(NamedTuple):
    """One program with its setting open: what looks for the loosest one, and what runs at it."""

    search: Search
    run: Callable[[float], object]


def exudyn(case: str, reference: np.ndarray) -> Side:
    from peers import exudyn_long, exudyn_models

    if case == "four-bar short":
        peer = exudyn_long.four_bars_of_bodies(2, SHORT)
        peer.settings.linearSolver.solverType = exudyn_long.exu.LinearSolverType.EXUdense
    else:
        peer = exudyn_models.build(case)
    return Side(exudyn_models.search(peer, reference, start=5), lambda steps: peer.run(int(steps)))


def ours(case: str, reference: np.ndarray, coordinates: str, integrator: str) -> Side:
    name, until, _, points, axes = CASES[case]
    side = Ours(model_entry(name).build(), until, coordinates, integrator)

    def error(y: np.ndarray) -> float:
        found = np.concatenate([side.place(y, *point)[list(axes)] for point in points])
        return float(np.abs(found - reference).max() / np.abs(reference).max())

    def run(rtol: float) -> Result:
        side.rtol = rtol
        return side.run()

    return Side(side.search(error), run)


def sides_of(case: str, quick: bool) -> dict[tuple[str, ...], Side]:
    """Every program, form and method of a case, by coordinates and integrator, or by name."""
    reference = CASES[case][2]()
    sides = {
        (c, i): ours(case, reference, c, i)
        for c in ("relative", "cartesian")
        for i in INTEGRATORS
        if c in ALONE or not quick
    }
    sides["exudyn", ""] = exudyn(case, reference)
    if case == "rssr" and not quick:
        from peers.simbody_rssr import Rssr

        simbody = Rssr()
        sides["simbody", ""] = Side(simbody.search(reference), simbody.run)
    return sides


def rows_of(case: str, options: Namespace) -> Iterator[dict]:
    sides = sides_of(case, options.quick)
    for wanted in ERRORS:
        found = {who: side.search.loosest(wanted) for who, side in sides.items()}
        lost = [
            " ".join(who)
            for who, (setting, _) in found.items()
            if setting is None and who[1] not in OPTIONAL
        ]
        assert not lost, f"{case}: no setting of {', '.join(lost)} reaches {wanted:g}"
        seconds = best_of(
            {
                who: partial(side.run, found[who][0])
                for who, side in sides.items()
                if found[who][0] is not None
            },
            options.repeat,
            SECONDS,
        )
        told(
            f"{case} to {wanted:g}: "
            + ", ".join(f"{' '.join(who).strip()} {1e3 * s:.3g} ms" for who, s in seconds.items())
        )
        yield row(case, wanted, sides, found, seconds)


def row(case: str, wanted: float, sides: dict, found: dict, seconds: dict) -> dict:
    def better(coordinates: str) -> tuple:
        return min(
            (who for who in seconds if who[0] == coordinates),
            key=seconds.__getitem__,
            default=("none", ""),
        )

    best, body, peer = better("relative"), better("cartesian"), ("exudyn", "")
    cartesian, last = seconds.get(body), sides[best].run(found[best][0])
    return {
        "case": case,
        "wanted": wanted,
        "ours": seconds[best],
        "cartesian": cartesian,
        "exudyn": seconds[peer],
        "simbody": seconds.get(("simbody", "")),
        "speed_up": seconds[peer] / seconds[best],
        "relative_gain": cartesian and cartesian / seconds[best],
        "integrator": best[1],
        "adams": seconds["relative", "adams"],
        "speed_up_adams": seconds[peer] / seconds["relative", "adams"],
        "error": found[best][1],
        "error_cartesian": found.get(body, (None, None))[1],
        "error_exudyn": found[peer][1],
        "rtol": found[best][0],
        "steps": last.accepted,
        **counts(last),
        "steps_exudyn": found[peer][0],
    }


@kernel
def repeat(tables, work, y, ydot, count):
    for _ in range(count):
        work.report[0].fresh = 0
        augmented.rhs(tables, work, 0.0, y, ydot)


def evaluation(repetitions: int, count: int = 2000) -> dict:
    """One evaluation of RSSR, as a row of the table."""
    from peers import pinocchio_rssr

    side = Ours(model_entry("rssr").build(), 2.0)
    tables, work, y, ydot = (
        side.assembly.compiled.tables,
        side.work,
        side.assembly.y.copy(),
        np.zeros_like(side.assembly.y),
    )
    repeat(tables, work, y, ydot, 1)
    once, accelerations = pinocchio_rssr.step()
    once()
    place = side.assembly.compiled.tables.links
    index = [
        int(place[side.assembly.compiled.body_index(body)]["iv"]) for body in ("crank", "rocker")
    ]
    found = np.abs(side.assembly.compiled.split(ydot)[1][index])
    assert np.allclose(found, np.abs(accelerations()), rtol=1e-6), (
        f"{found} is not {accelerations()}"
    )
    seconds = best_of(
        {
            "ours": lambda: repeat(tables, work, y, ydot, count),
            "pinocchio": lambda: [once() for _ in range(count)],
        },
        repetitions,
    )
    return {
        "case": "rssr, one evaluation",
        "ours": seconds["ours"] / count,
        "pinocchio": seconds["pinocchio"] / count,
    }


if __name__ == "__main__":
    options = arguments(__doc__.splitlines()[0])
    with contextlib.redirect_stdout(io.StringIO()):  # Exudyn greets on import
        rows = [row for case in options.only or CASES for row in rows_of(case, options)]
        single = (
            None if options.quick or find_spec("pinocchio") is None else evaluation(options.repeat)
        )
    if options.json and single:
        rows.append({**dict.fromkeys(rows[0]), **single})
    show(
        rows,
        options.json,
        "CPU seconds to the error wanted; speed_up = exudyn / ours, relative_gain = cartesian / "
        "ours.",
    )
    if single and not options.json:
        print(
            f"One evaluation of RSSR: ours {1e6 * single['ours']:.2f} us, Pinocchio "
            "constraintDynamics from Python "
            f"{1e6 * single['pinocchio']:.2f} us."
        )
