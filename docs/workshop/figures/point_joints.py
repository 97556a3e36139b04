"""Joints with several translations, and joints with a ball: parent gray, child blue, degrees of
freedom as green arrows in the positive direction, with the names of the coordinates.
"""

from __future__ import annotations

import math

import numpy as np

from .drawing import BODY, GROUND, INK, cropped, sheet
from .isometric import axis_line, ball, box, cylinder, flat, line, move, text, turn
from .joints import LIMITS, X, Y, Z, parts


def _spins(axes, center, size=0.62, arc=0.2) -> None:
    """The axes of the child, and its angular velocity about them."""
    for axis, name, x, at in (
        (X, "wx", Y, (0.14, -0.24)),
        (Y, "wy", Z, (0.30, 0.08)),
        (Z, "wz", X, (0.62, 0.06)),
    ):
        tip = np.asarray(center) + size * axis
        line(axes, [center, tip + 0.12 * axis], "#2c557f", 0.8, (0, (9, 3, 2, 3)), over=True)
        turn(axes, tip - 0.05 * axis, axis, arc, name, -70.0, 190.0, offset=at, x=x)


def spherical():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (0, 0, -1.05), (1.2, 0.9, 0.14), GROUND)
    cylinder(axes, (0, 0, -0.98), (0, 0, -0.15), 0.4, GROUND)
    ball(axes, (0, 0, 0.02), 0.33, BODY)
    cylinder(axes, (-0.12, 0, 0.26), (-0.62, 0, 1.0), 0.09, BODY)
    _spins(axes, np.array([0.0, 0.0, 0.02]), 0.85, 0.22)
    parts(axes, (-0.95, -1.2), (-0.85, 0.72))
    return figure


def _plate(axes, z=-0.55, sides=(2.2, 1.7)) -> None:
    box(axes, (0, 0, z - 0.06), (*sides, 0.12), GROUND)


def _plane_axes(axes, at, names=("x", "y"), length=0.75) -> None:
    """Arrows of two displacements in the plane."""
    at = np.asarray(at, float)
    move(axes, at, at + length * X, names[0], offset=(0.12, -0.08))
    move(axes, at, at + length * Y, names[1], offset=(0.14, 0.02))


def planar():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    _plate(axes)
    a = math.radians(28.0)
    box(axes, (0.05, 0.0, -0.41), (0.8, 0.6, 0.28), BODY, x=(math.cos(a), math.sin(a), 0.0))
    _plane_axes(axes, (-0.95, -0.7, -0.54))
    axis_line(axes, (0.05, 0, -0.27), (0.05, 0, 0.75), "axis (normal)", (0.5, 0.0))
    turn(axes, (0.05, 0, 0.2), Z, 0.36, "angle", -100.0, 170.0, offset=(-0.35, 0.05), x=X)
    parts(axes, (-1.2, -0.95), (0.85, -0.1))
    return figure


def planar_translational():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    _plate(axes, -0.75)
    for y in (-0.5, 0.5):
        box(axes, (0, y, -0.68), (2.1, 0.12, 0.14), GROUND)
    box(axes, (0.1, 0.0, -0.52), (0.14, 1.6, 0.14), "#a9adb4")
    box(axes, (0.1, -0.1, -0.33), (0.7, 0.55, 0.22), BODY)
    _plane_axes(axes, (0.1, -0.1, -0.21), length=0.9)
    text(axes, (-0.75, 0.72), "no rotation", INK)
    parts(axes, (-1.25, -1.0), (-0.45, -0.05))
    return figure


def spatial_translational():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    _plate(axes, -0.8)
    for k, name in enumerate(("$e_1$", "$e_2$", "$e_1 \\times e_2$")):
        end = np.array([-0.95, -0.6, -0.79]) + 0.5 * np.eye(3)[k]
        move(axes, (-0.95, -0.6, -0.79), end, color="#5c6169", width=1.0)
        shift = ((0.12, -0.08), (0.13, 0.08), (0.0, 0.12))[k]
        u, v = flat(end)
        text(axes, (u + shift[0], v + shift[1]), name, "#5c6169", size=8.5)
    box(axes, (0.1, 0.1, 0.0), (0.55, 0.45, 0.4), BODY)
    middle = np.array([0.1, 0.1, 0.0])
    move(axes, middle + 0.275 * X, middle + 1.05 * X, "x", offset=(0.1, -0.05))
    move(axes, middle + 0.225 * Y, middle + 1.1 * Y, "y", offset=(0.12, 0.03))
    move(axes, middle + 0.2 * Z, middle + 1.0 * Z, "z", offset=(0.12, 0.0))
    text(axes, (-0.85, 0.75), "no rotation", INK)
    parts(axes, (1.15, -1.05), (-0.45, 0.12))
    return figure


def free():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    origin = np.array([-1.15, -0.6, -0.75])
    for k, name in enumerate(("vx", "vy", "vz")):
        shift = ((0.1, -0.14), (0.2, 0.1), (-0.2, 0.0))[k]
        move(axes, origin, origin + 0.6 * np.eye(3)[k], name, offset=shift)
    text(axes, flat(origin + (-0.1, 0, -0.2)), "F (parent)", "#5c6169")
    middle = np.array([0.35, 0.2, 0.05])
    move(axes, origin, middle, color=INK, width=0.8)
    text(axes, (0.0, -0.52), "x, y, z", "#2e8b57", family="monospace")
    box(axes, middle, (0.6, 0.45, 0.36), BODY)
    _spins(axes, middle, 0.85, 0.19)
    text(axes, (0.1, 0.48), "M (child)", "#2c557f")
    return figure


def point_on_line():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (-1.5, 0, -0.6), (0.14, 0.4, 0.7), GROUND)
    cylinder(axes, (-1.43, 0, -0.4), (1.3, 0, -0.4), 0.07, GROUND)
    axis_line(axes, (1.3, 0, -0.4), (1.72, 0, -0.4), "axis", (0.02, 0.16))
    ball(axes, (0.1, 0, -0.4), 0.2, BODY)
    cylinder(axes, (0.03, 0, -0.22), (-0.42, 0, 0.55), 0.07, BODY)
    move(axes, (-1.43, -0.25, -0.62), (0.1, -0.25, -0.62), "displacement", offset=(-0.55, -0.2))
    _spins(axes, np.array([0.1, 0.0, -0.4]), 0.75, 0.19)
    parts(axes, (-1.35, 0.28), (-0.7, 0.55))
    return figure


def point_on_plane():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    _plate(axes, -0.7)
    ball(axes, (0.25, 0.1, -0.56), 0.14, BODY)
    cylinder(axes, (0.2, 0.1, -0.44), (-0.2, 0.1, 0.4), 0.06, BODY)
    _plane_axes(axes, (-0.95, -0.7, -0.69), length=0.65)
    _spins(axes, np.array([0.25, 0.1, -0.56]), 0.72, 0.18)
    parts(axes, (-1.2, -1.05), (-0.35, 0.62))
    return figure


def point_on_curve():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    s = np.linspace(0.0, 1.0, 60)
    curve = np.column_stack([-1.4 + 2.9 * s, 0.25 * np.sin(4 * s), -0.55 + 0.55 * np.sin(5.2 * s)])
    line(axes, curve, "#6b7078", 6.0)
    line(axes, curve, "#b4b9c0", 3.0)
    at = curve[32]
    ball(axes, curve[0], 0.06, INK)
    text(axes, flat(curve[0] + (-0.02, 0, -0.22)), "first point", INK, size=8.5)
    along = curve[:30] + (0.0, 0.0, 0.2)
    line(axes, along[:-2], "#2e8b57", 1.8, over=True)
    move(axes, along[-5], along[-1])
    text(axes, (-1.0, 0.62), "displacement\n(arc length)", "#2e8b57", family="monospace")
    ball(axes, at, 0.16, BODY)
    _spins(axes, at, 0.72, 0.18)
    text(axes, (0.3, -1.15), "curve on the parent", "#5c6169")
    text(axes, (-0.25, -0.55), "child", "#2c557f")
    return figure


FIGURES = {
    "joint-spherical": cropped(spherical),
    "joint-planar": cropped(planar),
    "joint-free": cropped(free),
    "joint-point-on-line": cropped(point_on_line),
    "joint-point-on-plane": cropped(point_on_plane),
    "joint-planar-translational": cropped(planar_translational),
    "joint-spatial-translational": cropped(spatial_translational),
    "joint-point-on-curve": cropped(point_on_curve),
}
