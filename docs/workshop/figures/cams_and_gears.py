"""Equations of the user, cams, elastic teeth and belts. Forces are red, with the direction in which
their channels are positive.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.patches import Circle, Polygon

from .drawing import BODY, FORCE, GROUND, INK, MOTION, arrow, cropped, pin, sheet, turn
from .isometric import text
from .marker_forces import block


def user_constraint():
    figure, axes = sheet(4.4, 2.7, (-2.1, 2.1, -1.1, 1.5))
    x = np.linspace(-1.6, 1.7, 60)
    z = 0.32 * x**2 - 0.7 + 0.12 * np.sin(2.0 * x)
    axes.plot(x, z, color=GROUND, lw=2.5)
    at = 0.95
    p = np.array([at, 0.32 * at**2 - 0.7 + 0.12 * math.sin(2.0 * at)])
    slope = 0.64 * at + 0.24 * math.cos(2.0 * at)
    n = np.array([-slope, 1.0]) / math.hypot(slope, 1.0)
    axes.add_patch(Circle(p, 0.14, fc=BODY, ec=INK, lw=0.8, zorder=4))
    arrow(axes, tuple(p), tuple(p + 0.85 * n), FORCE, width=2.0)
    text(axes, tuple(p + 1.02 * n), "force", FORCE, size=9)
    text(axes, tuple(p + (0.28, -0.12)), "$b$", INK)
    pin(axes, (-1.25, 0.85), 6)
    text(axes, (-1.4, 0.98), "$a$", INK)
    text(axes, (0.0, -1.0), "$g(t, a, b) = 0$, any function", INK, size=9.5)
    return figure


def cam_follower():
    figure, axes = sheet(4.4, 3.0, (-2.3, 2.3, -1.2, 2.1))
    for center, kind in ((-1.15, "flat"), (1.15, "roller")):
        u = np.linspace(0.0, 2.0 * math.pi, 120)
        r = 0.66 + 0.14 * np.sin(u)
        profile = np.column_stack([center + r * np.cos(u), -0.3 + r * np.sin(u)])
        axes.add_patch(Polygon(profile, fc=BODY, ec=INK, lw=0.9))
        pin(axes, (center, -0.3), 7)
        turn(axes, (center, -0.3), 0.32, 200, 330, MOTION)
        top = 0.54
        if kind == "flat":
            block(axes, (center, top + 0.07), 1.1, 0.14, "#c9ced6")
            block(axes, (center, top + 0.6), 0.2, 0.95, "#c9ced6")
            marker, name = (center, top), "flat"
        else:
            axes.add_patch(Circle((center, top + 0.2), 0.2, fc="#c9ced6", ec=INK, lw=0.9))
            block(axes, (center, top + 0.75), 0.14, 0.9, "#c9ced6")
            pin(axes, (center, top + 0.2), 5)
            marker, name = (center, top + 0.2), "roller $r$"
        arrow(axes, (center, top), (center, top + 0.75), FORCE, width=2.0)
        text(axes, (center + 0.62, marker[1] + 0.32), name, INK, size=9)
        text(axes, (center + 0.2, -0.42), "1", INK)
        text(axes, (center - 0.22, top + 0.45), "2", INK)
    text(axes, (0.0, -1.1), "profile $c(u)$ through points", INK, size=9.5)
    return figure


def wheel(axes, center, radius, color=BODY) -> None:
    axes.add_patch(Circle(center, radius, fc=color, ec=INK, lw=0.8, alpha=0.85))
    pin(axes, center, 6)


def gear_mesh():
    figure, axes = sheet(4.6, 2.9, (-2.0, 2.6, -1.4, 1.6))
    wheel(axes, (-0.9, 0.0), 0.7)
    wheel(axes, (0.9, 0.0), 1.1, "#dfe5ec")
    P = np.array([-0.2, 0.0])
    alpha = math.radians(20.0)
    arrow(axes, tuple(P), tuple(P + (0.0, 1.0)), FORCE, width=1.4)
    arrow(axes, tuple(P), tuple(P + (1.0 * math.tan(alpha), 1.0)), FORCE, width=2.2)
    axes.plot([P[0], P[0]], [-1.2, 1.3], color="#8a8f98", lw=0.7, ls="--")
    text(axes, (P[0] - 0.18, 1.05), "$N$", FORCE, size=10)
    text(axes, (P[0] + 0.62, 1.15), "on wheel 2", FORCE, size=8.5)
    text(axes, (P[0] + 0.14, 0.42), "$\\alpha$", INK, size=9)
    text(axes, (P[0] + 0.13, -0.14), "$P$", INK)
    turn(axes, (-0.9, 0.0), 0.42, 200, 330, MOTION)
    text(axes, (-1.1, 0.14), "1", INK)
    text(axes, (1.05, 0.14), "2", INK)
    text(axes, (0.3, -1.3), "$N = k\\,(|e| - b/2)$ beyond the backlash", INK, size=9.5)
    return figure


def belt():
    figure, axes = sheet(4.8, 2.6, (-2.4, 2.6, -1.35, 1.35))
    (o_1, r_1), (o_2, r_2) = (np.array([-1.2, 0.0]), 0.45), (np.array([1.2, 0.0]), 0.8)
    wheel(axes, tuple(o_1), r_1)
    wheel(axes, tuple(o_2), r_2, "#dfe5ec")
    lean = math.asin((r_1 - r_2) / 2.4)
    for side, name in ((1.0, "$T_1$"), (-1.0, "$T_2$")):
        n = np.array([math.sin(lean), side * math.cos(lean)])
        ends = o_1 + r_1 * n, o_2 + r_2 * n
        axes.plot(*zip(*ends), color="#7a5230", lw=2.4, zorder=3)
        e = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        long = 0.9 if side > 0.0 else 0.5
        arrow(axes, tuple(ends[0]), tuple(ends[0] + long * e), FORCE, width=2.0)
        text(axes, tuple(ends[0] + 0.55 * e + (0.0, side * 0.24)), name, FORCE, size=10)
    turn(axes, tuple(o_1), 0.27, 200, 330, MOTION)
    text(axes, tuple(o_1 + (-0.02, 0.18)), "1", INK)
    text(axes, tuple(o_2 + (0.05, 0.2)), "2", INK)
    text(axes, (0.0, -1.25), "$T_k = T_0 + k\\,s_k \\geq 0$", INK, size=9.5)
    return figure


FIGURES = {
    "constraint-user-constraint": cropped(user_constraint),
    "constraint-cam-follower": cropped(cam_follower),
    "force-gear-mesh": cropped(gear_mesh),
    "force-belt": cropped(belt),
}
