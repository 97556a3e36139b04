"""Beams and their sections, and hard points of a suspension."""

from __future__ import annotations

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from .drawing import BODY, FORCE, GROUND, INK, MOTION, OTHER, arrow, cropped, sheet
from .isometric import ball, box, flat, move, text
from .isometric import turn as turn_about
from .joints import X, Y, Z


def _section_axes(axes, at, length=0.55, label=True) -> None:
    for e, name, shift in ((X, "x", (0.12, 0.02)), (Y, "y", (0.1, 0.06)), (Z, "z", (-0.12, 0.02))):
        move(axes, at, at + length * e, color=INK, width=1.1)
        u, v = flat(at + length * e)
        if label:
            text(axes, (u + shift[0], v + shift[1]), name, INK, size=9)


def beam_nodes():
    figure, axes = sheet(5.0, 2.9, (-2.45, 2.45, -1.35, 1.45))
    x = np.linspace(-2.1, 2.1, 5)
    box(axes, (-2.25, 0, 0.0), (0.2, 0.6, 0.7), GROUND)
    for a, b in zip(x, x[1:]):
        box(axes, (0.5 * (a + b), 0, 0), (b - a, 0.22, 0.32), "#9db8d2")
    for k, a in enumerate(x):
        ball(axes, (a, -0.11, 0), 0.075, INK)
        u, v = flat((a, -0.11, -0.35))
        text(axes, (u, v), f"node {k}", INK, size=8.5)
    u, v = flat((0.5 * (x[1] + x[2]), -0.11, 0.42))
    text(axes, (u + 0.05, v + 0.08), "element", "#2c557f", size=8.5)
    _section_axes(axes, np.array([x[2], -0.11, 0.16]), 0.75)
    u, v = flat((x[2], -0.11, 1.2))
    text(axes, (u + 0.62, v - 0.14), "z axis: `up`".replace("`", ""), INK, size=8.5)
    u, v = flat((x[0], -0.11, -0.72))
    text(axes, (u + 0.15, v), 'end("-")', "#2c557f", family="monospace", size=8.5)
    u, v = flat((x[-1], -0.11, -0.72))
    text(axes, (u - 0.1, v), 'end("+")', "#2c557f", family="monospace", size=8.5)
    text(axes, (-0.9, -1.2), "elements = 4, five nodes with six coordinates each", INK, size=8.5)
    return figure


def beam():
    figure, axes = sheet(4.6, 3.0, (-2.1, 2.3, -1.4, 1.4))
    box(axes, (-0.55, 0, 0), (1.7, 0.34, 0.5), "#9db8d2")
    _section_axes(axes, np.array([-1.0, -0.17, 0.25]), 0.5)
    face = np.array([0.3, 0.0, 0.0])
    for e, f, m, at, bt, x in (
        (X, "$N_x$", "$M_x$", (0.2, 0.12), (0.1, -0.34), Y),
        (Y, "$N_y$", "$M_y$", (0.15, 0.18), (0.48, 0.02), Z),
        (Z, "$N_z$", "$M_z$", (0.0, 0.14), (0.66, 0.1), X),
    ):
        move(axes, face, face + 1.1 * e, color=FORCE, width=2.0)
        u, v = flat(face + 1.1 * e)
        text(axes, (u + at[0], v + at[1]), f, FORCE, size=10)
        turn_about(axes, face + 0.72 * e, e, 0.2, "", -70.0, 190.0, color=MOTION, x=x)
        u, v = flat(face + 0.72 * e)
        text(axes, (u + bt[0] - (0.2 if e is Z else 0.0), v + bt[1]), m, MOTION, size=10)
    text(
        axes,
        (-0.1, -1.22),
        "section force $N$ and moment $M$ on the face toward node $k+1$",
        INK,
        size=8.5,
    )
    return figure


def section_centers():
    """An L of legs 60 x 60 x 8 mm with a strip of lead, which adds mass but no stiffness."""
    figure, axes = sheet(4.4, 3.6, (-32, 72, -26, 66))
    t, leg = 8.0, 60.0
    corner = np.array([-12.0, -12.0])
    rectangles = [(corner, leg, t), (corner + (0.0, t), t, leg - t)]
    for at, width, height in rectangles:
        axes.add_patch(Rectangle(at, width, height, fc="#9db8d2", ec=INK, lw=0.9))
    lead = (corner + (leg - 20.0, t), 20.0, 5.0)
    axes.add_patch(Rectangle(*lead[:1], lead[1], lead[2], fc="#5c6169", ec=INK, lw=0.9))
    area = np.array([w * h for _, w, h in rectangles])
    middles = np.array([at + (0.5 * w, 0.5 * h) for at, w, h in rectangles])
    tension = area @ middles / area.sum()
    masses = np.append(area * 2700.0, lead[1] * lead[2] * 11300.0)
    places = np.vstack([middles, lead[0] + (0.5 * lead[1], 0.5 * lead[2])])
    mass = masses @ places / masses.sum()
    shear = corner + 0.5 * t
    for at, name, color, to in (
        (tension, "tension center:\nforce $N_x$ here does not bend", FORCE, (34, 40)),
        (shear, "shear center: forces $N_y$, $N_z$\nhere do not twist", MOTION, (24, -22)),
        (mass, "mass center (`centre`)", "#2c557f", (48, 14)),
    ):
        axes.plot(*at, "o", ms=7, color=color, zorder=5)
        axes.plot([at[0], to[0]], [at[1], to[1]], color=color, lw=0.8, zorder=4)
        text(axes, to, name.replace("`", ""), color, size=8.5)
    arrow(axes, (0, 0), (66, 0), INK, width=0.9, size=8)
    arrow(axes, (0, 0), (0, 60), INK, width=0.9, size=8)
    text(axes, (69, 0), "y", INK)
    text(axes, (0, 63), "z", INK)
    axes.plot(0, 0, "o", ms=5, mfc="white", mec=INK, zorder=6)
    text(axes, (-21, 8), "line of\nthe beam", INK, size=8.5)
    arrow(axes, (-14, 6), (-2, 1), INK, width=0.8, size=7)
    text(axes, (52, 6), "lead strip", "#5c6169", size=8)
    return figure


# m: front left corner of examples/12_double_wishbone_car.py, x forward, y left, z up
HARD_POINTS = {
    "lower_front": (0.15, 0.30, -0.10),
    "lower_rear": (-0.20, 0.30, -0.10),
    "lower_ball": (0.01, 0.70, -0.12),
    "upper_front": (0.10, 0.38, 0.14),
    "upper_rear": (-0.15, 0.38, 0.13),
    "upper_ball": (-0.02, 0.66, 0.16),
    "wheel": (0.0, 0.75, 0.0),
    "tie_inner": (-0.14, 0.32, -0.04),
    "tie_outer": (-0.14, 0.70, -0.05),
    "spring_low": (0.0, 0.52, -0.11),
    "spring_top": (-0.02, 0.44, 0.40),
}


def _from_front(p) -> np.ndarray:
    return np.array([p[1] + 0.45 * p[0], p[2] - 0.30 * p[0]])


def double_wishbone():
    figure, axes = sheet(5.4, 4.2)
    # seen from the front: y to the right of the sheet, z up, x towards the viewer
    place = {n: _from_front(p) for n, p in HARD_POINTS.items()}
    rim = np.linspace(0.0, 2.0 * np.pi, 60)
    circle = [
        np.array(HARD_POINTS["wheel"]) + (0.32 * np.cos(a), 0.0, 0.32 * np.sin(a)) for a in rim
    ]
    axes.fill(*zip(*map(_from_front, circle)), color="#eceef1")
    for arm in ("lower", "upper"):
        corners = [place[f"{arm}_{end}"] for end in ("front", "ball", "rear")]
        axes.add_patch(Polygon(corners, closed=True, fc=BODY, alpha=0.25, ec="none"))
        for end in ("front", "rear"):
            axes.plot(*zip(place[f"{arm}_{end}"], place[f"{arm}_ball"]), color=BODY, lw=4)
        axes.plot(*zip(place[f"{arm}_front"], place[f"{arm}_rear"]), color=INK, lw=0.8, ls="-.")
    for a, b in (
        ("lower_ball", "upper_ball"),
        ("lower_ball", "wheel"),
        ("upper_ball", "wheel"),
        ("wheel", "tie_outer"),
    ):
        axes.plot(
            *zip(place[a], place[b]), color="#5c6169", lw=4, solid_capstyle="round", zorder=1.8
        )
    axes.plot(*zip(place["tie_inner"], place["tie_outer"]), color=OTHER, lw=3)
    axes.plot(*zip(place["spring_low"], place["spring_top"]), color=FORCE, lw=2.2, ls=(0, (2, 1)))
    shifts = {
        "lower_front": (0.0, -0.035, "center"),
        "lower_rear": (-0.02, -0.01, "right"),
        "lower_ball": (0.02, -0.035, "left"),
        "upper_front": (-0.02, -0.025, "right"),
        "upper_rear": (-0.02, 0.015, "right"),
        "upper_ball": (0.02, 0.03, "left"),
        "wheel": (0.02, 0.0, "left"),
        "tie_inner": (-0.02, 0.02, "right"),
        "tie_outer": (-0.01, 0.03, "right"),
        "spring_low": (0.0, -0.04, "center"),
        "spring_top": (0.02, 0.02, "left"),
    }
    for name, p in place.items():
        axes.plot(*p, "o", ms=5, color=INK, zorder=6)
        dx, dz, side = shifts[name]
        text(axes, (p[0] + dx, p[1] + dz), name, INK, size=8, family="monospace", ha=side)
    origin = np.array([0.12, -0.33])
    for e, name in (((0.45 * 0.2, -0.30 * 0.2), "x"), ((0.12, 0.0), "y"), ((0.0, 0.12), "z")):
        arrow(axes, origin, origin + e, INK, width=1.0, size=8)
        text(axes, origin + 1.25 * np.array(e), name, INK, size=8.5)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(-0.44, 0.48)
    return figure


FIGURES = {
    "beam-nodes": cropped(beam_nodes),
    "force-beam": cropped(beam),
    "section-centers": cropped(section_centers),
    "hard-points-double-wishbone": cropped(double_wishbone),
}
