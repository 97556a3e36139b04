"""Plots of a comparison: constraint error and step size over time, and work-precision diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.figures import save
from ...errors import ResultError
from ...results.figure import literal

if TYPE_CHECKING:
    from .compare import Comparison
    from .precision import WorkPrecision
    from .runs import Run

FLOOR = 1e-17  # lower limit of logarithmic axes
# intervals of the run; errors near rounding are noise, so each interval shows its largest
WINDOWS = 60
_DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))


def plot(comparison: Comparison, folder: Path) -> list[Path]:
    """Write both plots over time."""
    runs = [r for r in comparison.runs if r.refusal is None]
    if not runs:
        raise ResultError(
            f"nothing to plot: no combination of the comparison on {comparison.model!r} could run."
        )
    errors = ("constraint error, position [m]", "constraint error, velocity [m/s]")
    return [
        _over_time(runs, comparison, folder / "constraints.png", errors, _violations),
        _over_time(runs, comparison, folder / "steps.png", ("step size [s]",), _step_sizes),
    ]


def _violations(run: Run):
    error, until = run.found.constraint_error, run.found.result.t
    window = np.minimum((error.t / until * WINDOWS).astype(int), WINDOWS - 1)
    seen = np.unique(window)
    largest = [
        np.array([values[window == k].max() for k in seen])
        for values in (error.position, error.velocity)
    ]
    return (seen + 0.5) * until / WINDOWS, largest


def _step_sizes(run: Run):
    """Step sizes without the first hundredth of the run, where methods of variable order start with
    tiny steps.
    """
    steps = run.found.steps
    later = steps.t > 0.01 * run.found.result.t
    return steps.t[later], (steps.h[later],)


def _over_time(
    runs: list[Run], comparison: Comparison, path: Path, labels: tuple[str, ...], curves
) -> Path:
    """One row of axes per label, one column per choice of coordinates, one line per method."""
    kinds = list(dict.fromkeys(r.combination.coordinates for r in runs))
    styles = _styles([r.combination[1:] for r in runs])
    figure = _figure(4.6 * len(kinds) + 2.4, 2.9 * len(labels) + 0.8)
    axes = figure.subplots(len(labels), len(kinds), sharex=True, sharey="row", squeeze=False)
    lines = {}
    for run in runs:
        column, method = kinds.index(run.combination.coordinates), run.combination[1:]
        t, values = curves(run)
        for axis, value in zip(axes[:, column], values):
            lines[method] = axis.semilogy(t, np.maximum(value, FLOOR), **styles[method])[0]
    for k, kind in enumerate(kinds):
        axes[0, k].set_title(f"{comparison.model}, {kind} coordinates")
        axes[-1, k].set_xlabel("time [s]")
    for axis, label in zip(axes[:, 0], labels):
        axis.set_ylabel(label)
        _readable(axis.yaxis)
    return _finish(figure, axes.flat, lines, path)


def plot_precision(found: WorkPrecision, path: Path) -> Path:
    """Plot the difference from the reference against CPU time and against right-hand sides, one
    point per tolerance.
    """
    kinds = list(dict.fromkeys(p.coordinates for p in found.points))
    styles = _styles([(p.formulation, p.integrator) for p in found.points])
    figure = _figure(11.6, 3.6 * len(kinds) + 0.8)
    axes = figure.subplots(len(kinds), 2, sharey=True, sharex="col", squeeze=False)
    lines = {}
    for (kind, method), points in found.curves().items():
        error = [max(p.difference, FLOOR) for p in points]
        costs = [1e3 * p.seconds for p in points], [p.evaluations for p in points]
        for axis, cost in zip(axes[kinds.index(kind)], costs):
            lines[method] = axis.loglog(cost, error, **styles[method], marker="o", markersize=3.5)[
                0
            ]
    for row, kind in zip(axes, kinds):
        row[0].set_title(f"{found.model}, {kind} coordinates, {found.until:g} s", loc="left")
        row[0].set_ylabel("largest difference of positions\n[model sizes]")
    axes[-1, 0].set_xlabel("CPU time of the solver [ms]")
    axes[-1, 1].set_xlabel("right-hand sides")
    for axis in axes[-1]:
        _readable(axis.xaxis)
    return _finish(figure, axes.flat, lines, path)


def _styles(methods: Sequence[tuple[str, str]]) -> dict[tuple[str, str], dict]:
    """Color per formulation; line style per integrator, or per formulation if there is one
    integrator, so that equal curves are both visible.
    """
    formulations = list(dict.fromkeys(f for f, _ in methods))
    integrators = list(dict.fromkeys(i for _, i in methods))
    styles = {}
    for f, i in dict.fromkeys(methods):
        k = formulations.index(f)
        dash = integrators.index(i) if len(integrators) > 1 else k
        styles[f, i] = {
            "color": f"C{k % 10}",
            "linestyle": _DASHES[dash % len(_DASHES)],
            "linewidth": 1.3,
            "alpha": 0.9,
        }
    return styles


def _readable(axis) -> None:
    """Label 1, 2 and 5 with plain numbers if a logarithmic axis spans less than two decades."""
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    if high < 100.0 * low:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(FormatStrFormatter("%g"))
        axis.set_minor_formatter(NullFormatter())


def _figure(width: float, height: float):
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _finish(figure, axes, lines: dict[tuple[str, str], object], path: Path) -> Path:
    for axis in axes:
        axis.grid(True, which="major", alpha=0.3)
    several = len({integrator for _, integrator in lines}) > 1
    names = [f"{f}, {i}" if several else f for f, i in lines]
    figure.legend(
        lines.values(),
        names,
        loc="outside right upper",
        fontsize="small",
        frameon=False,
        handlelength=3,
    )
    literal(figure)
    save(figure, path, dpi=150)
    return path
