"""Where BDF becomes cheaper than Adams on a given machine: the threshold of L for the switching
method, counted.

[Han1994, sec. 4] takes both methods over the same motion, compares their computing times interval
by interval, and finds
the curves crossing at L = 1500 1/s for its excavator. The same is done here for any model, with
counts in place of
seconds, so that the answer does not depend on how busy the computer is: a step costs its
evaluations of the equations of motion, and new factors of the iteration matrix cost what the
switching method itself takes them for. The threshold returned is the one that would have made the
whole run cheapest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.checks import whole
from ..core.display import Printable
from ..core.figures import new as new_figure
from ..core.figures import save as save_figure
from ..description.model import Model
from ..engine.integrators.newton.pattern import cached_layout, reduced_layout
from ..kernel.frames import number
from ..results.solution import Solution
from ..simulation.simulate import simulate

_NEVER = 1e30  # a threshold no machine reaches: Adams all the way, with L watched


@dataclass(frozen=True, repr=False)
class Calibration(Printable):
    """Costs of both methods per interval (evaluations), L there (1/s), and the threshold at which
    to change between them.
    """

    model: str
    edges: np.ndarray
    stiffness: np.ndarray
    adams: np.ndarray
    bdf: np.ndarray
    threshold: float  # 1/s; inf where Adams is always cheaper

    def total(self, threshold: float) -> float:
        """Cost of the run (evaluations) if BDF is taken where L reaches the threshold."""
        return float(np.where(self.stiffness >= threshold, self.bdf, self.adams).sum())

    def __str__(self) -> str:
        low, high = self.stiffness.min(), self.stiffness.max()
        if np.isinf(self.threshold):
            verdict = f"Adams is cheaper throughout: any threshold above {high:.3g} 1/s will do."
        elif self.threshold <= low:
            verdict = f"BDF is cheaper throughout: any threshold below {low:.3g} 1/s will do."
        else:
            verdict = f"BDF is cheaper from L = {self.threshold:.3g} 1/s on: threshold={self.threshold:.3g}."
        return (
            f"{self.model}: L from {low:.3g} to {high:.3g} 1/s. {verdict}\n"
            f"  Cost in evaluations: Adams {self.adams.sum():.0f}, BDF {self.bdf.sum():.0f}, "
            "switching there "
            f"{self.total(self.threshold):.0f}, switching at 1500 1/s {self.total(1500.0):.0f}."
        )

    def plot(self, path: str | os.PathLike | None = None):
        """Cost per interval of both methods, and L; answers the matplotlib figure."""
        from ..results.figure import literal, stacked_axes

        figure = new_figure(figsize=(7.5, 6.0))
        axes = stacked_axes(figure, 2)
        for name, cost in (("Adams", self.adams), ("BDF", self.bdf)):
            axes[0].stairs(cost, self.edges, label=name, linewidth=1.4)
        axes[0].set_ylabel("evaluations per interval")
        axes[0].set_title(self.model)
        axes[1].semilogy(
            0.5 * (self.edges[1:] + self.edges[:-1]), self.stiffness, label="L", linewidth=1.4
        )
        if np.isfinite(self.threshold):
            axes[1].axhline(
                self.threshold, color="0.4", linestyle="--", label=f"threshold {self.threshold:.3g}"
            )
        axes[1].set_ylabel("L [1/s]")
        axes[1].set_xlabel("time [s]")
        for axis in axes:
            axis.grid(True, alpha=0.3)
            axis.legend(fontsize="small")
        literal(figure)
        return save_figure(figure, path)


def calibrate(
    model: Model,
    until: float,
    *,
    intervals: int = 50,
    rtol: float = 1e-6,
    coordinates: str = "relative",
    formulation: str | None = None,
) -> Calibration:
    """Run a model with Adams and with BDF, and find the L from which BDF is the cheaper one."""
    intervals, until = (
        whole(intervals, "calibrate: intervals", 2, 100_000),
        number(until, "calibrate: until", positive=True),
    )
    edges = np.linspace(0.0, until, intervals + 1)
    how: dict[str, Any] = {
        "rtol": rtol,
        "coordinates": coordinates,
        "formulation": formulation,
        "output_interval": until,
        "progress": False,
    }
    adams = simulate(model, until, integrator="switching", threshold=_NEVER, calibrate=False, **how)
    bdf = simulate(model, until, integrator="bdf", **how)
    stiffness = np.interp(0.5 * (edges[1:] + edges[:-1]), adams.steps.t, adams.steps.stiffness)
    found = Calibration(
        model.name, edges, stiffness, _cost(adams, edges), _cost(bdf, edges), threshold=np.inf
    )
    best = min((*np.sort(stiffness), np.inf), key=found.total)
    return replace(found, threshold=float(best))


def _cost(sol: Solution, edges: np.ndarray) -> np.ndarray:
    """Evaluations between given times, and new factors as so many evaluations; Adams has none."""
    steps = sol.steps
    renewed = (
        (np.diff(steps.h, prepend=0.0) != 0.0)
        | (np.diff(steps.order, prepend=0) != 0)
        | (steps.jacobians > 0)
    )
    factors = np.where(sol.result.method == "bdf", renewed + steps.rejected, 0)
    each = cached_layout(reduced_layout, sol.compiled.tables, sol.y.shape[1]).per_factors
    return np.histogram(steps.t, edges, weights=steps.evaluations + each * factors)[0]
