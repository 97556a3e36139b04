"""Hydraulic elements: cylinder with chambers, valve edges, supply and tank; pump with relief valve."""

from __future__ import annotations

from matplotlib.patches import Circle, Polygon, Rectangle

from .drawing import BODY, FORCE, GROUND, INK, MOTION, arrow, cropped, dimension, sheet
from .isometric import text
from .joint_forces import OIL
from .marker_forces import marker

HIGH, LOW = "#b5651d", "#6b8cae"


def _edge(axes, at, label, opened) -> None:
    """One edge of the valve: an orifice between two lines."""
    x, y = at
    color = INK if opened else "#9aa0a8"
    for side in (-1.0, 1.0):
        axes.plot(
            [x + 0.12 * side, x + 0.045 * side, x + 0.12 * side],
            [y + 0.12, y, y - 0.12],
            color=color,
            lw=1.6,
        )
    text(axes, (x + 0.3, y), label, color, size=9)


def hydraulic_cylinder():
    figure, axes = sheet(4.8, 4.0, (-2.2, 2.2, -2.2, 1.45))
    # barrel on the left marker, piston and rod on the right one
    axes.add_patch(Rectangle((-1.3, 0.2), 1.0, 0.7, fc=OIL, ec="none"))
    axes.add_patch(Rectangle((-0.18, 0.2), 1.08, 0.7, fc="#eddcab", ec="none"))
    axes.add_patch(Rectangle((-1.3, 0.2), 2.2, 0.7, fc="none", ec=INK, lw=1.6))
    axes.add_patch(Rectangle((-0.3, 0.2), 0.12, 0.7, fc=BODY, ec=INK, lw=0.9))
    axes.add_patch(Rectangle((-0.18, 0.45), 1.9, 0.2, fc=BODY, ec=INK, lw=0.9))
    axes.add_patch(Rectangle((-1.85, 0.45), 0.55, 0.2, fc=GROUND, ec=INK, lw=0.9))
    marker(axes, (-1.8, 0.55), "1", (-0.16, 0.2))
    marker(axes, (1.68, 0.55), "2", (0.16, 0.2))
    text(axes, (-0.82, 0.7), "$P_1,\\ V_1$", INK)
    text(axes, (0.4, 0.78), "$P_2,\\ V_2$", INK, size=9)
    text(axes, (-0.82, 0.4), "$A_1$", INK, size=9)
    text(axes, (0.4, 0.32), "$A_2$", INK, size=9)
    dimension(axes, (-1.3, 1.05), (-0.3, 1.05), "")
    text(axes, (-0.8, 1.18), "extension $X$", MOTION, size=9)
    arrow(axes, (1.72, 0.3), (2.15, 0.3), FORCE, width=2.0)
    arrow(axes, (-1.72, 0.3), (-2.15, 0.3), FORCE, width=2.0)
    text(axes, (1.95, 0.08), "$F > 0$", FORCE, size=9)
    text(axes, (-1.95, 0.08), "$F > 0$", FORCE, size=9)
    # ports and valve edges
    for x, k in ((-1.1, 1), (0.7, 2)):
        axes.plot([x, x], [-1.7, 0.2], color=INK, lw=1.4, zorder=1)
        arrow(axes, (x, -0.35), (x, 0.12), HIGH, width=1.8)
        text(axes, (x + 0.2, -0.12), f"$Q_{k}$", HIGH, size=9.5)
        axes.plot([x, x - 0.62, x - 0.62], [-0.45, -0.45, -1.25], color=INK, lw=1.4, zorder=1)
    axes.plot([-1.95, 1.2], [-1.25, -1.25], color=HIGH, lw=2.2)
    axes.plot([-1.95, 1.2], [-1.7, -1.7], color=LOW, lw=2.2)
    text(axes, (1.65, -1.25), "supply $P_s$", HIGH, size=9)
    text(axes, (1.6, -1.7), "tank $P_0$", LOW, size=9)
    for x, first in ((-1.1, 1), (0.7, 3)):
        for at, k in (((x - 0.62, -0.85), first), ((x, -0.85), first + 1)):
            axes.add_patch(
                Rectangle(
                    (at[0] - 0.14, at[1] - 0.14), 0.28, 0.28, fc="white", ec="none", zorder=1.5
                )
            )
            _edge(axes, at, f"{k}", k in (1, 4))
        axes.add_patch(Rectangle((x - 0.03, -1.33), 0.06, 0.16, fc="white", ec="none", zorder=1.6))
    text(
        axes,
        (-0.2, -2.02),
        "positive spool command: edges 1 and 4 open, the cylinder extends",
        INK,
        size=8.5,
    )
    return figure


def pump():
    figure, axes = sheet(4.6, 2.9, (-2.0, 2.4, -1.35, 1.35))
    axes.add_patch(Circle((-1.4, -0.35), 0.3, fc="white", ec=INK, lw=1.5))
    axes.add_patch(Polygon([(-1.52, -0.2), (-1.28, -0.2), (-1.4, -0.06)], fc=INK))
    axes.plot([-1.4, -1.4, 0.35], [-0.05, 0.6, 0.6], color=HIGH, lw=2.2)
    axes.plot([-1.4, -1.4], [-0.65, -0.95], color=LOW, lw=2.2)
    axes.plot([-0.45, -0.45], [0.6, 0.12], color=HIGH, lw=2.2)
    axes.plot([-0.45, -0.45], [-0.3, -0.95], color=LOW, lw=2.2)
    axes.add_patch(Rectangle((-0.66, -0.3), 0.42, 0.42, fc="white", ec=INK, lw=1.5))
    arrow(axes, (-0.38, 0.1), (-0.38, -0.28), INK, width=1.0, size=9)
    for x in (-1.4, -0.45):
        axes.plot(
            [x - 0.18, x - 0.18, x + 0.18, x + 0.18], [-0.85, -1.0, -1.0, -0.85], color=LOW, lw=1.6
        )
    arrow(axes, (-1.4, 0.1), (-1.4, 0.42), HIGH, width=1.8)
    text(axes, (-1.65, 0.3), "$Q$", HIGH)
    arrow(axes, (0.0, 0.6), (0.4, 0.6), HIGH, width=1.8)
    text(axes, (0.3, 0.82), "$Q_{valves}$", HIGH, size=9)
    text(axes, (-0.95, 0.82), "$p,\\ V$", INK)
    arrow(axes, (-0.45, 0.5), (-0.45, 0.2), HIGH, width=1.8)
    text(axes, (-0.12, 0.3), "$Q_{relief}$", HIGH, size=9)
    text(axes, (-0.95, -1.2), "tank", LOW, size=9)
    # the relief valve: Q_relief over p
    arrow(axes, (1.0, -0.75), (2.35, -0.75), INK, width=0.8, size=8)
    arrow(axes, (1.0, -0.75), (1.0, 0.75), INK, width=0.8, size=8)
    axes.plot([1.0, 1.6, 2.05], [-0.75, -0.75, 0.55], color=HIGH, lw=2.0)
    axes.plot([1.0, 1.9], [0.12, 0.12], color=INK, lw=0.7, ls="--")
    axes.plot([1.9, 1.9], [0.12, -0.75], color=INK, lw=0.7, ls="--")
    text(axes, (0.88, 0.12), "$Q$", INK, size=9)
    text(axes, (1.0, 0.9), "$Q_{relief}$", HIGH, size=9)
    text(axes, (1.5, -0.92), "relief", INK, size=8, family="monospace")
    dimension(axes, (1.6, -1.08), (1.9, -1.08), "")
    text(axes, (1.75, -1.25), "override$\\cdot$relief", INK, size=8)
    text(axes, (2.3, -0.9), "$p$", INK)
    return figure


FIGURES = {
    "force-hydraulic-cylinder": cropped(hydraulic_cylinder),
    "force-pump": cropped(pump),
}
