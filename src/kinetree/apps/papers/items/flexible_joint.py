"""[Yun2005] Figs. 1 and 8 to 13: the flexible joint between two bodies, in both readings of its
units.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ....core.figures import new, save
from ..item import CORRECTED, FAILED, REPRODUCED, Item
from ..references import springs as by_hand
from ..springs import PRINTED, flexible_joint, run
from .curves import OTHER, THIN, WIDE, Line, Panel, draw, panels

STEPS, H = 100, 0.1
READINGS = {1.0: "k_l = 1 N/m³, k_t = 5 N m/rad", 1000.0: "k_l = 1 kN/m³, k_t = 5 kN m/rad"}


@cache
def found(k: float, rule: str):
    """Return the run by a rule, or by eqs. (39) as printed."""
    how = ("energy-conserving", PRINTED) if rule == "printed" else (rule, {})
    return run(flexible_joint(k, 5.0 * k), how[0], H, STEPS, **how[1])


def figure_1(path) -> None:
    """Draw two bodies with a quartic spring along x and a torsion spring about it."""
    figure = new(figsize=(7.2, 2.6), layout="constrained")
    axis = figure.subplots()
    axis.set(xlim=(-0.2, 7.4), ylim=(-1.3, 1.5), aspect="equal")
    axis.axis("off")
    for left, name in ((0.3, "body 1\nm1, J1"), (5.3, "body 2\nm2, J2")):
        axis.add_patch(_box(left, -0.7, 1.6, 1.4))
        axis.text(left + 0.8, 0.0, name, ha="center", va="center")
    x = np.linspace(1.9, 5.3, 200)
    axis.plot(
        x,
        0.35
        + 0.18 * np.clip(np.sin(2.0 * np.pi * (x - 1.9) / 0.34), -1, 1) * ((x > 2.3) & (x < 4.9)),
        color="k",
        linewidth=1.2,
    )
    t = np.linspace(0.0, 10.0 * np.pi, 400)
    axis.plot(
        2.3 + 2.6 * t / t[-1] + 0.12 * np.cos(t),
        -0.4 + 0.22 * np.sin(t),
        color="#0072B2",
        linewidth=1.2,
    )
    axis.plot([1.9, 2.35], [-0.4, -0.4], color="#0072B2")
    axis.plot([4.9, 5.3], [-0.4, -0.4], color="#0072B2")
    axis.text(3.6, 0.75, "$k_l (u_1 - u_2)^4 / 2$", ha="center")
    axis.text(3.6, -1.05, r"$k_t (\theta_1 - \theta_2)^2 / 2$", ha="center", color="#0072B2")
    for at, k in ((1.1, 1), (6.1, 2)):
        axis.annotate("", (at + 0.7, 1.0), (at, 1.0), arrowprops={"arrowstyle": "->"})
        axis.text(at + 0.2, 1.15, rf"$u_{k},\ \theta_{k}$")
    save(figure, path)


def _box(x: float, y: float, width: float, height: float):
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, facecolor="0.9", edgecolor="k")


def histories(rule: str, what: str, path) -> None:
    """Draw translation along x and rotation about it, of both bodies and in both readings of the
    units; crosses are the steps by hand.
    """
    linear, turning, unit, turned = {
        "position": ("position", "angle", "m", "rad"),
        "velocity": ("velocity", "rate", "m/s", "rad/s"),
    }[what]
    shown = []
    for k in READINGS:
        sol, d = found(k, rule), by_hand.history(rule, k, 4, 1.0, H, STEPS, mass=2.0 / 3.0)
        hand = {
            "position": ((1 + 2 * d[:, 0]) / 3, (1 - d[:, 0]) / 3),
            "velocity": (2 * d[:, 1] / 3, -d[:, 1] / 3),
        }[what]
        dots = {"linestyle": "none", "marker": "x", "color": "0.1", "markersize": 4}
        shown.append(
            Panel(
                f"{what if what == 'velocity' else 'displacement'} [{unit}]",
                [
                    Line("u1", sol.t, sol[f"one.{linear}.x"], THIN),
                    Line("u2", sol.t, sol[f"two.{linear}.x"], OTHER),
                    Line("by hand", sol.t, hand[0], dots),
                    Line("", sol.t, hand[1], dots),
                ],
                title=READINGS[k],
            )
        )
    for k in READINGS:
        sol = found(k, rule)
        two = sol["guide.angle" if turning == "angle" else "guide.angle.rate"]
        one = two + sol["joint.angle" if turning == "angle" else "joint.angle.rate"]
        name = "rotation" if turning == "angle" else "rate of rotation"
        shown.append(
            Panel(
                f"{name} [{turned}]", [Line("θ1", sol.t, one, THIN), Line("θ2", sol.t, two, OTHER)]
            )
        )
    panels(path, shown, columns=2, xlim=(0, STEPS * H))


def energies(rules: dict[str, str], path, also_body_by_body: bool = False) -> None:
    """Draw kinetic, strain and total energy in both readings of the units; below, E / E0 of all
    rules.
    """
    figure = new(figsize=(WIDE, 5.6), layout="constrained")
    axes = figure.subplots(2, 2)
    for column, k in enumerate(READINGS):
        rule = "trapezoidal" if also_body_by_body else "energy-conserving"
        sol, e = found(k, rule), found(k, rule).energy
        parts = [
            Line("kinetic", sol.t, e.kinetic, THIN),
            Line("strain", sol.t, e.potential, OTHER),
            Line("total", sol.t, e.total, {"color": "k", "linewidth": 2.0}),
        ]
        draw(axes[0][column], Panel("energy [J]", parts, title=READINGS[k], ylim=(0, None)))
        lines = [
            Line(name, found(k, r).t, found(k, r).energy.total / found(k, r).energy.total[0], style)
            for (r, name), style in zip(
                rules.items(), ({"color": "k", "linewidth": 2.0}, THIN, OTHER)
            )
        ]
        if also_body_by_body and k > 1.0:
            lost = by_hand.body_by_body("midpoint", k, H, STEPS)
            lines.append(
                Line(
                    "solved body by body",
                    found(k, rule).t,
                    lost / lost[0],
                    {"color": "#CC79A7", "linewidth": 1.5},
                )
            )
        ylim = None if also_body_by_body else ((0.96, 1.01) if k == 1.0 else (0.0, 1.5))
        draw(axes[1][column], Panel("E / E0", lines, log=also_body_by_body and k > 1.0, ylim=ylim))
        axes[1][column].set_xlabel("time [s]")
    save(figure, path)


_START = "u10 = 1 m, u20 = 0, h = 0.1 s, 10 s; the initial angles are not printed; 0.1 and 0 rad are proposed"
_SAYS = "the energy-conserving algorithm gives a stable solution"
_LOST = (
    "No converged step of the midpoint rule, which eqs. (40) are, or of the trapezoidal rule "
    "diverges, in either reading of the units (erratum E-24). The solution diverges if each body "
    "is solved by itself while the other one is held in place."
)
_EC = (
    "Eqs. (39) have the force of the midpoint rule and half the torsional stiffness (errata E-21, "
    "E-22). With the discrete gradient and the whole stiffness the motion is bounded and equals "
    "the same steps by hand."
)
_RULES = {
    "energy-conserving": "energy-conserving",
    "midpoint": "midpoint, (40d)",
    "trapezoidal": "trapezoidal",
}
DRAWING = (
    Item(
        "Yun2005",
        "Fig. 1",
        "drawing",
        "flexible-joint",
        "The flexible joint between two bodies",
        "two bodies joined by a quartic axial and a linear torsional spring",
        REPRODUCED,
        "The bodies slide along one line and rotate about it, as the energies of the paper say.",
        draw=figure_1,
    ),
)
ITEMS = (
    Item(
        "Yun2005",
        "Fig. 8",
        "figure",
        "flexible-joint",
        f"Flexible joint: displacements by the energy-conserving rule; {_START}",
        _SAYS,
        CORRECTED,
        _EC,
        draw=lambda path: histories("energy-conserving", "position", path),
    ),
    Item(
        "Yun2005",
        "Fig. 9",
        "figure",
        "flexible-joint",
        "Flexible joint: velocities by the energy-conserving rule",
        _SAYS,
        CORRECTED,
        _EC,
        draw=lambda path: histories("energy-conserving", "velocity", path),
    ),
    Item(
        "Yun2005",
        "Fig. 10",
        "figure",
        "flexible-joint",
        "Flexible joint: energies by the energy-conserving rule",
        "the total energy is constant",
        CORRECTED,
        "By eqs. (39) as printed the energy falls by 3 % (1 N/m³) and by 87 % (1 kN/m³) of its "
        "start. With the discrete gradient in (39b, f) and the whole torsional stiffness in (39d, "
        "h) it is constant to rounding (errata E-21, E-22).",
        draw=lambda path: energies(
            {"energy-conserving": "energy-conserving", "printed": "eqs. (39) as printed"}, path
        ),
    ),
    Item(
        "Yun2005",
        "Fig. 11",
        "figure",
        "flexible-joint",
        "Flexible joint: displacements by the trapezoidal rule",
        "the solution diverges",
        FAILED,
        _LOST,
        draw=lambda path: histories("trapezoidal", "position", path),
    ),
    Item(
        "Yun2005",
        "Fig. 12",
        "figure",
        "flexible-joint",
        "Flexible joint: velocities by the trapezoidal rule",
        "the solution diverges",
        FAILED,
        _LOST,
        draw=lambda path: histories("trapezoidal", "velocity", path),
    ),
    Item(
        "Yun2005",
        "Fig. 13",
        "figure",
        "flexible-joint",
        "Flexible joint: energies by the trapezoidal rule, and E / E0 of all rules",
        "the total energy diverges",
        FAILED,
        _LOST,
        draw=lambda path: energies(_RULES, path, also_body_by_body=True),
    ),
)
