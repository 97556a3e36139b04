"""A machine of ours with everything but the solver call done beforehand."""

from collections.abc import Callable

import numpy as np

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.dynamics.kinematics import positions
from kinetree.formulations.catalogue import FORMULATIONS
from kinetree.integrators.catalogue import find
from kinetree.integrators.drive import integrate
from kinetree.integrators.result import Result
from kinetree.options import Choice, values
from kinetree.running import Options, chosen_formulation, configured, scratch, tolerances

TRIES = 8  # tighter tolerances that must pass, too, before one counts as good enough
TIGHTER = 0.8


class Ours:
    """Model, coordinates and integrator; `run` is the solver call alone."""

    def __init__(self, model: kt.Model, until: float, coordinates: str = "relative", integrator: str = "adams",
                 rtol: float = 1e-6) -> None:
        assembly = prepare(model, coordinates)
        self.method, self.integrator, self.until, self.rtol = chosen_formulation(None, assembly), integrator, until, rtol
        chosen = values({}, Choice("formulation", self.method, FORMULATIONS))
        self.assembly = configured(assembly, self.method, Options(until, chosen=chosen))
        self.work = scratch(self.assembly.compiled, self.method, find(integrator))
        self.units = tolerances(self.assembly, 1.0)

    def begin_anew(self) -> None:
        """As if the storage were freshly allocated."""
        self.work.report[:] = 0
        self.work.report["margin"] = 1.0

    def run(self) -> Result:
        self.begin_anew()
        return integrate(self.method.rhs, self.assembly.y, self.until, settle=self.method.settle,
                         tables=self.assembly.compiled.tables, work=self.work, method=self.integrator, rtol=self.rtol,
                         atol=self.rtol * self.units)

    def place(self, y: np.ndarray, body: str, point=(0.0, 0.0, 0.0)) -> np.ndarray:
        """World position of a body point at a state."""
        compiled, work = self.assembly.compiled, self.work
        positions(compiled.tables, work, compiled.split(y)[0].copy())
        i = compiled.body_index(body)
        X_KB = compiled.X_BK[i].inverse
        local = X_KB.R @ np.asarray(point, float) + X_KB.p
        return work.bodies[i]["R"].reshape(3, 3) @ local + work.bodies[i]["p"]

    def find_tolerance(self, error: Callable[[np.ndarray], float], wanted: float, start: float = 1e-1) -> float:
        """The loosest rtol at which it and the next tighter ones reach the error; answers the largest of their errors."""
        self.rtol, passed, worst = start, 0, 0.0
        while passed <= TRIES:
            found = error(self.run().y)
            passed, worst = (passed + 1, max(worst, found)) if found <= wanted else (0, 0.0)
            self.rtol *= TIGHTER
        self.rtol /= TIGHTER ** passed
        return worst
