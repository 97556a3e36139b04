"""Force elements of vehicles: wheel, tyre, drive, anti-roll bar, track band, path follower. Axes are
those of ISO 8855: x forward, y to the left, z up.
"""

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
    arrow,
    cropped,
    dimension,
    sheet,
    spring,
    turn,
)
from .isometric import cylinder, flat, move, text
from .isometric import turn as turn_about
from .joints import X, Y, Z
from .marker_forces import block, marker

RUBBER = "#3c4148"


def _road(axes, left, right, y=0.0) -> None:
    axes.plot([left, right], [y, y], color=GROUND, lw=1.8, zorder=1)
    for x in np.linspace(left + 0.1, right, int((right - left) / 0.14)):
        axes.plot([x, x - 0.1], [y, y - 0.1], color=GROUND, lw=0.8, zorder=1)


def wheel():
    figure, axes = sheet(4.0, 2.9, (-1.8, 1.9, -0.6, 2.1))
    _road(axes, -1.6, 1.7)
    center, radius, depth = (0.0, 0.78), 0.92, 0.14
    axes.add_patch(Circle(center, radius, fc="#e8ebef", ec=RUBBER, lw=2.0, ls="--"))
    axes.add_patch(Circle(center, 0.14, fc=BODY, ec=INK, lw=0.9, zorder=4))
    spring(axes, (0.0, 0.64), (0.0, 0.0), 5, 0.08, "#6b7078")
    marker(axes, center, "", (0.0, 0.0))
    text(axes, (0.0, 1.36), "axis: y of the marker,\ninto the page", INK, size=8)
    arrow(axes, center, (0.8, 1.24), INK, width=0.9, size=8)
    text(axes, (0.62, 0.98), "radius", INK, size=8.5, family="monospace")
    arrow(axes, (0.0, 0.0), (0.0, 0.62), FORCE, width=2.2)
    text(axes, (0.33, 0.42), "load $F$", FORCE)
    axes.plot([-0.25, -1.2], [center[1] - radius] * 2, color=INK, lw=0.7)
    dimension(axes, (-1.05, -0.02 - depth), (-1.05, 0.02), "")
    text(axes, (-1.05, -0.38), "deflection $d$", INK, size=8.5)
    arrow(axes, (0.0, 0.0), (-0.6, 0.0), FORCE, width=1.6)
    arrow(axes, (0.1, 0.06), (0.75, 0.06), MOTION, width=1.4)
    text(axes, (0.98, 0.15), "$u$", MOTION)
    text(axes, (-0.62, 0.16), "$\\mu F$", FORCE, size=9)
    arrow(axes, (1.3, 0.5), (1.75, 0.5), INK, width=0.9, size=8)
    arrow(axes, (1.3, 0.5), (1.3, 0.95), INK, width=0.9, size=8)
    text(axes, (1.83, 0.5), "x", INK, size=8.5)
    text(axes, (1.3, 1.05), "z", INK, size=8.5)
    return figure


def tyre():
    figure, axes = sheet(5.2, 3.3, (-1.7, 3.7, -1.45, 1.95))
    # in space: axes, forces and moments at the point of contact
    contact = np.array([0.0, 0.0, -0.75])
    plane = [(-1.0, -0.75, -0.75), (1.2, -0.75, -0.75), (1.2, 0.85, -0.75), (-1.0, 0.85, -0.75)]
    axes.fill(*zip(*(flat(p) for p in plane)), color="#e6e8eb", zorder=0)
    cylinder(axes, (0, 0.14, 0.05), (0, -0.14, 0.05), 0.8, RUBBER)
    cylinder(axes, (0, -0.12, 0.05), (0, -0.16, 0.05), 0.45, "#aab0b8")
    move(axes, contact, contact + 1.25 * X, color=FORCE, width=1.8)
    move(axes, contact, contact + 1.25 * Y, color=FORCE, width=1.8)
    move(axes, contact, contact + (0, 0, 2.1), color=FORCE, width=1.8)
    for end, name, shift in (
        (contact + 1.25 * X, "$x$ forward, $F_x$", (0.1, -0.16)),
        (contact + 1.25 * Y, "$y$ left, $F_y$", (0.42, 0.1)),
        (contact + 2.1 * Z, "$z$ up, $F_z$", (0.15, 0.13)),
    ):
        u, v = flat(end)
        text(axes, (u + shift[0], v + shift[1]), name, FORCE, size=9)
    turn_about(axes, contact + 1.85 * Z, Z, 0.2, "", -70.0, 190.0, color=FORCE, x=X)
    text(axes, (-0.52, 1.05), "$M_z$", FORCE, size=9)
    turn_about(axes, (0, -0.14, 0.05), Y, 0.6, "", -60.0, 100.0, x=X)
    text(axes, (-0.38, 0.1), "$\\Omega$", MOTION, size=11)
    # from above: slip angle
    at = (2.55, 0.25)
    axes.add_patch(Rectangle((at[0] - 0.42, at[1] - 0.13), 0.84, 0.26, fc=RUBBER, ec=INK, lw=0.8))
    arrow(axes, at, (at[0] + 1.0, at[1]), INK, width=0.9, size=8)
    text(axes, (at[0] + 1.05, at[1] - 0.14), "$x$", INK)
    arrow(axes, at, (at[0], at[1] + 0.95), INK, width=0.9, size=8)
    text(axes, (at[0] - 0.15, at[1] + 0.95), "$y$", INK)
    a = math.radians(28.0)
    arrow(axes, at, (at[0] + 1.05 * math.cos(a), at[1] + 1.05 * math.sin(a)), MOTION, width=2.0)
    text(axes, (at[0] + 1.05, at[1] + 0.62), "$V$", MOTION, size=11)
    turn(axes, at, 0.8, 0.0, 27.0)
    text(axes, (at[0] + 0.62, at[1] + 0.14), "$\\alpha$", MOTION, size=10)
    arrow(axes, at, (at[0], at[1] - 0.85), FORCE, width=2.0)
    text(axes, (at[0] + 0.42, at[1] - 0.72), "$F_y < 0$", FORCE, size=9)
    text(
        axes,
        (2.75, 1.5),
        "from above: drift to the left,\n$\\alpha > 0$, force to the right",
        INK,
        size=8.5,
    )
    text(
        axes,
        (2.65, -1.0),
        "$\\kappa > 0$: drives, $F_x > 0$\n$\\kappa < 0$: brakes, $F_x < 0$",
        INK,
        size=8.5,
    )
    return figure


def drive():
    figure, axes = sheet(4.2, 2.7, (-1.9, 2.0, -1.15, 1.35))
    _road(axes, -1.5, 1.6, -0.85)
    block(axes, (0.1, 0.45), 2.4, 0.4, GROUND)
    axes.plot([0, 0], [0.25, -0.2], color=GROUND, lw=6, zorder=1)
    axes.add_patch(Circle((0, -0.25), 0.58, fc="#dfe6ee", ec=BODY, lw=4, zorder=0.9))
    marker(axes, (0.0, 0.45), "", (0.0, 0.0))
    text(axes, (-0.62, 0.45), "first marker", INK, size=8.5)
    marker(axes, (0.0, -0.25), "", (0.0, 0.0))
    text(axes, (0.0, -0.48), "second", INK, size=8.5)
    arrow(axes, (1.3, 0.45), (1.9, 0.45), MOTION, width=2.0)
    text(axes, (1.65, 0.65), "speed $v_x$", MOTION, size=9)
    turn(axes, (0, -0.25), 0.4, 150.0, 20.0, FORCE)
    text(axes, (0.75, 0.12), "$T > 0$", FORCE, size=9.5)
    turn(axes, (0.0, 0.45), 0.45, 30.0, 150.0, FORCE)
    text(axes, (-0.72, 0.82), "$-T$", FORCE, size=9.5)
    text(axes, (0.05, 1.2), "$T > 0$ drives the wheel forward (about y)", FORCE, size=8.5)
    arrow(axes, (-1.75, -0.6), (-1.3, -0.6), INK, width=0.9, size=8)
    arrow(axes, (-1.75, -0.6), (-1.75, -0.15), INK, width=0.9, size=8)
    text(axes, (-1.2, -0.6), "x", INK, size=8.5)
    text(axes, (-1.75, -0.05), "z", INK, size=8.5)
    return figure


def anti_roll_bar():
    figure, axes = sheet(4.4, 2.9, (-2.1, 2.1, -1.3, 1.35))
    block(axes, (0, 0.85), 3.0, 0.3, GROUND)
    for x, z, side in ((-1.35, -0.75, "L"), (1.35, -0.35, "R")):
        axes.add_patch(
            Rectangle((x - 0.17 + math.copysign(0.35, x), z - 0.4), 0.34, 0.8, fc=RUBBER, ec=INK)
        )
        axes.plot([x, x + math.copysign(0.2, x)], [z, z], color=BODY, lw=6, zorder=2)
        axes.plot([x, x], [z, 0.72], color=INK, lw=1.6)
        dimension(axes, (x - math.copysign(0.28, x), z), (x - math.copysign(0.28, x), 0.72), "")
        text(axes, (x - math.copysign(0.5, x), 0.5 * (z + 0.6)), f"$l_{side}$", INK)
    for p, k, shift in (
        ((-1.35, -0.75), 1, (-0.13, -0.15)),
        ((-1.35, 0.72), 2, (-0.17, -0.02)),
        ((1.35, -0.35), 3, (0.1, -0.18)),
        ((1.35, 0.72), 4, (0.17, -0.02)),
    ):
        marker(axes, p, str(k), shift)
    arrow(axes, (-1.35, -0.7), (-1.35, -0.2), FORCE, width=2.2)
    arrow(axes, (-1.35, 0.68), (-1.35, 0.25), FORCE, width=2.2)
    arrow(axes, (1.35, -0.3), (1.35, -0.85), FORCE, width=2.2)
    arrow(axes, (1.35, 0.72), (1.35, 1.25), FORCE, width=2.2)
    text(
        axes,
        (0.0, 0.1),
        "$F > 0$ for $l_L > l_R$:\npulls left together,\npushes right apart",
        FORCE,
        size=8.5,
    )
    text(axes, (0.0, -1.05), "seen from behind, y to the left", INK, size=8.5)
    return figure


def track_band():
    figure, axes = sheet(4.6, 2.4, (-2.3, 2.3, -1.1, 1.0))
    block(axes, (0, 0.5), 2.6, 0.35, GROUND)
    hull = [(1.95, 0.05), (-1.95, 0.05)]
    wheels = [(1.2, -0.5), (0.4, -0.5), (-0.4, -0.22), (-1.2, -0.5)]
    band = [hull[0], *wheels, hull[1]]
    axes.plot(*zip(*band), color="#7a5230", lw=2.0, zorder=3)
    axes.plot([wheels[1][0], wheels[3][0]], [-0.5, -0.5], color=INK, lw=0.8, ls="--")
    for p in wheels:
        axes.add_patch(Circle(p, 0.24, fc="#dfe6ee", ec=BODY, lw=2.5, zorder=2))
    for p, name, shift in (
        (hull[0], "idler (1)", (0.05, 0.28)),
        (hull[1], "sprocket (last)", (0.0, 0.28)),
    ):
        axes.add_patch(Circle(p, 0.15, fc="white", ec=INK, lw=1.5, zorder=4))
        text(axes, (p[0] + shift[0], p[1] + shift[1]), name, INK, size=8.5)
    for a, b in ((wheels[0], hull[0]), (wheels[3], hull[1])):
        d = np.subtract(b, a)
        arrow(axes, a, np.add(a, 0.62 * d), FORCE, width=2.0)
    text(axes, (1.82, -0.4), "tension", FORCE, size=8.5, family="monospace")
    arrow(axes, (-0.4, -0.5), (-0.4, -0.22), MOTION, width=1.8)
    text(axes, (-0.18, -0.62), "$d_k$", MOTION)
    text(
        axes, (0.0, -0.95), "wheels from front to rear; bridging acts against $d_k$", INK, size=8.5
    )
    arrow(axes, (0.8, 0.85), (1.5, 0.85), INK, width=0.9, size=8)
    text(axes, (0.55, 0.85), "front", INK, size=8.5)
    return figure


def path_follower():
    figure, axes = sheet(4.4, 2.7, (-0.6, 3.8, -0.75, 1.7))
    x = np.linspace(-0.4, 3.6, 120)
    y = 0.55 + 0.55 * np.tanh(1.1 * (x - 1.4))
    axes.plot(x, y, color=MOTION, lw=1.6, ls="--")
    text(axes, (3.3, 1.3), "path $y(x)$", MOTION, size=9)
    block(axes, (0.25, 0.15), 0.9, 0.45, BODY, 5.0)
    p = np.array([0.25, 0.15])
    P = p + 2.1 * np.array([math.cos(math.radians(5.0)), math.sin(math.radians(5.0))])
    arrow(axes, p, P, INK, width=1.0, size=9)
    marker(axes, tuple(p), "$p$", (-0.02, -0.38))
    marker(axes, tuple(P), "$P$", (0.16, -0.13))
    text(axes, (1.35, 0.02), "preview", INK, size=8.5, family="monospace")
    above = 0.55 + 0.55 * math.tanh(1.1 * (P[0] - 1.4))
    arrow(axes, P, (P[0], above), FORCE, width=1.8)
    text(axes, (P[0] + 0.55, 0.5 * (P[1] + above)), "deviation\n$e > 0$", FORCE, size=8.5)
    arrow(axes, (-0.4, -0.55), (0.1, -0.55), INK, width=0.9, size=8)
    arrow(axes, (-0.4, -0.55), (-0.4, -0.05), INK, width=0.9, size=8)
    text(axes, (0.2, -0.55), "x", INK, size=8.5)
    text(axes, (-0.4, 0.05), "y", INK, size=8.5)
    text(axes, (2.3, -0.55), "path to the left of $P$: $e > 0$", INK, size=8.5)
    return figure


FIGURES = {
    "force-wheel": cropped(wheel),
    "force-tyre": cropped(tyre),
    "force-drive": cropped(drive),
    "force-anti-roll-bar": cropped(anti_roll_bar),
    "force-track-band": cropped(track_band),
    "force-path-follower": cropped(path_follower),
}
