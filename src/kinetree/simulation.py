"""The only orchestrator: check what goes with what, assemble, integrate, collect.

(Not called `simulate`, so that the module never hides the function `kinetree.simulate`.)
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace

import numpy as np

from .assembly.prepare import prepare
from .assembly.receipt import Assembly
from .compile.tables import Work
from .errors import ModelError, SimulationError
from .formulations.catalogue import formulation as find_formulation
from .formulations.contract import Formulation
from .formulations.samples import complete
from .frames import number, word
from .integrators.catalogue import find as find_integrator
from .integrators.drive import Failure, Result, integrate
from .model.model import Model
from .num.status import Status
from .progress import compiling_notice, progress_bar
from .results.explain import explain, explain_samples
from .results.solution import Solution

DEFAULT_SAMPLES = 500


@dataclass(frozen=True)
class Options:
    """What a run was asked to do; kept with its solution."""

    until: float
    coordinates: str = "relative"
    formulation: str = "augmented"
    integrator: str = "adams"
    rtol: float = 1e-8
    atol: float | None = None
    max_step: float | None = None
    step: float | None = None
    order: int | None = None
    output_interval: float | None = None
    topology: str = "auto"
    stabilisation: float | None = None
    threshold: float | None = None
    calibrate: bool | None = None


def simulate(model: Model, until: float, *, coordinates: str = "relative", formulation: str | None = None,
             integrator: str = "adams", rtol: float = 1e-8, atol: float | None = None, max_step: float | None = None,
             step: float | None = None, order: int | None = None, output_interval: float | None = None,
             topology: str = "auto", stabilisation: float | None = None, threshold: float | None = None,
             calibrate: bool | None = None, progress: bool | None = None) -> Solution:
    """Simulate a model from t = 0 until the given time.

    coordinates      "relative" (spanning tree and cut joints) or "cartesian" (a free joint per body, every joint cut)
    formulation      how constraints are treated; by default "tree" without closed loops and "augmented" with them
    integrator       how time advances; `step` (s) and `order` are for the fixed-step ones
    rtol, atol       accuracy per step; atol defaults to rtol, lengths in units of the machine's size, states of elements
                     and controllers in units of their scale
    stabilisation    alpha = beta (1/s) of the formulation "baumgarte"
    threshold        L (1/s) from which the integrator "switching" counts the machine as stiff (default 1500)
    calibrate        whether measured costs may move that threshold during the run (default yes)
    output_interval  seconds between samples (default: 500 over the run)
    progress         show a progress bar; by default for runs over a second on a terminal
    """
    _check(model, until=until, rtol=rtol, atol=atol, max_step=max_step, step=step, output_interval=output_interval,
           stabilisation=stabilisation, threshold=threshold)
    if order is not None and (isinstance(order, bool) or not isinstance(order, int)):
        raise ModelError(f"simulate: order must be a whole number, got {order!r}.")
    find_integrator(word(integrator, "simulate: integrator"))
    started = time.perf_counter()
    if formulation is not None:
        find_formulation(word(formulation, "simulate: formulation"))
    assembly = prepare(model, coordinates, topology, regular=True)
    method = chosen_formulation(formulation, assembly)
    options = Options(until, coordinates, method.name, integrator, rtol, atol, max_step, step, order, output_interval,
                      topology, stabilisation, threshold, calibrate)
    return run(assembly, method, options, progress, started)


def _check(model: Model, **values: float | None) -> None:
    """Every number of a request is a positive number, or None where that means the default."""
    if not isinstance(model, Model):
        raise ModelError(f"simulate: model must be a kt.Model, got {model!r}.")
    for name, value in values.items():
        if value is not None or name in ("until", "rtol"):
            number(value, f"simulate: {name}", positive=True)


def run(assembly: Assembly, method: Formulation, options: Options, progress: bool | None, started: float) -> Solution:
    """Integrate from an assembled state and collect the solution; an early end raises with what was done."""
    assembly = configured(assembly, method, options)
    work = assembly.compiled.workspace()
    with compiling_notice((method.kernels, options.integrator)), progress_bar(options.until, progress) as show:
        result = integrate(
            method.rhs, assembly.y, options.until, settle=method.settle, tables=assembly.compiled.tables, work=work,
            method=options.integrator, rtol=options.rtol, atol=tolerances(assembly, options), max_step=options.max_step,
            step=options.step, order=options.order, threshold=options.threshold, calibrate=options.calibrate,
            samples=_sample_times(options), on_chunk=show)
        solution, failure, sampled = _collect(assembly, method, options, result, started)
    if solution.result.stop is not None and not isinstance(solution.result.stop, KeyboardInterrupt):
        solution.result.stop.solution = solution
        raise solution.result.stop
    if result.status not in (Status.DONE, Status.MORE):
        message, element = explain(solution, work)
        raise SimulationError(message, result.t, element, solution)
    if len(solution.incomplete) and not solution.interrupted:
        message, element = explain_samples(solution, failure, sampled)
        raise SimulationError(message, failure.t, element, solution)
    return solution


def configured(assembly: Assembly, method: Formulation, options: Options) -> Assembly:
    """The assembly with the settings of the formulation in its tables."""
    tables = method.configure(assembly.compiled.tables, options.stabilisation)
    return replace(assembly, compiled=replace(assembly.compiled, tables=tables))


def chosen_formulation(name: str | None, assembly: Assembly) -> Formulation:
    loops = assembly.compiled.size["ng"] > 0
    method = find_formulation(name or ("augmented" if loops else "tree"))
    if loops and not method.loops:
        owners = ", ".join(dict.fromkeys(assembly.compiled.row_owner))
        raise ModelError(f"formulation {method.name!r} is for open trees, but {assembly.compiled.model.name!r} in "
                         f"{assembly.compiled.coordinates} coordinates has constraints ({owners}). Use 'augmented'.")
    return method


def tolerances(assembly: Assembly, options: Options) -> np.ndarray:
    """Absolute tolerance per state: angles in radians, lengths in units of the machine's size, others of their scale."""
    base = options.rtol if options.atol is None else options.atol
    compiled = assembly.compiled
    length = float(compiled.tables.settings[0]["length"])
    units = np.ones(len(assembly.y))
    for i in range(1, len(compiled.bodies)):
        link = compiled.tables.links[i]
        kind = compiled.joint_class(i)
        for k, label in enumerate(kind.labels):
            if label in ("displacement", "x", "y", "z"):
                units[link["iq"] + k] = length
        for k, unit in enumerate(kind.units):
            if unit == "m":
                units[compiled.size["nq"] + link["iv"] + k] = length
    for place in compiled.states.values():
        compiled.split(units)[2][place.ix] = place.state.scale
    return base * units


def _sample_times(options: Options) -> np.ndarray:
    if options.output_interval is None:
        return np.linspace(0.0, options.until, DEFAULT_SAMPLES + 1)
    interval = number(options.output_interval, "simulate: output_interval", positive=True)
    times = np.arange(int(np.floor(options.until / interval * (1 + 1e-12))) + 1) * interval
    times = np.minimum(times, options.until)  # n (until / n) may round beyond it
    return times if times[-1] > options.until * (1 - 1e-12) else np.append(times, options.until)


def _collect(assembly: Assembly, method: Formulation, options: Options, result: Result,
             started: float) -> tuple[Solution, Failure, Work]:
    """Complete the samples reached and the last good state of a run that ended early; what failed in that, and the scratch."""
    t, y = np.array(result.samples_t), np.array(result.samples_y)
    if len(t) and t[-1] == result.t:
        y[-1] = result.y  # the end itself, not interpolated
    if not result.done and (not len(t) or t[-1] < result.t):
        t, y = np.append(t, result.t), np.vstack([y.reshape(-1, len(result.y)), result.y])
    work = assembly.compiled.workspace()
    vdot, lam, _, watch = complete(method, assembly.compiled, work, t, y)
    if watch.stop is not None:
        result = replace(result, interrupted=True, stop=watch.stop)
    return Solution(assembly, method, asdict(options), result, t, y, vdot, lam,
                    time.perf_counter() - started), Failure.of(work, watch), work
