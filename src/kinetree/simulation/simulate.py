"""A run from the model to the solution: check the arguments, assemble, integrate, collect.

(The module is not called `simulate`, so that it never hides the function `kinetree.simulate`.)
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..assembly.gaps import SLACK
from ..assembly.result import Assembly
from ..core.checks import flag, instance
from ..core.progress import progress_bar
from ..description.model import Model
from ..engine.dynamics.continuity import jumps_near
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..errors import ResultError, SimulationError, explains_arguments
from ..kernel.frames import number
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from ..kernel.usercode.signals import DeferredSignals, deferred
from ..options import PLANAR
from ..results.diagnosis import explain
from ..results.run_data import MemoryRun, with_data
from ..results.sampling import sample_times
from ..results.solution import Solution
from ..results.stiffness_diagnosis import SHORT_STEPS, stiffness_diagnosis
from ..results.storage.growing import Growing
from .collect import collect
from .deflections import warn_of_deflections
from .events.event import Event, EventLike
from .family import family
from .loop_model import loop_model
from .plan import plan_of
from .run import (
    Options,
    advance,
    breaks_in,
    configured,
    interval_of,
    lent_workspace,
    tolerances,
)
from .slowness import warn_of_dense_algebra
from .states import StateLike
from .switches import warn_of_switches

_DONE = (Status.DONE, Status.MORE)
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
    exact_friction: bool | None = None,
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
    exact_friction : bool, optional
        Whether a sliding body stays on its surface instead of being lifted by friction times speed
        times step; more iterations, for models with few contacts; default no. Used by
        "time-stepping".

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
    prepare : Run a model many times with other states, end times and tolerances.
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

    A model that has not changed since its last run is not assembled again, unless it has user code.
    Accelerations and multipliers at the samples of a short run without user code are computed at the
    first use of the samples; a sample where that fails raises its `SimulationError` there.

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
    started = time.perf_counter()
    plan = plan_of(model, {**arguments, "t0": t0, "slack": slack}, "simulate")
    asked = plan.options(until, output_interval)
    return run(plan.assembly, plan.method, asked, progress, started, plan.watched, out)


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
    loop = loop_model(assembly, method, options, events)
    assembly = configured(assembly, method, options)
    warn_of_dense_algebra(loop.assembly, method, options)
    breaks = breaks_in(assembly, options.until, options.chosen)
    with progress_bar(options.until, progress) as show:
        samples = sample_times(
            options.until, interval_of(options, assembly.t), "simulate", assembly.t
        )
        lent = lent_workspace(loop.assembly, method, options)
        work = lent.work
        breaks = kind.breaks(breaks, samples, options.chosen)
        file = (
            None
            if out is None
            else Growing(
                out,
                Solution(MemoryRun.empty(assembly, method, options.to_dict(), breaks.jumps)),
            )
        )
        result = loop.result(
            advance(
                loop.assembly,
                method,
                options.to_dict(),
                samples,
                work,
                breaks,
                lambda t: show(t) is not False and signals.exception is None,
                events,
                loop.writer(file),
            )
        )
        if result.done:
            lent.give_back()
        if result.status in _DONE:
            del lent, work  # those of large models are large, and only failures are read from them
        jumps = tuple(
            sorted({*breaks.jumps, *(one.t for one in result.events if one.after is not None)})
        )
        at_once = file is not None or signals.exception is not None
        solution, unsampled = collect(
            assembly, method, options, result, jumps, started, signals, at_once
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
        work = loop.work(assembly, result.status, work)
        result = _jump_named(assembly, result, work)
        message, element = explain(with_data(solution, result=result), work)
        if result.status in SHORT_STEPS:
            units = tolerances(assembly, 1.0)
            stiffest, element = stiffness_diagnosis(assembly.compiled, method, result, units)
            message += stiffest
        raise SimulationError(message, result.t, element, solution) from unwritten
    if unwritten is not None:
        raise unwritten
    if unsampled is not None and not solution.interrupted:
        raise unsampled
    warn_of_switches(solution)
    warn_of_deflections(solution)
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
