"""Closed loops to the same final error, 1e-3, 1e-4 and 1e-6 relative: Kinetree, Exudyn and Simbody in one run.

Each side gets the loosest setting at which it and the next tighter ones reach the error (our rtol, Exudyn's number of steps,
Simbody's accuracy), found first; then the solver calls alone are timed, model building and assembly left out on all sides. The
Exudyn models are the fastest of several formulations tried (see `peers/exudyn_models.py`); `four-bar short` ends before the
change point, where nobody needs to take care, and has planar bodies there. Simbody comes through OpenSim and has RSSR alone.
Besides, one evaluation of the accelerations of RSSR: ours in a compiled loop, as the time loops make it, and Pinocchio's
`constraintDynamics` through its Python binding; both give the same accelerations before they are timed.
"""

import contextlib
import io
from collections.abc import Callable

import numpy as np

from common import arguments, best_of, show
from kinetree.formulations import augmented
from kinetree.models.catalogue import model_entry
from kinetree.num.jit import kernel
from machines import four_bars_end
from ours import Ours
from peers import references

ERRORS = (1e-3, 1e-4, 1e-6)
SHORT = 0.5
CASES = {  # our model, end time, reference, what is compared: (body, point in body axes), coordinates used
    "rssr": ("rssr", 2.0, references.rssr, (("crank", (0, 0, 0)), ("rocker", (0, 0, 0))), (0, 1, 2)),
    "andrews": ("andrews", 0.03, references.andrews, (("K1", (0.007, 0, 0)), ("K3", (0.02, -0.018, 0))), (0, 1)),
    "four-bar": ("n-four-bar", 10.0, references.four_bar, (("upright0", (0, 0, 0.5)),), (0, 2)),
    "four-bar short": ("n-four-bar", SHORT, lambda: four_bars_end(2, SHORT), (("upright0", (0, 0, 0.5)),), (0, 2)),
}


def exudyn_steps(case: str, reference: np.ndarray, error: float) -> tuple:
    """The mechanism, the steps it needs and the error it then has."""
    from peers import exudyn_long, exudyn_models

    if case == "four-bar short":
        peer = exudyn_long.four_bars_of_bodies(2, SHORT)
        peer.settings.linearSolver.solverType = exudyn_long.exu.LinearSolverType.EXUdense
        return peer, *exudyn_long.find_steps(peer, reference, error)
    return exudyn_models.build(case), *exudyn_models.find_steps(case, reference, error, start=20)


INTEGRATORS = ("adams", "dopri5")  # the better one counts, as with the forms of a model tried in Exudyn


def row(case: str, wanted: float, repetitions: int) -> dict:
    name, until, make_reference, points, axes = CASES[case]
    reference = make_reference()
    sides = {(c, i): Ours(model_entry(name).build(), until, c, i) for c in ("relative", "cartesian") for i in INTEGRATORS}

    def error_of(side: Ours) -> Callable[[np.ndarray], float]:
        return lambda y: float(np.abs(np.concatenate([side.place(y, *point)[list(axes)] for point in points])
                                      - reference).max() / np.abs(reference).max())

    reached = {c: side.find_tolerance(error_of(side), wanted) for c, side in sides.items()}
    peer, steps, peer_error = exudyn_steps(case, reference, wanted)
    runs: dict = {**{which: side.run for which, side in sides.items()}, "exudyn": lambda: peer.run(steps)}
    accuracy = None
    if case == "rssr":
        from peers.simbody_rssr import Rssr

        simbody = Rssr()
        accuracy, _ = simbody.find_accuracy(reference, wanted)
        runs["simbody"] = lambda: simbody.run(accuracy)
    seconds = best_of(runs, repetitions)
    best, body = (min(((c, i) for i in INTEGRATORS), key=seconds.__getitem__) for c in ("relative", "cartesian"))
    return {"case": case, "wanted": wanted, "ours": seconds[best], "cartesian": seconds[body],
            "exudyn": seconds["exudyn"], "simbody": seconds.get("simbody"),
            "speed_up": seconds["exudyn"] / seconds[best], "relative_gain": seconds[body] / seconds[best], "integrator": best[1],
            "adams": seconds["relative", "adams"], "error": reached[best], "error_cartesian": reached[body],
            "error_exudyn": peer_error, "rtol": sides[best].rtol, "steps": sides[best].run().accepted, "steps_exudyn": steps}


@kernel
def repeat(tables, work, y, ydot, count):
    for _ in range(count):
        work.report[0].fresh = 0
        augmented.rhs(tables, work, 0.0, y, ydot)


def evaluation(repetitions: int, count: int = 2000) -> dict:
    """One evaluation of RSSR, as a row of the table."""
    from peers import pinocchio_rssr

    side = Ours(model_entry("rssr").build(), 2.0)
    tables, work, y, ydot = side.assembly.compiled.tables, side.work, side.assembly.y.copy(), np.zeros_like(side.assembly.y)
    repeat(tables, work, y, ydot, 1)
    once, accelerations = pinocchio_rssr.step()
    once()
    place = side.assembly.compiled.tables.links
    index = [int(place[side.assembly.compiled.body_index(body)]["iv"]) for body in ("crank", "rocker")]
    found = np.abs(side.assembly.compiled.split(ydot)[1][index])
    assert np.allclose(found, np.abs(accelerations()), rtol=1e-6), f"{found} is not {accelerations()}"
    seconds = best_of({"ours": lambda: repeat(tables, work, y, ydot, count),
                       "pinocchio": lambda: [once() for _ in range(count)]}, repetitions)
    return {"case": "rssr, one evaluation", "ours": seconds["ours"] / count, "pinocchio": seconds["pinocchio"] / count}


if __name__ == "__main__":
    options = arguments(__doc__.splitlines()[0])
    with contextlib.redirect_stdout(io.StringIO()):  # Exudyn greets on import
        rows = [row(case, wanted, options.repeat) for case in options.only or CASES for wanted in ERRORS]
        single = evaluation(options.repeat)
    if options.json:
        rows.append({**dict.fromkeys(rows[0]), **single})
    show(rows, options.json, "CPU seconds to the error wanted; speed_up = exudyn / ours, relative_gain = cartesian / ours.")
    if not options.json:
        print(f"One evaluation of RSSR: ours {1e6 * single['ours']:.2f} us, Pinocchio constraintDynamics from Python "
              f"{1e6 * single['pinocchio']:.2f} us.")
