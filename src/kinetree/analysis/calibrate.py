"""Where BDF becomes cheaper than Adams on a given machine: the threshold of L for the switching method, measured.

[Han1994, sec. 4] takes both methods over the same motion, compares their computing times interval by interval, and finds
the curves crossing at L = 1500 1/s for its excavator. The same is done here for any model: the threshold returned is the
one that would have made the whole run cheapest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from ..errors import ModelError
from ..model.model import Model
from ..results.solution import Solution
from ..simulation import simulate

_NEVER = 1e30  # a threshold no machine reaches: Adams all the way, with L watched


@dataclass(frozen=True)
class Calibration:
    """Costs of both methods per interval (ms), L there (1/s), and the threshold at which to change between them."""

    model: str
    edges: np.ndarray
    stiffness: np.ndarray
    adams: np.ndarray
    bdf: np.ndarray
    threshold: float  # 1/s; inf where Adams is always cheaper

    def total(self, threshold: float) -> float:
        """Cost of the run (ms) if BDF is taken where L reaches the threshold."""
        return float(np.where(self.stiffness >= threshold, self.bdf, self.adams).sum())

    def __str__(self) -> str:
        low, high = self.stiffness.min(), self.stiffness.max()
        if np.isinf(self.threshold):
            verdict = f"Adams is cheaper throughout: any threshold above {high:.3g} 1/s will do."
        elif self.threshold <= low:
            verdict = f"BDF is cheaper throughout: any threshold below {low:.3g} 1/s will do."
        else:
            verdict = f"BDF is cheaper from L = {self.threshold:.3g} 1/s on: threshold={self.threshold:.3g}."
        return (f"{self.model}: L from {low:.3g} to {high:.3g} 1/s. {verdict}\n"
                f"  Adams {self.adams.sum():.3g} ms, BDF {self.bdf.sum():.3g} ms, switching there "
                f"{self.total(self.threshold):.3g} ms, switching at 1500 1/s {self.total(1500.0):.3g} ms.")

    def plot(self, path: str | os.PathLike | None = None):
        """Cost per interval of both methods, and L; answers the matplotlib figure."""
        from matplotlib.figure import Figure

        from ..results.plots import save, stacked_axes

        figure = Figure(figsize=(7.5, 6.0))
        axes = stacked_axes(figure, 2)
        for name, cost in (("Adams", self.adams), ("BDF", self.bdf)):
            axes[0].stairs(cost, self.edges, label=name, linewidth=1.4)
        axes[0].set_ylabel("cost per interval [ms]")
        axes[0].set_title(self.model)
        axes[1].semilogy(0.5 * (self.edges[1:] + self.edges[:-1]), self.stiffness, label="L", linewidth=1.4)
        if np.isfinite(self.threshold):
            axes[1].axhline(self.threshold, color="0.4", linestyle="--", label=f"threshold {self.threshold:.3g}")
        axes[1].set_ylabel("L [1/s]")
        axes[1].set_xlabel("time [s]")
        for axis in axes:
            axis.grid(True, alpha=0.3)
            axis.legend(fontsize="small")
        return save(figure, path)


def calibrate(model: Model, until: float, *, intervals: int = 50, rtol: float = 1e-6, coordinates: str = "relative",
              formulation: str | None = None, repeats: int = 3) -> Calibration:
    """Run a model with Adams and with BDF, and find the L from which BDF is the cheaper one."""
    if isinstance(intervals, bool) or not isinstance(intervals, int) or intervals < 2:
        raise ModelError(f"calibrate: intervals must be a whole number of at least 2, got {intervals!r}.")
    edges = np.linspace(0.0, until, intervals + 1)
    how = {"rtol": rtol, "coordinates": coordinates, "formulation": formulation, "output_interval": until, "progress": False}
    adams, bdf = (_cheapest(model, until, repeats, {**how, **method}) for method in (
        {"integrator": "switching", "threshold": _NEVER, "calibrate": False}, {"integrator": "bdf"}))
    middle = 0.5 * (edges[1:] + edges[:-1])
    stiffness = np.interp(middle, adams[0].steps.t, adams[0].steps.stiffness)
    costs = [sol.steps.cost(edges) * 1e3 * seconds / sol.statistics["evaluations"] for sol, seconds in (adams, bdf)]
    found = Calibration(model.name, edges, stiffness, *costs, threshold=np.inf)
    best = min((*np.sort(stiffness), np.inf), key=found.total)
    return Calibration(model.name, edges, stiffness, *costs, threshold=float(best))


def _cheapest(model: Model, until: float, repeats: int, how: dict) -> tuple[Solution, float]:
    """The run, and the seconds its solver took at best."""
    runs = [simulate(model, until, **how) for _ in range(repeats)]
    return runs[0], min(sol.result.seconds for sol in runs)
