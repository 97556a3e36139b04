"""Sketches that look three-dimensional: solids and arrows, given in space, drawn on a flat sheet.

The view is parallel, from the right, in front and above: x points to the right, y to the rear and
right, z up. Solids hide what was drawn before them, so that a figure draws from back to front.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, Polygon

from .drawing import INK, MOTION, arrow

_AZIMUTH, _ELEVATION = math.radians(-58.0), math.radians(24.0)
RIGHT = np.array([-math.sin(_AZIMUTH), math.cos(_AZIMUTH), 0.0])
BACK = np.array(
    [
        math.cos(_ELEVATION) * math.cos(_AZIMUTH),
        math.cos(_ELEVATION) * math.sin(_AZIMUTH),
        math.sin(_ELEVATION),
    ]
)  # from the sheet to the eye
UP = np.cross(BACK, RIGHT)
_LIGHT = np.array([-0.15, -0.55, 0.82])


def flat(point) -> tuple[float, float]:
    """Return where a point in space is on the sheet."""
    return float(np.dot(RIGHT, point)), float(np.dot(UP, point))


def frame_of(axis) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return two unit vectors across an axis and the axis, right-handed."""
    c = np.asarray(axis, float) / np.linalg.norm(axis)
    a = np.cross((0.0, 0.0, 1.0) if abs(c[2]) < 0.9 else (0.0, 1.0, 0.0), c)
    a /= np.linalg.norm(a)
    return a, np.cross(c, a), c


def face(axes, points, color, normal, edge=True) -> None:
    """Draw one plane face, shaded by its direction, if it can be seen."""
    normal = np.asarray(normal, float) / np.linalg.norm(normal)
    if np.dot(normal, BACK) <= 1e-9:
        return
    light = 0.72 + 0.42 * float(np.dot(normal, _LIGHT))
    base = np.array(to_rgb(color))
    shade = np.clip(base * min(light, 1.0) + (1.0 - base) * max(light - 1.0, 0.0) * 1.4, 0.0, 1.0)
    line = tuple(0.55 * base) if edge else tuple(shade)
    corners = [flat(p) for p in points]
    axes.add_patch(
        Polygon(corners, closed=True, fc=tuple(shade), ec=line, lw=0.7, joinstyle="round", zorder=2)
    )


def box(axes, center, sides, color, axis=(0.0, 0.0, 1.0), x=None) -> None:
    """Draw a box; its third side is along `axis`, its first one along `x`."""
    a, b, c = frame_of(axis)
    if x is not None:
        a = np.asarray(x, float) / np.linalg.norm(x)
        b = np.cross(c, a)
    elif abs(c[2]) >= 0.9:
        a, b = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    half = [0.5 * s * e for s, e in zip(sides, (a, b, c))]
    center = np.asarray(center, float)
    for k in range(3):
        i, j = half[(k + 1) % 3], half[(k + 2) % 3]
        for sign in (1.0, -1.0):
            at = center + sign * half[k]
            face(axes, [at + i + j, at - i + j, at - i - j, at + i - j], color, sign * half[k])


def _round(center, a, b, radius, count=40):
    angles = np.linspace(0.0, 2.0 * math.pi, count + 1)
    return [center + radius * (math.cos(t) * a + math.sin(t) * b) for t in angles]


def cylinder(axes, start, end, radius, color) -> None:
    """Draw a round bar between two points."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    a, b, c = frame_of(end - start)
    low, high = _round(start, a, b, radius), _round(end, a, b, radius)
    for k in range(len(low) - 1):
        normal = 0.5 * (low[k] + low[k + 1]) - start
        face(axes, [low[k], low[k + 1], high[k + 1], high[k]], color, normal, edge=False)
    side = np.cross(c, BACK)
    for sign in (1.0, -1.0):  # the outline
        edge = sign * radius * side / np.linalg.norm(side)
        line(axes, [start + edge, end + edge], tuple(0.55 * np.array(to_rgb(color))), 0.7)
    face(axes, low[:-1], color, -c)
    face(axes, high[:-1], color, c)


def ball(axes, center, radius, color) -> None:
    """Draw a ball, lighter towards the light."""
    base, (u, v) = np.array(to_rgb(color)), flat(center)
    for k in range(12):
        share = k / 11.0
        shade = np.clip(base * (0.82 + 0.18 * share) + (1.0 - base) * 0.45 * share**2, 0.0, 1.0)
        r = radius * (1.0 - 0.92 * share)
        at = (u - 0.30 * radius * share, v + 0.34 * radius * share)
        edge = tuple(0.55 * base) if k == 0 else "none"
        axes.add_patch(Circle(at, r, fc=tuple(shade), ec=edge, lw=0.7, zorder=2))


def line(axes, points, color=INK, width=1.0, style="-", over=False) -> None:
    """Draw a line through points in space."""
    u, v = zip(*(flat(p) for p in points))
    axes.plot(u, v, color=color, lw=width, ls=style, zorder=4 if over else 2, solid_capstyle="butt")


def axis_line(axes, start, end, label="", offset=(0.0, 0.0)) -> None:
    """Draw the center line of a joint: dash-dot, with an arrow at its positive end."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    line(axes, [start, end], INK, 0.8, (0, (9, 3, 2, 3)), over=True)
    tip = flat(end)
    arrow(
        axes,
        flat(end - 0.12 * (end - start) / np.linalg.norm(end - start)),
        tip,
        INK,
        width=0.8,
        size=8,
    )
    if label:
        text(axes, (tip[0] + offset[0], tip[1] + offset[1]), label, INK)


def move(axes, start, end, label="", color=MOTION, offset=(0.0, 0.0), width=1.8) -> None:
    """Draw a straight arrow in space, with its label near the tip."""
    arrow(axes, flat(start), flat(end), color, width=width, size=12)
    if label:
        u, v = flat(end)
        text(axes, (u + offset[0], v + offset[1]), label, color, family="monospace")


def turn(
    axes,
    center,
    axis,
    radius,
    label="",
    first=0.0,
    last=250.0,
    color=MOTION,
    offset=(0.0, 0.0),
    x=None,
):
    """Draw an arc about an axis by the right-hand rule, from angle `first` to `last` in degrees
    (from `x`, or an axis across), with an arrow at its end and its label beside the tip.
    """
    a, b, _ = frame_of(axis)
    if x is not None:
        a = np.asarray(x, float) / np.linalg.norm(x)
        b = np.cross(np.asarray(axis, float) / np.linalg.norm(axis), a)
    angles = np.radians(np.linspace(first, last, 60))
    points = [np.asarray(center) + radius * (math.cos(t) * a + math.sin(t) * b) for t in angles]
    u, v = zip(*(flat(p) for p in points[:-2]))
    axes.plot(u, v, color=color, lw=1.8, zorder=5, solid_capstyle="butt")
    arrow(axes, flat(points[-5]), flat(points[-1]), color, width=1.8, size=12)
    if label:
        tip = flat(points[-1])
        text(axes, (tip[0] + offset[0], tip[1] + offset[1]), label, color, family="monospace")


def text(axes, at, label, color=INK, size=9.5, **more) -> None:
    """Write a label on a white ground, centered at a place of the sheet."""
    more = {"ha": "center", "va": "center", **more}
    ground = {"boxstyle": "square,pad=0.08", "fc": "white", "ec": "none", "alpha": 0.8}
    axes.text(*at, label, color=color, fontsize=size, zorder=9, bbox=ground, **more)
