"""Constraints: rods, drivers, gears, poses, and the primitives that hold a cut joint."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.patches import Circle

from .drawing import (
    BODY,
    FORCE,
    GROUND,
    INK,
    MOTION,
    arrow,
    cropped,
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


def rolling():
    figure, axes = sheet(4.4, 3.0, (-1.9, 2.1, -1.15, 1.5))
    plane = [(-1.5, -0.9, -0.7), (1.3, -0.9, -0.7), (1.3, 0.9, -0.7), (-1.5, 0.9, -0.7)]
    axes.fill(*zip(*(flat(p) for p in plane)), fc="#e6e8eb", ec=GROUND)
    lean, R = math.radians(18.0), 0.8
    a = np.array([0.0, math.cos(lean), math.sin(lean)])
    e = np.array([0.0, -math.sin(lean), math.cos(lean)])
    P = np.array([0.1, 0.0, -0.7])
    center = P + R * e
    cylinder(axes, center - 0.05 * a, center + 0.05 * a, R, BODY)
    move(axes, center, center + 0.75 * a, color="#2c557f", width=1.6)
    ball(axes, P, 0.05, INK)
    first = np.array([-1.1, -0.5, -0.7])
    for axis in (X, Y, Z):
        move(axes, first, first + 0.45 * axis, color=INK, width=1.0)
    move(axes, P, P + 0.7 * Z, color=FORCE, width=2.0)
    line(axes, np.array([center, P]), INK, 1.0, "--")
    for at, name, color in (
        (center + 0.88 * a, "axis $a$", "#2c557f"),
        (P + (0.12, 0, -0.14), "$P$", INK),
        (first + 0.58 * Z, "normal $n$", INK),
        (center + (-0.12, 0, -0.35), "$R$", INK),
    ):
        text(axes, flat(at), name, color)
    text(axes, (0.1, 1.4), "$n \\cdot (P - p_1) = 0$, $v_2(P) = v_1(P)$", INK, size=9.5)
    return figure


def knife_edge():
    figure, axes = sheet(4.2, 2.6, (-1.8, 2.0, -1.05, 1.35))
    angle = math.radians(24.0)
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    block(axes, tuple(0.35 * along), 1.7, 0.7, BODY, math.degrees(angle))
    ends = (-0.75 * along - 0.35 * along, 0.0 * along)
    link(axes, tuple(ends[0]), tuple(ends[1]), "#6b7078", 4)
    blade = 0.5 * (ends[0] + ends[1])
    pin(axes, tuple(blade), 6)
    arrow(axes, tuple(blade), tuple(blade + 0.8 * across), FORCE, width=2.0)
    arrow(axes, tuple(1.25 * along), tuple(1.95 * along), MOTION, width=2.0)
    text(axes, tuple(blade + 0.95 * across), "force, axis $b$", FORCE, size=9)
    text(axes, tuple(1.75 * along + 0.28 * across), "$v_2$", MOTION, size=10)
    text(axes, tuple(blade - 0.3 * across), "blade 2", INK)
    text(axes, (0.3, -0.9), "$b \\cdot (v_2 - v_1) = 0$: velocities alone", INK, size=9.5)
    return figure


FIGURES = {
    "constraint-rolling": cropped(rolling),
    "constraint-knife-edge": cropped(knife_edge),
    "constraint-distance": cropped(distance),
    "constraint-driver": cropped(driver),
    "constraint-pose-driver": cropped(pose_driver),
    "constraint-point": cropped(point),
    "constraint-perpendicular": cropped(perpendicular),
    "constraint-in-plane": cropped(in_plane),
    "constraint-orientation": cropped(orientation),
}
