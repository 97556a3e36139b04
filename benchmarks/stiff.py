"""Stiff and non-stiff machines with Adams, BDF and the switching method, and SciPy's LSODA beside
them, in one run.

All get the same right-hand side, the same tolerances and the same start; the solver calls alone are
timed. The errors are those of the end state against Adams at rtol 1e-11, in units of the tolerance.
`switching_1500` is the rule of [Han1994] with its fixed threshold; `switching` may move the
threshold by the costs it measures, which is the default. LSODA calls our compiled right-hand side
through Python, about 10 us a call: its evaluations are the fair comparison.
"""

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from common import arguments, best_of, show, told
from kinetree.engine.integrators.integrate import integrate
from kinetree.engine.integrators.result import Result
from kinetree.models.catalogue import model_entry
from ours import Ours, counts

RTOL = 1e-6
SECONDS = 4.0  # of CPU after which a method is not repeated again
CASES = ("excavator", "quarter-car", "flyball-governor", "four-bar")
METHODS = {
    "adams": {"method": "adams"},
    "bdf": {"method": "bdf"},
    "switching": {"method": "switching"},
    "switching_1500": {"method": "switching", "calibrate": False},
}


class Case(Ours):
    """A machine with everything but the solver call done beforehand."""

    def __init__(self, name: str) -> None:
        entry = model_entry(name)
        super().__init__(entry.build(), entry.until, rtol=RTOL)
        self.atol = RTOL * self.units

    def solve(self, rtol: float = RTOL, **method) -> Result:
        self.begin_anew()
        return integrate(
            self.method.rhs,
            self.assembly.y,
            self.until,
            project=self.method.project,
            tables=self.assembly.compiled.tables,
            work=self.work,
            rtol=rtol,
            atol=self.units * rtol,
            **method,
        )

    def lsoda(self):
        rhs, tables, work = (
            self.method.rhs,
            self.assembly.compiled.tables,
            self.assembly.compiled.workspace(),
        )

        def f(t: float, y: np.ndarray) -> np.ndarray:
            ydot = np.empty_like(y)
            rhs(tables, work, t, y, ydot)
            return ydot

        return solve_ivp(f, (0.0, self.until), self.assembly.y, "LSODA", rtol=RTOL, atol=self.atol)

    def error(self, y: np.ndarray, reference: np.ndarray) -> float:
        return float(np.abs((y - reference) / (self.atol + RTOL * np.abs(reference))).max())


def row(name: str, repetitions: int) -> dict:
    case = Case(name)
    reference = case.solve(1e-11, method="adams").y
    runs: dict[str, Callable] = {
        key: lambda how=how: case.solve(**how) for key, how in METHODS.items()
    }
    results = {key: run() for key, run in runs.items()}
    lsoda = case.lsoda()
    seconds = best_of({**runs, "lsoda": case.lsoda}, repetitions, SECONDS)
    told(f"{name}: " + ", ".join(f"{key} {1e3 * s:.3g} ms" for key, s in seconds.items()))
    better, fewest = (
        min(seconds["adams"], seconds["bdf"]),
        min(results[k].evaluations for k in ("adams", "bdf")),
    )
    return {
        "case": name,
        **seconds,
        "against_better": seconds["switching"] / better,
        "evaluations_against_fewest": results["switching"].evaluations / fewest,
        **{f"error_{key}": case.error(result.y, reference) for key, result in results.items()},
        "error_lsoda": case.error(lsoda.y[:, -1], reference),
        **{f"steps_{key}": result.accepted for key, result in results.items()},
        **{k: n for key, result in results.items() for k, n in counts(result, f"_{key}").items()},
        "steps_lsoda": len(lsoda.t) - 1,
        "evaluations_lsoda": int(lsoda.nfev),
    }


if __name__ == "__main__":
    asked = arguments(__doc__.splitlines()[0])
    rows = [row(name, asked.repeat) for name in asked.only or CASES]
    show(
        rows,
        asked.json,
        "seconds of the solver call at rtol 1e-6, best of several; errors in tolerances at the "
        "end. "
        "against_better: switching against the better of adams and bdf.",
    )
