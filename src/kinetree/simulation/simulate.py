"""A run from the model to the solution: check the arguments, assemble, integrate, collect.

(The module is not called `simulate`, so that it never hides the function `kinetree.simulate`.)
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from ..assembly.gaps import SLACK
from ..assembly.nodal import in_nodes
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
from ..engine.integrators.segments import evaluation_times
from ..errors import ModelError, ResultError, SimulationError, explains_arguments
from ..kernel.frames import number, word
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from ..kernel.usercode.signals import DeferredSignals, deferred
from ..options import OPTIONS, PLANAR, Choice, values
from ..results.completion import complete_run
from ..results.diagnosis import explain, explain_samples
from ..results.energy import DRIVERS
from ..results.run_data import MemoryRun, with_data
from ..results.sampling import sample_times
from ..results.solution import Solution
from ..results.stiffness_diagnosis import SHORT_STEPS, stiffness_diagnosis
from ..results.storage.growing import Growing
from .events.event import Event, EventLike, events_of, gaps
from .family import family
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
from .states import StateLike, state_of

_DONE = (Status.DONE, Status.MORE)
NODES = "nodes"  # the formulation of the structural integrators
_PERHAPS_A_JUMP = (
    Status.STEP_TOO_SMALL,
    Status.NO_CLOSURE,
    Status.RATE_JUMP,
    Status.STALLED,
)  # of a driver's position


@explains_arguments
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
    state: StateLike = None,
    t0: float | None = None,
    events: EventLike | Iterable[EventLike] = (),
    progress: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    max_step: float | None = None,
    first_step: float | None = None,
    step: float | None = None,
    order: int | None = None,
    threshold: float | None = None,
    calibrate: bool | None = None,
    linearize_every: float | None = None,
    stabilisation: float | None = None,
    closure: float | None = None,
    sparse: bool | None = None,
    breakpoints: float | Sequence[float] | None = None,
    max_steps: int | None = None,
    time_limit: float | None = None,
    spectral_radius: float | None = None,
    planar: bool | None = None,
    printed: bool | None = None,
    history: bool | None = None,
    convected: bool | None = None,
) -> Solution:
    r"""Simulate a model and return the solution.

    The run starts at t = 0, or at the time of `state`. The model is assembled first, so that the
    initial state satisfies all constraints. `kinetree list options` prints which formulation and
    which integrator has which option; an option that the chosen methods do not have raises an
    error.

    Parameters
    ----------
    model : Model
        The model.
    until : float
        End time (s).
    coordinates : {"relative", "cartesian"}, default "relative"
        Joint coordinates on a spanning tree with cut joints, or six coordinates per body with
        every joint cut.
    formulation : str, optional
        Treatment of the constraints, see `kinetree list formulations`; by default "tree" without
        closed loops and "augmented" with them.
    integrator : str, optional
        Integrator, see `kinetree list integrators`; by default "adams", and "energy-conserving"
        for models with beams.
    output_interval : float, optional
        Time between samples (s); by default 1/500 of the run.
    topology : {"auto", "dijkstra", "minimum", "shallow"}, default "auto"
        Choice of the spanning tree.
    slack : float, default 1e-5
        Gap, relative to the size of the model, that loops may keep open in redundant directions at
        the start.
    state : State, Assembly, Equilibrium, Deflection, Solution, tuple or dict, optional
        Initial state: an equilibrium, an assembly, ``sol.at(t)``, ``(solution, time)``, or a dict
        of coordinates, speeds and states such as ``{"A.angle": 0.3, "A.rate": 2.0}``; by default
        the initial state that the model describes.
    t0 : float, optional
        Start time (s); by default the time of `state`, or 0.
    events : Event, str, callable or sequence of these, default ()
        Events to detect: `Event` objects, names of channels, or functions ``f(t, s)``. They are
        listed in ``solution.events``.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal, for runs of more than a second.
    out : str or path-like, optional
        File (NetCDF) that grows during the run and that `open_solution` reads. If the run is
        killed, the file keeps the samples computed so far.
    rtol : float, optional
        Relative tolerance per step; default 1e-08. Used by the integrators with variable step; the
        structural integrators have fixed steps unless it is given.
    atol : float, optional
        Absolute tolerance per step (rad; lengths relative to the size of the model, states of
        elements relative to their scale; rates per second); by default the value of rtol.
    max_step : float, optional
        Longest step (s); by default the whole run, or 1/500 of it if the model has user code that
        declares no longest_step. User code is also sampled inside steps, at intervals of 1/2000 of
        the run or a quarter of its longest_step.
    first_step : float, optional
        First step (s); by default estimated from the motion.
    step : float, optional
        Length of the fixed steps (s). The structural integrators use 1/1000 of the run by default,
        or choose their steps from the estimated error if `rtol` is given.
    order : int, optional
        Order of the method; the highest order if it varies. Used by "adams-fixed", "adams", "bdf"
        and "bdf-direct".
    threshold : float, optional
        Lipschitz constant L (1/s) above which the model counts as stiff; default 1500. Used by
        "switching".
    calibrate : bool, optional
        Whether measured costs may change the threshold during the run; default yes. Used by
        "switching".
    linearize_every : float, optional
        Interval between linearizations (s), for the switching method as printed: L is the spectral
        radius of the Jacobian at these times, and BDF is used wherever L exceeds the threshold; by
        default L is estimated during the run. Used by "switching".
    stabilisation : float, optional
        Coefficients alpha = beta (1/s) of Baumgarte's method, the rate at which constraint
        violations decay; default 20. Used by the formulation "baumgarte".
    closure : float, optional
        Constraint violation (m and m/s) up to which a state is not projected after a step; 0
        projects to rounding; default 0. Angles count at the size of the model.
    sparse : bool, optional
        Whether the equations and the implicit steps are solved with sparse factorizations; by
        default if that is faster, in models with many loops or degrees of freedom.
    breakpoints : float or sequence of float, optional
        Times (s) at which a step must end, in addition to those of the time functions of the model.
    max_steps : int, optional
        Number of accepted steps after which the run ends with an error that names the stiffest
        coordinate; by default 1,000,000, or 2000 per sample if that is more, and no limit with
        fixed steps.
    time_limit : float, optional
        Wall-clock time (s) after which the run ends with an error that names the stiffest
        coordinate; by default no limit.
    spectral_radius : float, optional
        Spectral radius at infinite frequency: 1 damps nothing, 0 removes the fastest oscillations
        in one step; default 0.7. Used by "generalized-alpha".
    planar : bool, optional
        Whether a model with beams is computed in a plane, with three degrees of freedom per node;
        by default if it stays in a plane normal to x, y or z. Used by the structural integrators.
    printed : bool, optional
        Whether springs are those printed in [Yun2005], with forces half-way through the step:
        eqs. (39) of "energy-conserving", eqs. (37a), (40) of "trapezoidal". Energy is not conserved;
        default no.
    history : bool, optional
        Whether beams carry the frame and the strain of each element from step to step, as in
        [Yun2005, eq. (25)]; they drift away from the frames of the nodes and from the shape of the
        beam; default no. Used by "energy-conserving".
    convected : bool, optional
        Whether velocities of mass centers are in body axes, as in [Yun2005, eq. (25)], with the
        masses of beams lumped at nodes; angular momentum is not conserved; default no. Used by
        "energy-conserving".

    Returns
    -------
    Solution
        The results at the samples: ``sol["A.angle"]`` is a time history, ``print(sol)`` a summary.

    Raises
    ------
    ModelError
        If the model or an argument is wrong, or if two choices do not go together.
    TopologyError
        If a body is not connected to the ground.
    AssemblyError
        If no state satisfies all constraints.
    SimulationError
        If the run cannot continue. The error carries the results so far in `solution`.

    See Also
    --------
    assemble : Find the initial state only.
    kinematics : Compute the motion of a fully driven mechanism.
    compare : Run a model with several formulations and integrators.

    Notes
    -----
    The equations of motion are

    .. math:: \dot q = N(q) v, \qquad M(q) \dot v = f(t, q, v) - G(t, q)^T \lambda, \qquad g(t, q) = 0

    with generalized coordinates q, generalized velocities v and Lagrange multipliers
    :math:`\lambda`. A formulation solves them for :math:`\dot v` and :math:`\lambda`, and an
    integrator advances q and v in time. Ctrl-C ends the run and returns the solution up to that
    time.

    The unit of time in error tests is one second: an error of 1e-8 rad/s counts as much as an error
    of 1e-8 rad. For very short or long motions another unit is used, between 1/8 and 1000 times the
    time scale of the motion. This is the time of the run, or of a swing under gravity if that is
    shorter.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 1.0})
    >>> sol = kt.simulate(m, 2.0, rtol=1e-9)
    >>> sol.success
    True
    >>> sol["A.angle"].shape
    (501,)
    """
    arguments = locals()  # all arguments by name
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
            f"formulation {NODES!r} belongs to the structural integrators, not to "
            f"{advancing.name!r}; omit formulation=."
        )
    coordinates = word(coordinates, "coordinates")
    assembly = state_of(model, state, coordinates, topology, slack, t0, regular=True)
    assembly = in_nodes(assembly, regular=True) if nodes else assembly
    method = chosen_formulation(formulation, assembly)
    check_pair(method, advancing)
    chosen = values(
        {option.name: arguments[option.name] for option in OPTIONS},
        Choice("formulation", method, FORMULATIONS),
        Choice("integrator", advancing, INTEGRATORS),
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
    """The default integrator of a model."""
    return "energy-conserving" if beams_of(model) else "adams"


def _for_nodes(model: Model, formulation: str | None, method: Integrator) -> tuple[str, str]:
    """Coordinates and formulation of a structural integrator: it assembles in relative
    coordinates and runs in nodal coordinates.
    """
    if model.generated is not None:
        raise ModelError(
            f"integrator {method.name!r} uses nodal coordinates, and model {model.name!r} has "
            "generated equations in joint coordinates. Use an integrator such as 'adams'."
        )
    if formulation not in (None, NODES):
        raise ModelError(
            f"integrator {method.name!r} has its own formulation, {NODES!r}. Omit formulation=, or "
            "use an integrator such as 'adams'."
        )
    return "relative", NODES


def _refused(model: Model, method: Integrator) -> str:
    """The error message about an integrator for rigid models and a model with beams."""
    names = ", ".join(repr(beam.name) for beam in beams_of(model))
    beams = "is a beam" if len(beams_of(model)) == 1 else "are beams"
    able = ", ".join(repr(i.name) for i in INTEGRATORS if Problem.NODES in i.handles)
    return (
        f"integrator {method.name!r} is for rigid models, and {names} of model {model.name!r} "
        f"{beams}. Use a structural integrator: {able}."
    )


def _check(
    model: Model,
    until: float,
    output_interval: float | None,
    slack: float,
    t0: float | None,
    state: StateLike,
    progress: bool | None,
) -> tuple[float, float | None, float, float | None]:
    """Check the arguments that do not depend on the methods; return until, t0, slack and
    output_interval as plain numbers.
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
    out: str | os.PathLike[str] | None = None,
) -> Solution:
    """Integrate from an assembled state and collect the solution.

    An early end raises an error that carries the results so far. Ctrl-C ends the run and returns
    them (kernel/usercode/signals.py); SIGTERM raises SystemExit with them.
    """
    with deferred() as (signals, own):
        solution = _run(assembly, method, options, progress, started, events, out, signals)
    if signals.exception is not None:
        watched = solution.watched
        solution = with_data(solution, result=replace(solution.result, interrupted=True))
        solution.watched = watched
        if own and not isinstance(signals.exception, KeyboardInterrupt):
            vars(signals.exception)["solution"] = solution
            raise signals.exception
    return solution


def _run(
    assembly: Assembly,
    method: Formulation,
    options: Options,
    progress: bool | None,
    started: float,
    events: tuple[Event, ...],
    out: str | os.PathLike[str] | None,
    signals: DeferredSignals,
) -> Solution:
    in_space = assembly
    kind = family(method.name)
    assembly = kind.prepare(assembly, options.to_dict())
    assembly = configured(assembly, method, options)
    warn_of_dense_algebra(assembly, method, options)
    work = scratch(assembly.compiled, method, find_integrator(options.integrator))
    breaks = breaks_in(assembly, options.until, options.chosen)
    with progress_bar(options.until, progress) as show:
        samples = sample_times(
            options.until, interval_of(options, assembly.t), "simulate", assembly.t
        )
        breaks = kind.breaks(breaks, samples, options.chosen)
        file = (
            None
            if out is None
            else Growing(
                out,
                Solution(MemoryRun.empty(assembly, method, options.to_dict(), breaks.jumps)),
            )
        )
        result = advance(
            assembly,
            method,
            options.to_dict(),
            samples,
            work,
            breaks,
            lambda t: show(t) is not False and signals.exception is None,
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
        message, element = explain(with_data(solution, result=result), work)
        if result.status in SHORT_STEPS:
            units = tolerances(assembly, 1.0)
            stiffest, element = stiffness_diagnosis(assembly.compiled, method, result, units)
            message += stiffest
        raise SimulationError(message, result.t, element, solution) from unwritten
    if unwritten is not None:
        raise unwritten
    if len(solution.incomplete) and not solution.interrupted:
        message, element = explain_samples(solution, failure, sampled)
        raise SimulationError(message, failure.t, element, solution)
    return solution


def _finish(file: Growing, solution: Solution, signals: DeferredSignals) -> ResultError | None:
    """Write the whole run to its file; return the error if that fails.

    A second signal ends the writing without an error.
    """
    try:
        signals.writing = True
        file.finish(solution)
    except ResultError as error:
        return error
    except (KeyboardInterrupt, SystemExit):
        signals.exception = signals.exception or KeyboardInterrupt()
    finally:
        signals.writing = False
    return None


def _jump_named(assembly: Assembly, result: Result, work: Work) -> Result:
    """The result; its cause becomes the jump of a driver where one stopped the run."""
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
    signals: DeferredSignals,
) -> tuple[Solution, Failure, Work]:
    """Complete the samples and the last valid state; return the solution, failures and workspace."""
    t, y, ledger = (
        result.samples_t,
        result.samples_y,
        result.quadratures,
    )  # settled in place: long runs are not copied
    if len(t) and t[-1] == result.t:
        y[-1] = result.y  # the end itself, not interpolated
    if (not result.done or result.ended) and (not len(t) or t[-1] < result.t):
        t, y = np.append(t, result.t), np.vstack([y.reshape(-1, len(result.y)), result.y])
        if ledger is not None and result.quadratures_end is not None:
            ledger = np.vstack([ledger, result.quadratures_end])
    work = assembly.compiled.workspace(method.storage)
    solved, watch = complete_run(
        method,
        assembly.compiled,
        work,
        evaluation_times(t, breaks, options.until),
        y,
        lambda: signals.repeated,
    )
    if ledger is not None:
        kind, compiled = family(method.name), assembly.compiled
        solved = kind.solved(compiled, options.integrator, ledger, solved)
        ledger = kind.work(compiled, ledger)
    if watch.stop is not None:
        result = replace(result, interrupted=True, stop=watch.stop)
    elif signals.repeated:
        result = replace(result, interrupted=True)
    data = MemoryRun(
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
    return Solution(data), Failure.of(work, watch), work
