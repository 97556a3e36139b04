"""Plots of a run with matplotlib, loaded on first use; without `show` no window system is needed."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ModelError, ResultError
from . import channels
from .export import scalars
from .files import write

if TYPE_CHECKING:
    from .solution import Solution

_WIDTH, _HEIGHT = 7.5, 2.6  # inches per axis


def plot(sol: Solution, names: Sequence[str], path=None, show: bool = False):
    if not names:
        raise ModelError('plot: name at least one channel, for example sol.plot("crank.position.z"); see sol.names().')
    groups = _by_unit(sol, names)
    figure, axes = _figure(len(groups), show)
    for axis, (unit, curves) in zip(axes, groups.items()):
        for name, t, values in curves:
            axis.plot(t, values, label=as_label(name), linewidth=1.2)
        axis.set_ylabel(_label([name for name, _, _ in curves], unit))
    return _finish(figure, axes, sol, path, show)


def plot_steps(sol: Solution, path=None, show: bool = False):
    _need_steps(sol)
    constrained = sol.compiled.size["ng"] > 0
    figure, axes = _figure(3 if constrained else 2, show)
    axes[0].semilogy(sol.steps.t, sol.steps.h, linewidth=1.0, label="step size")
    axes[0].set_ylabel("step size [s]")
    axes[1].step(sol.steps.t, sol.steps.order, where="pre", linewidth=1.0, label="order")
    axes[1].set_ylabel("order")
    if constrained:
        for what, unit in (("position", "m"), ("velocity", "m/s")):
            error = np.maximum(getattr(sol.constraint_error, what), 1e-18)  # a logarithm needs something to hold on to
            axes[2].semilogy(sol.steps.t, error, linewidth=1.0, label=f"{what} [{unit}]")
        axes[2].set_ylabel("constraint violation")
    return _finish(figure, axes, sol, path, show)


def plot_stiffness(sol: Solution, path=None, show: bool = False):
    """L and its threshold over time, the method in use, step size, and what each fiftieth of the run cost."""
    _need_steps(sol)
    if sol.result.method != "switching":
        raise ResultError("only the integrator 'switching' watches the stiffness; this run used "
                          f"'{sol.result.method}'. For one state see kt.modes(model, (sol, t)).spectral_radius.")
    figure, axes = _figure(3, show)
    steps, edges = sol.steps, np.linspace(0.0, sol.steps.t[-1], 51)
    axes[0].semilogy(steps.t, steps.stiffness, linewidth=1.2, label="L")
    axes[0].semilogy(steps.t, steps.threshold, linewidth=1.0, linestyle="--", color="0.4", label="threshold")
    axes[0].set_ylabel("L [1/s]")
    axes[1].semilogy(steps.t, steps.h, linewidth=1.0, label="step size")
    axes[1].set_ylabel("step size [s]")
    axes[2].stairs(steps.cost(edges), edges, label="evaluations per fiftieth of the run")
    axes[2].set_ylabel("cost")
    _shade(axes, steps)
    return _finish(figure, axes, sol, path, show, legend="best")


def _shade(axes, steps) -> None:
    """Grey where BDF was in use."""
    stiff, begins = steps.method == "bdf", steps.t - steps.h * steps.steps
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stiff, [False]])))
    for k, (first, last) in enumerate(zip(edges[::2], edges[1::2])):
        for axis in axes:
            named = k == 0 and axis is axes[0]
            axis.axvspan(begins[first], steps.t[last - 1], color="0.9", zorder=0, label="BDF in use" if named else None)


def plot_energy(sol: Solution, path=None, show: bool = False):
    figure, axes = _figure(2, show)
    for what in ("kinetic", "potential", "total", *(["work"] if sol.energy.work.any() else [])):
        axes[0].plot(sol.t, getattr(sol.energy, what), label=what, linewidth=1.2)
    axes[0].set_ylabel("energy [J]")
    change = sol.energy.total - sol.energy.total[0]
    axes[1].plot(sol.t, change - sol.energy.work, label="change of total - work", linewidth=1.0)
    axes[1].set_ylabel("balance [J]")
    return _finish(figure, axes, sol, path, show)


def _by_unit(sol: Solution, names: Sequence[str]) -> dict[str, list[tuple[str, np.ndarray, np.ndarray]]]:
    """Curves (name, times, values) grouped by unit, in the order asked for."""
    groups: dict[str, list[tuple[str, np.ndarray, np.ndarray]]] = {}
    for name in names:
        channel, component = channels.find(sol.channels, name, sol.model.name)
        if channel.at_steps:
            curves = [(name, channel.unit, channels.values(channel, component))]
        else:
            curves = list(scalars(sol, [name]))
        t = sol.steps.t if channel.at_steps else sol.t
        groups.setdefault(channel.unit, []).extend((full, t, values) for full, _, values in curves)
    return groups


def _label(names: list[str], unit: str) -> str:
    """What the curves have in common, and the unit."""
    what = {name.split(".")[-2] if _is_component(name.rpartition(".")[2]) and name.count(".") > 1
            else name.rpartition(".")[2] for name in names}
    quantity = what.pop().replace("_", " ") if len(what) == 1 else ""
    return quantity if unit == "1" else f"{quantity} [{unit}]".strip()


def _is_component(last: str) -> bool:
    """Of a vector, or a station along a link."""
    return last in ("w", "x", "y", "z") or last.isdigit()


def _figure(rows: int, show: bool):
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ResultError("plots need the package matplotlib; install it with  pip install matplotlib.") from None
    size = (_WIDTH, 0.8 + _HEIGHT * rows)
    if show:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size)
    else:
        figure = Figure(figsize=size)
    return figure, stacked_axes(figure, rows)


def stacked_axes(figure, rows: int) -> np.ndarray:
    """Axes above each other over one time axis; fixed margins, as fitting them takes most of the time of a plot."""
    height = figure.get_figheight()
    figure.subplots_adjust(left=0.13, right=0.97, top=1.0 - 0.4 / height, bottom=0.5 / height, hspace=0.12)
    return figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]


def _finish(figure, axes, sol: Solution, path: str | os.PathLike | None, show: bool, legend: str = "upper right"):
    for axis in axes:
        axis.grid(True, alpha=0.3)
        axis.legend(loc=legend, fontsize="small")
    axes[-1].set_xlabel("time [s]")
    axes[0].set_title(sol.model.name)
    literal(figure)
    save(figure, path)
    if show:
        from matplotlib import pyplot

        pyplot.show()
    return figure


def as_label(name: str) -> str:
    """A name as a legend shows it: matplotlib leaves out those that begin with an underscore."""
    return f" {name}" if name.startswith("_") else name


def literal(figure) -> None:
    """Take names as they are written, dollar signs and all; the numbers at the axes keep their powers of ten."""
    legends = [*figure.legends, *(axis.get_legend() for axis in figure.axes if axis.get_legend())]
    texts = [text for axis in figure.axes for text in (axis.title, axis._left_title, axis.xaxis.label, axis.yaxis.label)]
    for text in (*texts, *(text for legend in legends for text in legend.get_texts())):
        text.set_parse_math(False)


def save(figure, path: str | os.PathLike | None, dpi: int = 120):
    """Write the figure where a path is given, in place of an earlier one; answers the figure."""
    if path is not None:
        path, picture = Path(path), io.BytesIO()
        try:
            figure.savefig(picture, dpi=dpi, format=path.suffix[1:] or "png")
        except ValueError as error:
            raise ResultError(f"cannot write the plot {os.fspath(path)!r}: {error}.") from error
        write(path if path.suffix else path.with_name(f"{path.name}.png"), picture.getvalue(), overwrite=True)
    return figure


def _need_steps(sol: Solution) -> None:
    if not len(sol.steps):
        raise ResultError(f"the run has no accepted step to plot: it {sol.message}.")
