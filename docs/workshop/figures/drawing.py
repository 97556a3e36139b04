"""What the figures are drawn with: a blank sheet, axes of frames, arrows, ground, springs, labels.

Bodies are blue-gray, the ground gray, forces red, motions green, dimensions thin and dark. The
background is white in both color schemes of the pages.
"""

from __future__ import annotations

import math

import numpy as np

BODY, OTHER, GROUND = "#4878a8", "#d9a441", "#8a8f98"
FORCE, MOTION, INK, FAINT = "#c0392b", "#2e8b57", "#22262b", "#b8bec6"


def sheet(width: float = 4.0, height: float = 3.0, limits=None):
    """Return a figure and its only axes: no ticks, equal scales, white."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(width, height))
    axes.set_aspect("equal")
    axes.axis("off")
    if limits is not None:
        axes.set_xlim(limits[0], limits[1])
        axes.set_ylim(limits[2], limits[3])
    return figure, axes


def arrow(axes, start, end, color=INK, label="", width=1.4, offset=(0.0, 0.0), size=10) -> None:
    """Draw an arrow from `start` to `end`, with its label at the tip."""
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={
            "arrowstyle": "-|>",
            "color": color,
            "lw": width,
            "shrinkA": 0,
            "shrinkB": 0,
            "mutation_scale": size,
        },
    )
    if label:
        axes.text(
            end[0] + offset[0], end[1] + offset[1], label, color=color, ha="center", va="center"
        )


def turn(axes, center, radius, start, end, color=MOTION, label="", offset=1.25) -> None:
    """Draw an arc from angle `start` to `end` in degrees, with an arrowhead at its end."""
    angles = np.radians(np.linspace(start, end, 60))
    x, y = center[0] + radius * np.cos(angles), center[1] + radius * np.sin(angles)
    axes.plot(x[:-1], y[:-1], color=color, lw=1.4, solid_capstyle="butt")
    arrow(axes, (x[-4], y[-4]), (x[-1], y[-1]), color)
    middle = math.radians(0.5 * (start + end))
    axes.text(
        center[0] + offset * radius * math.cos(middle),
        center[1] + offset * radius * math.sin(middle),
        label,
        color=color,
        ha="center",
        va="center",
    )


def triad(axes, origin, labels, angle=0.0, length=0.5, color=INK) -> None:
    """Draw two axes of a frame in the plane, the first at `angle` in degrees."""
    for k, label in enumerate(labels):
        a = math.radians(angle + 90.0 * k)
        tip = (origin[0] + length * math.cos(a), origin[1] + length * math.sin(a))
        away = (0.16 * length * math.cos(a), 0.16 * length * math.sin(a))
        arrow(axes, origin, tip, color, label, offset=away)


def ground(axes, point, width=0.6, angle=0.0) -> None:
    """Draw a hatched line under `point`; `angle` in degrees turns it about the point."""
    a = math.radians(angle)
    along, down = np.array([math.cos(a), math.sin(a)]), np.array([math.sin(a), -math.cos(a)])
    left, right = point - 0.5 * width * along, point + 0.5 * width * along
    axes.plot(*zip(left, right), color=GROUND, lw=1.6)
    for s in np.linspace(0.06, 0.98, 8):
        foot = left + s * (right - left)
        axes.plot(*zip(foot, foot + 0.12 * width * (down - along)), color=GROUND, lw=0.9)


def link(axes, start, end, color=BODY, width=7.0) -> None:
    """Draw a rod with round ends."""
    axes.plot(*zip(start, end), color=color, lw=width, solid_capstyle="round", zorder=2)


def pin(axes, point, size=6.0, filled=False) -> None:
    """Draw a hinge whose axis is perpendicular to the page."""
    axes.plot(*point, "o", ms=size, mfc=INK if filled else "white", mec=INK, mew=1.3, zorder=4)


def spring(axes, start, end, coils=6, amplitude=0.08, color=INK) -> None:
    """Draw a zigzag between two points."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    across = np.array([-along[1], along[0]]) / np.hypot(*along)
    s = np.concatenate([[0.0, 0.15], np.linspace(0.15, 0.85, 2 * coils + 1)[1:-1], [0.85, 1.0]])
    side = np.zeros(len(s))
    side[2:-2] = amplitude * (-1.0) ** np.arange(len(s) - 4)
    points = start + s[:, None] * along + side[:, None] * across
    axes.plot(points[:, 0], points[:, 1], color=color, lw=1.3, zorder=3)


def dimension(axes, start, end, label, offset=(0.0, 0.0)) -> None:
    """Draw a thin line with arrows at both ends and a label at its middle."""
    axes.annotate(
        "", xy=end, xytext=start, arrowprops={"arrowstyle": "<->", "color": INK, "lw": 0.8}
    )
    middle = 0.5 * (np.asarray(start, float) + np.asarray(end, float)) + offset
    axes.text(*middle, label, color=INK, ha="center", va="center", fontsize=9)


def cropped(draw):
    """Return the figure function without the empty margins of its sheet, at the same scale."""

    def drawn():
        figure = draw()
        axes = figure.axes[0]
        figure.canvas.draw()
        own = {axes.patch, axes.xaxis, axes.yaxis, *axes.spines.values()}
        boxes = [a.get_window_extent() for a in axes.get_children() if a not in own]
        boxes = [box for box in boxes if box.width + box.height > 0.0]
        low = np.min([box.min for box in boxes], axis=0) - 4.0
        high = np.max([box.max for box in boxes], axis=0) + 4.0
        (left, bottom), (right, top) = axes.transData.inverted().transform([low, high])
        axes.set(xlim=(left, right), ylim=(bottom, top), position=(0.0, 0.0, 1.0, 1.0))
        figure.set_size_inches((high - low) / figure.dpi)
        return figure

    drawn.__name__, drawn.__doc__ = draw.__name__, draw.__doc__
    return drawn
