"""[LeeJoo] Figs. 1 to 7: the manipulator with flexible links, its position vectors, and its
parallel mechanism.
"""

from __future__ import annotations

import math

import numpy as np

from ....core.figures import new, save
from ....models import ralf as data
from ....viewer.picture import draw as draw_model
from ..item import CORRECTED, REPRODUCED, Item, Table
from ..parallelogram import NEAR, second_singular_values
from ..ralf import TIP, pulse_run
from ..ralf_open import equations
from .curves import COLOURS, WIDE, as_image

LINK, THIN_LINE = (
    {"linewidth": 4.0, "solid_capstyle": "round"},
    {"color": "0.5", "linewidth": 1.0, "linestyle": "--"},
)
STEPS = (
    "position vectors r_p",
    "Jacobians J_p = dr_p/dq",
    "M = sum of the integrals of J_p^T J_p dm, G",
    "Christoffel symbols C_jk(i) of M",
    "simplification by (33)-(35)",
    "stiffness K of the modes",
    "equations of motion as text, LaTeX and compiled code",
)


def figures_1_to_3(path) -> None:
    """Draw the arm, and the steps of the derivation with their results."""
    e = equations()
    zero = sum(not e.relative_C[i][j][k] for i in range(6) for j in range(6) for k in range(6))
    figure = new(figsize=(9.6, 5.0), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    as_image(left, draw_model(data.ralf(), None, view="front", names=False, size=(6.0, 5.0)))
    right.set(xlim=(0, 1), ylim=(0, 1))
    right.axis("off")
    notes = {2: "6 x 6, symmetric", 3: f"6 matrices, {zero} of 216 entries are zero"}
    for k, text in enumerate(STEPS):
        y = 0.95 - k * 0.145
        shown = f"{text}\n{notes[k]}" if k in notes else text
        right.text(
            0.5,
            y,
            shown,
            ha="center",
            va="center",
            fontsize="small",
            bbox={"boxstyle": "round", "facecolor": "0.95"},
        )
        if k + 1 < len(STEPS):
            right.annotate("", (0.5, y - 0.095), (0.5, y - 0.05), arrowprops={"arrowstyle": "->"})
    save(figure, path)


def structure() -> Table:
    """Return the proposed structural data."""
    names = ("lower", "upper", "actuating")
    rows = [
        (
            name,
            f"{data.LENGTH:g} m",
            f"{1e4 * data.AREA[name]:.2f} cm²",
            f"{1e8 * data.BENDING[name]:.1f} cm⁴",
            f"{data.DENSITY * data.AREA[name] * data.LENGTH:.1f} kg",
        )
        for name in names
    ]
    rows.append(
        ("connecting (rigid)", f"{data.CONNECTING:g} m", "", "", f"{data.CONNECTING_MASS:g} kg")
    )
    return Table(
        ("link", "length", "area", "second moment of area", "mass"),
        tuple(rows),
        f"Proposed: aluminum tubes of standard sizes, E = {data.E / 1e9:g} GPa, density "
        f"{data.DENSITY:g} kg/m³. The data of the paper is not legible.",
    )


def _bent(
    start: np.ndarray, angle: float, length: float, bend: float, clamped: bool = True
) -> np.ndarray:
    """Return points of a link with an exaggerated deflection."""
    s = np.linspace(0.0, 1.0, 40)
    shape = bend * (s**2 * (3.0 - s) / 2.0 if clamped else np.sin(math.pi * s))
    along, across = (
        np.array([math.cos(angle), math.sin(angle)]),
        np.array([-math.sin(angle), math.cos(angle)]),
    )
    return start + length * s[:, None] * along + shape[:, None] * across


def _sketch(axis, bend: float) -> dict[str, np.ndarray]:
    """Draw the four links with the points A, B, C, D; deflections are exaggerated."""
    t1, t12 = math.radians(60.0), math.radians(-20.0)
    lower = _bent(np.zeros(2), t1, 3.0, 0.35 * bend)
    B = lower[-1]
    upper = _bent(B, t12, 3.0, -0.3 * bend)
    lever = B - 0.9 * np.array([math.cos(t12), math.sin(t12)])
    D = -0.9 * np.array([math.cos(t12), math.sin(t12)])
    direction = lever - D
    actuating = _bent(
        D,
        math.atan2(direction[1], direction[0]),
        float(np.linalg.norm(direction)),
        0.25 * bend,
        clamped=False,
    )
    for points, color, name in (
        (lower, COLOURS[0], "lower link 1"),
        (upper, COLOURS[1], "upper link 2"),
        (np.array([[0, 0], D]), COLOURS[3], "connecting link 3"),
        (actuating, COLOURS[2], "actuating link 4"),
    ):
        axis.plot(*points.T, color=color, label=name, **LINK)
    axis.plot(*np.array([B, lever]).T, color=COLOURS[1], **LINK)
    axis.plot(*np.array([[0, 0], 3.0 * np.array([math.cos(t1), math.sin(t1)])]).T, **THIN_LINE)
    found = {"A": np.zeros(2), "B": B, "C": lever, "D": D, "tip": upper[-1]}
    for name, point in found.items():
        axis.plot(*point, "ko", markersize=6)
        axis.annotate(name, point, (6, 6), textcoords="offset points", fontweight="bold")
    axis.set_aspect("equal")
    axis.margins(0.12)
    axis.axis("off")
    return found


def figures_4_and_5(path) -> None:
    """Draw the tree without the joint C, and the position vectors of the four links."""
    figure = new(figsize=(WIDE, 5.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for axis in (left, right):
        found = _sketch(axis, 1.0)
    left.set_title("open tree: the joint C is cut", fontsize="medium")
    left.plot(
        *found["C"],
        marker="o",
        markersize=14,
        markerfacecolor="none",
        markeredgecolor="r",
        markeredgewidth=1.5,
    )
    left.legend(fontsize="small", frameon=False, loc="lower right")
    text = (
        "r1 = x1 e(θ1) + u1 n(θ1)",
        "r2 = l1 e(θ1) + u1(l1) n(θ1) + x2 e(θ1+θ2) + u2 n(θ1+θ2)",
        "r3 = x3 e(θ1+θ3)",
        "r4 = l3 e(θ1+θ3) + x4 e(θ1+θ3+θ4) + u4 n(θ1+θ3+θ4)",
        "u = ψ1(x) ξ1 + ψ2(x) ξ2,   e, n: along and across",
    )
    right.set_title("position vectors", fontsize="medium")
    figure.supxlabel("\n".join(text), fontsize="medium")
    save(figure, path)


def figure_6(path) -> None:
    """Draw the flexible parallel mechanism, and its motion under a torque pulse with points of a
    second program.
    """
    figure = new(figsize=(WIDE, 6.4), layout="constrained")
    axes = figure.subplots(2, 2)
    _sketch(axes[0][0], 1.0)
    axes[0][0].legend(fontsize="small", frameon=False, loc="lower right")
    sol = pulse_run(0.002)
    for link, color in (("lower", COLOURS[0]), ("upper", COLOURS[1])):
        axes[0][1].plot(
            sol.t,
            1e3 * sol[f"{link}.deflection.100"],
            color=color,
            label=f"{link} link",
            linewidth=1.0,
        )
    axes[0][1].set(ylabel="deflection of the tip [mm]", xlabel="time [s]")
    for axis_name, color, k in (("x", COLOURS[0], 0), ("z", COLOURS[1], 1)):
        axes[1][0].plot(
            sol.t, sol[f"upper_tip.position.{axis_name}"], color=color, label=f"tip, {axis_name}"
        )
        axes[1][0].plot(
            list(TIP),
            [p[k] for p in TIP.values()],
            "kx",
            label="second program" if k == 0 else None,
            markersize=8,
        )
    axes[1][0].set(ylabel="position of the tip [m]", xlabel="time [s]")
    axes[1][1].plot(
        sol.t,
        sol.energy.total - sol.energy.total[0],
        color=COLOURS[5],
        linewidth=3.0,
        label="gained",
    )
    axes[1][1].plot(
        sol.t, sol.energy.work, color=COLOURS[1], linestyle="--", label="work of the torques"
    )
    axes[1][1].set(ylabel="energy [J]", xlabel="time [s]")
    for axis in axes.ravel()[1:]:
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small", frameon=False)
    save(figure, path)


def figure_7(path) -> None:
    """Draw the rigid parallelogram, and the second singular value over its angle."""
    figure = new(figsize=(WIDE, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    _sketch(left, 0.0)
    left.set_title("θ1, θ2, θ3, θ4 at A, B, A, D", fontsize="medium")
    t2 = np.linspace(-math.pi, math.pi, 400)
    right.plot(
        np.degrees(t2),
        [second_singular_value(t) for t in t2],
        color=COLOURS[0],
        label="by hand, eq. (70)",
    )
    right.plot(
        np.degrees(list(NEAR)), second_singular_values(NEAR), "kx", markersize=8, label="engine"
    )
    right.set(xlabel="θ2 [deg]", ylabel="second singular value [m/rad]")
    right.grid(alpha=0.3)
    right.legend(fontsize="small", frameon=False)
    save(figure, path)


def second_singular_value(t2: float, l1: float = 3.0, l3: float = 0.4) -> float:
    """Return the second singular value of the Jacobian of (70) by (θ1 .. θ4), at θ1 = 0.3."""
    t1, t3, t4 = 0.3, t2, -t2

    def n(angle: float) -> np.ndarray:
        return np.array([-math.sin(angle), math.cos(angle)])

    two, three, four = l3 * n(t1 + t2), l3 * n(t1 + t3), l1 * n(t1 + t3 + t4)
    G = np.column_stack([l1 * n(t1) + two - three - four, two, -three - four, -four])
    return float(np.linalg.svd(G, compute_uv=False)[1])


ITEMS = (
    Item(
        "LeeJoo",
        "Figs. 1, 2, 3",
        "drawing",
        "ralf-open",
        "The manipulator RALF, the flow chart of the derivation, and the structural data",
        "two flexible links, the upper one driven through a parallel mechanism; equations of "
        "motion derived from position vectors alone",
        CORRECTED,
        "The derivation follows the flow chart, with Q of eq. (31) without the factor 1/2 "
        "(erratum E-15) and with the conditions under which (34) and (35) hold (E-32). The "
        "structural data is not legible; ours is proposed.",
        draw=figures_1_to_3,
        tabulate=structure,
    ),
    Item(
        "LeeJoo",
        "Figs. 4, 5",
        "drawing",
        "ralf-open",
        "The open tree, and the position vectors of its links",
        "the vectors of eqs. (51), (52), (67), (68), from which C(1) to C(6) of (61)-(66) follow",
        CORRECTED,
        "Links 3 and 4 begin at the base A and not at the tip of link 1 (erratum E-17). Twelve "
        "entries of C(2) to C(6) change, because the elastic block of M depends on the second "
        "angle (E-16).",
        draw=figures_4_and_5,
    ),
    Item(
        "LeeJoo",
        "Fig. 6",
        "drawing",
        "ralf",
        "The flexible parallel mechanism, and its motion under a torque pulse",
        "the loop AB + BB' + B'C' = AD + DC' of eq. (70), solved with an SVD null space",
        CORRECTED,
        "With the stiffness V2^T K q instead of V2^T K V2 z (erratum E-18) the loop closes, and "
        "the motion agrees with a second program to 1e-8 m.",
        draw=figure_6,
    ),
    Item(
        "LeeJoo",
        "Fig. 7",
        "drawing",
        "parallelogram",
        "The rigid parallel mechanism, and where it is singular",
        "the null space V2 of eqs. (71), (72) is constant",
        REPRODUCED,
        "The projector V2 V2^T is the same for all 300 parallelograms that were tried. At 0 and "
        "180 degrees the second singular value is zero, which the paper does not mention.",
        draw=figure_7,
    ),
)
