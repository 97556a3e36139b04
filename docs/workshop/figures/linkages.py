"""Figures of linkages: the four-bar of the tutorial as tree and loop, and its two assemblies."""

from __future__ import annotations

import numpy as np

from .drawing import BODY, FORCE, GROUND, INK, OTHER, arrow, ground, link, pin, sheet, triad

CRANK, COUPLER, ROCKER, BASE = 0.50, 1.20, 0.75, 1.10  # m, tutorial 2
THIRD = "#7a68a6"


def four_bar_points(crank_angle, elbow=1.0):
    """Return the pins A, B, C, D; angles about y are positive clockwise, x right, z up."""
    A, D = np.zeros(2), np.array([BASE, 0.0])
    B = CRANK * np.array([np.cos(crank_angle), -np.sin(crank_angle)])
    reach = np.hypot(*(D - B))
    along = (D - B) / reach
    across = np.array([-along[1], along[0]])
    s = (COUPLER**2 - ROCKER**2 + reach**2) / (2.0 * reach)
    return A, B, B + s * along + elbow * np.sqrt(COUPLER**2 - s**2) * across, D


def _tree(axes, points) -> None:
    """Draw the linkage with pin C open: the coupler and the rocker end at different points."""
    A, B, C, D = points
    gap = np.array([-0.07, 0.06])
    for point in (A, D):
        ground(axes, point, width=0.26)
    link(axes, A, B)
    link(axes, B, C + gap, OTHER)
    link(axes, D, C - gap, THIRD)
    for point in (A, B, D):
        pin(axes, point, size=8)
    for point in (C + gap, C - gap):
        axes.plot(*point, "o", ms=8, mfc="white", mec=FORCE, mew=1.6, zorder=5)
    arrow(axes, C + gap, C - gap, FORCE, size=8)
    axes.text(
        C[0], C[1] + 0.3, "cut joint C: $g$ = child - parent", color=FORCE, fontsize=9, ha="center"
    )


def four_bar_tree():
    """The four-bar: the loop is cut at C; A, B and D are the tree."""
    figure, axes = sheet(7.8, 3.0, (-0.35, 4.05, -0.42, 1.3))
    points = four_bar_points(-0.6)
    _tree(axes, points)
    A, B, C, D = points
    for text, spot in (("A", A + (-0.16, 0.02)), ("B", B + (-0.1, 0.1)), ("D", D + (0.24, -0.05))):
        axes.text(*spot, text, ha="center", fontsize=10)
    names = [("crank", 0.5 * (A + B) + (-0.22, 0.06), BODY), ("coupler", (0.72, 0.68), OTHER)]
    for name, spot, color in [*names, ("rocker", 0.5 * (C + D) + (0.22, -0.1), THIRD)]:
        axes.text(*spot, name, color=color, ha="center", fontsize=9)
    triad(axes, (-0.25, -0.3), ("$x$", "$z$"), length=0.22)
    _graph(axes)
    return figure


def _graph(axes) -> None:
    """Draw bodies as nodes and joints as edges."""
    nodes = {
        "ground": ((3.1, -0.2), GROUND),
        "crank": ((2.6, 0.4), BODY),
        "coupler": ((2.85, 1.0), OTHER),
        "rocker": ((3.7, 0.55), THIRD),
    }
    edges = [
        ("ground", "crank", "A", True),
        ("crank", "coupler", "B", True),
        ("ground", "rocker", "D", True),
        ("coupler", "rocker", "C", False),
    ]
    for one, other, name, kept in edges:
        p, q = np.array(nodes[one][0]), np.array(nodes[other][0])
        style = {"color": INK if kept else FORCE, "lw": 1.6, "ls": "-" if kept else "--"}
        axes.plot(*zip(p, q), zorder=1, **style)
        box = {"fc": "white", "ec": "none", "pad": 1.5}
        axes.text(*(0.5 * (p + q)), name, ha="center", va="center", bbox=box, color=style["color"])
    for name, (spot, color) in nodes.items():
        box = {"boxstyle": "round,pad=0.35", "fc": "white", "ec": color, "lw": 1.6}
        axes.text(*spot, name, ha="center", va="center", fontsize=9, bbox=box, zorder=3)


def elbow():
    """Two assemblies with the same crank angle."""
    figure, axes = sheet(6.4, 3.2, (-0.4, 3.9, -1.15, 1.1))
    for shift, side, title in ((0.0, 1.0, "elbow up"), (2.2, -1.0, "elbow down")):
        A, B, C, D = (p + (shift, 0.0) for p in four_bar_points(-0.6, side))
        for point in (A, D):
            ground(axes, point, width=0.26)
        link(axes, A, B)
        link(axes, B, C, OTHER)
        link(axes, D, C, THIRD)
        for point, name, away in ((A, "A", (-0.14, 0.0)), (B, "B", (-0.12, 0.08))):
            axes.text(*(point + away), name, ha="center")
        axes.text(*(C + (0.13, 0.02)), "C", ha="center")
        axes.text(*(D + (0.22, -0.06)), "D", ha="center")
        for point in (A, B, C, D):
            pin(axes, point, size=8)
        axes.text(shift + 0.55, -1.08, title, ha="center", fontsize=10)
    return figure


FIGURES = {"four-bar-tree": four_bar_tree, "elbow": elbow}
