"""Flow charts: which analysis, and which integrator."""

from __future__ import annotations

from .drawing import BODY, INK, MOTION, arrow, sheet

QUESTION, ANSWER = "#eef3f8", "#eaf5ee"


def _box(axes, spot, text, color, edge, ha="center") -> None:
    box = {"boxstyle": "round,pad=0.45", "fc": color, "ec": edge, "lw": 1.2}
    axes.text(*spot, text, ha=ha, va="center", fontsize=9, bbox=box, zorder=3, color=INK)


def chart(rows, last, width=7.0, pitch=1.0):
    """Draw questions down the left, the method for "yes" at the right, and `last` at the bottom."""
    n = len(rows)
    figure, axes = sheet(width, 0.78 * (n + 1), (-2.6, 6.4, -pitch * n - 0.4, 0.45))
    axes.set_aspect("auto")
    for k, (question, method) in enumerate(rows):
        y = -pitch * k
        arrow(axes, (0.0, y), (3.0, y), INK, width=1.0)
        axes.text(2.32, y + 0.13, "yes", fontsize=8.5, ha="center")
        arrow(axes, (0.0, y), (0.0, y - pitch + 0.3), INK, width=1.0)
        axes.text(0.12, y - 0.5 * pitch, "no", fontsize=8.5, va="center")
        _box(axes, (0.0, y), question, QUESTION, BODY)
        _box(axes, (3.2, y), method, ANSWER, MOTION, ha="left")
    _box(axes, (0.0, -pitch * n), last, ANSWER, MOTION)
    return figure


def which_analysis():
    """From the question of the user to the function."""
    rows = [
        ("Does the model close?\nWhat are M, f, g, G?", "kt.assemble, kt.equations"),
        ("All motions are prescribed\n(0 degrees of freedom)?", "kt.kinematics"),
        ("Motion known,\nmotor forces wanted?", "kt.inverse_dynamics"),
        ("Position at rest wanted?", "kt.equilibrium\nwith beams: kt.deflect"),
        (
            "Small vibrations,\nstability, control design?",
            "kt.modes, kt.linearize\nwith beams: kt.vibrations",
        ),
    ]
    return chart(rows, "motion over time: kt.simulate")


def which_integrator():
    """From properties of the model to the integrator."""
    rows = [
        ("Does the model have beams?", "energy-conserving\nor generalized-alpha"),
        ("Stiff during the whole run?", "bdf\nlarge models: bdf-direct"),
        ("Oil, bushings, strong dampers,\nor unknown stiffness?", "switching"),
        ("Fixed steps required?", "rk4 with step="),
        ("Cheap forces and\nrtol of 1e-7 or larger?", "dopri5"),
    ]
    return chart(rows, "adams (the default)")


FIGURES = {"which-analysis": which_analysis, "which-integrator": which_integrator}
