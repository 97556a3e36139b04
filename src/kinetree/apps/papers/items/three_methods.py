"""The figures and tables of both examples of [Han1994]: L over time, cost per interval of three
methods, histories of the three methods, CPU times.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np

import kinetree as kt

from ..item import Table
from ..three_methods import LIMIT, METHODS, run_all, spectrum
from .costs import cost, seconds
from .curves import COLOURS, OTHER, THIRD, Line, Panel, panels

SHOWN = {
    "PECE": {"color": COLOURS[0], "linewidth": 1.6},
    "BDF": {"color": COLOURS[1], "linewidth": 1.6, "linestyle": "--"},
    "SM": {
        "color": "k",
        "linewidth": 1.2,
        "linestyle": (0, (1, 1.5)),
        "marker": "o",
        "markersize": 3,
    },
}


class Example(NamedTuple):
    """A model and the data of its figures."""

    build: Callable[[], kt.Model]
    until: float
    interval: float  # of the figures, s
    rtol: float
    channel: str
    ylabel: str


@cache
def found(example: Example) -> dict:
    """Return the runs by the methods of the paper at its tolerance."""
    return run_all(example.build(), example.until, example.rtol, 0.005)


@cache
def eigenvalues(example: Example) -> tuple[np.ndarray, np.ndarray]:
    model = example.build()
    return spectrum(
        model,
        kt.simulate(model, example.until, rtol=1e-9, output_interval=0.01),
        example.until,
        example.interval,
    )


def stiffness_panel(example: Example) -> Panel:
    """L by eigenvalues every 0.05 s, the estimates of the switching method, its threshold, and the
    time of the change.
    """
    t, L = eigenvalues(example)
    run = found(example)["SM"]
    looks = run.steps.looks
    dots = {"linestyle": "none", "marker": "o", "markersize": 4, "color": "k"}
    lines = [
        Line("eigenvalues, every 0.05 s", t, L),
        Line("estimated in the run", run.steps.t[looks], run.steps.stiffness[looks], dots),
    ]
    marks = [(f"change at {c.t:.3f} s", c.t) for c in run.switches]
    return Panel("L [1/s]", lines, log=True, marks=marks, level=("L = 1500", LIMIT))


def stiffness(example: Example, path) -> None:
    panels(path, [stiffness_panel(example)], xlim=(0, example.until), height=3.6)


def cost_panels(example: Example, names: tuple[str, ...]) -> list[Panel]:
    """Evaluations of the right-hand side per interval, which do not depend on the computer."""
    edges = np.arange(0.0, example.until + 0.5 * example.interval, example.interval)
    lines = [
        Line(name, edges[1:], np.maximum(found(example)[name].steps.cost(edges), 1), SHOWN[name])
        for name in names
    ]
    marks = [("change of SM", c.t) for c in found(example)["SM"].switches]
    return [Panel(f"evaluations per {example.interval:g} s", lines, marks=marks)]


def costs(example: Example, names: tuple[str, ...], path) -> None:
    panels(path, cost_panels(example, names), xlim=(0, example.until), height=3.4)


def history(example: Example, path) -> None:
    """Draw the histories of the three methods, and their differences from a run at a tight
    tolerance.
    """
    runs = found(example)
    tight = kt.simulate(
        example.build(), example.until, rtol=1e-11, output_interval=0.005, coordinates="cartesian"
    )
    size = np.abs(tight[example.channel]).max()
    styles = dict(
        zip(("PECE", "BDF", "SM"), ({"color": COLOURS[5], "linewidth": 3.0}, OTHER, THIRD))
    )
    shown = {name: run for name, run in runs.items() if name in styles}
    away = {
        name: np.maximum(np.abs(run[example.channel] - tight[example.channel]) / size, 1e-14)
        for name, run in shown.items()
    }
    curves = [Line(name, run.t, run[example.channel], styles[name]) for name, run in shown.items()]
    differences = [
        Line(name, tight.t, away[name], SHOWN[name] | {"marker": None}) for name in shown
    ]
    title = f"from Cartesian coordinates at rtol 1e-11; runs at {example.rtol:g}"
    panels(
        path,
        [
            Panel(example.ylabel, curves),
            Panel("difference / largest value", differences, log=True, title=title),
        ],
        xlim=(0, example.until),
    )


def story(example: Example, path) -> None:
    """Draw L with the change of method, and below it the costs of the three methods."""
    panels(
        path,
        [stiffness_panel(example), *cost_panels(example, ("PECE", "BDF", "SM"))],
        xlim=(0, example.until),
        height=3.2,
    )


def table(example: Example, paper: dict[str, float]) -> Table:
    """Measure the CPU times of the methods, and divide them by that of PECE."""
    model = example.build()
    rows = []
    run = partial(
        kt.simulate,
        model,
        example.until,
        rtol=example.rtol,
        output_interval=example.interval,
        progress=False,
    )
    times = {name: cost(partial(run, **METHODS[name])) for name in paper}
    for name, printed in paper.items():
        one = times[name]
        rows.append(
            (
                name,
                seconds(one.call),
                f"{one.call / times['PECE'].call:.2f}",
                seconds(one.solver),
                f"{one.solver / times['PECE'].solver:.2f}",
                found(example)[name].statistics["evaluations"],
                f"{printed:.2f} s",
                f"{printed / paper['PECE']:.2f}",
            )
        )
    columns = (
        "method",
        "CPU time, whole call",
        "over PECE",
        "CPU time, solver alone",
        "over PECE",
        "right-hand sides",
        "paper: CPU time",
        "over PECE",
    )
    return Table(
        columns,
        tuple(rows),
        f"{example.until:g} s of motion at rtol {example.rtol:g}; the paper's 10E-6 is read as "
        "1e-6.",
    )
