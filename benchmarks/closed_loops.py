"""Closed loops to the same final error, 1e-6 relative: Kinetree (relative and Cartesian) and Exudyn in one run.

Each side gets the loosest setting that reaches the error (our rtol, Exudyn's number of steps), found first; then the
solver calls alone are timed, model building and assembly left out on both sides. The Exudyn models are the fastest of
several formulations tried (see `peers/exudyn_models.py`).
"""

import contextlib
import io
from collections.abc import Callable

import numpy as np

from common import arguments, best_of, show
from kinetree.assembly.prepare import prepare
from kinetree.assembly.receipt import Assembly
from kinetree.dynamics.kinematics import positions
from kinetree.formulations import augmented
from kinetree.integrators.drive import integrate
from kinetree.models.catalogue import model_entry
from peers import references

ERROR = 1e-6
CASES = {  # our model, end time, reference, what is compared: (body, point in body axes), coordinates used
    "rssr": ("rssr", 2.0, references.rssr, (("crank", (0, 0, 0)), ("rocker", (0, 0, 0))), (0, 1, 2)),
    "andrews": ("andrews", 0.03, references.andrews, (("K1", (0.007, 0, 0)), ("K3", (0.02, -0.018, 0))), (0, 1)),
    "four-bar": ("n-four-bar", 10.0, references.four_bar, (("upright0", (0, 0, 0.5)),), (0, 2)),
}


def place(assembly: Assembly, y: np.ndarray, body: str, point) -> np.ndarray:
    """World position of a body point at a state."""
    compiled, work = assembly.compiled, assembly.compiled.workspace()
    positions(compiled.tables, work, compiled.split(y)[0].copy())
    i = compiled.body_index(body)
    X_KB = compiled.X_BK[i].inverse
    local = X_KB.R @ np.asarray(point, float) + X_KB.p
    return work.bodies[i]["R"].reshape(3, 3) @ local + work.bodies[i]["p"]


class Ours:
    """A mechanism of ours with everything but the solver call done beforehand."""

    def __init__(self, name: str, coordinates: str, until: float, result: Callable) -> None:
        self.assembly, self.until, self.result = prepare(model_entry(name).build(), coordinates), until, result
        self.tables, self.y, self.rtol = self.assembly.compiled.tables, self.assembly.y, 1e-3
        self.work = self.assembly.compiled.workspace()

    def run(self) -> np.ndarray:
        self.work.report[:] = 0  # as if freshly allocated
        return integrate(augmented.rhs, self.y, self.until, settle=augmented.settle, tables=self.tables, work=self.work,
                         rtol=self.rtol).y

    def find_tolerance(self, reference: np.ndarray) -> float:
        """The loosest rtol that reaches the error."""
        while (error := self.error(reference)) > ERROR:
            self.rtol *= 0.8
        return error

    def error(self, reference: np.ndarray) -> float:
        return float(np.abs(self.result(self.assembly, self.run()) - reference).max() / np.abs(reference).max())


def row(case: str, repetitions: int) -> dict:
    from peers import exudyn_models

    name, until, make_reference, points, axes = CASES[case]
    reference = make_reference()

    def result(assembly: Assembly, y: np.ndarray) -> np.ndarray:
        return np.concatenate([place(assembly, y, body, point)[list(axes)] for body, point in points])

    sides = {c: Ours(name, c, until, result) for c in ("relative", "cartesian")}
    reached = {c: side.find_tolerance(reference) for c, side in sides.items()}
    peer = exudyn_models.build(case)
    steps, peer_error = exudyn_models.find_steps(case, reference, ERROR)
    seconds = best_of({**{c: side.run for c, side in sides.items()}, "exudyn": lambda: peer.run(steps)}, repetitions)
    return {"case": case, "ours": seconds["relative"], "exudyn": seconds["exudyn"], "cartesian": seconds["cartesian"],
            "error": reached["relative"], "speed_up": seconds["exudyn"] / seconds["relative"],
            "relative_gain": seconds["cartesian"] / seconds["relative"], "error_cartesian": reached["cartesian"],
            "error_exudyn": peer_error, "rtol": sides["relative"].rtol, "steps_exudyn": steps}


if __name__ == "__main__":
    options = arguments(__doc__.splitlines()[0])
    with contextlib.redirect_stdout(io.StringIO()):  # Exudyn greets on import
        rows = [row(case, options.repeat) for case in CASES]
    show(rows, options.json, "Seconds to 1e-6 relative error; speed_up = exudyn / ours; relative_gain = cartesian / ours.")
