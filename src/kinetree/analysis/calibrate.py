"""The Lipschitz constant L above which BDF is cheaper than Adams on a given model.

[Han1994, sec. 4] runs both methods over the same motion and compares their computing times interval
by interval; the curves cross at L = 1500 1/s for its excavator. This module does the same for any
model with counts in place of seconds, so that the result does not depend on the load of the
computer: a step costs its evaluations of the equations of motion, and a factorization of the
iteration matrix costs what the switching method itself assumes. The threshold returned is the one
that would have made the whole run cheapest.
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
from ..errors import explains_arguments
from ..kernel.frames import number
from ..results.solution import Solution
from ..simulation.simulate import simulate

_NEVER = 1e30  # a threshold that no model reaches: Adams throughout, with L recorded


@dataclass(frozen=True, repr=False)
class Calibration(Printable):
    """Costs of Adams and BDF per interval, and the threshold between them.

    Returned by `calibrate`.

    Attributes
    ----------
    model : str
        Name of the model.
    edges : ndarray, shape (n + 1,)
        Limits of the intervals (s).
    stiffness : ndarray, shape (n,)
        Lipschitz constant L in each interval (1/s).
    adams : ndarray, shape (n,)
        Cost of Adams in each interval: evaluations of the equations of motion.
    bdf : ndarray, shape (n,)
        Cost of BDF in each interval: evaluations of the equations of motion.
    threshold : float
        L (1/s) from which BDF is cheaper; inf if Adams is always cheaper.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> found = kt.calibrate(pendulum(), 0.5, intervals=5)
    >>> found.total(found.threshold) <= found.total(1500.0)
    True
    """

    model: str
    edges: np.ndarray
    stiffness: np.ndarray
    adams: np.ndarray
    bdf: np.ndarray
    threshold: float  # 1/s; inf if Adams is always cheaper

    def total(self, threshold: float) -> float:
        """Return the cost of the run if BDF is used wherever L reaches a threshold.

        Parameters
        ----------
        threshold : float
            Threshold of L (1/s).

        Returns
        -------
        float
            Cost in evaluations of the equations of motion.
        """
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

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Plot the cost per interval of both methods, and L.

        Parameters
        ----------
        path : str or path-like, optional
            File to write.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
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


@explains_arguments
def calibrate(
    model: Model,
    until: float,
    *,
    intervals: int = 50,
    rtol: float = 1e-6,
    coordinates: str = "relative",
    formulation: str | None = None,
) -> Calibration:
    """Find the Lipschitz constant above which BDF is cheaper than Adams on a model.

    Parameters
    ----------
    model : Model
        The model.
    until : float
        End time (s).
    intervals : int, default 50
        Number of intervals in which the costs are compared.
    rtol : float, default 1e-6
        Relative tolerance per step.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the runs.
    formulation : str, optional
        Formulation of the runs, as in `simulate`.

    Returns
    -------
    Calibration
        The costs and the best threshold, for ``kt.simulate(..., integrator="switching",
        threshold=found.threshold)``.

    Notes
    -----
    Both methods run over the same motion, and their costs are compared interval by interval
    [Han1994, sec. 4], in evaluations of the equations of motion instead of seconds.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> kt.calibrate(pendulum(), 0.5, intervals=5).threshold > 0.0
    True
    """
    intervals = whole(intervals, "calibrate: intervals", 2, 100_000)
    until = number(until, "calibrate: until", positive=True)
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
    """Evaluations in each interval, with factorizations counted as evaluations; Adams has none."""
    steps = sol.steps
    renewed = (
        (np.diff(steps.h, prepend=0.0) != 0.0)
        | (np.diff(steps.order, prepend=0) != 0)
        | (steps.jacobians > 0)
    )
    factors = np.where(sol.result.method == "bdf", renewed + steps.rejected, 0)
    each = cached_layout(reduced_layout, sol.compiled.tables, sol.y.shape[1]).per_factors
    return np.histogram(steps.t, edges, weights=steps.evaluations + each * factors)[0]
