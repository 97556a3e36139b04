"""Four plots that tell how a run went: motion, energy, constraints, steps."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

LINE = {"linewidth": 1.3}
MOST_BODIES = 8


def figures(solution) -> dict[str, Figure]:
    """Figures by name; constraints only where there are any."""
    plots = {"motion": motion(solution), "energy": energy(solution), "steps": steps(solution)}
    if solution.assembly.compiled.size["ng"]:
        plots["constraints"] = constraints(solution)
    return plots


def motion(solution) -> Figure:
    """Positions of the bodies, one panel per axis that moves."""
    bodies = list(solution.assembly.compiled.model.bodies)[:MOST_BODIES]
    paths = {body: solution[f"{body}.position"] for body in bodies}
    travel = np.max([np.ptp(p, axis=0) for p in paths.values()], axis=0)
    moving = [k for k in range(3) if travel[k] > 1e-9 * max(travel.max(), 1e-300)] or [2]
    figure, axes = _panels(len(moving), f"{solution.assembly.compiled.model.name}: positions")
    for axis, k in zip(axes, moving):
        for body, path in paths.items():
            axis.plot(solution.t, path[:, k], label=body, **LINE)
        axis.set_ylabel(f"{'xyz'[k]} (m)")
    _finish(axes, legend=len(bodies) > 1)
    return figure


def energy(solution) -> Figure:
    """Kinetic, potential and total energy."""
    figure, axes = _panels(1, f"{solution.assembly.compiled.model.name}: energy")
    for name in ("kinetic", "potential", "total"):
        axes[0].plot(solution.t, getattr(solution.energy, name), label=name, **LINE)
    axes[0].set_ylabel("energy (J)")
    _finish(axes, legend=True)
    return figure


def constraints(solution) -> Figure:
    """Violation of positions and velocities at the accepted steps."""
    figure, axes = _panels(1, f"{solution.assembly.compiled.model.name}: constraint errors at the accepted steps")
    t, error = solution.steps.t, solution.constraint_error
    for values, label in ((np.asarray(error), "positions (m)"), (np.asarray(error.velocity), "velocities (m/s)")):
        axes[0].semilogy(t, np.maximum(values[-len(t):], 1e-18), label=label, **LINE)
    axes[0].set_ylabel("largest violation")
    _finish(axes, legend=True)
    return figure


def steps(solution) -> Figure:
    """Step size and order of the accepted steps."""
    figure, axes = _panels(2, f"{solution.assembly.compiled.model.name}: steps of the {solution.options['integrator']} integrator")
    axes[0].semilogy(solution.steps.t, solution.steps.h, **LINE)
    axes[0].set_ylabel("step (s)")
    axes[1].step(solution.steps.t, solution.steps.order, where="pre", **LINE)
    axes[1].set_ylabel("order")
    axes[1].yaxis.get_major_locator().set_params(integer=True)
    _finish(axes, legend=False)
    return figure


def _panels(count: int, title: str):
    figure = Figure(figsize=(8.0, 1.6 + 1.9 * count), layout="constrained")
    axes = np.atleast_1d(figure.subplots(count, 1, sharex=True))
    axes[0].set_title(title, loc="left", fontsize=11)
    return figure, axes


def _finish(axes, legend: bool) -> None:
    for axis in axes:
        axis.grid(alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0.0)
    axes[-1].set_xlabel("time (s)")
    if legend:
        axes[0].legend(frameon=False, fontsize=9, ncols=4, loc="lower right", bbox_to_anchor=(1.0, 1.0))
