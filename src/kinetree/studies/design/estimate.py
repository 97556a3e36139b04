"""The result of `identify`: parameters with standard errors, correlation, and residuals.

    cov(p) = s^2 (J^T J)^-1,     s^2 = r^T r / (m - k)

Where J^T J is singular, some combination of the parameters does not change the outputs: the data
does not determine it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.display import Printable
from ...core.figures import new, save
from ...kernel.linalg import product, svd
from ...results.figure import COLOURS, as_label
from ...results.storage.frame import library

if TYPE_CHECKING:
    from pandas import DataFrame

FLAT = 1e-6  # singular value of J, relative to the largest, that counts as zero
TIED = 0.95  # correlation that is reported


@dataclass(frozen=True, repr=False)
class Estimate(Printable):
    """Parameters that `identify` fitted to a measurement.

    Attributes
    ----------
    parameters : dict of str to float
        The parameters.
    errors : dict of str to float
        Their standard errors; inf for parameters that the data does not determine.
    correlation : ndarray, shape (k, k)
        Correlation of the estimates.
    noise : dict of str to float
        Standard deviation of the residuals of each channel.
    undetermined : tuple of dict
        Combinations of parameters that do not change the outputs: relative change of each parameter.
    t : ndarray
        Times of the measurement (s).
    measured : dict of str to ndarray
        The measurement at these times.
    computed : dict of str to ndarray
        The channels of the model at these times.
    success : bool
        Whether the search converged.
    evaluations : int
        Number of cases that were computed.

    Examples
    --------
    >>> import numpy as np
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> sol = kt.simulate(pendulum(length=0.45), 1.0)
    >>> data = {"t": sol.t[::25], "hinge.angle": sol["hinge.angle"][::25]}
    >>> found = kt.identify(pendulum, data, {"length": (0.3, 0.7)})
    >>> round(found.parameters["length"], 4)
    0.45
    """

    parameters: dict[str, float]
    errors: dict[str, float]
    correlation: np.ndarray
    noise: dict[str, float]
    undetermined: tuple[dict[str, float], ...]
    t: np.ndarray
    measured: dict[str, np.ndarray]
    computed: dict[str, np.ndarray]
    success: bool
    evaluations: int
    _model_of: Any = None

    @property
    def residuals(self) -> dict[str, np.ndarray]:
        """The measurement less the model."""
        return {name: self.measured[name] - self.computed[name] for name in self.measured}

    def model(self) -> Any:
        """Return the model with the estimated parameters.

        Returns
        -------
        Model
            The model.
        """
        return self._model_of(self.parameters)

    def __str__(self) -> str:
        count = sum(len(one) for one in self.measured.values())
        lines = [f"Fit of {len(self.parameters)} parameters to {count} values"
                 f"{'' if self.success else ' (not converged)'}:"]  # fmt: skip
        for name, value in self.parameters.items():
            error = self.errors[name]
            told = f"+- {error:.2g}" if np.isfinite(error) else "not determined by the data"
            lines.append(f"  {name} = {value:.6g} {told}")
        lines += [
            f"  residual of {name}: {one:.3g} (standard deviation)"
            for name, one in self.noise.items()
        ]
        for one in self.undetermined:
            told = ", ".join(f"{name} by {100 * x:+.0f} %" for name, x in one.items())
            lines.append(f"  The data cannot tell apart: changing {told} together has no effect.")
        lines += [f"  {a} and {b} are correlated by {c:+.3f}." for a, b, c in self.tied()]
        return "\n".join(lines)

    def tied(self) -> list[tuple[str, str, float]]:
        """Return pairs of parameters whose estimates have a correlation above 0.95.

        Returns
        -------
        list of tuple
            Two names and the correlation.
        """
        names, c = list(self.parameters), self.correlation
        return [
            (names[i], names[j], float(c[i, j]))
            for i in range(len(names))
            for j in range(i + 1, len(names))
            if abs(c[i, j]) > TIED
            and np.isfinite([self.errors[names[i]], self.errors[names[j]]]).all()
        ]

    def to_pandas(self) -> DataFrame:
        """Return a table with value and standard error of each parameter.

        Returns
        -------
        DataFrame
            The table.
        """
        frame = library("pandas").DataFrame(
            {"value": self.parameters, "standard error": self.errors}
        )
        return frame

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Plot measurement and model, and the residuals below.

        Parameters
        ----------
        path : str or path-like, optional
            File to write.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        n = len(self.measured)
        drawn = new(figsize=(7.5, 1.2 + 2.6 * n), layout="constrained")
        axes = np.atleast_1d(drawn.subplots(2 * n, 1, sharex=True, height_ratios=[3, 1] * n))
        for k, (name, data) in enumerate(self.measured.items()):
            above, below = axes[2 * k], axes[2 * k + 1]
            above.plot(self.t, data, ".", color="0.55", label="measured", markersize=4)
            above.plot(self.t, self.computed[name], color=COLOURS[0], label="model")
            above.set_ylabel(as_label(name))
            above.legend(fontsize="small")
            below.axhline(0.0, color="black", linewidth=0.8)
            below.plot(self.t, self.residuals[name], ".", color=COLOURS[1], markersize=4)
            below.set_ylabel("residual")
            for axis in (above, below):
                axis.grid(True, alpha=0.3)
        axes[-1].set_xlabel("time [s]")
        return save(drawn, path)


def statistics(
    J: np.ndarray, r: np.ndarray, p: np.ndarray, names: tuple[str, ...]
) -> tuple[dict[str, float], np.ndarray, tuple[dict[str, float], ...]]:
    """Standard errors, correlation, and undetermined combinations (relative changes)."""
    m, k = J.shape
    size = np.where(p != 0.0, np.abs(p), 1.0)
    _, s, Vt = svd(J * size)
    flat = s <= FLAT * max(s[0], 1e-300)
    variance = float(r @ r) / max(m - k, 1)
    W = Vt.T / np.where(flat, np.inf, s)
    covariance = variance * product(W, W.T) * np.outer(size, size)
    free = (np.abs(Vt[flat]) > 1e-3).any(axis=0) if flat.any() else np.zeros(k, bool)
    sigma = np.sqrt(np.diag(covariance))
    errors = {n: float("inf") if f else float(e) for n, f, e in zip(names, free, sigma)}
    scale = np.where(sigma > 0.0, sigma, 1.0)
    correlation = covariance / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    lost = []
    for row in Vt[flat]:
        row = row / np.abs(row).max()
        row = row if row[np.argmax(np.abs(row))] > 0.0 else -row
        lost.append({n: round(float(x), 3) for n, x in zip(names, row) if abs(x) > 1e-2})
    return errors, correlation, tuple(lost)
