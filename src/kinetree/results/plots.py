"""Plots of a run with matplotlib, imported on first use; only `show` needs a window system."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.checks import flag
from ..core.figures import save as save_figure
from ..core.figures import show as show_figure
from ..errors import KinetreeError, ModelError, ResultError, short
from . import curves
from .figure import as_label, literal, new_figure, with_legends

if TYPE_CHECKING:
    from .solution import Solution

_MANY, _OFTEN = (
    8,
    0.02,
)  # steps between two samples that may hide a peak; starts and restarts have as many in a few intervals


def plot(
    sol: Solution,
    names: Sequence[str],
    path=None,
    show: bool = False,
    x: str | None = None,
    ax=None,
    degrees: bool = False,
):
    found = curves.curves(sol, names, flag(degrees, "plot: degrees"))
    across = None if x is None else curves.abscissa(sol, x, degrees, found)
    groups = curves.by_unit(found)
    figure, axes = new_figure(len(groups), show) if ax is None else _given_axes(ax, groups)
    unit, factor = ("s", 1.0) if across is None else curves.readable([across])
    for axis, group in zip(axes, groups.values()):
        _draw(axis, group, None if across is None else factor * across.values)
    axes[-1].set_xlabel(f"time [{unit}]" if across is None else f"{across.name} [{unit}]")
    if any(curve.t is sol.t for curve in found) and (said := faster(sol)):
        axes[-1].set_xlabel(f"{axes[-1].get_xlabel()}    ({said})")
    if ax is None:
        return _finish(figure, axes, sol, path, show)
    for axis in axes:
        axis.legend(fontsize="small")
    return save_figure(figure, path)


def faster(sol: Solution) -> str:
    """A note where many steps lie between neighboring samples, so that the curves may miss peaks;
    else empty.
    """
    try:
        log = sol.result.log
    except KinetreeError:  # a file without its model
        return ""
    if len(sol.t) < 2 or sol.source is not None:
        return ""
    between = np.histogram(log["t"], sol.t, weights=log["steps"])[0]
    if (between >= _MANY).mean() < _OFTEN:
        return ""
    return (
        f"up to {between.max():.0f} steps between two samples: sol.max and sol.min have the peaks"
    )


def _draw(axis, group: list[curves.Curve], across) -> None:
    unit, factor = curves.readable(group)
    for curve in group:
        axis.plot(
            curve.t if across is None else across,
            factor * curve.values,
            label=as_label(curve.name),
            linewidth=1.2,
        )
    axis.set_ylabel(curves.label(group, unit))


def _given_axes(ax, groups: dict):
    """Axes of the caller, one per unit."""
    try:
        axes = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
    except Exception:  # of an object that only claims to be an array
        axes = np.array([None])
    if not all(hasattr(axis, "figure") and hasattr(axis, "plot") for axis in axes):
        raise ModelError(f"plot: ax= must be axes of matplotlib, got {short(ax)}.")
    if len(axes) != len(groups):
        raise ModelError(
            f"plot: these channels have {len(groups)} units ({', '.join(groups)}) and need as many "
            "axes; "
            f"ax= has {len(axes)}."
        )
    return axes[0].figure, axes


def plot_steps(sol: Solution, path=None, show: bool = False):
    _need_steps(sol)
    constrained = sol.compiled.size["ng"] > 0
    figure, axes = new_figure(3 if constrained else 2, show)
    axes[0].semilogy(sol.steps.t, sol.steps.h, linewidth=1.0, label="step size")
    axes[0].set_ylabel("step size [s]")
    axes[1].step(sol.steps.t, sol.steps.order, where="pre", linewidth=1.0, label="order")
    axes[1].set_ylabel("order")
    if constrained:
        for what, unit in (("position", "m"), ("velocity", "m/s")):
            error = np.maximum(
                getattr(sol.constraint_error, what), 1e-18
            )  # a logarithm needs something to hold on to
            axes[2].semilogy(sol.steps.t, error, linewidth=1.0, label=f"{what} [{unit}]")
        axes[2].set_ylabel("constraint violation")
    axes[-1].set_xlabel("time [s]")
    return _finish(figure, axes, sol, path, show)


def plot_stiffness(sol: Solution, path=None, show: bool = False):
    """Plot of L and its threshold, the method in use, the step size, and the cost per fiftieth of
    the run.
    """
    _need_steps(sol)
    if sol.result.method != "switching":
        raise ResultError(
            "only the integrator 'switching' watches the stiffness; this run used "
            f"'{sol.result.method}'. For one state see kt.modes(model, (sol, t)).spectral_radius."
        )
    figure, axes = new_figure(3, show)
    steps, edges = sol.steps, np.linspace(0.0, sol.steps.t[-1], 51)
    axes[0].semilogy(
        steps.t[steps.looks],
        steps.stiffness[steps.looks],
        "o-",
        markersize=3.0,
        linewidth=1.2,
        label="L, estimated",
    )
    axes[0].semilogy(
        steps.t, steps.threshold, linewidth=1.0, linestyle="--", color="0.4", label="threshold"
    )
    axes[0].set_ylabel("L [1/s]")
    axes[1].semilogy(steps.t, steps.h, linewidth=1.0, label="step size")
    axes[1].set_ylabel("step size [s]")
    axes[2].stairs(steps.cost(edges), edges, label="evaluations per fiftieth of the run")
    axes[2].set_ylabel("cost")
    _shade(axes, steps)
    axes[-1].set_xlabel("time [s]")
    return _finish(figure, axes, sol, path, show)


def _shade(axes, steps) -> None:
    """Shade the times at which BDF was in use."""
    stiff, begins = steps.method == "bdf", steps.t - steps.h * steps.steps
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stiff, [False]])))
    for k, (first, last) in enumerate(zip(edges[::2], edges[1::2])):
        for axis in axes:
            named = k == 0 and axis is axes[0]
            axis.axvspan(
                begins[first],
                steps.t[last - 1],
                color="0.9",
                zorder=0,
                label="BDF in use" if named else None,
            )


def plot_energy(sol: Solution, path=None, show: bool = False):
    figure, axes = new_figure(2, show)
    for what in ("kinetic", "potential", "total", *(["work"] if sol.energy.work.any() else [])):
        axes[0].plot(sol.t, getattr(sol.energy, what), label=what, linewidth=1.2)
    axes[0].set_ylabel("energy [J]")
    change = sol.energy.total - sol.energy.total[0]
    axes[1].plot(sol.t, change - sol.energy.work, label="change of total - work", linewidth=1.0)
    axes[1].set_ylabel("balance [J]")
    axes[-1].set_xlabel("time [s]")
    return _finish(figure, axes, sol, path, show)


def _finish(figure, axes, sol: Solution, path: str | os.PathLike | None, show: bool):
    axes[0].set_title(sol.model.name)
    with_legends(figure, axes)
    literal(figure)
    save_figure(figure, path)
    if show:
        show_figure(figure)
    return figure


def _need_steps(sol: Solution) -> None:
    if not len(sol.steps):
        raise ResultError(f"the run has no accepted step to plot: it {sol.message}.")
