"""Runs of a comparison: the combinations, their solutions, and the CPU time of the solver alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ...core.checks import words
from ...description.lowering.trees import COORDINATES
from ...description.model import Model
from ...engine.formulations.catalogue import FORMULATIONS
from ...engine.formulations.catalogue import formulation as find_formulation
from ...engine.integrators.catalogue import INTEGRATORS
from ...engine.integrators.catalogue import find as find_integrator
from ...errors import KinetreeError, ModelError, ResultError, SimulationError, no_such
from ...options import Choice, Method, has, values
from ...results.solution import Solution
from ...simulation.run import advance, breaks_in
from ...simulation.simulate import simulate

FIXED_STEPS = 5000  # steps of a fixed-step integrator, unless a step is given
TURN = 0.02  # s of timing per combination and round


class Combination(NamedTuple):
    """Coordinates, formulation and integrator of one run."""

    coordinates: str
    formulation: str
    integrator: str


@dataclass
class Run:
    """One run of a comparison, or the reason why it cannot run.

    Attributes
    ----------
    combination : tuple of str
        Coordinates, formulation and integrator.
    rtol : float or None
        Relative tolerance per step.
    step : float or None
        Length of the fixed steps (s).
    solution : Solution or None
        The solution, if the combination can run.
    refusal : str or None
        The reason why it cannot run.
    seconds : float
        CPU time of the solver (s), the best so far.
    """

    combination: Combination
    rtol: float | None = None
    step: float | None = None
    solution: Solution | None = None
    refusal: str | None = None
    seconds: float = float("inf")

    @property
    def found(self) -> Solution:
        """The solution of a run that succeeded."""
        if self.solution is None:
            raise ResultError(f"{', '.join(self.combination)} could not run: {self.refusal}")
        return self.solution


@dataclass(frozen=True)
class Reference:
    """Reference run of a comparison at a tight tolerance, or the reason why there is none.

    Attributes
    ----------
    solution : Solution or None
        The run.
    rtol : float
        Its relative tolerance.
    doubt : float or None
        Its difference from a second run in other coordinates, in sizes of the model.
    refusal : str or None
        The reason why there is no reference.
    """

    solution: Solution | None
    rtol: float
    doubt: float | None = None
    refusal: str | None = None


def default_formulations() -> tuple[str, ...]:
    """The exact formulations, and stabilization."""
    return tuple(f.name for f in FORMULATIONS if f.exact or f.name == "baumgarte")


def combinations(
    coordinates: Sequence[str], formulations: Sequence[str] | None, integrators: Sequence[str]
) -> list[Combination]:
    """All combinations of the names; an unknown name is an error, not a row."""
    formulations = (
        default_formulations()
        if formulations is None
        else words(formulations, "compare: formulations", "augmented")
    )
    coordinates = words(coordinates, "compare: coordinates", "relative")
    integrators = words(integrators, "compare: integrators", "adams")
    for name in coordinates:
        if name not in COORDINATES:
            raise ModelError(
                f"coordinates {name!r} are not known; choose among {', '.join(COORDINATES)}."
            )
    for name in formulations:
        find_formulation(name)
    for name in integrators:
        find_integrator(name)
    found = [Combination(*names) for names in product(coordinates, formulations, integrators)]
    if not found:
        raise ModelError(
            "compare: name at least one of each: coordinates, formulations, integrators."
        )
    return found


def refuse_idle(given: Mapping[str, Any], chosen: Sequence[Combination]) -> None:
    """Raise an error for an option that no method of the comparison has."""
    owned = {option.name for c in chosen for method in _methods(c) for option in method.options}
    for name, value in given.items():
        if value is not None and name not in owned:
            raise no_such("option", name, owned, " of the methods compared")


def own_options(combination: Combination, until: float, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a combination: those of the given ones that it has."""
    given = {"step": until / FIXED_STEPS} | {
        name: value for name, value in given.items() if value is not None
    }
    own = {
        name: value
        for name, value in given.items()
        if any(has(method, name) for method in _methods(combination))
    }
    formulation, integrator = _methods(combination)
    return values(
        own,
        Choice("formulation", formulation, FORMULATIONS),
        Choice("integrator", integrator, INTEGRATORS),
    )


def _methods(combination: Combination) -> tuple[Method, Method]:
    return find_formulation(combination.formulation), find_integrator(combination.integrator)


def run(model: Model, combination: Combination, until: float, given: Mapping[str, Any]) -> Run:
    """Simulate once with those of the given options that the methods have; an error becomes the
    reason.
    """
    done = Run(combination)
    try:
        own = own_options(combination, until, given)
        done.rtol, done.step = own.get("rtol"), own.get("step")
        done.solution = simulate(model, until, **combination._asdict(), **own, progress=False)
    except KinetreeError as error:
        done.refusal = _sentence(error)
        return done
    if done.solution.interrupted:
        raise KeyboardInterrupt
    if not done.solution.success:
        done.refusal = f"it {done.solution.message}."
    return done


def _sentence(error: KinetreeError) -> str:
    """The message of an error without the sentence about the last good state, which is not kept
    here.
    """
    return str(error).replace(" The last good state is kept in err.solution.", "")


def counted(items: Sequence, progress: bool | None) -> Iterable:
    """Iterate over the items with a progress bar; shown by default on a terminal."""
    from rich.console import Console
    from rich.progress import track

    hidden = progress is False or (progress is None and not sys.stderr.isatty())
    return track(items, "comparing", console=Console(stderr=True), transient=True, disable=hidden)


def time_solvers(runs: Iterable[Run], repeats: int) -> None:
    """Measure the CPU time of the solver call alone, in rounds, so that a load on the computer does
    not affect one combination only.

    After the first round, short runs are measured several times per round.
    """
    working = [r for r in runs if r.refusal is None]
    for _ in range(max(repeats, 1)):
        for r in working:
            tries = min(max(int(TURN / r.seconds), 1), 10)
            r.seconds = min(r.seconds, *(solver_seconds(r.found) for _ in range(tries)))


def solver_seconds(solution: Solution) -> float:
    """Integrate once more exactly as the run did, without assembly, completion and collection of
    samples; return the CPU time (s).
    """
    assembly, options = solution.assembly, solution.options
    work = assembly.compiled.workspace(solution.method.storage)
    breaks = breaks_in(assembly, options["until"], options)
    began = time.process_time()
    advance(assembly, solution.method, options, solution.result.samples_t, work, breaks)
    return max(time.process_time() - began, 1e-9)  # a coarse clock may return 0


def tight_reference(model: Model, until: float, rtol: float) -> Reference:
    """Run in relative coordinates with the default formulation and Adams, and again in Cartesian
    coordinates to estimate its error.
    """
    solution, refusal = None, ""
    # the tightest tolerance cannot be reached in some motions through singular positions
    for tried in (
        rtol,
        10.0 * rtol,
        100.0 * rtol,
    ):
        try:
            solution = simulate(model, until, rtol=tried, progress=False)
            break
        except SimulationError as error:
            refusal = _sentence(error)
    if solution is None:
        return Reference(None, rtol, refusal=refusal)
    other = run(model, Combination("cartesian", "augmented", "adams"), until, {"rtol": tried})
    return Reference(
        solution, tried, None if other.refusal else position_difference(other.found, solution)
    )


def size_of(solution: Solution) -> float:
    """Model size: the longest arm on any moving body (m)."""
    return float(solution.compiled.tables.settings[0]["length"])


def position_difference(solution: Solution, reference: Solution) -> float:
    """Largest distance of a body from its position in the reference, over all bodies and samples,
    in model sizes.
    """
    apart = _by_name(solution, "position") - _by_name(reference, "position")
    return float(np.linalg.norm(apart, axis=2).max(initial=0.0)) / size_of(reference)


def angle_difference(solution: Solution, reference: Solution) -> float:
    """Largest rotation of a body from the reference (rad):  |R - R'| = sqrt(8) sin(angle / 2)."""
    apart = np.linalg.norm(_by_name(solution, "rotation") - _by_name(reference, "rotation"), axis=2)
    return float(2.0 * np.arcsin(np.minimum(apart / np.sqrt(8.0), 1.0)).max(initial=0.0))


def _by_name(solution: Solution, what: str) -> np.ndarray:
    """A quantity of all bodies in the user's order; trees number bodies differently."""
    order = [solution.compiled.body_index(name) for name in solution.model.bodies]
    return getattr(solution.record, what)[:, order]
