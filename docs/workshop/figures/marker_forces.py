"""Force elements between markers: springs, cables, given forces. Forces are red, with the direction
in which their channels are positive.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

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
    pin,
    sheet,
    spring,
    turn,
)
from .isometric import ball, box, flat, line, move, text
from .isometric import turn as turn_about
from .joints import X, Y, Z


def block(axes, center, width, height, color, angle=0.0) -> None:
    """A body in the plane, turned by `angle` in degrees about its center."""
    corner = (center[0] - 0.5 * width, center[1] - 0.5 * height)
    axes.add_patch(
        Rectangle(
            corner,
            width,
            height,
            angle=angle,
            rotation_point="center",
            fc=color,
            ec=INK,
            lw=0.7,
            alpha=0.9,
        )
    )


def marker(axes, at, label, offset=(0.0, -0.18)) -> None:
    """A marker with its number or name."""
    axes.plot(*at, "o", ms=4.5, color=INK, zorder=6)
    text(axes, (at[0] + offset[0], at[1] + offset[1]), label, INK)


def damper(axes, start, end, width=0.11) -> None:
    """A dashpot between two points on a horizontal line."""
    (a, y), (b, _) = start, end
    m = 0.5 * (a + b)
    axes.plot([a, m - 0.12], [y, y], color=INK, lw=1.3)
    axes.plot(
        [m + 0.16, m - 0.12, m - 0.12, m + 0.16],
        [y + width, y + width, y - width, y - width],
        color=INK,
        lw=1.3,
    )
    axes.plot([m + 0.03, m + 0.03], [y - 0.7 * width, y + 0.7 * width], color=INK, lw=2.0)
    axes.plot([m + 0.03, b], [y, y], color=INK, lw=1.3)


def spring_damper():
    figure, axes = sheet(4.2, 2.5, (-1.85, 1.85, -0.95, 1.0))
    block(axes, (-1.3, 0), 0.55, 0.9, GROUND)
    block(axes, (1.3, 0), 0.55, 0.9, BODY)
    for x in (-0.9, 0.9):
        axes.plot([x, x], [-0.3, 0.3], color=INK, lw=1.3)
        axes.plot([x, math.copysign(1.03, x)], [0, 0], color=INK, lw=1.3)
    spring(axes, (-0.9, 0.3), (0.9, 0.3), 7)
    damper(axes, (-0.9, -0.02), (0.9, -0.02))
    axes.plot([-0.9, -0.15], [-0.3, -0.3], color=INK, lw=1.3)
    axes.plot([0.15, 0.9], [-0.3, -0.3], color=INK, lw=1.3)
    axes.add_patch(Circle((0, -0.3), 0.14, fc="white", ec=INK, lw=1.3))
    text(axes, (0, -0.3), "$f$", FORCE)
    text(axes, (0.0, 0.5), "$k$, $l_0$", INK)
    text(axes, (0.42, 0.16), "$c$", INK)
    marker(axes, (-1.03, 0), "1", (-0.13, 0.13))
    marker(axes, (1.03, 0), "2", (0.13, 0.13))
    arrow(axes, (-1.3, -0.28), (-1.8, -0.28), FORCE, width=2.0)
    arrow(axes, (1.3, -0.28), (1.8, -0.28), FORCE, width=2.0)
    text(axes, (-1.6, -0.6), "$F > 0$", FORCE)
    text(axes, (1.6, -0.6), "$F > 0$", FORCE)
    dimension(axes, (-1.03, -0.66), (1.03, -0.66), "")
    text(axes, (0, -0.8), "length $l$", INK)
    text(axes, (0, 0.85), "force positive where it pushes the markers apart", FORCE, size=8.5)
    return figure


def bushing():
    figure, axes = sheet(4.4, 3.3, (-2.0, 2.0, -1.35, 1.6))
    F, M = np.array([-0.55, 0.0, 0.05]), np.array([0.5, -0.2, -0.4])
    box(axes, F + (-0.85, 0.0, 0.0), (0.7, 0.7, 1.2), GROUND)
    line(axes, [F + (-0.5, 0, 0), F], GROUND, 4.0)
    for e, name, shift, x, at in (
        (X, "x", (0.12, -0.03), Y, (0.68, 0.2)),
        (Y, "y", (0.1, 0.06), Z, (0.75, 0.3)),
        (Z, "z", (0.0, 0.13), X, (0.8, 0.05)),
    ):
        move(axes, F, F + 1.3 * e, color=INK, width=1.1)
        u, v = flat(F + 1.3 * e)
        text(axes, (u + shift[0], v + shift[1]), name, INK, family="monospace")
        turn_about(
            axes, F + 0.95 * e, e, 0.16, f"about_{name}", -70.0, 190.0, MOTION, offset=at, x=x
        )
    line(axes, [M, M + (0.5, 0, 0)], BODY, 4.0)
    box(axes, M + (0.85, 0.0, 0.0), (0.7, 0.6, 0.6), BODY)
    spring(axes, flat(F), flat(M), 6, 0.07, "#8a8f98")
    move(axes, F, M, color=MOTION)
    text(axes, (0.02, -0.08), "$d$", MOTION, size=11)
    move(axes, M, M - 0.55 * (M - F), color=FORCE, width=2.2)
    text(axes, (-0.12, -0.68), "force on M: $-K\\,d$", FORCE, size=8.5, ha="right")
    for point, color in ((F, INK), (M, "#2c557f")):
        ball(axes, point, 0.05, color)
    u, v = flat(F)
    text(axes, (u - 1.0, v - 1.05), "F: first marker", "#5c6169", size=8.5)
    u, v = flat(M)
    text(axes, (u + 0.5, v - 0.68), "M: second marker", "#2c557f", size=8.5)
    return figure


def point_force():
    figure, axes = sheet(4.4, 2.3, (-2.3, 2.3, -1.0, 1.25))
    for at, turned, name in ((-1.15, 0.0, "world"), (1.15, 30.0, "body")):
        block(axes, (at, -0.1), 0.95, 0.5, BODY, 30.0)
        marker(axes, (at, -0.1), "", (0, 0))
        for k, label in enumerate(("x", "z")):
            a = math.radians(turned + 90.0 * k)
            tip = (at + 0.85 * math.cos(a), -0.1 + 0.85 * math.sin(a))
            arrow(axes, (at, -0.1), tip, FORCE, width=2.0)
            text(axes, (at + 1.02 * math.cos(a), -0.1 + 1.02 * math.sin(a)), f"$f_{label}$", FORCE)
        text(axes, (at, -0.82), f'frame="{name}"', INK, family="monospace", size=8.5)
    text(
        axes, (0, 1.15), "components positive along the axes; no reaction elsewhere", INK, size=8.5
    )
    return figure


def torque():
    figure, axes = sheet(4.0, 2.8, (-1.7, 1.7, -1.15, 1.25))
    middle = np.array([-0.1, 0.0, -0.1])
    box(axes, middle, (0.9, 0.6, 0.4), BODY)
    for e, x, name, shift in (
        (X, Y, "$T_x$", (0.12, -0.28)),
        (Y, Z, "$T_y$", (0.3, 0.1)),
        (Z, X, "$T_z$", (0.75, 0.05)),
    ):
        tip = middle + 1.0 * e
        line(axes, [middle, tip + 0.15 * e], INK, 0.8, (0, (9, 3, 2, 3)), over=True)
        turn_about(axes, tip - 0.1 * e, e, 0.24, "", -70.0, 190.0, color=FORCE, x=x)
        u, v = flat(tip)
        text(axes, (u + shift[0] - (0.25 if e is Z else 0.0), v + shift[1]), name, FORCE, size=11)
    text(axes, (0.1, -1.0), "positive by the right-hand rule", INK, size=8.5)
    return figure


def user_force():
    figure, axes = sheet(4.2, 2.7, (-1.9, 1.9, -1.2, 1.15))
    block(axes, (-1.15, -0.2), 0.85, 0.6, GROUND)
    block(axes, (1.0, 0.15), 0.95, 0.6, BODY, 15.0)
    for at, name, angle in (((-1.0, -0.2), "a", 0.0), ((0.75, 0.1), "b", 15.0)):
        for k in range(2):
            s = math.radians(angle + 90.0 * k)
            arrow(
                axes,
                at,
                (at[0] + 0.4 * math.cos(s), at[1] + 0.4 * math.sin(s)),
                INK,
                width=1.0,
                size=8,
            )
        marker(axes, at, name, (-0.12, -0.15))
    arrow(axes, (0.75, 0.1), (1.3, 0.75), FORCE, width=2.0)
    text(axes, (1.45, 0.85), "force", FORCE, family="monospace")
    turn(axes, (0.75, 0.1), 0.32, -150.0, -20.0, FORCE)
    text(axes, (1.0, -0.42), "torque", FORCE, family="monospace")
    arrow(axes, (0.75, 0.1), (0.2, -0.55), "#d98880", width=1.4)
    text(axes, (-0.15, -0.72), "$-$force, $-$torque\non the body of a, at b", "#b05c52", size=8.5)
    text(
        axes,
        (0, 1.05),
        "function(t, a, b, parameters, force, torque)",
        INK,
        family="monospace",
        size=8,
    )
    return figure


def drag():
    figure, axes = sheet(4.0, 2.2, (-1.9, 1.9, -0.9, 1.0))
    axes.add_patch(
        FancyBboxPatch(
            (-0.55, -0.3),
            1.1,
            0.6,
            boxstyle="round,pad=0,rounding_size=0.2",
            fc=BODY,
            ec=INK,
            lw=0.7,
        )
    )
    marker(axes, (0, 0), "", (0, 0))
    arrow(axes, (0, 0), (1.5, 0.0), MOTION, width=2.0)
    text(axes, (1.55, 0.2), "$v$", MOTION, size=11)
    arrow(axes, (0, 0), (-1.4, 0.0), FORCE, width=2.0)
    text(axes, (-1.4, 0.22), "$F$", FORCE, size=11)
    for z in (0.5, 0.65):
        arrow(axes, (-1.7, z), (-1.0, z), "#7f8fa6", width=1.0, size=8)
    text(axes, (-0.7, 0.58), "wind", "#5c6169", family="monospace")
    text(axes, (0.4, -0.68), "$F$ is opposite to $u = v - $wind", INK)
    return figure


def cable():
    figure, axes = sheet(4.2, 2.7, (-1.9, 1.9, -1.35, 0.95))
    ground(axes, np.array([-1.5, -0.55]), 0.7)
    block(axes, (-1.5, -0.4), 0.35, 0.3, GROUND)
    points = [(-1.5, -0.25), (-0.55, 0.55), (0.6, 0.55), (1.2, -0.5)]
    axes.plot(*zip(*points), color="#7a5230", lw=2.2, zorder=3)
    for p in points[1:3]:
        axes.plot([p[0], p[0]], [p[1], 0.85], color=GROUND, lw=3)
        pin(axes, p, 9.0)
    axes.plot([-0.85, 0.9], [0.85, 0.85], color=GROUND, lw=4)
    block(axes, (1.2, -0.75), 0.5, 0.5, BODY)
    for k, (p, shift) in enumerate(
        zip(points, ((-0.16, 0.12), (-0.17, -0.1), (0.18, 0.02), (0.2, 0.02))), 1
    ):
        marker(axes, p, str(k), shift)
    for p, q in zip(points, points[1:]):
        d = np.subtract(q, p)
        d = 0.42 * d / np.hypot(*d)
        arrow(axes, p, np.add(p, d), FORCE, width=2.0)
        arrow(axes, q, np.subtract(q, d), FORCE, width=2.0)
    text(axes, (0.02, 0.33), "$T$", FORCE, size=11)
    text(
        axes,
        (-0.62, -1.2),
        "one tension $T \\geq 0$ along the whole cable;\nit pulls each marker to its neighbors",
        FORCE,
        size=8.5,
    )
    return figure


def contact():
    figure, axes = sheet(4.6, 2.9, (-2.2, 2.4, -0.75, 2.1))
    ground(axes, (-0.1, 0.0), 3.6)
    axes.add_patch(Circle((0.0, 0.82), 0.9, fc=BODY, ec=INK, lw=0.8, alpha=0.9))
    axes.plot([-1.9, 1.7], [0.0, 0.0], color=GROUND, lw=2.0, zorder=3)
    pin(axes, (0.0, 0.82), 4.5, True)
    arrow(axes, (0.0, -0.04), (0.0, 0.62), FORCE)
    text(axes, (0.2, 0.42), "$F$", FORCE)
    arrow(axes, (0.0, -0.04), (-0.75, -0.04), FORCE)
    text(axes, (-0.62, 0.14), "$f$", FORCE)
    arrow(axes, (0.95, 0.82), (1.7, 0.82), MOTION)
    text(axes, (1.5, 1.02), "$u$", MOTION)
    dimension(axes, (1.15, -0.08), (1.15, 0.0), "")
    text(axes, (1.15, -0.28), "depth $d$", INK, size=9)
    text(axes, (0.0, 1.35), "shape b", "#2c557f", size=9)
    text(axes, (-1.35, -0.38), "shape a", "#5c6169", size=9)
    arrow(axes, (-1.7, 0.0), (-1.7, 0.62), INK, width=0.9)
    text(axes, (-1.7, 0.78), "normal", INK, size=9)
    return figure


def rigid_contact():
    figure, axes = sheet(4.6, 2.9, (-2.2, 2.4, -0.75, 2.1))
    ground(axes, (-0.1, 0.0), 3.6)
    axes.add_patch(Circle((0.0, 0.9), 0.9, fc=BODY, ec=INK, lw=0.8, alpha=0.9))
    axes.plot([-1.9, 1.7], [0.0, 0.0], color=GROUND, lw=2.0, zorder=3)
    pin(axes, (0.0, 0.9), 4.5, True)
    arrow(axes, (0.0, 0.0), (0.0, 0.62), FORCE)
    text(axes, (0.3, 0.42), "$\\lambda_N$", FORCE)
    arrow(axes, (0.0, 0.0), (-0.75, 0.0), FORCE)
    text(axes, (-0.62, 0.2), "$\\lambda_T$", FORCE)
    arrow(axes, (0.95, 0.9), (1.7, 0.9), MOTION)
    text(axes, (1.5, 1.1), "$u$", MOTION)
    text(axes, (1.0, -0.4), "gap $g = 0$", INK, size=9)
    text(axes, (0.0, 1.35), "shape b", "#2c557f", size=9)
    text(axes, (-1.35, -0.38), "shape a", "#5c6169", size=9)
    return figure


def rope():
    figure, axes = sheet(4.6, 2.9, (-2.2, 2.2, -1.3, 1.5))
    ground(axes, np.array([-1.4, 0.75]), 0.7)
    a, b = np.array([-1.4, 0.8]), np.array([1.2, -0.5])
    axes.plot(*zip(a, b), color="#7a5230", lw=2.2, zorder=3)
    x = np.linspace(0.0, 1.0, 40)
    slack = a + np.outer(x, np.array([1.9, -0.1]) - a)
    slack[:, 1] -= 1.6 * x * (1.0 - x)
    axes.plot(*slack.T, color="#7a5230", lw=1.2, ls="--")
    block(axes, b + (0.0, -0.2), 0.5, 0.5, BODY)
    u = (b - a) / np.hypot(*(b - a))
    arrow(axes, b, b - 0.8 * u, FORCE, width=2.0)
    text(axes, b - 0.8 * u + (0.2, 0.25), "$T$", FORCE)
    text(axes, (-0.5, -0.5), "tight: length $l$", INK, size=9)
    text(axes, (1.0, 0.75), "slack: no force", INK, size=9)
    return figure


FIGURES = {
    "force-spring-damper": cropped(spring_damper),
    "force-bushing": cropped(bushing),
    "force-point-force": cropped(point_force),
    "force-torque": cropped(torque),
    "force-user-force": cropped(user_force),
    "force-drag": cropped(drag),
    "force-cable": cropped(cable),
    "force-contact": cropped(contact),
    "force-rigid-contact": cropped(rigid_contact),
    "force-rope": cropped(rope),
}
