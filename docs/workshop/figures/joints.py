"""Joints with one axis: parent gray, child blue, degrees of freedom as green arrows in the positive
direction, with the names of the coordinates.
"""

from __future__ import annotations

import math

import numpy as np

from .drawing import BODY, GROUND, INK, cropped, sheet
from .isometric import axis_line, ball, box, cylinder, flat, line, move, text, turn

X, Y, Z = np.eye(3)
LIMITS = (-1.75, 1.75, -1.4, 1.3)


def parts(axes, parent, child) -> None:
    """Name the two bodies."""
    text(axes, parent, "parent", "#5c6169")
    text(axes, child, "child", "#2c557f")


def revolute():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (0, 0, -0.85), (1.5, 1.1, 0.16), GROUND)
    cylinder(axes, (0, 0, -0.77), (0, 0, -0.2), 0.2, GROUND)
    line(axes, [(0, 0, -0.2), (1.55, 0, -0.2)], GROUND, 1.3, "--")
    text(axes, flat((1.72, 0, -0.36)), "x of F", "#5c6169")
    a = math.radians(38.0)
    along = np.array([math.cos(a), math.sin(a), 0.0])
    cylinder(axes, (0, 0, -0.2), (0, 0, 0.12), 0.3, BODY)
    box(axes, 0.9 * along + (0, 0, -0.04), (1.3, 0.24, 0.2), BODY, x=along)
    cylinder(axes, (0, 0, -0.2), (0, 0, 0.12), 0.3, BODY)
    cylinder(axes, (0, 0, 0.12), (0, 0, 0.3), 0.12, GROUND)
    axis_line(axes, (0, 0, 0.3), (0, 0, 1.05), "axis", (0.22, 0.0))
    turn(axes, (0, 0, -0.2), Z, 1.28, "", 0.0, 36.0, x=X)
    text(axes, flat((1.62, 0.5, -0.22)), "angle", "#2e8b57", family="monospace")
    turn(axes, (0, 0, 0.55), Z, 0.34, "", -60.0, 210.0, x=X)
    parts(axes, (-0.95, -1.12), (0.95, 0.5))
    return figure


def translational():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (0, 0, -0.35), (2.9, 0.5, 0.22), GROUND)
    box(axes, (0, 0, -0.18), (2.9, 0.22, 0.14), GROUND)
    axis_line(axes, (-1.35, 0, -0.1), (1.75, 0, -0.1), "axis", (0.05, -0.16))
    box(axes, (0.35, 0, 0.05), (0.8, 0.62, 0.36), BODY)
    move(axes, (-1.3, -0.31, 0.42), (0.35, -0.31, 0.42), "displacement", offset=(-0.62, 0.42))
    line(axes, [(-1.3, -0.31, -0.2), (-1.3, -0.31, 0.5)], INK, 0.7)
    text(axes, flat((-1.42, -0.31, 0.0)), "F", INK)
    line(axes, [(0.35, -0.31, 0.05), (0.35, -0.31, 0.5)], INK, 0.7)
    text(axes, flat((0.35, -0.31, -0.1)), "M", INK)
    parts(axes, (-0.75, -0.62), (0.75, 0.32))
    return figure


def cylindrical():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (-1.45, 0, -0.35), (0.16, 0.5, 0.9), GROUND)
    cylinder(axes, (-1.37, 0, 0), (-0.1, 0, 0), 0.13, GROUND)
    cylinder(axes, (-0.1, 0, 0), (0.7, 0, 0), 0.32, BODY)
    cylinder(axes, (0.7, 0, 0), (1.3, 0, 0), 0.13, GROUND)
    axis_line(axes, (1.3, 0, 0), (1.75, 0, 0), "axis", (0.05, 0.15))
    box(axes, (0.3, 0, 0.52), (0.34, 0.14, 0.42), BODY)
    move(axes, (-1.37, -0.2, -0.42), (0.3, -0.2, -0.42), "displacement", offset=(-0.6, -0.2))
    line(axes, [(0.3, -0.2, -0.2), (0.3, -0.2, -0.5)], INK, 0.7)
    turn(axes, (0.95, 0, 0), X, 0.5, "angle", -20.0, 215.0, offset=(-0.02, 0.42), x=-Y)
    parts(axes, (-1.1, 0.5), (0.0, 0.62))
    return figure


def _thread(axes, low, high, radius, marks) -> None:
    """A threaded bar along z: slanted lines in front of it."""
    cylinder(axes, (0, 0, low), (0, 0, high), radius, GROUND)
    for z in marks:
        angles = np.linspace(math.radians(-148.0), math.radians(32.0), 20)
        wave = [(radius * math.cos(a), radius * math.sin(a), z + 0.05 * (a + 1.0)) for a in angles]
        seen = [p for p in wave if low < p[2] < high]
        if len(seen) > 1:
            line(axes, seen, "#4f545c", 0.9)


def _screw(marks, label):
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (0, 0, -1.0), (1.3, 1.0, 0.16), GROUND)
    _thread(axes, -0.92, -0.25, 0.17, marks)
    cylinder(axes, (0, 0, -0.25), (0, 0, 0.1), 0.42, BODY)
    box(axes, (0.0, 0.0, -0.075), (0.5, 0.16, 0.16), BODY, x=X)
    cylinder(axes, (0, 0, -0.25), (0, 0, 0.1), 0.42, BODY)
    _thread(axes, 0.1, 0.75, 0.17, marks)
    axis_line(axes, (0, 0, 0.75), (0, 0, 1.2), "axis", (0.2, 0.0))
    turn(axes, (0, 0, 0.1), Z, 0.62, "angle", -110.0, 120.0, offset=(-0.45, 0.2), x=X)
    move(axes, (-0.6, -0.3, -0.25), (-0.6, -0.3, 0.3), "", color=INK, width=0.9)
    text(axes, (-1.2, 0.0), label, INK, size=8.5)
    parts(axes, (1.0, -1.1), (0.85, -0.3))
    return figure


def screw():
    return _screw(np.arange(-0.95, 0.8, 0.13), "advance\n= pitch\nper turn")


def variable_screw():
    marks = np.cumsum(np.geomspace(0.05, 0.3, 12)) - 0.99
    return _screw(marks, "advance\n$T$(angle),\n$T' = $pitch/$2\\pi$")


def universal():
    figure, axes = sheet(4.0, 3.0, (-1.75, 1.75, -1.3, 1.25))
    # the parent's fork holds axis 1 (x), the child's fork holds axis 2 (y)
    cylinder(axes, (0, 0, -1.2), (0, 0, -0.7), 0.16, GROUND)
    box(axes, (0, 0, -0.68), (1.3, 0.2, 0.12), GROUND)
    box(axes, (-0.6, 0, -0.28), (0.12, 0.2, 0.7), GROUND)
    box(axes, (0, 0.55, 0.32), (0.2, 0.12, 0.8), BODY)
    cylinder(axes, (0, 0, 0), (0, 0.5, 0), 0.09, "#6b7078")
    cylinder(axes, (-0.55, 0, 0), (0.55, 0, 0), 0.09, "#6b7078")
    cylinder(axes, (0, -0.5, 0), (0, 0, 0), 0.09, "#6b7078")
    box(axes, (0.6, 0, -0.28), (0.12, 0.2, 0.7), GROUND)
    box(axes, (0, -0.55, 0.32), (0.2, 0.12, 0.8), BODY)
    box(axes, (0, 0, 0.74), (0.2, 1.22, 0.12), BODY)
    cylinder(axes, (0, 0, 0.8), (0, 0, 1.2), 0.13, BODY)
    axis_line(axes, (0.66, 0, 0), (1.55, 0, 0), "axis1", (0.12, 0.16))
    axis_line(axes, (0, 0.62, 0), (0, 1.7, 0), "axis2", (0.2, 0.12))
    turn(axes, (1.1, 0, 0), X, 0.3, "angle1", -60.0, 200.0, offset=(0.1, -0.45), x=Y)
    turn(axes, (0, 1.25, 0), Y, 0.3, "angle2", 20.0, 290.0, offset=(0.55, -0.28), x=X)
    parts(axes, (-0.75, -1.0), (-0.6, 0.95))
    return figure


def fixed():
    figure, axes = sheet(4.0, 3.0, LIMITS)
    box(axes, (-0.75, 0, -0.2), (1.1, 0.9, 0.9), GROUND)
    box(axes, (0.45, 0, -0.2), (1.3, 0.5, 0.5), BODY)
    for y in np.linspace(-0.22, 0.22, 6):
        ball(axes, (-0.2, y, 0.07), 0.05, INK)
    for z in np.linspace(-0.42, 0.05, 6):
        ball(axes, (-0.2, -0.27, z), 0.05, INK)
    text(axes, (0.55, 0.72), "no relative motion:\nframes F and M coincide", INK)
    parts(axes, (-0.9, -0.95), (0.7, -0.85))
    return figure


FIGURES = {
    "joint-revolute": cropped(revolute),
    "joint-translational": cropped(translational),
    "joint-cylindrical": cropped(cylindrical),
    "joint-universal": cropped(universal),
    "joint-screw": cropped(screw),
    "joint-variable-screw": cropped(variable_screw),
    "joint-fixed": cropped(fixed),
}
