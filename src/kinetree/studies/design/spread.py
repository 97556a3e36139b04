"""The result of `tolerance_analysis`: the spread of each output by four methods."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.display import NameDict, Printable
from ...core.figures import new, save
from ...errors import counted
from ...results.figure import COLOURS, as_label
from ...results.storage.frame import library

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, repr=False)
class Spread(Printable):
    """Spread of one output.

    Attributes
    ----------
    nominal : float
        Value at the nominal parameters.
    changes : ndarray
        Change of the output by each tolerance, S_i t_i.
    ratio : float
        Tolerance over standard deviation of a parameter.
    random : ndarray
        Values of the Monte Carlo method.
    corners : ndarray or None
        Values at the corners of the tolerances; None for more than ten parameters.
    first : ndarray or None
        Sobol index of each parameter alone; None without Sobol indices.
    total : ndarray or None
        Sobol index of each parameter with all its interactions; None without Sobol indices.
    names : tuple of str
        The parameters.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> found = kt.tolerance_analysis(
    ...     pendulum, {"length": (0.5, 0.01)}, "max hinge.rate", until=1.0, samples=50, sobol=0)
    >>> spread = found["max hinge.rate"]
    >>> spread.worst > spread.sigma
    True
    """

    nominal: float
    changes: np.ndarray
    ratio: float
    random: np.ndarray
    corners: np.ndarray | None
    first: np.ndarray | None
    total: np.ndarray | None
    names: tuple[str, ...]

    @property
    def worst(self) -> float:
        """Worst case of the linear analysis: sum of all changes."""
        return float(np.abs(self.changes).sum())

    @property
    def sigma(self) -> float:
        """Standard deviation by the root of the sum of squares (RSS)."""
        return float(np.sqrt(np.sum((self.changes / self.ratio) ** 2)))

    @property
    def monte_carlo(self) -> float:
        """Standard deviation by the Monte Carlo method."""
        return float(self.random.std(ddof=1))

    @property
    def shift(self) -> float:
        """Mean of the Monte Carlo method less the nominal value."""
        return float(self.random.mean()) - self.nominal

    @property
    def farthest(self) -> float:
        """Largest deviation at the corners of the tolerances; NaN if they were not computed."""
        if self.corners is None or not len(self.corners):
            return float("nan")
        return float(np.abs(self.corners - self.nominal).max())

    @property
    def shares(self) -> dict[str, float]:
        """Share of each parameter in the variance of the linear analysis."""
        total = np.sum(self.changes**2)
        parts = self.changes**2 / total if total > 0.0 else np.zeros(len(self.names))
        return {name: float(one) for name, one in zip(self.names, parts)}

    def quantiles(self, *levels: float) -> np.ndarray:
        """Return quantiles of the Monte Carlo method.

        Parameters
        ----------
        *levels : float
            Levels between 0 and 1, such as 0.00135 and 0.99865.

        Returns
        -------
        ndarray
            The quantiles.
        """
        return np.quantile(self.random, levels)

    def __str__(self) -> str:
        lines = [
            f"{self.nominal:.6g}",
            f"  worst case (linear)       +-{self.worst:.4g}"
            + ("" if np.isnan(self.farthest) else f", at the corners {self.farthest:.4g}"),
            f"  standard deviation, RSS     {self.sigma:.4g}",
            f"  standard deviation, runs    {self.monte_carlo:.4g}, mean shifted by {self.shift:.2g} "
            f"({counted(len(self.random), 'case')})",
            "  parameter            change   share (RSS)" + ("   Sobol first / total" if self.first is not None else ""),
        ]  # fmt: skip
        for k in np.argsort(-np.abs(self.changes), kind="stable"):
            sobol = (
                ""
                if self.first is None or self.total is None
                else f"   {100 * self.first[k]:6.1f} / {100 * self.total[k]:.1f} %"
            )
            lines.append(
                f"  {self.names[k]:<18} {self.changes[k]:+9.3g}  {100 * self.shares[self.names[k]]:8.1f} %{sobol}"
            )
        return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class ToleranceAnalysis(Printable):
    """Spread of all outputs. Returned by `tolerance_analysis`.

    ``result["max A.angle"]`` is the `Spread` of an output.

    Attributes
    ----------
    tolerances : dict of str to tuple
        Nominal value and tolerance of each parameter.
    spreads : dict of str to Spread
        Spread of each output.
    evaluations : int
        Number of cases that were computed.
    failed : int
        Cases of the Monte Carlo method that could not be computed.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> found = kt.tolerance_analysis(
    ...     pendulum, {"length": (0.5, 0.01)}, "max hinge.rate", until=1.0, samples=50, sobol=0)
    >>> found["max hinge.rate"].shares
    {'length': 1.0}
    """

    tolerances: dict[str, tuple[float, float]]
    spreads: dict[str, Spread]
    evaluations: int
    failed: int

    def __getitem__(self, output: str) -> Spread:
        return NameDict("output", " of the tolerance analysis", self.spreads)[output]

    def __str__(self) -> str:
        head = f"Tolerances of {counted(len(self.tolerances), 'parameter')}, {counted(self.evaluations, 'case')}"
        head += f", {self.failed} of them failed." if self.failed else "."
        return "\n".join([head, *(f"{name} = {one}" for name, one in self.spreads.items())])

    def to_pandas(self) -> DataFrame:
        """Return a table with one row for each output and parameter.

        Returns
        -------
        DataFrame
            Columns: output, parameter, change, share, and the Sobol indices.
        """
        rows = []
        for name, one in self.spreads.items():
            for k, parameter in enumerate(one.names):
                rows.append({
                    "output": name, "parameter": parameter, "change": one.changes[k],
                    "share": one.shares[parameter],
                    "first": np.nan if one.first is None else one.first[k],
                    "total": np.nan if one.total is None else one.total[k],
                })  # fmt: skip
        return library("pandas").DataFrame(rows)

    def plot(self, output: str | None = None, path: str | os.PathLike[str] | None = None) -> Any:
        """Plot the distribution of an output, and the share of each parameter (tornado plot).

        Parameters
        ----------
        output : str, optional
            The output; by default the first one.
        path : str or path-like, optional
            File to write.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        name = next(iter(self.spreads)) if output is None else output
        one = self[name]
        k = len(one.names)
        drawn = new(figsize=(9.0, max(3.4, 1.4 + 0.42 * k)), layout="constrained")
        left, right = drawn.subplots(1, 2)
        _distribution(left, one, name)
        _tornado(right, one, name)
        return save(drawn, path)


def _distribution(axis: Any, one: Spread, name: str) -> None:
    axis.hist(one.random, bins=min(40, max(8, len(one.random) // 25)), density=True, color="0.82")
    reach = max(4.0 * one.sigma, float(np.abs(one.random - one.nominal).max()), one.worst) * 1.05
    x = np.linspace(one.nominal - reach, one.nominal + reach, 300)
    if one.sigma > 0.0:
        bell = np.exp(-0.5 * ((x - one.nominal) / one.sigma) ** 2)
        axis.plot(x, bell / (one.sigma * np.sqrt(2.0 * np.pi)), color=COLOURS[0], label="RSS")
    for k, sign in enumerate((-1.0, 1.0)):
        label = "worst case (linear)" if k else None
        axis.axvline(one.nominal + sign * one.worst, color=COLOURS[1], linestyle="--", label=label)
    axis.plot([], [], color="0.82", linewidth=8, label="Monte Carlo")
    axis.locator_params(axis="x", nbins=4)  # values of a narrow range have many digits
    axis.set_xlabel(as_label(name))
    axis.set_ylabel("density")
    axis.legend(fontsize="small")


def _tornado(axis: Any, one: Spread, name: str) -> None:
    order = np.argsort(np.abs(one.changes), kind="stable")
    axis.barh(
        range(len(order)), 2.0 * np.abs(one.changes[order]),
        left=-np.abs(one.changes[order]), color=COLOURS[0], height=0.55,
    )  # fmt: skip
    for row, k in enumerate(order):
        share = one.shares[one.names[k]]
        text = f" {100 * share:.0f} %"
        if one.total is not None:
            text += f" (Sobol {100 * one.total[k]:.0f} %)"
        axis.text(abs(one.changes[k]), row, text, va="center", fontsize="small")
    axis.set_yticks(range(len(order)), [as_label(one.names[k]) for k in order])
    most = np.abs(one.changes).max(initial=0.0) or 1.0
    axis.set_xlim(-1.15 * most, 1.9 * most)
    axis.set_xlabel(f"change of {as_label(name)} within each tolerance")
    axis.axvline(0.0, color="black", linewidth=0.8)
