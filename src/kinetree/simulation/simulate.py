"""The only orchestrator: check what goes with what, assemble, integrate, collect.

(Not called `simulate`, so that the module never hides the function `kinetree.simulate`.)
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from ..assembly.gaps import SLACK
from ..assembly.nodal import in_nodes
from ..assembly.plane import in_plane
from ..assembly.result import Assembly
from ..core.checks import flag, instance
from ..core.progress import progress_bar
from ..description.lowering.flexible import beams_of
from ..description.model import Model
from ..engine.dynamics.continuity import jumps_near
from ..engine.formulations.catalogue import FORMULATIONS
from ..engine.formulations.catalogue import formulation as find_formulation
from ..engine.formulations.contract import Formulation
from ..engine.integrators.catalogue import INTEGRATORS
from ..engine.integrators.catalogue import find as find_integrator
from ..engine.integrators.contract import Integrator, Problem
from ..engine.integrators.result import Failure, Result
from ..engine.integrators.segments import seen_at
from ..errors import ModelError, ResultError, SimulationError
from ..kernel.frames import number, word
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from ..kernel.usercode.holding import Holding, held
from ..options import PLANAR, STEP, Choice, values
from ..results.completion import Solved, complete_run, parted
from ..results.energy import DRIVERS
from ..results.explain import explain, explain_samples
from ..results.sampling import sample_times
from ..results.solution import Solution
from ..results.stiffness_diagnosis import HELD_UP, held_up
from ..results.storage.growing import Growing, begun
from .events.event import Event, events_of, gaps
from .run import (
    Options,
    advance,
    breaks_in,
    check_pair,
    choose_steps,
    chosen_formulation,
    configured,
    interval_of,
    scratch,
    tolerances,
)
from .slowness import warn_of_dense_algebra
from .states import state_of

_DONE = (Status.DONE, Status.MORE)
NODES = "nodes"  # the formulation of the structural integrators
_PERHAPS_A_JUMP = (
    Status.STEP_TOO_SMALL,
    Status.NO_CLOSURE,
    Status.RATE_JUMP,
    Status.STALLED,
)  # of a driver's position


def simulate(
    model: Model,
    until: float,
    *,
    coordinates: str = "relative",
    formulation: str | None = None,
    integrator: str | None = None,
    output_interval: float | None = None,
    topology: str = "auto",
    slack: float = SLACK,
    state: Any = None,
    t0: float | None = None,
    events: Any = (),
    progress: bool | None = None,
    out: str | os.PathLike | None = None,
    **options: Any,
) -> Solution:
    """Simulate a model until the given time, from t = 0 or from the time of a state.

    coordinates      "relative" (spanning tree and cut joints) or "cartesian" (a free joint per
                     body, every joint cut)
    formulation      how constraints are treated; by default "tree" without closed loops and
                     "augmented" with them
    integrator       how time advances; by default "adams", and "energy-conserving" of machines with
                     beams
    output_interval  seconds between samples (default: 500 over the run)
    slack            gap, in sizes of the machine, that loops may leave open in redundant directions
                     at the start
    state            where to start: an equilibrium, an assembly, `sol.at(t)`, (solution, time), a
                     kt.State, or a dict of
                     coordinates, speeds and states ({"A.angle": 0.3, "A.rate": 2.0}); by default as
                     the model says
    t0               when to start (s); by default at the time of the state, else at 0
    events           what to look for: kt.Event, names of channels, functions f(t, s); one or
                     several. They are in `sol.events`
    progress         show a progress bar; by default for runs over a second on a terminal
    out              a file (NetCDF) that grows with the run, for kt.open_solution; a run that is
                     killed leaves what it had

    and the options of the formulation and the integrator (`kinetree list options` has them all;
    others are refused):

    rtol, atol       accuracy per step of integrators with variable step; atol defaults to rtol,
                     lengths in units of the
                     machine's size, states of elements and controllers in units of their scale;
                     rates count per second, or per time of its motion where a machine is a thousand
                     times faster or eight times slower than that
    max_step, first_step   the longest and the first step of these (s). Where user code is in the
                           model, the longest step is
                     1/500 of the run by default, or what that code declares by `longest_step`, and
                     user code is probed inside steps, at a quarter of that
    step             of the fixed-step integrators (s); of the structural ones by default a
                     thousandth of the run, or chosen by
                     the error of each step where rtol is given instead
    breakpoints      times (s) at which a step must end, besides those that the time functions of
                     the model know
    max_steps        accepted steps after which the run ends with an error that says what holds it
                     up (default: a million, or
                     2000 per sample; none with fixed steps)
    time_limit       the same in seconds of the clock (default: none)
    order            of "adams-fixed"; the highest one of "adams" and "bdf"
    threshold        L (1/s) from which the integrator "switching" counts the machine as stiff
                     (default 1500)
    calibrate        whether measured costs may move that threshold during the run (default yes)
    linearize_every  seconds between linearizations of "switching" as printed (default: L is
                     estimated as the run goes)
    planar           whether structural integrators compute a machine with beams in a plane
                     (default: where it stays in one)
    closure          error of the constraints (m, m/s) up to which states are left uncorrected after
                     a step (default 0: rounding)
    stabilisation    alpha = beta (1/s) of the formulation "baumgarte" (default 20)
    sparse           whether "augmented" and "baumgarte" solve by sparse factors (default: in
                     machines with many loops)
    """
    until, t0, slack, output_interval = _check(
        model, until, output_interval, slack, t0, state, progress
    )
    integrator = (
        usual_integrator(model) if integrator is None else word(integrator, "simulate: integrator")
    )
    advancing = find_integrator(integrator)
    started = time.perf_counter()
    if formulation is not None:
        find_formulation(word(formulation, "simulate: formulation"))
    nodes = Problem.NODES in advancing.handles
    if nodes:
        coordinates, formulation = _for_nodes(model, formulation, advancing)
    elif beams_of(model):
        raise ModelError(_refused(model, advancing))
    elif formulation == NODES:
        raise ModelError(
            f"formulation {NODES!r} is that of the structural integrators, not of "
            f"{advancing.name!r}; drop it."
        )
    coordinates = word(coordinates, "coordinates")
    assembly = state_of(model, state, coordinates, topology, slack, t0, regular=True)
    assembly = in_nodes(assembly, regular=True) if nodes else assembly
    method = chosen_formulation(formulation, assembly)
    check_pair(method, advancing)
    chosen = values(
        options,
        Choice("formulation", method, FORMULATIONS),
        Choice("integrator", advancing, INTEGRATORS),
        beside=simulate.__kwdefaults__ or (),
    )
    if nodes:
        choose_steps(advancing, chosen, until - assembly.t)
    watched = (*events_of(events, (*model.forces, DRIVERS)), *gaps(model))
    given = None if state is None else sha256(assembly.y.tobytes()).hexdigest()[:16]
    asked = Options(
        until,
        coordinates,
        method.name,
        integrator,
        output_interval,
        topology,
        slack,
        given,
        assembly.t,
        tuple(event.name for event in watched),
        chosen,
    )
    return run(assembly, method, asked, progress, started, watched, out)


def usual_integrator(model: Model) -> str:
    """The integrator of a model for which none is asked for."""
    return "energy-conserving" if beams_of(model) else "adams"


def _for_nodes(model: Model, formulation: str | None, method: Integrator) -> tuple[str, str]:
    """What a structural integrator is given: it assembles in relative coordinates and runs on
    nodes.
    """
    if model.generated is not None:
        raise ModelError(
            f"integrator {method.name!r} moves bodies as nodes, and model {model.name!r} has "
            "generated equations in "
            "the coordinates of its joints. Choose an integrator of the other family, such as "
            "'adams'."
        )
    if formulation not in (None, NODES):
        raise ModelError(
            f"integrator {method.name!r} has a formulation of its own, {NODES!r}; leave "
            "formulation= away, or "
            "choose an integrator of the other family, such as 'adams'."
        )
    return "relative", NODES


def _refused(model: Model, method: Integrator) -> str:
    names = ", ".join(repr(beam.name) for beam in beams_of(model))
    able = ", ".join(repr(i.name) for i in INTEGRATORS if Problem.NODES in i.handles)
    return (
        f"integrator {method.name!r} is for rigid machines, and {names} of model {model.name!r} is "
        "a beam. Choose a "
        f"structural integrator: {able}."
    )


def _check(
    model: Model,
    until: float,
    output_interval: float | None,
    slack: float,
    t0: float | None,
    state: Any,
    progress: bool | None,
) -> tuple[float, float | None, float, float | None]:
    """What every run needs, whatever its methods: (until, t0, slack, output_interval) as plain
    numbers.
    """
    instance(model, Model, "simulate: model")
    if progress is not None:
        flag(progress, "simulate: progress")
    until = number(until, "simulate: until", positive=t0 is None and state is None)
    t0 = None if t0 is None else number(t0, "simulate: t0")
    slack = number(slack, "simulate: slack", at_least_zero=True)
    if output_interval is not None:
        output_interval = number(output_interval, "simulate: output_interval", positive=True)
    return until, t0, slack, output_interval


def run(
    assembly: Assembly,
    method: Formulation,
    options: Options,
    progress: bool | None,
    started: float,
    events: tuple[Event, ...] = (),
    out: str | os.PathLike | None = None,
) -> Solution:
    """Integrate from an assembled state and collect the solution; an early end raises with what was
    done.

    Ctrl-C ends the run and gives what was done, whenever it comes (kernel/usercode/holding.py); SIGTERM
    raises SystemExit with it.
    """
    with held() as (signals, own):
        solution = _run(assembly, method, options, progress, started, events, out, signals)
    if signals.asked is not None:
        solution.result = replace(solution.result, interrupted=True)
        if own and not isinstance(signals.asked, KeyboardInterrupt):
            vars(signals.asked)["solution"] = solution
            raise signals.asked
    return solution


def _run(
    assembly: Assembly,
    method: Formulation,
    options: Options,
    progress: bool | None,
    started: float,
    events: tuple[Event, ...],
    out: str | os.PathLike | None,
    signals: Holding,
) -> Solution:
    in_space = assembly
    if method.name == NODES:
        assembly = in_plane(assembly, options.chosen[PLANAR.name], options.until)
    assembly = configured(assembly, method, options)
    warn_of_dense_algebra(assembly, method, options)
    work = scratch(assembly.compiled, method, find_integrator(options.integrator))
    breaks = breaks_in(assembly, options.until, options.chosen)
    with progress_bar(options.until, progress) as show:
        samples = sample_times(
            options.until, interval_of(options, assembly.t), "simulate", assembly.t
        )
        if method.name == NODES and options.chosen[STEP.name] is None:
            breaks = breaks._replace(
                stops=tuple(sorted({*breaks.stops, *samples}))
            )  # energy is exact at the ends of steps
        file = (
            None
            if out is None
            else Growing(out, begun(assembly, method, options.to_dict(), breaks.jumps))
        )
        result = advance(
            assembly,
            method,
            options.to_dict(),
            samples,
            work,
            breaks,
            lambda t: show(t) is not False and signals.asked is None,
            events,
            file,
        )
        if result.status in _DONE:
            del (
                work
            )  # large machines have a large one; what is asked of it below is why a run failed
        jumps = tuple(
            sorted({*breaks.jumps, *(one.t for one in result.events if one.after is not None)})
        )
        solution, failure, sampled = collect(
            assembly, method, options, result, jumps, started, signals
        )
        unwritten = None if file is None else _finish(file, solution, signals)
    solution.watched = events
    stop = solution.result.stop
    if stop is not None and not isinstance(stop, KeyboardInterrupt):
        vars(stop)["solution"] = solution  # for whoever catches it, as that of a SimulationError
        raise stop
    if result.status == Status.OUT_OF_PLANE and options.chosen[PLANAR.name] is None:
        again = replace(options, chosen={**options.chosen, PLANAR.name: False})
        if file is not None:
            file.drop()  # what was written of the run in the plane
        return _run(in_space, method, again, progress, started, events, out, signals)
    if result.status not in _DONE:
        result = _jump_named(assembly, result, work)
        message, element = explain(replace(solution, result=result), work)
        if result.status in HELD_UP:
            held, element = held_up(assembly.compiled, method, result, tolerances(assembly, 1.0))
            message += held
        raise SimulationError(message, result.t, element, solution) from unwritten
    if unwritten is not None:
        raise unwritten
    if len(solution.incomplete) and not solution.interrupted:
        message, element = explain_samples(solution, failure, sampled)
        raise SimulationError(message, failure.t, element, solution)
    return solution


def _finish(file: Growing, solution: Solution, signals: Holding) -> ResultError | None:
    """The whole run into its file; why it could not be written, unless a second signal has ended
    that.
    """
    try:
        signals.writing = True
        file.finish(solution)
    except ResultError as error:
        return error
    except (KeyboardInterrupt, SystemExit):
        signals.asked = signals.asked or KeyboardInterrupt()
    finally:
        signals.writing = False
    return None


def _jump_named(assembly: Assembly, result: Result, work: Work) -> Result:
    """The result, with a driver's jump as its cause where one has stopped it by other means."""
    if result.status not in _PERHAPS_A_JUMP:
        return result
    t = float(work.report[0]["jump"]) if result.status == Status.RATE_JUMP else result.t
    return (
        replace(result, status=Status.POSITION_JUMP)
        if jumps_near(assembly.compiled.tables, work, t)
        else result
    )


def collect(
    assembly: Assembly,
    method: Formulation,
    options: Options,
    result: Result,
    breaks: tuple[float, ...],
    started: float,
    signals: Holding,
) -> tuple[Solution, Failure, Work]:
    """Complete the samples reached and the last good state of a run that ended early; what failed
    in that, and the scratch.
    """
    t, y, ledger = (
        result.samples_t,
        result.samples_y,
        result.carried,
    )  # settled in place: long runs are not copied
    if len(t) and t[-1] == result.t:
        y[-1] = result.y  # the end itself, not interpolated
    if (not result.done or result.ended) and (not len(t) or t[-1] < result.t):
        t, y = np.append(t, result.t), np.vstack([y.reshape(-1, len(result.y)), result.y])
        if ledger is not None and result.carried_end is not None:
            ledger = np.vstack([ledger, result.carried_end])
    work = assembly.compiled.workspace(method.storage)
    solved, watch = complete_run(
        method,
        assembly.compiled,
        work,
        seen_at(t, breaks, options.until),
        y,
        lambda: signals.insisted,
    )
    if method.name == NODES and ledger is not None:
        ledger, own_vdot, own_lam = parted(assembly.compiled, ledger)
        if find_integrator(options.integrator).own_reactions:
            solved = Solved(own_vdot, own_lam, solved.lost)
    if watch.stop is not None:
        result = replace(result, interrupted=True, stop=watch.stop)
    elif signals.insisted:
        result = replace(result, interrupted=True)
    solution = Solution(
        assembly,
        method,
        options.to_dict(),
        result,
        t,
        y,
        solved,
        time.perf_counter() - started,
        ledger,
        breaks,
    )
    return solution, Failure.of(work, watch), work
