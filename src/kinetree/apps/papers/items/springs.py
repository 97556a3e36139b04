"""[Yun2005] Figs. 2 to 7: the linear and the quartic spring."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..item import CORRECTED, FAILED, REPRODUCED, Item
from ..references import springs as by_hand
from ..springs import H, oscillator, run
from .curves import OTHER, THIN, Line, Panel, panels

STEPS = 32
DOTS = {"marker": "o", "markersize": 3.5}
CROSSES = {"linestyle": "none", "marker": "x", "color": "0.1", "markersize": 6}


@cache
def found(power: int, rule: str):
    """Return the run with the data of the paper: k = 1, u0 = 1.5 m of the linear and 1 m of the
    quartic spring.
    """
    return run(oscillator(1.0, power, 1.5 if power == 2 else 1.0), rule, H, STEPS)


def ratio(power: int, rule: str) -> np.ndarray:
    """Return the total energy over that at the start."""
    total = found(power, rule).energy.total
    return total / total[0]


def motion(power: int, rules: dict[str, str], path) -> None:
    """Draw displacement and velocity by the rules, and the same by hand."""
    shown = []
    quantities = (
        ("displacement", "m", "rail.displacement"),
        ("velocity", "m/s", "rail.displacement.rate"),
    )
    for k, (what, unit, channel) in enumerate(quantities):
        lines = []
        for (rule, label), style in zip(rules.items(), ({}, OTHER)):
            sol = found(power, rule)
            hand = (
                by_hand.linear(1.0, 1.5, H, STEPS)
                if power == 2
                else by_hand.history(rule, 1.0, 4, 1.0, H, STEPS)
            )
            lines.append(Line(label, sol.t, sol[channel], {**THIN, **DOTS, **style}))
            lines.append(Line("by hand" if not style else "", sol.t, hand[:, k], CROSSES))
        shown.append(Panel(f"{what} [{unit}]", lines))
    panels(path, shown, xlim=(0, STEPS * H))


def energies(power: int, rules: dict[str, str], path):
    """Draw kinetic, strain and total energy, and the error of the total energy if it is constant."""
    shown = []
    for rule, label in rules.items():
        sol, e = found(power, rule), found(power, rule).energy
        parts = [
            Line("kinetic", sol.t, e.kinetic, THIN),
            Line("strain", sol.t, e.potential, OTHER),
            Line("total", sol.t, e.total, {"color": "k", "linewidth": 2.0}),
        ]
        shown.append(Panel("energy [J]", parts, title=label, ylim=(0.0, None)))
    styled = list(zip(rules.items(), (THIN, OTHER)))
    if "midpoint" in rules:
        lines = [
            Line(label, found(power, rule).t, ratio(power, rule), style)
            for (rule, label), style in styled
        ]
        shown.append(Panel("E / E0", lines, ylim=(0, None)))
    else:
        lines = [
            Line(
                label,
                found(power, rule).t,
                np.maximum(np.abs(ratio(power, rule) - 1.0), 1e-17),
                style,
            )
            for (rule, label), style in styled
        ]
        shown.append(Panel("|E / E0 - 1|", lines, log=True, ylim=(1e-17, 1.0)))
    return panels(path, shown, xlim=(0, STEPS * H))


_EC, _MID, _TRAP = (
    "energy-conserving, (36a)",
    "(37a), the midpoint rule",
    "trapezoidal rule, mean of both forces",
)
_BOTH = {"energy-conserving": "energy-conserving", "trapezoidal": "trapezoidal"}
ITEMS = (
    Item(
        "Yun2005",
        "Fig. 2",
        "figure",
        "spring-linear",
        "Linear spring, h = 1.875 s, u0 = 1.5 m: displacement and velocity",
        "both algorithms give the same motion",
        REPRODUCED,
        "Both rules give the closed form u0 cos(n phi) to rounding. Drawn is k = 1 N/m; with the "
        "printed 1 kN/m they are identical too.",
        draw=lambda path: motion(2, _BOTH, path),
    ),
    Item(
        "Yun2005",
        "Fig. 3",
        "figure",
        "spring-linear",
        "Linear spring: kinetic, strain and total energy",
        "the total energy is constant by both algorithms",
        REPRODUCED,
        "By both rules the total energy is constant to rounding.",
        draw=lambda path: energies(2, _BOTH, path),
    ),
    Item(
        "Yun2005",
        "Fig. 4",
        "figure",
        "spring-quartic",
        "Quartic spring, h = 1.875 s, u0 = 1 m: displacement and velocity by the trapezoidal rule",
        "the solution of the trapezoidal rule, eq. (37a)",
        CORRECTED,
        "Eq. (37a) is the midpoint rule and not the trapezoidal one (erratum E-20), and k must be "
        "1 N/m³ (E-23). Both rules are drawn, and both agree with the same steps by hand.",
        draw=lambda path: motion(4, {"midpoint": _MID, "trapezoidal": _TRAP}, path),
    ),
    Item(
        "Yun2005",
        "Fig. 5",
        "figure",
        "spring-quartic",
        "Quartic spring: energies by the trapezoidal rule",
        "the total energy diverges",
        CORRECTED,
        "By eq. (37a) the energy rises 11-fold within six steps, which looks like divergence in a "
        "short figure. Then it falls again and stays below 14 times its first value (erratum "
        "E-24).",
        draw=lambda path: energies(4, {"midpoint": _MID, "trapezoidal": _TRAP}, path),
    ),
    Item(
        "Yun2005",
        "Fig. 6",
        "figure",
        "spring-quartic",
        "Quartic spring: displacement and velocity by the energy-conserving rule",
        "the motion is similar to that of the trapezoidal rule",
        FAILED,
        "By (36a) the displacement stays within 1 m, and by (37a) it reaches 1.87 m: beyond the "
        "first steps the two are not similar.",
        draw=lambda path: motion(4, {"energy-conserving": _EC, "midpoint": _MID}, path),
    ),
    Item(
        "Yun2005",
        "Fig. 7",
        "figure",
        "spring-quartic",
        "Quartic spring: energies by the energy-conserving rule",
        "the total energy is constant",
        CORRECTED,
        "With the factor k that eq. (36a) lacks (erratum E-19) the total energy is constant to "
        "rounding, for k = 1 N/m³ and 1 kN/m³.",
        draw=lambda path: energies(4, {"energy-conserving": _EC}, path),
    ),
)
