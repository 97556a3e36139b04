"""[Kim1997] Figs. 2 and 3: bars between the hard points of the model, and the names of the joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.figures import new, save
from ....models import car as data

STICK, BALL = (
    {"linewidth": 3.0, "solid_capstyle": "round"},
    {"marker": "o", "markersize": 6, "color": "k", "linestyle": "none"},
)


def _axes() -> tuple[Any, Any]:
    figure = new(figsize=(7.2, 5.6), layout="constrained")
    axis = figure.add_subplot(projection="3d")
    axis.set_axis_off()
    return figure, axis


def _stick(axis, *points, color: str, label: str = "") -> None:
    axis.plot(*np.array(points).T, color=color, label=label, **STICK)


def _joint(axis, point, text: str, ha: str = "left", va: str = "bottom") -> None:
    """Draw a point with the name of a joint beside it."""
    axis.plot(*np.array([point]).T, **BALL)
    axis.text(*point, f"\n  {text}  " if va == "top" else f"  {text}  ", ha=ha, va=va)


def _wheel(axis, centre, side: float = 1.0) -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 80)
    rim = np.array(centre) + data.TYRE["radius"] * np.column_stack(
        [np.cos(angle), 0.0 * angle, np.sin(angle)]
    )
    for y in (-0.08, 0.08):
        axis.plot(*(rim + [0.0, y * side, 0.0]).T, color="0.6", linewidth=1.5)


def front(path) -> None:
    """Draw the left McPherson suspension with the rack."""
    figure, axis = _axes()
    p = data.FRONT
    middle = 0.5 * (np.array(p.arm_front) + np.array(p.arm_rear))
    _stick(
        axis,
        p.arm_front,
        p.ball,
        p.arm_rear,
        p.arm_front,
        color="#0072B2",
        label="lower control arm",
    )
    _stick(
        axis,
        p.ball,
        p.strut_low,
        p.wheel,
        color="#D55E00",
        label="knuckle with the lower part of the strut",
    )
    _stick(axis, p.strut_low, p.tie_outer, color="#D55E00")
    half = 0.5 * (np.array(p.strut_low) + np.array(p.strut_top))
    _stick(axis, p.strut_low, half, color="#D55E00")
    _stick(axis, half, p.strut_top, color="#56B4E9", label="upper part of the strut")
    _stick(axis, p.tie_inner, p.tie_outer, color="#009E73", label="tie rod")
    _stick(axis, (p.tie_inner[0], 0.0, p.tie_inner[2]), p.tie_inner, color="#CC79A7", label="rack")
    for point, text, ha, va in (
        (middle, "revolute", "left", "bottom"),
        (p.ball, "spherical", "center", "top"),
        (half, "translational, spring and damper", "left", "bottom"),
        (p.strut_top, "spherical", "left", "bottom"),
        (p.tie_outer, "spherical", "right", "top"),
        (p.tie_inner, "universal", "right", "top"),
        (p.wheel, "revolute", "right", "bottom"),
        ((p.tie_inner[0], 0.03, p.tie_inner[2]), "translational", "center", "top"),
    ):
        _joint(axis, point, text, ha, va)
    _wheel(axis, p.wheel)
    _finished(figure, axis, (-0.35, 0.35), (0.0, 0.85), (-0.32, 0.5), (20, 218), path)


def rear(path) -> None:
    """Draw the twist axle with both wheels."""
    figure, axis = _axes()
    p = data.REAR
    for side, color in ((1.0, "#0072B2"), (-1.0, "#D55E00")):

        def at(point, side=side):
            return np.array(point) * [1.0, side, 1.0]

        foot, name = (p.beam[0], p.pivot[1], p.beam[2]), "left" if side > 0 else "right"
        _stick(
            axis,
            at(p.pivot),
            at(foot),
            at(p.wheel),
            color=color,
            label=f"{name} trailing arm with half of the beam",
        )
        _stick(axis, at(foot), (p.beam[0], 0.0, p.beam[2]), color=color)
        axis.plot(
            *np.array([at(p.spring_low), at(p.spring_top)]).T,
            color="0.3",
            linestyle=":",
            linewidth=2.5,
        )
        _joint(axis, at(p.pivot), "spherical" if side < 0 else "")
        half = 0.5 * (np.array(p.spring_low) + np.array(p.spring_top))
        for place, text, va in (
            (p.spring_top, "spherical", "bottom"),
            (half, "translational, spring and damper", "bottom"),
            (p.spring_low, "universal", "top"),
        ):
            _joint(axis, at(place), text if side > 0 else "", "left", va)
        _joint(axis, at(p.wheel), "revolute" if side < 0 else "", "left", "top")
        _wheel(axis, at(p.wheel), side)
    _joint(axis, (p.beam[0], 0.0, p.beam[2]), "cylindrical, torsion spring", "center", "top")
    _finished(figure, axis, (-3.1, -2.2), (-0.9, 0.9), (-0.35, 0.4), (22, 210), path, 1.05)


def _finished(figure, axis, x, y, z, view, path, zoom: float = 1.3) -> None:
    axis.set(xlim=x, ylim=y, zlim=z)
    axis.set_box_aspect([b - a for a, b in (x, y, z)], zoom=zoom)
    axis.view_init(*view)
    axis.legend(loc="upper left", fontsize="small", frameon=False)
    save(figure, path)
