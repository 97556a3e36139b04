"""Couplings of joint coordinates: belts, gears, racks, differentials. Green arrows show the positive
directions of the coordinates.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.patches import Circle, Rectangle

from .drawing import BODY, GROUND, INK, MOTION, OTHER, arrow, cropped, pin, sheet, turn
from .isometric import text


def _wheel(axes, at, radius, color, label, start, end, shift=(0.0, 0.0)) -> None:
    """A pitch circle with its positive direction."""
    axes.add_patch(Circle(at, radius, fc="white", ec=color, lw=2.0))
    pin(axes, at, 4)
    turn(axes, at, 0.62 * radius, start, end)
    text(axes, (at[0] + shift[0], at[1] + shift[1]), label, MOTION, size=8.5)


def coupling():
    figure, axes = sheet(4.2, 2.6, (-2.0, 2.0, -1.3, 1.2))
    axes.plot([-1.12, 0.98], [0.4, 0.8], color="#7a5230", lw=2)
    axes.plot([-1.12, 0.98], [-0.4, -0.8], color="#7a5230", lw=2)
    _wheel(axes, (-1.05, 0), 0.4, BODY, "first", -60.0, 200.0, (-0.62, 0.0))
    _wheel(axes, (0.9, 0), 0.8, OTHER, "second", -60.0, 200.0, (0.0, -0.2))
    text(axes, (-0.1, 1.08), "first $-$ ratio $\\cdot$ second $=$ offset", INK, size=9)
    text(axes, (-0.1, -1.12), "ratio $= 2 > 0$: same direction, first twice as fast", INK, size=8.5)
    return figure


def gear():
    figure, axes = sheet(4.2, 2.6, (-1.9, 1.9, -1.25, 1.2))
    _wheel(axes, (-0.85, 0), 0.45, BODY, "$z_1$", -50.0, 200.0, (0.0, -0.62))
    _wheel(axes, (0.6, 0), 1.0, OTHER, "$z_2$", 230.0, -20.0, (0.0, -0.3))
    for at, radius, count, phase in (((-0.85, 0), 0.45, 18, 0.0), ((0.6, 0), 1.0, 40, 0.5)):
        for k in range(count):
            a = 2.0 * math.pi * (k + phase) / count
            r = np.array([0.96, 1.05]) * radius
            axes.plot(at[0] + r * math.cos(a), at[1] + r * math.sin(a), color=INK, lw=0.9)
    text(axes, (-1.15, 0.72), "first turns $+$", MOTION, size=8.5)
    text(axes, (1.2, 1.08), "second turns $-$", MOTION, size=8.5)
    text(axes, (-0.95, -1.1), "$z_1\\,$first $= -z_2\\,$second", INK, size=9)
    return figure


def rack_and_pinion():
    figure, axes = sheet(4.2, 2.3, (-1.9, 1.9, -1.0, 1.1))
    axes.add_patch(Rectangle((-1.5, -0.72), 3.0, 0.2, fc="#9db8d2", ec=INK, lw=0.8))
    for x in np.arange(-1.45, 1.5, 0.12):
        axes.plot([x, x + 0.03, x + 0.06], [-0.52, -0.44, -0.52], color=INK, lw=0.8)
    _wheel(axes, (0, 0.05), 0.52, OTHER, "pinion", -30.0, 210.0, (0.95, 0.2))
    arrow(axes, (0, 0.05), (0.0, -0.45), INK, width=0.8, size=7)
    text(axes, (0.26, -0.2), "radius", INK, size=8, family="monospace")
    arrow(axes, (0.5, -0.88), (1.4, -0.88), MOTION, width=2.0)
    text(axes, (0.2, -0.88), "rack", MOTION, size=9)
    text(axes, (0.0, 0.95), "rack $=$ radius $\\cdot$ pinion $+$ constant", INK, size=9)
    return figure


def differential():
    figure, axes = sheet(4.4, 2.4, (-2.1, 2.1, -1.1, 1.15))
    axes.add_patch(Rectangle((-0.55, -0.6), 1.1, 1.2, fc="#eceef1", ec=OTHER, lw=2.0))
    for side in (-1.0, 1.0):
        axes.plot([0.3 * side, 1.75 * side], [0, 0], color=BODY, lw=5)
        axes.add_patch(Rectangle((0.36 * side - 0.08, -0.3), 0.16, 0.6, fc=BODY, ec=INK, lw=0.8))
        axes.add_patch(Rectangle((1.75 * side - 0.09, -0.42), 0.18, 0.84, fc="#3c4148", ec=INK))
        axes.add_patch(
            Rectangle((-0.26, 0.36 * side - 0.08), 0.52, 0.16, fc="#9aa0a8", ec=INK, lw=0.8)
        )
    axes.plot([0, 0], [-0.58, 0.58], color=INK, lw=1.0)
    text(axes, (-1.1, 0.25), "left", MOTION, size=9, family="monospace")
    text(axes, (1.1, 0.25), "right", MOTION, size=9, family="monospace")
    text(axes, (0.0, 0.78), "carrier", MOTION, size=9, family="monospace")
    for x in (-1.15, 1.15, 0.0):
        y = -0.85 if x == 0.0 else -0.2
        arrow(axes, (x, y + 0.14), (x, y - 0.2), MOTION, width=1.6)
    text(axes, (0.0, 1.05), "$2\\,$carrier $=$ left $+$ right $+$ constant", INK, size=9)
    return figure


def planetary_gear():
    figure, axes = sheet(4.2, 3.0, (-1.6, 2.4, -1.4, 1.4))
    axes.add_patch(Circle((0, 0), 1.28, fc="#e3e6ea", ec=INK, lw=0.8))
    axes.add_patch(Circle((0, 0), 1.1, fc="white", ec=GROUND, lw=2.0))
    for k in range(3):
        a = math.radians(90.0 + 120.0 * k)
        at = (0.73 * math.cos(a), 0.73 * math.sin(a))
        axes.plot([0, at[0]], [0, at[1]], color=OTHER, lw=4, zorder=1.5)
        axes.add_patch(Circle(at, 0.37, fc="white", ec="#9aa0a8", lw=2.0))
        pin(axes, at, 4)
    axes.add_patch(Circle((0, 0), 0.36, fc="white", ec=BODY, lw=2.0, zorder=2))
    turn(axes, (0, 0), 0.22, -60.0, 200.0)
    turn(axes, (0, 0), 0.73, 115.0, 185.0)
    turn(axes, (0, 0), 1.19, -30.0, 30.0)
    for at, to, name in (
        ((0.2, 0.15), (1.75, 0.9), "sun"),
        ((-0.25, 0.68), (-1.1, 1.32), "carrier"),
        ((1.2, 0.1), (1.8, 0.1), "ring"),
    ):
        axes.plot(*zip(at, to), color=INK, lw=0.7, zorder=5)
        text(axes, to, name, MOTION, size=9, family="monospace")
    text(axes, (1.85, -0.9), "all angles positive\nin the same direction", INK, size=8.5)
    return figure


FIGURES = {
    "constraint-coupling": cropped(coupling),
    "constraint-gear": cropped(gear),
    "constraint-rack-and-pinion": cropped(rack_and_pinion),
    "constraint-differential": cropped(differential),
    "constraint-planetary-gear": cropped(planetary_gear),
}
