"""The result of `optimize`: the best parameters, and all searches."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.display import Printable
from ...core.figures import new, save
from ...errors import counted
from ...results.figure import COLOURS
from ...results.storage.frame import library
from .problem import LARGEST, Problem
from .solvers import Search

if TYPE_CHECKING:
    from pandas import DataFrame

SAME = 1e-6  # of the best value: searches that found it as well
AT_LIMIT = 1e-6  # of the range of a parameter


@dataclass(frozen=True, repr=False)
class Optimum(Printable):
    """The best parameters that `optimize` found.

    Attributes
    ----------
    parameters : dict of str to float
        The best parameters.
    value : float
        The objective there: the output that is minimized or maximized, the root mean square of the
        weighted deviations of a fit, or the largest of them.
    outputs : dict of str to float or ndarray
        All outputs at the best parameters.
    at_limits : tuple of str
        Parameters that are at one of their limits.
    met : bool
        Whether all limits of outputs hold.
    evaluations : int
        Number of cases that were computed.
    searches : tuple of Search
        All searches, the best one first.
    drawn : int
        Number of points that were tried as further starts.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> found = kt.optimize(pendulum, {"length": (0.2, 1.0)}, fit={"final hinge.angle": 0.3}, until=0.3)
    >>> round(found.outputs["final hinge.angle"], 6)
    0.3
    """

    parameters: dict[str, float]
    value: float
    outputs: dict[str, Any]
    at_limits: tuple[str, ...]
    met: bool
    evaluations: int
    searches: tuple[Search, ...]
    drawn: int
    _problem: Problem

    def model(self) -> Any:
        """Return the model with the best parameters.

        Returns
        -------
        Model
            The model.
        """
        e = self._problem.evaluator
        return e.model(np.array([self.parameters[name] for name in e.names]))

    @property
    def agreeing(self) -> int:
        """Number of searches that found the same value as the best one."""
        best = self.searches[0].value
        usual = float(np.nanmedian([abs(value) for _, value in self._problem.history]))
        close = SAME * max(abs(best), SAME * usual)
        return sum(abs(s.value - best) <= close for s in self.searches)

    def __str__(self) -> str:
        many = len(self.searches) > 1
        told = (
            f"; {self.agreeing} of {counted(len(self.searches), 'search', 'searches')} found it"
            if many
            else ""
        )
        lines = [
            f"Optimum: {self._what()} = {self.value:.6g}, {counted(self.evaluations, 'case')}{told}."
        ]
        for name, value in self.parameters.items():
            limit = "  (at its limit)" if name in self.at_limits else ""
            lines.append(f"  {name} = {value:.8g}{limit}")
        if not self.met:
            lines.append("  Not all limits of outputs hold: no such parameters were found.")
        for name in self._problem.limits:
            found = np.asarray(self.outputs[name])
            lines.append(
                f"  {name}: {found.min():.6g} to {found.max():.6g}"
                if found.ndim
                else f"  {name} = {found:.6g}"
            )
        return "\n".join(lines)

    def _what(self) -> str:
        problem = self._problem
        if problem.fit:
            return "largest deviation" if problem.norm == LARGEST else "RMS deviation"
        if callable(problem.goal):
            return "objective"
        assert problem.goal is not None
        return ("smallest " if problem.goal[1] > 0.0 else "largest ") + problem.goal[0]

    def to_pandas(self) -> DataFrame:
        """Return a table with one row for each search: start, end, value and number of cases.

        Returns
        -------
        DataFrame
            The table.
        """
        names = self._problem.evaluator.names
        rows = []
        for one in self.searches:
            start, end = (self._problem.parameters(u) for u in (one.start, one.end))
            rows.append({
                **{f"start {name}": v for name, v in zip(names, start)},
                **dict(zip(names, end)),
                "value": one.value, "cases": one.evaluations, "met": one.met, "message": one.message,
            })  # fmt: skip
        return library("pandas").DataFrame(rows)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Plot the best objective over the number of cases, and the value of each search.

        Parameters
        ----------
        path : str or path-like, optional
            File to write.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        problem = self._problem
        values = np.array([value for _, value in problem.history])
        sign = problem.goal[1] if isinstance(problem.goal, tuple) else 1.0
        best = sign * np.fmin.accumulate(np.where(np.isnan(values), np.inf, values))
        known = np.isfinite(best)
        drawn = new(figsize=(7.5, 3.6), layout="constrained")
        left, right = drawn.subplots(1, 2, width_ratios=(3, 2))
        left.step(np.flatnonzero(known) + 1, best[known], where="post", color=COLOURS[0])
        left.set_xlabel("cases computed")
        left.set_ylabel("best objective so far")
        ends = sorted(sign * s.value for s in self.searches if np.isfinite(s.value))
        ends = ends if sign > 0.0 else ends[::-1]
        right.plot(range(1, len(ends) + 1), ends, "o", color=COLOURS[1])
        right.set_xlabel("searches, the best first")
        right.set_ylabel("objective at the end")
        for axis, shown in ((left, best[known]), (right, np.array(ends))):
            if len(shown) and shown.min() > 0.0 and shown.max() > 100.0 * shown.min():
                axis.set_yscale("log")
            axis.grid(True, alpha=0.3)
        return save(drawn, path)
