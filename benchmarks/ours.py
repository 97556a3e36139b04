"""A machine of ours with everything but the solver call done beforehand."""

from collections.abc import Callable

import numpy as np

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.engine.dynamics.kinematics import positions
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.catalogue import find
from kinetree.engine.integrators.integrate import integrate
from kinetree.engine.integrators.result import Result
from kinetree.options import Choice, values
from kinetree.simulation.loop_model import loop_model
from kinetree.simulation.run import Options, chosen_formulation, scratch, tolerances
from search import Search

TIGHTER = 0.8  # the next tolerance to try
TIGHTEST = 1e-13


def counts(result: Result, suffix: str = "") -> dict[str, int]:
    """What a run did besides its steps.

    `iterations` are those that close loops, `factorizations` those of the equations of motion and of
    the matrices of implicit steps; each evaluation of an implicit step is one of its iterations.
    """
    last = result.log[-1]  # the log counts from the start
    found = {
        "rejected": result.rejected,
        "evaluations": result.evaluations,
        "iterations": int(last["iterations"]),
        "jacobians": int(last["jacobians"]),
        "factorizations": int(last["factorisations"]) + result.factorizations,
    }
    return {name + suffix: count for name, count in found.items()}


class Ours:
    """Model, coordinates and integrator; `run` is the solver call alone."""

    def __init__(
        self,
        model: kt.Model,
        until: float,
        coordinates: str = "relative",
        integrator: str = "adams",
        rtol: float = 1e-6,
        formulation: str | None = None,
    ) -> None:
        assembly = prepare(model, coordinates)
        self.method, self.integrator, self.until, self.rtol = (
            chosen_formulation(formulation, assembly),
            integrator,
            until,
            rtol,
        )
        chosen = values({}, Choice("formulation", self.method, FORMULATIONS))
        loop = loop_model(assembly, self.method, Options(until, chosen=chosen))
        self.assembly = loop.assembly
        self.work = scratch(self.assembly.compiled, self.method, find(integrator))
        self.units = tolerances(self.assembly, 1.0)
        fresh = np.zeros_like(self.work.report)
        fresh["pivot_margin"] = 1.0
        self.y0, self._fresh, self._report = (
            self.assembly.y,
            fresh.view(np.uint8),
            self.work.report.view(np.uint8),
        )

    def begin_anew(self) -> None:
        """As if the storage were freshly allocated."""
        self._report[:] = self._fresh

    def run(self) -> Result:
        self.begin_anew()
        return integrate(
            self.method.rhs,
            self.y0,
            self.until,
            project=self.method.project,
            tables=self.assembly.compiled.tables,
            work=self.work,
            method=self.integrator,
            rtol=self.rtol,
            atol=self.rtol * self.units,
        )

    def place(self, y: np.ndarray, body: str, point=(0.0, 0.0, 0.0)) -> np.ndarray:
        """World position of a body point at a state."""
        compiled, work = self.assembly.compiled, self.work
        positions(compiled.tables, work, compiled.split(y)[0].copy())
        i = compiled.body_index(body)
        X_KB = compiled.X_BK[i].inverse
        local = X_KB.R @ np.asarray(point, float) + X_KB.p
        return work.bodies[i]["R"].reshape(3, 3) @ local + work.bodies[i]["p"]

    def search(self, error: Callable[[np.ndarray], float], start: float = 1e-1) -> Search:
        """Looks for the loosest tolerance; `error` is that of an end state."""

        def error_at(rtol: float) -> float:
            self.rtol = rtol
            return error(self.run().y)

        return Search(error_at, start, TIGHTER, TIGHTEST)

    def find_tolerance(
        self, error: Callable[[np.ndarray], float], wanted: float, start: float = 1e-1
    ) -> float:
        """The loosest rtol at which it and the next tighter ones reach the error; answers the
        largest of their errors.
        """
        rtol, worst = self.search(error, start).loosest(wanted)
        assert rtol is not None, f"no rtol down to {TIGHTEST} reaches {wanted}"
        self.rtol = rtol
        return worst
