"""The only orchestrator: check what goes with what, assemble, integrate, collect.

(Not called `simulate`, so that the module never hides the function `kinetree.simulate`.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .assembly.absorb import SLACK
from .assembly.prepare import prepare
from .assembly.receipt import Assembly
from .compile.breaks import breaks_of, moving
from .compile.tables import Work
from .dynamics.continuity import jumps_near
from .errors import ModelError, SimulationError
from .events.event import Event, events_of
from .events.moments import Moments
from .events.watch import Watch
from .formulations.catalogue import FORMULATIONS
from .formulations.catalogue import formulation as find_formulation
from .formulations.contract import Formulation
from .formulations.impulse import impulse
from .formulations.samples import complete
from .frames import number, word
from .integrators.catalogue import INTEGRATORS
from .integrators.catalogue import find as find_integrator
from .integrators.contract import Integrator
from .integrators.drive import Failure, Result, integrate
from .integrators.stretches import Breaks, seen_at
from .model.model import Model
from .num.status import Status
from .options import RTOL, Choice, Method, values
from .progress import compiling_notice, progress_bar
from .results.energy import DRIVERS
from .results.explain import explain, explain_samples
from .results.holdup import HELD_UP, held_up
from .results.solution import Solution

DEFAULT_SAMPLES, MOST_SAMPLES = 500, 10_000_000
LEDGER = 10.0  # how much looser the energy ledger is under the error test than the motion
_PERHAPS_A_JUMP = (Status.STEP_TOO_SMALL, Status.NO_CLOSURE, Status.RATE_JUMP, Status.STALLED)  # of a driver's position


@dataclass(frozen=True)
class Options:
    """What a run was asked to do; kept with its solution."""

    until: float
    coordinates: str = "relative"
    formulation: str = "augmented"
    integrator: str = "adams"
    output_interval: float | None = None
    topology: str = "auto"
    slack: float = SLACK
    events: tuple[str, ...] = ()  # their names
    chosen: dict[str, Any] = field(default_factory=dict)  # the options of the formulation and the integrator, all of them

    def to_dict(self) -> dict[str, Any]:
        """All by name."""
        return {name: value for name, value in vars(self).items() if name != "chosen"} | self.chosen


def simulate(model: Model, until: float, *, coordinates: str = "relative", formulation: str | None = None,
             integrator: str = "adams", output_interval: float | None = None, topology: str = "auto",
             slack: float = SLACK, events: Any = (), progress: bool | None = None, **options: Any) -> Solution:
    """Simulate a model from t = 0 until the given time.

    coordinates      "relative" (spanning tree and cut joints) or "cartesian" (a free joint per body, every joint cut)
    formulation      how constraints are treated; by default "tree" without closed loops and "augmented" with them
    integrator       how time advances
    output_interval  seconds between samples (default: 500 over the run)
    slack            gap, in sizes of the machine, that loops may leave open in redundant directions at the start
    events           what to look for: kt.Event, names of channels, functions f(t, s); one or several. They are in `sol.events`
    progress         show a progress bar; by default for runs over a second on a terminal

    and the options of the formulation and the integrator (`kinetree list options` has them all; others are refused):

    rtol, atol       accuracy per step of integrators with variable step; atol defaults to rtol, lengths in units of the
                     machine's size, states of elements and controllers in units of their scale
    max_step, first_step   the longest and the first step of these (s)
    step             of the fixed-step integrators (s)
    breakpoints      times (s) at which a step must end, besides those that the time functions of the model know
    max_steps        accepted steps after which the run ends with an error that says what holds it up (default: a million, or
                     2000 per sample; none with fixed steps)
    time_limit       the same in seconds of the clock (default: none)
    order            of "adams-fixed"; the highest one of "adams" and "bdf"
    threshold        L (1/s) from which the integrator "switching" counts the machine as stiff (default 1500)
    calibrate        whether measured costs may move that threshold during the run (default yes)
    stabilisation    alpha = beta (1/s) of the formulation "baumgarte" (default 20)
    """
    _check(model, until, output_interval, slack)
    advancing = find_integrator(word(integrator, "simulate: integrator"))
    started = time.perf_counter()
    if formulation is not None:
        find_formulation(word(formulation, "simulate: formulation"))
    assembly = prepare(model, coordinates, topology, regular=True, slack=slack)
    method = chosen_formulation(formulation, assembly)
    chosen = values(options, Choice("formulation", method, FORMULATIONS), Choice("integrator", advancing, INTEGRATORS),
                    beside=simulate.__kwdefaults__ or ())
    watched = events_of(events, (*model.forces, DRIVERS))
    asked = Options(until, coordinates, method.name, integrator, output_interval, topology, slack,
                    tuple(event.name for event in watched), chosen)
    return run(assembly, method, asked, progress, started, watched)


def _check(model: Model, until: float, output_interval: float | None, slack: float) -> None:
    """What every run needs, whatever its methods."""
    if not isinstance(model, Model):
        raise ModelError(f"simulate: model must be a kt.Model, got {model!r}.")
    number(until, "simulate: until", positive=True)
    number(slack, "simulate: slack", at_least_zero=True)
    if output_interval is not None:
        number(output_interval, "simulate: output_interval", positive=True)


def run(assembly: Assembly, method: Formulation, options: Options, progress: bool | None, started: float,
        events: tuple[Event, ...] = ()) -> Solution:
    """Integrate from an assembled state and collect the solution; an early end raises with what was done."""
    assembly = configured(assembly, method, options)
    work, breaks = assembly.compiled.workspace(), breaks_in(assembly, options.until, options.chosen)
    with compiling_notice((method.kernels, options.integrator)), progress_bar(options.until, progress) as show:
        samples = sample_times(options.until, options.output_interval, "simulate")
        result = advance(assembly, method, options.to_dict(), samples, work, breaks, show, events)
        jumps = tuple(sorted({*breaks.jumps, *(one.t for one in result.events if one.after is not None)}))
        solution, failure, sampled = _collect(assembly, method, options, result, jumps, started)
    stop = solution.result.stop
    if stop is not None and not isinstance(stop, KeyboardInterrupt):
        vars(stop)["solution"] = solution  # for whoever catches it, as that of a SimulationError
        raise stop
    result = _jump_named(assembly, result, work)
    if result.status not in (Status.DONE, Status.MORE):
        message, element = explain(replace(solution, result=result), work)
        if result.status in HELD_UP:
            held, element = held_up(assembly.compiled, method, result, tolerances(assembly, 1.0))
            message += held
        raise SimulationError(message, result.t, element, solution)
    if len(solution.incomplete) and not solution.interrupted:
        message, element = explain_samples(solution, failure, sampled)
        raise SimulationError(message, failure.t, element, solution)
    return solution


def advance(assembly: Assembly, method: Formulation, options: Mapping[str, Any], samples: np.ndarray, work: Work,
            breaks: Breaks, on_chunk: Callable[[float], object] | None = None, events: tuple[Event, ...] = ()) -> Result:
    """The time loop alone, with the energy ledger behind the state; `options` are those of the run, all by name."""
    ledger = ledger_sizes(assembly)
    watch = None
    if events:
        watch = Watch(events, Moments.of(assembly, method, dict(options)), options.get("rtol", RTOL.default), assembly.t,
                      options["until"], len(assembly.y))
    return integrate(method.rhs, np.append(assembly.y, np.zeros_like(ledger)), options["until"], settle=method.settle,
                     tables=assembly.compiled.tables, work=work, method=options["integrator"], samples=samples,
                     on_chunk=on_chunk, breaks=breaks, jump=_jump(assembly, work), carried=ledger,
                     t0=assembly.t, watcher=watch, **stepping(assembly, find_integrator(options["integrator"]), options))


def _jump_named(assembly: Assembly, result: Result, work: Work) -> Result:
    """The result, with a driver's jump as its cause where one has stopped it by other means."""
    if result.status not in _PERHAPS_A_JUMP:
        return result
    t = float(work.report[0]["jump"]) if result.status == Status.RATE_JUMP else result.t
    return replace(result, status=Status.POSITION_JUMP) if jumps_near(assembly.compiled.tables, work, t) else result


def breaks_in(assembly: Assembly, until: float, options: Mapping[str, Any]) -> Breaks:
    """Where steps must end: at the breakpoints of the model and of the request."""
    jumps, stops = breaks_of(assembly.compiled, assembly.t, until)
    return Breaks(tuple(sorted(jumps)), tuple(sorted(stops))).joined(options["breakpoints"])


def ledger_sizes(assembly: Assembly) -> np.ndarray:
    """Energies (J) to which the work of each force element and of the drivers is exact: LEDGER times those of the machine.

    These are its weight times its size, or what it would have in it at a speed of one size or radian per second.
    """
    tables, settings = assembly.compiled.tables, assembly.compiled.tables.settings[0]
    count = len(tables.forces)
    if not count and not moving(assembly.compiled):
        return np.zeros(0)
    mass, length = float(tables.links["mass"].sum()), float(settings["length"])
    return np.full(count + 1, LEDGER * mass * length * max(float(np.linalg.norm(settings["gravity"])), length))


def _jump(assembly: Assembly, work: Work) -> Callable[[float, np.ndarray], Status] | None:
    """What happens at a break: velocities jump with the drivers."""
    if not moving(assembly.compiled):
        return None

    def jump(t: float, y: np.ndarray) -> Status:
        status, work.report[0]["index"] = impulse(assembly.compiled, t, y)
        return status

    return jump


def options_of(method: Method, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options of one method among those chosen."""
    return {option.name: chosen[option.name] for option in method.options}


def configured(assembly: Assembly, method: Formulation, options: Options) -> Assembly:
    """The assembly with the settings of the formulation in its tables, and how many equations are independent."""
    tables = method.configure(assembly.compiled.tables, options_of(method, options.chosen), assembly.rank)
    return replace(assembly, compiled=replace(assembly.compiled, tables=tables))


def chosen_formulation(name: str | None, assembly: Assembly) -> Formulation:
    loops = assembly.compiled.size["ng"] > 0
    method = find_formulation(name or ("augmented" if loops else "tree"))
    if loops and not method.loops:
        owners = ", ".join(dict.fromkeys(assembly.compiled.row_owner))
        raise ModelError(f"formulation {method.name!r} is for open trees, but {assembly.compiled.model.name!r} in "
                         f"{assembly.compiled.coordinates} coordinates has constraints ({owners}). Use 'augmented'.")
    return method


def stepping(assembly: Assembly, integrator: Integrator, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the integrator among those chosen, with the absolute tolerance of every state."""
    own = options_of(integrator, chosen)
    if "atol" in own:
        base = own["rtol"] if own["atol"] is None else number(own["atol"], "simulate: atol")
        own["atol"] = tolerances(assembly, base)
    return own


def tolerances(assembly: Assembly, base: float) -> np.ndarray:
    """Absolute tolerance per state: angles in radians, lengths in units of the machine's size, others of their scale."""
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


def sample_times(until: float, interval: float | None, what: str) -> np.ndarray:
    """Times of the samples: so far apart, and the end; by default 500 over the run."""
    if interval is None:
        return np.linspace(0.0, until, DEFAULT_SAMPLES + 1)
    interval = number(interval, f"{what}: output_interval", positive=True)
    if until / interval > MOST_SAMPLES:
        raise ModelError(f"{what}: output_interval {interval:g} s over {until:g} s would be {until / interval:.2g} samples; ask "
                         f"for at most {MOST_SAMPLES:.0e}, {until / MOST_SAMPLES:.3g} s apart or more.")
    times = np.arange(int(np.floor(until / interval * (1 + 1e-12))) + 1) * interval
    times = np.minimum(times, until)  # n (until / n) may round beyond it
    return times if times[-1] > until * (1 - 1e-12) else np.append(times, until)


def _collect(assembly: Assembly, method: Formulation, options: Options, result: Result, breaks: tuple[float, ...],
             started: float) -> tuple[Solution, Failure, Work]:
    """Complete the samples reached and the last good state of a run that ended early; what failed in that, and the scratch."""
    t, y, ledger = np.array(result.samples_t), np.array(result.samples_y), result.carried
    if len(t) and t[-1] == result.t:
        y[-1] = result.y  # the end itself, not interpolated
    if (not result.done or result.ended) and (not len(t) or t[-1] < result.t):
        t, y = np.append(t, result.t), np.vstack([y.reshape(-1, len(result.y)), result.y])
        if ledger is not None and result.carried_end is not None:
            ledger = np.vstack([ledger, result.carried_end])
    work = assembly.compiled.workspace()
    vdot, lam, first, watch = complete(method, assembly.compiled, work, seen_at(t, breaks, options.until), y)
    if watch.stop is not None:
        result = replace(result, interrupted=True, stop=watch.stop)
    return Solution(assembly, method, options.to_dict(), result, t, y, vdot, lam, time.perf_counter() - started, ledger, breaks,
                    first == len(t)), Failure.of(work, watch), work
