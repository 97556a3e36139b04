"""One model with every combination of coordinates, formulation and integrator: cost and accuracy.

    print(compare(model, until=2.0))         one row per combination, or the reason why it cannot run
    compare(model).plot("folder")            constraint error and step size over time
    work_precision(model).plot("file.png")   error against cost at several tolerances
                                             (compare_precision.py)

Every row is compared with one reference at a tight tolerance. The times are those of the solver
call alone; the combinations are timed in turns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...core.atomic_write import write
from ...core.checks import flag, instance, whole
from ...core.display import Printable
from ...description.model import Model
from ...errors import explains_arguments
from ...kernel.frames import number
from . import plots as compare_plots
from . import table as compare_table
from .runs import (
    Reference,
    Run,
    angle_difference,
    combinations,
    counted,
    position_difference,
    refuse_idle,
    size_of,
    tight_reference,
    time_solvers,
)
from .runs import run as run_once

DEFAULT_UNTIL = 1.0  # s


@dataclass(frozen=True)
class Row:
    """Result of one combination of a comparison; numbers are None if it cannot run.

    Attributes
    ----------
    coordinates : str
        "relative" or "cartesian".
    formulation : str
        Name of the formulation.
    integrator : str
        Name of the integrator.
    rtol : float or None
        Relative tolerance per step, for an integrator with variable steps.
    step : float or None
        Length of the steps (s), for an integrator with fixed steps.
    refusal : str or None
        The reason why the combination cannot run.
    velocities : int or None
        Number of generalized velocities.
    equations : int or None
        Number of constraint equations.
    rank : int or None
        Rank of the constraint Jacobian.
    dof : int or None
        Number of degrees of freedom.
    evaluations : int or None
        Number of evaluations of the right-hand side.
    factorisations : int or None
        Number of factorizations.
    accepted : int or None
        Number of accepted steps.
    rejected : int or None
        Number of rejected steps.
    seconds : float or None
        CPU time of the solver (s), the best of several runs.
    ratio : float or None
        CPU time relative to the fastest row.
    position_error : float or None
        Largest constraint violation of the positions after any accepted step (m).
    velocity_error : float or None
        Largest constraint violation of the velocities after any accepted step (m/s).
    energy_error : float or None
        Energy error relative to the exchanged energy (1).
    energy_measure : str or None
        Kind of energy error: "drift", or "imbalance" if forces or drivers do work.
    difference : float or None
        Difference of the body positions from the reference, in sizes of the model.
    angle : float or None
        Difference of the body orientations from the reference (rad).
    """

    coordinates: str
    formulation: str
    integrator: str
    rtol: float | None
    step: float | None
    refusal: str | None = None
    velocities: int | None = None
    equations: int | None = None
    rank: int | None = None
    dof: int | None = None
    evaluations: int | None = None
    factorisations: int | None = None
    accepted: int | None = None
    rejected: int | None = None
    seconds: float | None = None
    ratio: float | None = None
    position_error: float | None = None
    velocity_error: float | None = None
    energy_error: float | None = None
    energy_measure: str | None = None
    difference: float | None = None
    angle: float | None = None


@dataclass(frozen=True, repr=False)
class Comparison(Printable):
    """A table of runs; ``print`` shows it, `rows` holds the numbers.

    Returned by `compare`.

    Attributes
    ----------
    model : str
        Name of the model.
    until : float
        End time (s).
    size : float or None
        Length by which differences are divided (m): the longest arm on any moving body.
    rows : tuple of Row
        One row per combination, with its cost, errors and differences from the reference.
    reference : Reference
        The reference run at a tight tolerance.
    runs : tuple of Run
        The runs themselves.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> table = kt.compare(pendulum(), until=0.1, formulations=["augmented"], repeats=1)
    >>> [row.coordinates for row in table.rows]
    ['relative', 'cartesian']
    """

    model: str
    until: float
    size: float | None  # m, unit of the differences: the longest arm on any moving body
    rows: tuple[Row, ...]
    reference: Reference
    runs: tuple[Run, ...]

    def __str__(self) -> str:
        return compare_table.text(self)

    def __repr__(self) -> str:
        return f"<comparison of {len(self.rows)} combinations on {self.model!r}>"

    @property
    def working(self) -> tuple[Row, ...]:
        """Rows of the combinations that ran to the end."""
        return tuple(row for row in self.rows if row.refusal is None)

    def to_text(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the printed table to a file.

        Parameters
        ----------
        path : str or path-like
            The file.
        overwrite : bool, default False
            Whether an existing file may be replaced.
        """
        write(path, f"{self}\n", overwrite)

    def to_json(
        self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False
    ) -> str:
        """Return everything as JSON text, and write it if a path is given.

        Parameters
        ----------
        path : str or path-like, optional
            The file.
        overwrite : bool, default False
            Whether an existing file may be replaced.

        Returns
        -------
        str
            The JSON text.
        """
        text = json.dumps(self.to_dict(), indent=2)
        if path is not None:
            write(path, f"{text}\n", overwrite)
        return text

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain numbers, names and lists.

        Returns
        -------
        dict
            The model, the reference and the rows.
        """
        found = self.reference
        reference = {"rtol": found.rtol, "doubt": found.doubt, "refusal": found.refusal}
        return {
            "model": self.model,
            "until": self.until,
            "size": self.size,
            "reference": reference,
            "rows": [asdict(row) for row in self.rows],
        }

    def plot(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Plot constraint error and step size over time.

        Parameters
        ----------
        folder : str or path-like
            Folder for the pictures.

        Returns
        -------
        list of Path
            The files written.
        """
        return compare_plots.plot(self, Path(folder))


@explains_arguments
def compare(
    model: Model,
    *,
    until: float | None = None,
    coordinates: Sequence[str] = ("relative", "cartesian"),
    formulations: Sequence[str] | None = None,
    integrators: Sequence[str] = ("adams",),
    repeats: int = 3,
    reference_rtol: float = 1e-11,
    progress: bool | None = None,
    **options: Any,
) -> Comparison:
    """Run a model with every combination of coordinates, formulations and integrators.

    Parameters
    ----------
    model : Model
        The model.
    until : float, optional
        End time (s); by default 1.
    coordinates : sequence of str, default ("relative", "cartesian")
        Coordinates to compare.
    formulations : sequence of str, optional
        Formulations to compare; by default all exact ones and "baumgarte".
    integrators : sequence of str, default ("adams",)
        Integrators to compare.
    repeats : int, default 3
        Number of timed runs of each combination; the fastest counts.
    reference_rtol : float, default 1e-11
        Relative tolerance of the reference.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal.
    **options : Any
        Options of the formulations and integrators as in `simulate`, such as `rtol`, `step` (by
        default 1/5000 of the run) or `stabilisation`. Each is passed to the methods that have it.

    Returns
    -------
    Comparison
        One row per combination: cost, constraint error, energy error and difference from the
        reference.

    Raises
    ------
    ModelError
        If none of the methods compared has one of the options.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> table = kt.compare(
    ...     four_bar(), until=0.1, coordinates=["relative"], formulations=["augmented"], repeats=1
    ... )
    >>> table.rows[0].position_error < 1e-9
    True
    """
    instance(model, Model, "compare: model")
    progress = None if progress is None else flag(progress, "compare: progress")
    reference_rtol = number(reference_rtol, "compare: reference_rtol", positive=True)
    repeats = whole(repeats, "compare: repeats", least=1)
    until = number(DEFAULT_UNTIL if until is None else until, "compare: until", positive=True)
    chosen = combinations(coordinates, formulations, integrators)
    refuse_idle(options, chosen)
    reference = tight_reference(model, until, reference_rtol)
    runs = [run_once(model, c, until, options) for c in counted(chosen, progress)]
    time_solvers(runs, repeats)
    fastest = min((r.seconds for r in runs), default=0.0)
    size = size_of(reference.solution) if reference.solution else None
    rows = tuple(row(r, reference, fastest) for r in runs)
    return Comparison(model.name, until, size, rows, reference, tuple(runs))


def row(run: Run, reference: Reference, fastest: float) -> Row:
    """Figures of a run."""
    head: dict[str, Any] = {
        **run.combination._asdict(),
        "rtol": run.rtol,
        "step": run.step,
        "refusal": run.refusal,
    }
    if run.refusal is not None:
        return Row(**head)
    sol, tight = run.found, reference.solution
    counts: dict[str, Any] = {
        name: sol.statistics[name]
        for name in (
            "velocities",
            "equations",
            "rank",
            "dof",
            "evaluations",
            "factorisations",
            "accepted",
            "rejected",
        )
    }
    measure = "imbalance" if sol.model.forces or sol.record.drive.any() else "drift"
    return Row(
        **head,
        **counts,
        seconds=run.seconds,
        ratio=run.seconds / fastest,
        position_error=sol.constraint_error.max(),
        velocity_error=float(sol.constraint_error.velocity.max(initial=0.0)),
        energy_error=getattr(sol.energy, measure),
        energy_measure=measure,
        difference=position_difference(sol, tight) if tight else None,
        angle=angle_difference(sol, tight) if tight else None,
    )
