"""Plots of a run for the command line: positions of the bodies."""

from __future__ import annotations

import os

import numpy as np

from ...core.figures import save
from ...results.figure import as_label, literal, stacked_axes

MOST_BODIES = 10


def plot_motion(solution, path: str | os.PathLike) -> None:
    """Plot positions of the bodies, with one panel per axis along which a body moves."""
    from matplotlib.figure import Figure

    paths = {
        body: solution[f"{body}.position"] for body in list(solution.model.bodies)[:MOST_BODIES]
    }
    travel = np.max([np.ptp(p, axis=0) for p in paths.values()], axis=0)
    moving = [k for k in range(3) if travel[k] > 1e-6 * travel.max()] or [2]
    figure = Figure(figsize=(7.5, 0.8 + 2.2 * len(moving)))
    axes = stacked_axes(figure, len(moving))
    for axis, k in zip(axes, moving):
        for body, position in paths.items():
            axis.plot(solution.t, position[:, k], label=as_label(body), linewidth=1.2)
        axis.set_ylabel(f"{'xyz'[k]} [m]")
        axis.grid(True, alpha=0.3)
    axes[0].set_title(f"{solution.model.name}: positions")
    axes[0].legend(loc="upper right", fontsize="small", ncols=max(1, len(paths) // 3))
    axes[-1].set_xlabel("time [s]")
    literal(figure)
    save(figure, path)
