"""Figures of signs: the right-hand rule, reactions, and what places a joint.

As in the figures of frames, x points right and z up, so that y points into the page.
"""

from __future__ import annotations

import numpy as np

from .drawing import (
    BODY,
    FAINT,
    FORCE,
    INK,
    MOTION,
    OTHER,
    arrow,
    ground,
    link,
    pin,
    sheet,
    triad,
    turn,
)
from .frames import into_page


def right_hand_rule():
    """A positive rotation about y turns z to x, and x to -z."""
    figure, axes = sheet(3.6, 3.4, (-1.35, 1.6, -1.45, 1.4))
    arrow(axes, (0, 0), (1.15, 0), INK, "$x$", offset=(0.13, 0.0))
    arrow(axes, (0, 0), (0, 1.15), INK, "$z$", offset=(0.0, 0.13))
    axes.plot([0, 0], [0, -1.05], color=FAINT, lw=1.0, ls="--")
    axes.text(0.0, -1.2, "$-z$", ha="center", va="center", color=INK)
    turn(axes, (0, 0), 0.78, 80.0, 12.0, MOTION, "z to x", offset=1.34)
    turn(axes, (0, 0), 0.78, -10.0, -78.0, MOTION, "x to -z", offset=1.4)
    into_page(axes, (0.0, 0.0), radius=0.09)
    axes.text(-0.16, 0.1, "$y$", ha="right", va="center")
    axes.text(
        -0.14,
        -0.28,
        "into the page:\nthumb of the\nright hand",
        ha="right",
        va="center",
        fontsize=8.5,
    )
    return figure


def reaction_sign():
    """A joint cut free: its reaction acts on the child, the opposite force on the parent."""
    figure, axes = sheet(6.4, 3.6, (-0.5, 7.6, -2.1, 2.45))
    axes.text(0.95, 2.25, "joint A", ha="center", fontsize=10)
    axes.text(4.35, 2.25, "cut free", ha="center", fontsize=10)
    for x in (0.9, 4.35):
        ground(axes, np.array([x, 1.5]), width=1.0, angle=180.0)
    link(axes, (0.9, 1.5), (0.9, 0.1), width=9.0)
    pin(axes, (0.9, 1.5), size=9)
    axes.text(1.1, 1.15, "A", fontsize=10)
    axes.text(1.55, 1.65, "parent: ground", fontsize=9, color=INK)
    axes.text(1.12, 0.6, "child: lamp", fontsize=9, color=BODY)
    arrow(axes, (4.35, 1.48), (4.35, 0.85), FORCE, width=1.8)
    axes.text(4.55, 1.1, "$-F_A$  on the parent", color=FORCE, va="center", fontsize=9)
    link(axes, (4.35, -0.4), (4.35, -1.8), width=9.0)
    arrow(axes, (4.35, -0.4), (4.35, 0.3), FORCE, width=1.8)
    axes.text(4.55, 0.08, '$F_A$ = sol["A.force"]', color=FORCE, va="center", fontsize=9)
    axes.text(4.55, -0.25, "on the child, here $m g$ upward", va="center", fontsize=9, color=FORCE)
    axes.plot(4.35, -1.1, "o", ms=4, color="white", zorder=5)
    axes.plot([4.35, 4.75], [-1.1, -1.1], color=FAINT, lw=0.8)
    arrow(axes, (4.75, -1.0), (4.75, -1.7), INK, width=1.8)
    axes.text(4.95, -1.35, "weight $m g$", va="center", fontsize=9)
    triad(axes, (-0.3, -1.8), ("$x$", "$z$"), length=0.6)
    return figure


def marker_or_at():
    """Markers move the bodies together; a global point leaves them where they are drawn."""
    figure, axes = sheet(6.6, 4.1, (-0.3, 8.3, -3.3, 2.2))
    axes.text(1.8, 1.95, "drawn (reference pose)", ha="center", fontsize=10)
    axes.text(6.2, 1.95, "after assembly", ha="center", fontsize=10)
    axes.plot([-0.2, 8.2], [-0.75, -0.75], color=FAINT, lw=0.8)
    axes.plot([4.05, 4.05], [-3.2, 2.1], color=FAINT, lw=0.8)
    arm, bar = ((0.2, 0.2), (1.7, 0.2)), ((2.3, 0.75), (3.6, 0.75))
    for x in (0.0, 4.4):
        moved = np.array([0.0, 0.0]) if x == 0.0 else np.array([-0.6, -0.55])
        link(axes, (arm[0][0] + x, 0.2), (arm[1][0] + x, 0.2))
        link(axes, np.array(bar[0]) + moved + (x, 0), np.array(bar[1]) + moved + (x, 0), OTHER)
        axes.plot(arm[1][0] + x, 0.2, "o", ms=6, color=FORCE, zorder=5)
        axes.plot(bar[0][0] + moved[0] + x, bar[0][1] + moved[1], "o", ms=6, color=FORCE, zorder=5)
    axes.plot([6.7, 8.0], [0.75, 0.75], color=OTHER, lw=1.0, ls=":")
    arrow(axes, (6.9, 0.68), (6.45, 0.3), INK, width=1.0)
    axes.text(0.0, 1.35, 'a.end("+"), b.end("-")', fontsize=8.5, family="monospace")
    axes.text(4.4, 1.35, "the markers win: body b moves", fontsize=9)
    axes.text(0.9, -0.2, "a", color=BODY, ha="center")
    axes.text(3.0, 0.35, "b", color=OTHER, ha="center")
    axes.text(5.3, -0.2, "a", color=BODY, ha="center")
    axes.text(7.2, -0.2, "b", color=OTHER, ha="center")
    for x in (0.0, 4.4):
        link(axes, (0.2 + x, -2.6), (1.7 + x, -2.6))
        link(axes, (2.3 + x, -2.05), (3.6 + x, -2.05), OTHER)
        point = np.array([2.0 + x, -2.33])
        for foot, color in (((1.7 + x, -2.6), BODY), ((2.3 + x, -2.05), OTHER)):
            axes.plot(*zip(foot, point), color=color, lw=1.4, ls="--")
        pin(axes, point, size=8)
    axes.text(0.0, -1.25, "a, b, at=(x, y, z)", fontsize=8.5, family="monospace")
    axes.text(4.4, -1.25, "the drawing wins: nothing moves", fontsize=9)
    axes.text(2.2, -2.62, "at", fontsize=9)
    axes.text(0.9, -3.05, "a", color=BODY, ha="center")
    axes.text(3.0, -2.5, "b", color=OTHER, ha="center")
    axes.text(5.3, -3.05, "a", color=BODY, ha="center")
    axes.text(7.4, -2.5, "b", color=OTHER, ha="center")
    return figure


FIGURES = {
    "right-hand-rule-y": right_hand_rule,
    "reaction-sign": reaction_sign,
    "marker-or-at": marker_or_at,
}
