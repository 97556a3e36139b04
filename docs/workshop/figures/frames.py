"""Figures of frames: a body, a joint, the pendulum, a chain.

In these figures x points right and z up, so that y points into the page and a positive rotation
about y turns clockwise.
"""

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
    ground,
    link,
    pin,
    sheet,
    triad,
    turn,
)


def into_page(axes, point, label="", radius=0.06, offset=(0.0, 0.0), color=INK) -> None:
    """Draw the tail of an arrow into the page: a circle with a cross."""
    axes.add_patch(_circle(point, radius, color))
    d = 0.7 * radius
    for sign in (1, -1):
        axes.plot(
            [point[0] - d, point[0] + d],
            [point[1] - sign * d, point[1] + sign * d],
            color=color,
            lw=1.1,
            zorder=6,
        )
    axes.text(point[0] + offset[0], point[1] + offset[1], label, color=color, ha="center")


def _circle(point, radius, color):
    from matplotlib.patches import Circle

    return Circle(point, radius, fc="white", ec=color, lw=1.2, zorder=5)


def outline(axes, points, color) -> None:
    """Draw a body of any shape through the given points."""
    from scipy.interpolate import CubicSpline

    points = np.array([*points, points[0]], float)
    s = np.linspace(0.0, 1.0, 200)
    curve = CubicSpline(np.linspace(0.0, 1.0, len(points)), points, bc_type="periodic")(s)
    axes.fill(curve[:, 0], curve[:, 1], fc=color, alpha=0.22, ec=color, lw=1.5, zorder=1)


def along(angle, length, start=(0.0, 0.0)) -> np.ndarray:
    """Return the point at `length` from `start`, in the direction `angle` in degrees."""
    a = math.radians(angle)
    return np.array(start) + length * np.array([math.cos(a), math.sin(a)])


def body_frame():
    """A body: its frame at the center of mass, a point, the pose in the world."""
    figure, axes = sheet(5.4, 3.4, (-0.5, 5.1, -0.45, 3.1))
    origin = np.array([3.1, 1.55])
    outline(axes, [(2.0, 1.1), (2.9, 0.75), (4.2, 1.2), (4.45, 2.1), (3.4, 2.5), (2.3, 2.1)], BODY)
    triad(axes, (0.0, 0.0), ("$x_W$", "$z_W$"), length=0.9)
    into_page(axes, (0.0, 0.0), "$y_W$", offset=(-0.3, -0.3))
    arrow(axes, (0.06, 0.03), origin, FAINT, width=1.6)
    axes.text(1.5, 0.98, "$p_{WB}$", ha="center")
    triad(axes, origin, ("$x_B$", "$z_B$"), angle=-20.0, length=0.72, color=BODY)
    into_page(axes, origin, radius=0.055, color=BODY)
    axes.text(2.85, 1.12, "center of mass", ha="center", fontsize=8.5, color=INK)
    point = origin + np.array([0.95, 0.62])
    arrow(axes, origin, point, FORCE, width=1.2)
    axes.plot(*point, "o", ms=5, color=FORCE, zorder=5)
    axes.text(point[0] + 0.1, point[1] + 0.12, "marker Q", color=FORCE, fontsize=8.5, ha="center")
    axes.text(3.85, 1.8, "$p_{BQ}$", color=FORCE, ha="center")
    axes.text(0.55, -0.36, "world W", fontsize=9, ha="center")
    axes.text(2.25, 2.45, "body B", color=BODY, fontsize=9, ha="center")
    return figure


def pendulum_frames():
    """The pendulum of the tutorial at a positive angle."""
    figure, axes = sheet(4.4, 4.6, (-1.25, 1.3, -1.5, 1.25))
    q = 35.0
    down, up = along(-90.0 - q, 1.3), along(90.0 - q, 0.8)
    ground(axes, np.array([0.0, 0.0]), width=0.5, angle=180.0)
    axes.plot([0, 0], [0, -1.32], color=FAINT, lw=1.0, ls="--")
    axes.plot([0, up[0]], [0, up[1]], color=FAINT, lw=1.0, ls="--")
    axes.plot(*zip((0, 0), down), color=BODY, alpha=0.45, lw=13.0, solid_capstyle="round")
    arrow(axes, (0, 0), (0.95, 0), INK, "$x_W$", offset=(0.12, 0.0))
    arrow(axes, (0, 0), (0, 0.95), INK, "$z_W$", offset=(0.0, 0.1))
    middle = 0.5 * down
    triad(axes, middle, ("$x_B$", ""), angle=-q, length=0.45, color=MOTION)
    axes.text(middle[0] + 0.08, middle[1] + 0.4, "$z_B$", color=MOTION, ha="right")
    axes.plot(*middle, "o", ms=4, color=MOTION, zorder=5)
    turn(axes, (0, 0), 0.66, 90.0, 90.0 - q, FORCE, "$q > 0$", offset=1.3)
    turn(axes, (0, 0), 1.12, -90.0, -90.0 - q, FORCE, "$q$", offset=0.86)
    pin(axes, (0, 0), size=9)
    into_page(axes, (-0.62, 0.72), "$y$ into the page", offset=(0.0, 0.13))
    axes.text(0.1, -0.12, 'end "+"', fontsize=9, ha="left", va="top", color=BODY)
    axes.text(down[0], down[1] - 0.2, 'end "-"', fontsize=9, ha="center", color=BODY)
    axes.text(middle[0] - 0.2, middle[1] + 0.05, "rod B", fontsize=9, ha="right", color=BODY)
    arrow(axes, (0.8, -0.55), (0.8, -1.0), INK, "gravity", offset=(0.0, -0.12))
    return figure


def _oblique(x, y, z) -> np.ndarray:
    """Project a point of space onto the page: x to the lower right, y to the right, z up."""
    return np.array([0.5 * x + 0.92 * y, -0.42 * x + 0.18 * y + z])


def _frame(axes, origin, name, angle=0.0, color=INK, length=0.62) -> None:
    """Draw the three axes of a frame, turned about z by `angle` in degrees."""
    a = math.radians(angle)
    rows = {
        "x": (math.cos(a), math.sin(a), 0.0),
        "y": (-math.sin(a), math.cos(a), 0.0),
        "z": (0.0, 0.0, 1.0),
    }
    for letter, row in rows.items():
        tip = length * _oblique(*row)
        arrow(axes, origin, origin + tip, color, f"${letter}_{name}$", 1.2, 0.24 * tip, size=8)


def joint_frames():
    """Frames P, F, M, B of a joint; F and M are drawn apart along the axis."""
    figure, axes = sheet(6.6, 4.4, (-3.5, 4.2, -1.75, 3.2))
    P, F, M, B = (np.array(p) for p in [(-2.7, -0.85), (0.0, -0.6), (0.0, 1.35), (2.75, 1.75)])
    outline(axes, [(-3.2, -1.25), (-1.2, -1.5), (0.8, -1.1), (0.6, -0.1), (-2.4, 0.3)], GROUND)
    outline(axes, [(-0.4, 1.1), (1.0, 0.55), (3.3, 1.05), (3.6, 2.3), (0.5, 2.2)], BODY)
    axes.plot([0, 0], [-1.55, 2.95], color=FAINT, lw=1.2, ls="-.")
    axes.text(0.12, 2.85, "joint axis: $z_F$ and $z_M$", fontsize=9)
    _pose(axes, P, F, "$X_{PF}$", (-1.15, -1.0))
    _pose(axes, F, M, "$X_{FM}(q)$", (-0.85, 0.4), bend=-0.45)
    _pose(axes, M, B, "$X_{MB}$", (1.75, 1.82))
    _frame(axes, P, "P")
    _frame(axes, F, "F", length=0.75)
    _frame(axes, M, "M", angle=40.0, color=MOTION, length=0.85)
    _frame(axes, B, "B", angle=15.0, color=BODY)
    arc = [M + 0.62 * _oblique(math.cos(a), math.sin(a), 0.0) for a in np.linspace(0, 0.69, 30)]
    axes.plot(*zip(M, M + 0.85 * _oblique(1.0, 0.0, 0.0)), color=INK, lw=1.0, ls="--")
    axes.text(*(M + 1.05 * _oblique(1.0, 0.0, 0.0)), "$x_F$", ha="center", va="center")
    axes.plot(*zip(*arc), color=FORCE, lw=1.4)
    arrow(axes, arc[-3], arc[-1], FORCE)
    axes.text(*(M + 0.85 * _oblique(0.94, 0.33, 0.0)), "$q$", color=FORCE, ha="center", va="center")
    axes.text(-2.5, -1.65, "parent P", color=INK, fontsize=9, ha="center")
    axes.text(3.3, 0.75, "child B", color=BODY, fontsize=9, ha="center")
    return figure


def _pose(axes, start, end, label, spot, bend=0.0) -> None:
    """Draw the arrow of a pose from frame to frame."""
    style = {"arrowstyle": "-|>", "color": FORCE, "lw": 1.3, "shrinkA": 2, "shrinkB": 4}
    style["connectionstyle"] = f"arc3,rad={bend}"
    axes.annotate("", xy=end, xytext=start, arrowprops=style)
    axes.text(*spot, label, color=FORCE, ha="center", va="center")


def chain():
    """Three bodies on two hinges: what a rate of each joint moves."""
    figure, axes = sheet(5.6, 3.1, (-0.5, 4.7, -0.75, 2.1))
    A, B = np.array([0.3, 0.0]), np.array([1.9, 1.35])
    C = np.array([4.2, 0.75])
    ground(axes, A, width=0.7)
    link(axes, A, B)
    link(axes, B, C, OTHER)
    for center in (0.5 * (A + B), 0.5 * (B + C)):
        axes.plot(*center, "o", ms=5, color=INK, zorder=5)
    c2 = 0.5 * (B + C)
    axes.plot(*zip(A, c2), color=FAINT, lw=1.0, ls="--")
    axes.text(2.35, 0.45, "$d$", color=INK)
    away = np.array([(c2 - A)[1], -(c2 - A)[0]])
    arrow(axes, c2, c2 + 0.42 * away, FORCE, width=1.4)
    axes.text(*(c2 + 0.42 * away + (0.1, -0.17)), "$H_A v_A$", color=FORCE, ha="left")
    far = np.array([(c2 - B)[1], -(c2 - B)[0]])
    arrow(axes, c2 + 0.42 * away, c2 + 0.42 * away + 0.55 * far, MOTION, width=1.4)
    axes.text(
        *(c2 + 0.42 * away + 0.55 * far + (-0.12, 0.0)), "$H_B v_B$", color=MOTION, ha="right"
    )
    pin(axes, A, size=9)
    pin(axes, B, size=9)
    turn(axes, A, 0.55, 100.0, 52.0, FORCE, "$v_A$", offset=1.35)
    turn(axes, B, 0.5, 60.0, -5.0, MOTION, "$v_B$", offset=1.4)
    axes.text(0.75, 0.95, "body 1", color=BODY, fontsize=9, ha="center")
    axes.text(3.7, 1.15, "body 2", color=OTHER, fontsize=9, ha="center")
    axes.text(A[0] - 0.28, A[1] + 0.08, "A", fontsize=10)
    axes.text(B[0] - 0.05, B[1] + 0.2, "B", fontsize=10, ha="right")

    return figure


FIGURES = {
    "body-frame": body_frame,
    "pendulum-frames": pendulum_frames,
    "joint-frames": joint_frames,
    "chain": chain,
}
