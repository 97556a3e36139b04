"""Figures of flexible bodies: the slider-crank of the Test Set for IVP Solvers."""

from __future__ import annotations

import numpy as np

from ..problems.flexible_slider_crank import END, UNTIL, published, shapes, slider_crank
from .drawing import BODY, FORCE, INK


def test_set_crank():
    """Bending and elongation of the rod by Kinetree, by the published equations and as printed."""
    import matplotlib.pyplot as plt

    import kinetree as kt

    sol = kt.simulate(slider_crank(), UNTIL, integrator="dop853", output_interval=1e-4)
    t = np.linspace(0.0, UNTIL, 101)
    ours, theirs = 1e6 * shapes(sol), 1e6 * published(t)[:, 2:]
    figure, axes = plt.subplots(2, 1, figsize=(6.4, 4.6), sharex=True)
    axes[1].set_xlabel("time, s")
    for ax, k, what in zip(axes, (0, 3), ("bending q1, µm", "elongation q4, µm")):
        ax.set_ylabel(what)
        ax.plot(sol.t, ours[:, k], color=BODY, lw=1.2, label="Kinetree")
        ax.plot(t, theirs[:, k], "o", ms=3, mfc="none", color=FORCE, label="published equations")
        ax.plot(UNTIL, 1e6 * END[f"q{k + 1}"], "x", ms=8, color=INK, label="published end")
    axes[0].legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3)
    return figure


FIGURES = {"test-set-crank": test_set_crank}
