"""Drawings of the five tasks: what is given, with names, lengths and positive directions."""

from __future__ import annotations

import math

import numpy as np

from .drawing import (
    BODY,
    FAINT,
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
    spring,
    triad,
    turn,
)


def block(axes, center, width, height, color=BODY, alpha=1.0) -> None:
    """Draw a box about its center."""
    import matplotlib.patches as patches

    corner = (center[0] - width / 2, center[1] - height / 2)
    style = {"fc": color, "ec": INK, "lw": 0.8, "alpha": alpha, "zorder": 2}
    axes.add_patch(patches.Rectangle(corner, width, height, **style))


def slider_crank():
    """Crank with flywheel, rod and slider."""
    import matplotlib.patches as patches

    figure, axes = sheet(6.0, 2.9, (-2.3, 5.6, -1.5, 1.75))
    O, angle = np.array([0.0, 0.0]), math.radians(50.0)
    P = np.array([math.cos(angle), math.sin(angle)])
    Q = np.array([P[0] + math.sqrt(16.0 - P[1] ** 2), 0.0])
    axes.add_patch(patches.Circle(O, 1.25, fc="#e8ecf1", ec=GROUND, lw=1.2, zorder=0))
    axes.text(-0.3, -0.75, "flywheel", fontsize=8.5, color=INK, ha="center")
    axes.plot([0, 1.2], [0, 0], color=FAINT, lw=0.9, ls="--")
    link(axes, O, P)
    link(axes, P, Q, OTHER)
    block(axes, Q, 0.8, 0.5, "#8aa0b4")
    axes.plot([3.4, 5.4], [-0.27, -0.27], color=GROUND, lw=1.6)
    ground(axes, np.array([4.4, -0.27]), width=2.0)
    for point, name, away in (
        (O, "O", (-0.22, 0.2)),
        (P, "P", (0.05, 0.36)),
        (Q, "Q", (0.0, 0.45)),
    ):
        pin(axes, point)
        axes.text(*(point + away), name, ha="center", va="center")
    turn(axes, O, 0.55, 2.0, 47.0, MOTION, r"$\varphi$", offset=1.45)
    axes.text(0.1, 0.52, "0.1 m", fontsize=8.5, rotation=50, ha="center", va="center")
    axes.text(2.6, 0.62, "rod 0.4 m", fontsize=8.5, rotation=-11, ha="center")
    turn(axes, O, 1.45, 160.0, 210.0, FORCE, "")
    axes.text(-1.75, 0.9, "motor\ntorque", color=FORCE, ha="center", va="center", fontsize=9)
    axes.text(5.05, 0.42, "slider", fontsize=8.5)
    triad(axes, (3.2, -1.3), ("$x$", "$z$"), length=0.5)
    return figure


def double_wishbone():
    """Front view of one corner with its hard points."""
    figure, axes = sheet(6.2, 4.6, (0.08, 1.2, -0.08, 0.84))
    point = {
        "lower front/rear": (0.30, 0.20),
        "lower ball": (0.70, 0.18),
        "upper front/rear": (0.38, 0.435),
        "upper ball": (0.66, 0.46),
        "tie inner": (0.32, 0.26),
        "tie outer": (0.70, 0.25),
        "spring low": (0.52, 0.19),
        "spring top": (0.44, 0.70),
        "wheel": (0.75, 0.30),
    }
    p = {name: np.array(spot) for name, spot in point.items()}
    block(axes, (0.235, 0.46), 0.17, 0.62, "#e8ecf1")
    axes.plot([0.32, 0.46], [0.72, 0.72], color=GROUND, lw=4)
    axes.text(0.235, 0.62, "chassis\n300 kg", ha="center", va="center", fontsize=9)
    block(axes, (0.80, 0.30), 0.17, 0.62, "#c9d1da", 0.7)
    axes.text(0.80, 0.55, "33 kg", fontsize=9, ha="center", va="center")
    link(axes, p["lower front/rear"], p["lower ball"])
    link(axes, p["upper front/rear"], p["upper ball"])
    link(axes, p["tie inner"], p["tie outer"], OTHER, 3.0)
    for name in ("lower ball", "upper ball", "tie outer"):
        link(axes, p["wheel"], p[name], GROUND, 4.0)
    spring(axes, p["spring low"], p["spring top"], coils=7, amplitude=0.03)
    away = {
        "lower front/rear": (-0.02, -0.075, "center"),
        "lower ball": (-0.02, -0.05, "center"),
        "upper front/rear": (-0.01, -0.042, "center"),
        "upper ball": (0.0, 0.045, "center"),
        "tie inner": (0.02, 0.032, "left"),
        "tie outer": (-0.015, 0.03, "right"),
        "spring low": (0.0, -0.05, "center"),
        "spring top": (0.03, 0.02, "left"),
        "wheel": (0.16, 0.0, "left"),
    }
    for name, (dx, dy, side) in away.items():
        pin(axes, p[name], 5.0)
        axes.text(*(p[name] + (dx, dy)), name, ha=side, va="center", fontsize=8, color=FORCE)
    axes.plot([0.1, 1.15], [-0.01, -0.01], color=GROUND, lw=1.6)
    axes.text(0.12, -0.05, "road", fontsize=8.5)
    triad(axes, (1.0, 0.62), ("$y$", "$z$"), length=0.12)
    axes.text(0.95, 0.57, "seen from the front", fontsize=7.5, va="top")
    return figure


def robot_arm():
    """Three links in the x-z plane, with positive angles."""
    figure, axes = sheet(5.4, 3.6, (-0.2, 1.25, -0.12, 0.85))
    spots, direction = [np.array([0.0, 0.0])], 0.0
    lengths, angles = (0.5, 0.4, 0.2), (62.0, -35.0, -40.0)
    ground(axes, spots[0], width=0.2)
    names = (("$q_1$", 0.16), ("$q_2$", 0.2), ("$q_3$", 0.16))
    colors = (BODY, OTHER, "#7a6aa8")
    for length, angle, (name, radius), color in zip(lengths, angles, names, colors):
        start, before = spots[-1], direction
        direction += angle
        a = math.radians(direction)
        end = start + length * np.array([math.cos(a), math.sin(a)])
        b = math.radians(before)
        out = start + 0.26 * np.array([math.cos(b), math.sin(b)])
        axes.plot(*zip(start, out), color=FAINT, lw=0.9, ls="--")
        turn(axes, start, radius, before, direction, MOTION, name, offset=1.28)
        link(axes, start, end, color)
        across = np.array([-math.sin(a), math.cos(a)])
        label = f"  {length:g} m"
        axes.text(
            *((start + end) / 2 - 0.075 * across), label, fontsize=8.5, ha="center", va="center"
        )
        spots.append(end)
    for spot, name in zip(spots, ("J1", "J2", "J3")):
        pin(axes, spot)
        axes.text(*(spot + (-0.06, 0.05)), name, ha="center", fontsize=9)
    axes.text(0.78, 0.06, "$q_2$, $q_3 < 0$ as drawn", fontsize=8.5, color=MOTION)
    arrow(axes, (1.15, 0.75), (1.15, 0.5), INK, "$g$", offset=(0.04, 0.02))
    triad(axes, (-0.14, 0.5), ("$x$", "$z$"), length=0.14)
    return figure


def portal_frame():
    """Clamped columns, girder and machine."""
    figure, axes = sheet(5.0, 3.6, (-1.0, 5.4, -0.7, 4.1))
    for x in (0.0, 4.0):
        ground(axes, np.array([x, 0.0]), width=0.9)
        axes.plot([x, x], [0, 3], color=BODY, lw=5, solid_capstyle="butt")
    axes.plot([-0.06, 4.06], [3, 3], color=OTHER, lw=5, solid_capstyle="butt")
    block(axes, (2.0, 3.32), 0.8, 0.55, "#8aa0b4")
    axes.text(2.0, 3.32, "500 kg", ha="center", va="center", fontsize=8.5)
    dimension(axes, (-0.55, 0), (-0.55, 3), "3 m", (-0.28, 0))
    dimension(axes, (0, -0.45), (4, -0.45), "4 m", (0, -0.18))
    axes.text(0.15, 1.5, "left", fontsize=9)
    axes.text(3.85, 1.5, "right", fontsize=9, ha="right")
    axes.text(2.0, 2.72, "girder", fontsize=9, ha="center")
    triad(axes, (4.6, 0.3), ("$x$", "$z$"), length=0.6)
    return figure


def inverted_pendulum():
    """Cart on a rail with a leaning stick."""
    figure, axes = sheet(4.6, 3.2, (-0.9, 1.3, -0.3, 1.25))
    axes.plot([-0.85, 1.1], [-0.12, -0.12], color=GROUND, lw=1.6)
    ground(axes, np.array([0.12, -0.12]), width=1.95)
    block(axes, (0.0, 0.0), 0.46, 0.2, "#8aa0b4")
    a = math.radians(70.0)
    link(axes, (0, 0), (math.cos(a), math.sin(a)), BODY)
    axes.plot([0, 0], [0, 1.1], color=FAINT, lw=0.9, ls="--")
    pin(axes, (0, 0))
    turn(axes, (0, 0), 0.6, 90.0, 71.0, MOTION, r"$\theta$", offset=1.14)
    arrow(axes, (-0.62, 0.0), (-0.24, 0.0), FORCE, width=1.8)
    axes.text(-0.5, 0.09, "$F$", color=FORCE, ha="center")
    arrow(axes, (0.0, -0.21), (0.45, -0.21), MOTION, "$x$", offset=(0.07, 0.0))
    axes.text(0.31, 0.0, "cart 1 kg", fontsize=8.5, va="center")
    axes.text(0.33, 0.55, "stick 0.2 kg, 1 m", fontsize=8.5)
    triad(axes, (0.95, 0.75), ("$x$", "$z$"), length=0.2)
    return figure


FIGURES = {
    "learn-slider-crank": slider_crank,
    "learn-double-wishbone": double_wishbone,
    "learn-robot-arm": robot_arm,
    "learn-portal-frame": portal_frame,
    "learn-inverted-pendulum": inverted_pendulum,
}
