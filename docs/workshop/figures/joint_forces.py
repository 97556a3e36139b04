"""Force elements on a joint coordinate: springs, stops, friction, gas springs. Curves show the
effort along the coordinate with the parameters of the element.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from .drawing import (
    BODY,
    FORCE,
    GROUND,
    INK,
    MOTION,
    OTHER,
    arrow,
    cropped,
    dimension,
    ground,
    link,
    pin,
    sheet,
    turn,
)
from .isometric import text

OIL, GAS = "#e3c878", "#cfe3f2"


def plot(width=4.2, height=2.8, x="", y="", limits=None):
    """Return a figure and axes of a curve: two lines through the origin, labels, no ticks."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(width, height))
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    if limits is not None:
        axes.set_xlim(limits[0], limits[1])
        axes.set_ylim(limits[2], limits[3])
        arrow(axes, (limits[0], 0.0), (limits[1], 0.0), INK, width=0.9, size=9)
        arrow(axes, (0.0, limits[2]), (0.0, limits[3]), INK, width=0.9, size=9)
        axes.text(limits[1], -0.04 * (limits[3] - limits[2]), x, ha="right", va="top", fontsize=9)
        axes.text(0.02 * (limits[1] - limits[0]), limits[3], y, ha="left", va="top", fontsize=9)
    return figure, axes


def torsion_spring():
    figure, axes = sheet(4.2, 2.9, (-1.6, 1.9, -1.15, 1.3))
    ground(axes, np.array([0.0, -0.65]), 1.3)
    axes.add_patch(
        Polygon([(-0.3, -0.65), (0.3, -0.65), (0.0, 0.0)], fc=GROUND, ec=INK, lw=0.7, zorder=1)
    )
    axes.plot([0, 1.7], [0, 0], color=GROUND, lw=1.2, ls="--")
    a = math.radians(40.0)
    link(axes, (0, 0), (1.45 * math.cos(a), 1.45 * math.sin(a)), BODY, 9)
    phi = np.linspace(0.0, 4.5 * math.pi, 200)
    r = 0.10 + 0.32 * phi / phi[-1]
    axes.plot(
        r * np.cos(phi + a - 0.5 * math.pi),
        r * np.sin(phi + a - 0.5 * math.pi),
        color=INK,
        lw=1.1,
        zorder=3,
    )
    pin(axes, (0, 0))
    turn(axes, (0, 0), 1.05, 0.0, 39.0)
    text(axes, (1.32, 0.33), "angle $x$", MOTION)
    turn(axes, (0, 0), 0.72, 65.0, 160.0, FORCE)
    text(axes, (-0.15, 0.98), "$T > 0$ on the child", FORCE, size=9)
    turn(axes, (0, 0), 0.72, 320.0, 262.0, FORCE)
    text(axes, (1.25, -0.72), "$-T$ on the parent", FORCE, size=9)
    text(axes, (0.15, -1.05), "$T = -k\\,(x - x_0) - c\\,\\dot x + $torque", INK)
    text(axes, (1.2, 1.15), "child", "#2c557f")
    text(axes, (-0.75, -0.5), "parent", "#5c6169")
    return figure


def bump_stop():
    figure, axes = plot(4.4, 2.9, "", "effort along $x$", (-2.4, 2.4, -1.5, 1.5))
    x = np.linspace(-2.2, 2.2, 200)
    upper = np.where(x > 1.0, -1.1 * (x - 1.0), 0.0)
    lower = np.where(x < -1.0, 1.1 * (-1.0 - x), 0.0)
    axes.plot(x, upper, color=FORCE, lw=2.0)
    axes.plot(x, np.where(x < 0.0, lower, np.nan), color=OTHER, lw=2.0)
    for at, name in ((1.0, "at"), (-1.0, "at")):
        axes.plot([at, at], [-0.1, 0.1], color=INK, lw=1.0)
        text(axes, (at, 0.24 if at > 0 else -0.24), name, INK, family="monospace")
    text(axes, (1.3, -1.15), "slope\n$-$stiffness", FORCE, size=8.5)
    text(axes, (-1.25, 1.0), "lower_end\n=True", "#9a6f1d", size=8.5, family="monospace")
    dimension(axes, (1.0, -0.62), (1.56, -0.62), "")
    text(axes, (0.62, -0.62), "depth $s$", INK, size=8.5)
    text(axes, (1.95, 0.2), "coordinate $x$", INK, size=9)
    text(axes, (-1.25, -1.2), "$s \\leq 0$: no force", INK, size=8.5)
    return figure


def friction_curve(v, coulomb, static, stribeck, viscous, transition):
    """Friction along a coordinate of rate v, as `kt.JointFriction` has it."""
    dry = coulomb + (static - coulomb) * np.exp(-((v / stribeck) ** 2))
    return -dry * np.tanh(v / transition) - viscous * v


def joint_friction():
    figure, axes = plot(4.4, 3.0, "rate $v$", "effort along $v$", (-2.2, 2.2, -1.75, 1.75))
    v = np.linspace(-2.0, 2.0, 2001)
    coulomb, static, stribeck, viscous = 0.7, 1.2, 0.35, 0.18
    force = friction_curve(v, coulomb, static, stribeck, viscous, transition=0.04)
    axes.plot(v, force, color=FORCE, lw=2.0)
    axes.plot(v[v > 0], (-coulomb - viscous * v)[v > 0], color=INK, lw=0.8, ls="--")
    for level, name, x in ((-static, "static", -0.42), (-coulomb, "coulomb", -0.48)):
        axes.plot([-0.08, 0.12], [level, level], color=INK, lw=0.8)
        text(axes, (x, level), name, INK, size=8.5, family="monospace")
    axes.plot([stribeck, stribeck], [-0.05, 0.05], color=INK, lw=1.0)
    text(axes, (0.5, 0.16), "stribeck", INK, size=8.5, family="monospace")
    text(axes, (1.45, -0.7), "slope $-$viscous", INK, size=8.5)
    text(axes, (-0.95, 0.28), "slope $-$static/transition", INK, size=8.5)
    arrow(axes, (-0.45, 0.42), (-0.05, 0.8), INK, width=0.8, size=8)
    text(axes, (-1.3, -1.5), "acts against the rate", FORCE, size=8.5)
    return figure


def hydropneumatic_unit():
    figure, axes = sheet(4.6, 2.8, (-1.9, 2.3, -1.25, 1.3))
    # the suspension unit: arm, piston, oil, gas
    ground(axes, np.array([-1.35, 0.75]), 0.5, 180.0)
    axes.plot([-1.35, -1.35], [0.0, 0.75], color=GROUND, lw=6)
    a = math.radians(-18.0)
    link(axes, (-1.35, 0), (-1.35 + 1.35 * math.cos(a), 1.35 * math.sin(a)), BODY, 8)
    pin(axes, (-1.35, 0))
    foot = np.array([-1.35 + 0.6 * math.cos(a), 0.6 * math.sin(a)])
    axes.add_patch(Rectangle((foot[0] - 0.2, 0.22), 0.4, 0.35, fc=OIL, ec=INK, lw=0.9))
    axes.add_patch(Rectangle((foot[0] - 0.2, 0.57), 0.4, 0.35, fc=GAS, ec=INK, lw=0.9))
    axes.plot([foot[0], foot[0]], [foot[1], 0.16], color=INK, lw=2)
    axes.add_patch(Rectangle((foot[0] - 0.2, 0.14), 0.4, 0.08, fc=GROUND, ec=INK, lw=0.9))
    text(axes, (foot[0], 0.74), "gas", INK, size=8)
    text(axes, (foot[0], 0.38), "oil", INK, size=8)
    pin(axes, tuple(foot), 4.5, True)
    dimension(axes, (-1.35, -0.55), (foot[0], -0.55), "")
    text(axes, (-1.05, -0.72), "lever", INK, size=8.5, family="monospace")
    turn(axes, (-1.35, 0), 1.5, -30.0, -4.0)
    text(axes, (0.25, 0.08), "angle,\njounce", MOTION, size=8.5)
    # the law of the gas, from the element's formula
    u = np.linspace(-0.55, 0.72, 80)
    T = (1.0 - u) ** -1.3
    x, y = 1.35 + 1.05 * u, -0.85 + 0.36 * T
    arrow(axes, (0.65, -0.85), (2.25, -0.85), INK, width=0.8, size=8)
    arrow(axes, (1.35, -0.95), (1.35, 1.1), INK, width=0.8, size=8)
    axes.plot(x, y, color=FORCE, lw=2.0)
    axes.plot([1.29, 1.41], [-0.49, -0.49], color=INK, lw=0.9)
    text(axes, (1.08, -0.38), "preload", INK, size=8, family="monospace")
    text(axes, (1.42, -1.02), "rest", INK, size=8, family="monospace")
    text(axes, (2.15, -1.02), "$x$", INK)
    text(axes, (1.42, 1.22), "gas torque against $x$", FORCE, size=8.5)
    return figure


def joint_stop():
    figure, axes = plot(4.4, 2.9, "", "effort along $s$", (-2.4, 2.4, -1.5, 1.5))
    axes.plot([-1.3, 1.3], [0.0, 0.0], color=FORCE, lw=2.5)
    axes.plot([-1.3, -1.3], [0.0, 1.3], color=FORCE, lw=2.5)
    axes.plot([1.3, 1.3], [0.0, -1.3], color=FORCE, lw=2.5)
    text(axes, (-1.3, -0.24), "minimum", INK, size=8.5, family="monospace")
    text(axes, (1.3, 0.24), "maximum", INK, size=8.5, family="monospace")
    text(axes, (1.95, -0.2), "coordinate $s$", INK, size=9)
    text(axes, (0.0, 0.35), "between: no load", INK, size=8.5)
    return figure


def one_way_clutch():
    figure, axes = plot(4.4, 2.9, "", "load", (-2.4, 2.4, -0.6, 1.5))
    axes.plot([0.0, 2.0], [0.0, 0.0], color=FORCE, lw=2.5)
    axes.plot([0.0, 0.0], [0.0, 1.3], color=FORCE, lw=2.5)
    text(axes, (-0.85, 0.9), "locked: $\\dot s = 0$", INK, size=9)
    text(axes, (1.2, 0.25), "overruns: no load", INK, size=9)
    text(axes, (1.95, -0.2), "rate $\\dot s$", INK, size=9)
    return figure


def ratchet():
    figure, axes = plot(4.4, 2.9, "time", "coordinate $s$", (-0.3, 4.4, -0.3, 3.0))
    t = np.linspace(0.0, 4.2, 400)
    s = np.minimum(2.6 * np.sin(0.75 * t), 2.6)
    held = (t > 2.0) & (s < 2.0)
    for tooth in range(3):
        axes.plot([0.0, 4.2], [tooth, tooth], color=GROUND, lw=0.8, ls="--")
    axes.plot(t, np.where(held, 2.0, s), color=MOTION, lw=2.2)
    dimension(axes, (3.9, 0.0), (3.9, 1.0), "")
    text(axes, (3.45, 0.5), "pitch", INK, size=8.5, family="monospace")
    text(axes, (3.3, 2.25), "held at a tooth", INK, size=9)
    return figure


FIGURES = {
    "force-torsion-spring": cropped(torsion_spring),
    "force-bump-stop": bump_stop,
    "force-joint-stop": joint_stop,
    "force-one-way-clutch": one_way_clutch,
    "force-ratchet": ratchet,
    "force-joint-friction": joint_friction,
    "force-hydropneumatic-unit": cropped(hydropneumatic_unit),
}
