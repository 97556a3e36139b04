"""Work and precision: the same combinations at several tolerances, error against cost.
[Hairer1993, sec. II.10]
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from ...core.display import Printable
from ...description.model import Model
from ...engine.integrators.catalogue import find
from ...errors import ModelError
from ...kernel.frames import number
from . import plots as compare_plots
from .runs import combinations, counted, position_difference, run, tight_reference, time_solvers

RTOLS = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)


class Point(NamedTuple):
    """One run: its options, its cost and its difference from the reference."""

    coordinates: str
    formulation: str
    integrator: str
    rtol: float
    seconds: float
    evaluations: int
    difference: float


@dataclass(frozen=True, repr=False)
class WorkPrecision(Printable):
    """Points of all combinations that ran, and the reasons why the others could not."""

    model: str
    until: float
    points: tuple[Point, ...]
    refusals: tuple[str, ...]

    def curves(self) -> dict[tuple[str, tuple[str, str]], list[Point]]:
        """Points by (coordinates, (formulation, integrator)), in the order of the tolerances."""
        found: dict[tuple[str, tuple[str, str]], list[Point]] = {}
        for p in self.points:
            found.setdefault((p.coordinates, (p.formulation, p.integrator)), []).append(p)
        return found

    def __str__(self) -> str:
        lines = [
            f"Work and precision of {self.model!r} over {self.until:g} s: {len(self.points)} runs, "
            f"{len(self.refusals)} refusals."
        ]
        for p in self.points:
            lines.append(
                f"  {p.coordinates}, {p.formulation}, {p.integrator}, rtol {p.rtol:g}: "
                f"{p.evaluations} evaluations, {1e3 * p.seconds:.3g} ms, off by {p.difference:.1e} "
                "sizes"
            )
        return "\n".join([*lines, *(f"  {refusal}" for refusal in self.refusals)])

    def to_json(self) -> str:
        return json.dumps({**asdict(self), "points": [p._asdict() for p in self.points]}, indent=2)

    def plot(self, path: str | os.PathLike) -> Path:
        """Write the diagram to an image file."""
        return compare_plots.plot_precision(self, Path(path))


def work_precision(
    model: Model,
    *,
    until: float = 1.0,
    coordinates: Sequence[str] = ("relative",),
    formulations: Sequence[str] | None = None,
    integrators: Sequence[str] = ("adams",),
    rtols: Sequence[float] = RTOLS,
    repeats: int = 3,
    reference_rtol: float = 1e-11,
    progress: bool | None = None,
) -> WorkPrecision:
    """Run every combination at every tolerance; fixed-step integrators have no tolerance and are
    refused.
    """
    number(until, "work_precision: until", positive=True)
    reference = tight_reference(model, until, reference_rtol)
    if reference.solution is None:
        raise ModelError(f"work_precision: there is no reference run: {reference.refusal}")
    chosen = combinations(coordinates, formulations, integrators)
    wanted = product(
        [c for c in chosen if find(c.integrator).adaptive], sorted(rtols, reverse=True)
    )
    runs = [run(model, c, until, {"rtol": rtol}) for c, rtol in counted(list(wanted), progress)]
    time_solvers(runs, repeats)
    points = tuple(
        Point(
            *r.combination,
            r.rtol or 0.0,
            r.seconds,
            r.found.result.evaluations,
            position_difference(r.found, reference.solution),
        )
        for r in runs
        if r.refusal is None
    )
    refusals = [
        f"{', '.join(r.combination)}, rtol {r.rtol:g}: {r.refusal}"
        for r in runs
        if r.refusal is not None
    ]
    return WorkPrecision(model.name, until, points, (*_without_tolerance(integrators), *refusals))


def _without_tolerance(integrators: Sequence[str]) -> list[str]:
    return [
        f"integrator {name!r} has a fixed step and no tolerance; compare(..., step=) measures it."
        for name in integrators
        if not find(name).adaptive
    ]
