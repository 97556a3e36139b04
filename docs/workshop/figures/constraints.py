"""Constraints: rods, drivers, gears, poses, and the primitives that hold a cut joint."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.patches import Circle, Rectangle

from .drawing import (
    BODY,
    FORCE,
    GROUND,
    INK,
    MOTION,
    OTHER,
    arrow,
    dimension,
    ground,
    link,
    pin,
    sheet,
    turn,
)
from .isometric import ball, box, cylinder, flat, line, move, text
from .isometric import turn as turn_about
from .joints import X, Y, Z
from .marker_forces import block


def distance():
    figure, axes = sheet(4.2, 2.2, (-1.95, 1.95, -0.95, 0.95))
    block(axes, (-1.35, -0.1), 0.6, 0.6, GROUND)
    block(axes, (1.35, 0.2), 0.6, 0.6, BODY)
    link(axes, (-1.1, -0.05), (1.1, 0.2), "#6b7078", 5)
    pin(axes, (-1.1, -0.05), 8)
    pin(axes, (1.1, 0.2), 8)
    text(axes, (-1.28, 0.05), "1", INK)
    text(axes, (1.3, 0.32), "2", INK)
    dimension(axes, (-1.06, -0.42), (1.14, -0.17), "")
    text(axes, (0.08, -0.48), "length $l$", INK)
    arrow(axes, (1.2, -0.02), (1.85, 0.06), FORCE, width=2.0)
    arrow(axes, (-1.2, -0.3), (-1.85, -0.38), FORCE, width=2.0)
    text(axes, (0.0, 0.72), "force $> 0$: pushes apart;   tension $= -$force", FORCE, size=8.5)
    return figure


def driver():
    figure, axes = sheet(4.2, 2.8, (-1.7, 2.1, -0.95, 1.45))
    ground(axes, np.array([0.0, -0.5]), 1.0)
    block(axes, (0, -0.3), 0.5, 0.4, GROUND)
    axes.plot([0, 1.6], [0, 0], color=GROUND, lw=1.2, ls="--")
    a = math.radians(48.0)
    link(axes, (0, 0), (1.4 * math.cos(a), 1.4 * math.sin(a)), BODY, 9)
    axes.add_patch(Circle((0, 0), 0.24, fc="white", ec=INK, lw=1.3, zorder=3))
    text(axes, (0, 0), "M", INK, size=8.5)
    turn(axes, (0, 0), 1.05, 0.0, 47.0)
    text(axes, (1.5, 0.45), "$s = f(t)$", MOTION, size=10)
    turn(axes, (0, 0), 0.5, 75.0, 185.0, FORCE)
    text(axes, (-0.72, 0.62), "force $> 0$:\nalong growing $s$", FORCE, size=8.5)
    text(axes, (0.4, -0.8), "force $\\cdot\\, \\dot s$ = power put into the model", INK, size=8.5)
    return figure


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


def pose_driver():
    figure, axes = sheet(4.4, 3.0, (-1.9, 2.0, -1.2, 1.5))
    F = np.array([-1.2, 0.0, -0.7])
    box(axes, F + (0, 0, -0.2), (0.7, 0.6, 0.25), GROUND)
    for e in (X, Y, Z):
        move(axes, F, F + 0.55 * e, color=INK, width=1.0)
    u, v = flat(F)
    text(axes, (u - 0.4, v + 0.12), "F", INK)
    s = np.linspace(0.0, 1.0, 40)
    way = np.array([F + (2.1 * k, 0.4 * k, 0.9 * math.sin(2.0 * k)) for k in s])
    line(axes, way, MOTION, 1.4, "--")
    M = way[-1]
    a = math.radians(35.0)
    R = np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])
    box(axes, M, (0.7, 0.5, 0.3), BODY, axis=R[:, 2], x=R[:, 0])
    for k in range(3):
        move(axes, M, M + 0.6 * R[:, k], color="#2c557f", width=1.2)
    u, v = flat(M)
    text(axes, (u - 0.1, v + 0.72), "M", "#2c557f")
    text(axes, (-0.05, 0.75), "position $p(t)$", MOTION, size=9)
    text(axes, (u + 0.25, v - 0.78), "orientation $R_{FM}(t)$", "#2c557f", size=9)
    return figure


def _pair(title):
    """Two bodies i and j of a primitive."""
    figure, axes = sheet(4.0, 2.4, (-1.8, 1.8, -1.1, 1.15))
    text(axes, (0.0, 1.02), title, INK, size=9.5)
    return figure, axes


def point():
    figure, axes = _pair("$g = p_j - p_i = 0$: three equations")
    block(axes, (-0.85, -0.2), 1.0, 0.6, GROUND, -12.0)
    block(axes, (0.85, -0.1), 1.0, 0.6, BODY, 18.0)
    link(axes, (-0.6, -0.25), (0, 0), GROUND, 5)
    link(axes, (0.6, -0.18), (0, 0), BODY, 5)
    pin(axes, (0, 0), 9)
    text(axes, (0.0, 0.26), "$p_i = p_j$", INK)
    text(axes, (-1.0, -0.75), "body $i$", "#5c6169")
    text(axes, (1.0, -0.75), "body $j$", "#2c557f")
    return figure


def perpendicular():
    figure, axes = _pair("$g = a_i \\cdot a_j = 0$: one equation")
    block(axes, (-0.75, -0.45), 0.8, 0.5, GROUND)
    block(axes, (0.75, -0.15), 0.8, 0.5, BODY, -90.0)
    arrow(axes, (-0.75, -0.45), (-0.75, 0.65), INK, width=1.8)
    text(axes, (-0.55, 0.62), "$a_i$", INK, size=11)
    arrow(axes, (0.75, -0.15), (1.65, -0.15), "#2c557f", width=1.8)
    text(axes, (1.6, 0.07), "$a_j$", "#2c557f", size=11)
    text(axes, (-0.75, -0.88), "body $i$", "#5c6169")
    text(axes, (0.75, -0.75), "body $j$", "#2c557f")
    return figure


def in_plane():
    figure, axes = sheet(4.0, 2.7, (-1.8, 1.8, -1.15, 1.35))
    plane = [(-1.1, -0.8, -0.5), (1.1, -0.8, -0.5), (1.1, 0.8, -0.5), (-1.1, 0.8, -0.5)]
    axes.fill(*zip(*(flat(p) for p in plane)), fc="#e6e8eb", ec=GROUND)
    i, j = np.array([-0.5, 0.0, -0.5]), np.array([0.6, 0.1, -0.5])
    move(axes, i, i + 0.8 * Z, color=INK, width=1.6)
    cylinder(axes, j, j + (0.3, 0, 0.75), 0.07, BODY)
    ball(axes, j, 0.08, BODY)
    ball(axes, i, 0.05, INK)
    move(axes, i, j, color=MOTION, width=1.2)
    for at, name, color in (
        (i + (-0.15, 0, 0.75), "$a_i$", INK),
        (i + (-0.12, 0, -0.2), "$p_i$", INK),
        (j + (0.12, 0, -0.2), "$p_j$", "#2c557f"),
    ):
        text(axes, flat(at), name, color)
    text(axes, (0.0, 1.22), "$g = a_i \\cdot (p_j - p_i) = 0$: one equation", INK, size=9.5)
    return figure


def orientation():
    figure, axes = sheet(4.0, 2.7, (-1.7, 1.7, -1.0, 1.4))
    angle = math.radians(24.0)
    at = np.array([0.0, 0.0, -0.3])
    R = np.array(
        [
            [math.cos(angle), -math.sin(angle), 0],
            [math.sin(angle), math.cos(angle), 0],
            [0, 0, 1.0],
        ]
    )
    for k in range(3):
        move(axes, at, at + 1.0 * np.eye(3)[k], color="#8a8f98", width=1.6)
        move(axes, at, at + 1.0 * R[:, k], color=BODY if k < 2 else "#8a8f98", width=1.6)
    u, v = flat(at + X)
    text(axes, (u + 0.12, v - 0.08), "D", "#5c6169")
    u, v = flat(at + R[:, 0])
    text(axes, (u + 0.14, v + 0.02), "M", "#2c557f")
    text(axes, (0.0, 1.28), "$g = 2\\,v = 0$: three equations,", INK, size=9.5)
    text(axes, (0.0, 1.05), "$(s, v)$ the quaternion of $R_{DM}$", INK, size=9.5)
    text(axes, (0.75, -0.75), "missing rotation", MOTION, size=8.5)
    turn_about(axes, at, Z, 0.75, "", 0.0, 23.0, x=X)
    return figure


FIGURES = {
    "constraint-distance": distance,
    "constraint-driver": driver,
    "constraint-coupling": coupling,
    "constraint-gear": gear,
    "constraint-rack-and-pinion": rack_and_pinion,
    "constraint-differential": differential,
    "constraint-planetary-gear": planetary_gear,
    "constraint-pose-driver": pose_driver,
    "constraint-point": point,
    "constraint-perpendicular": perpendicular,
    "constraint-in-plane": in_plane,
    "constraint-orientation": orientation,
}
