"""One picture for each result that the papers are known for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import kinetree as kt

from ....core.figures import new, save
from ..flying_beam import AS_PRINTED, ELEMENTS, angular_change, flights, free_energy
from . import excavator, lane_change
from .costs import cost
from .curves import COLOURS, Line, Panel, draw
from .three_methods import story

STYLES = {
    "energy-conserving": {"color": COLOURS[0], "linewidth": 1.8},
    "trapezoidal": {"color": COLOURS[1], "linewidth": 1.8},
    "midpoint": {"color": COLOURS[2], "linewidth": 1.8},
    AS_PRINTED: {"color": "k", "linewidth": 1.2, "linestyle": (0, (4, 3))},
}
COUNTS = (1, 2, 4, 8, 16, 32, 64)


class Picture(NamedTuple):
    """A picture, its place in the papers, and what it shows."""

    name: str
    paper: str
    caption: str
    draw: Callable[[Any], Any]


def beam_picture(path) -> None:
    """Draw shapes of the beam in flight, its energy by all rules, and the angular momentum of the
    two rules that are stable.
    """
    figure = new(figsize=(7.2, 7.6), layout="constrained")
    upper, middle, lower = figure.subplots(3, 1, height_ratios=(1, 1.5, 1.2))
    sol = flights()["energy-conserving"]
    for k, t in enumerate((0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0)):
        row = int(np.abs(sol.t - t).argmin())
        x, y = np.array([sol[f"b.{node}.position"][row, :2] for node in range(ELEMENTS + 1)]).T
        upper.plot(x, y, color=COLOURS[0], alpha=0.35 + 0.1 * k, linewidth=2.5)
        upper.annotate(
            f"{t:g} s", (x[-1], y[-1]), (3, 3), textcoords="offset points", fontsize="small"
        )
    upper.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    upper.margins(0.08, 0.25)
    upper.grid(alpha=0.3)
    lines = [
        Line(name if name == AS_PRINTED else f"{name} rule", *free_energy(flights()[name]), style)
        for name, style in STYLES.items()
    ]
    draw(middle, Panel("energy / energy after the push", lines, log=True, ylim=(0.1, 1e7)))
    stable = [
        Line(
            line.label,
            line.x,
            np.maximum(angular_change(flights()[name]), 1e-16),
            line.style,
        )
        for name, line in zip(STYLES, lines)
        if name in ("energy-conserving", AS_PRINTED)
    ]
    draw(lower, Panel("change of angular momentum", stable, log=True, ylim=(1e-16, 1.0)))
    lower.set_xlabel("time [s]")
    save(figure, path)


def chain(n: int) -> kt.Model:
    """Return a chain of n rods, horizontal at the start."""
    m = kt.Model(f"chain of {n}")
    last: Any = m.ground
    for k in range(n):
        rod = m.body(f"rod{k}", kt.rod(1.0, 1.0 / n, along="x"))
        m.joint(f"J{k}", kt.Revolute(axis="y"), last, rod.end("-"))
        last = rod.end("+")
    return m


def bodies_picture(path) -> None:
    """Draw the CPU time of one second of a hanging chain over its number of bodies."""
    times = {
        c: [
            cost(
                partial(
                    kt.simulate,
                    chain(n),
                    1.0,
                    rtol=1e-6,
                    output_interval=0.1,
                    coordinates=c,
                    progress=False,
                )
            ).call
            for n in COUNTS
        ]
        for c in ("relative", "cartesian")
    }
    figure = new(figsize=(7.2, 4.4), layout="constrained")
    axis = figure.subplots()
    for (name, values), color in zip(times.items(), COLOURS):
        axis.loglog(COUNTS, values, "o-", color=color, label=f"{name} coordinates")
    for n, a, b in zip(COUNTS, *times.values()):
        axis.annotate(
            f"{b / a:.1f}x",
            (n, b),
            (0, 6),
            textcoords="offset points",
            ha="center",
            fontsize="small",
        )
    axis.set(
        xlabel="bodies in the chain",
        ylabel="CPU time, whole call [s]",
        xticks=COUNTS,
        xticklabels=COUNTS,
    )
    axis.minorticks_off()
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    save(figure, path)


PICTURES = (
    Picture(
        "flying-beam",
        "Yun2005",
        "A flexible beam that flies freely after a push, h = 0.1 s: the energy-conserving rule "
        "conserves its energy over 2000 steps, the energies of the trapezoidal and the midpoint "
        "rule explode. The beam of eq. (25) as printed is stable too, but loses angular momentum",
        beam_picture,
    ),
    Picture(
        "step-size",
        "Kim1997",
        "The step size of the projection method as printed, compared with that of QR, while a car "
        "changes lanes",
        lambda path: lane_change.step_sizes(0.001, path),
    ),
    Picture(
        "stiffness",
        "Han1994",
        "The stiffness L of an excavator, the time at which the method changes, and the cost of "
        "the three methods per interval",
        lambda path: story(excavator.EXAMPLE, path),
    ),
    Picture(
        "coordinates",
        "Lee1994",
        "Relative and Cartesian coordinates: CPU time of one second of a hanging chain over its "
        "number of bodies",
        bodies_picture,
    ),
)
