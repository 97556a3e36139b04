"""Ordinary differential equations with the integrators of Kinetree, for tests and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.checks import a_function, is_number, number, numbers, whole
from ..core.display import Printable
from ..engine.integrators.integrate import integrate, user_equation
from ..engine.integrators.result import Failure, Result
from ..errors import SimulationError, explains_arguments
from ..kernel.tables.records import Tables, empty_tables, frozen
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import workspace
from ..kernel.usercode.registry import Code, address_of, code_at
from ..kernel.usercode.replay import replay

_SENTENCE = {
    Status.USER_CODE: "the derivative that f returned is NaN or infinite; the step may be outside the "
    "stability region of an explicit method",
    Status.NOT_FINITE: "the state or its rate became NaN or infinite; the step may be outside the "
    "stability region of an explicit method",
    Status.TOO_MUCH_ACCURACY: "the tolerance is below the rounding error; use a larger rtol",
    Status.OUT_OF_STEPS: "the limit of steps (max_steps) was reached",
    Status.OUT_OF_TIME: "the time limit (time_limit) was reached",
    Status.STALLED: "the steps became so short that the run would not end",
    Status.STEP_TOO_SMALL: "the step size fell to the spacing of floating-point numbers; the "
    "equation may be singular or stiff here",
}


MOST_SAMPLES = 10_000_000


@dataclass(frozen=True, repr=False)
class OdeSolution(Printable):
    """Solution of ordinary differential equations at the samples.

    Returned by `solve_ode`.

    Attributes
    ----------
    t : ndarray, shape (nt,)
        Times of the samples.
    y : ndarray, shape (nt, n)
        States at the samples.
    log : ndarray, shape (ns,)
        One record per accepted step: time, length, order, error and counts.
    evaluations : int
        Number of evaluations of f.

    Examples
    --------
    >>> import kinetree as kt
    >>> def f(t, y, ydot):
    ...     ydot[0] = -y[0]
    >>> kt.solve_ode(f, [1.0], 1.0, samples=5).y.shape
    (5, 1)
    """

    t: np.ndarray
    y: np.ndarray
    log: np.ndarray
    evaluations: int

    def __str__(self) -> str:
        n = self.y.shape[1] if self.y.ndim > 1 else 0
        span = f", t = {self.t[0]:g} to {self.t[-1]:g}" if len(self.t) else ""
        return f"Solution of {n} equations: {len(self.t)} samples{span}, {len(self.log)} steps, {self.evaluations} evaluations."


@explains_arguments
def solve_ode(
    f: Callable[..., Any],
    y0: Sequence[float],
    until: float,
    *,
    start: float = 0.0,
    integrator: str = "adams",
    samples: Sequence[float] | int | None = None,
    **options: Any,
) -> OdeSolution:
    """Solve ydot = f(t, y) with any integrator of Kinetree.

    Parameters
    ----------
    f : callable
        Function ``f(t, y, ydot)`` that writes the derivative into `ydot`. It is compiled if
        possible, and else called as Python code, which is slower.
    y0 : array_like, shape (n,)
        Initial state.
    until : float
        End time.
    start : float, default 0.0
        Start time.
    integrator : str, default "adams"
        Integrator, see `kinetree list integrators`.
    samples : array_like or int, optional
        Times at which the state is returned, or their number; by default the start and the end.
    **options : Any
        Options of the integrator as in `simulate`: `rtol`, `atol` (one number, or one per
        component), `max_step`, `first_step`, `order`, or `step` for fixed steps, whose last step is
        shorter if it does not divide the interval.

    Returns
    -------
    OdeSolution
        The states at the samples and a log of the steps.

    Raises
    ------
    SimulationError
        If the integration cannot continue; the error carries the samples so far in `solution`.

    Notes
    -----
    In contrast to `simulate`, user code is not sampled inside steps. Give `max_step` if f has short
    pulses.

    Examples
    --------
    >>> import math
    >>> import kinetree as kt
    >>> def f(t, y, ydot):
    ...     ydot[0] = y[1]
    ...     ydot[1] = -y[0]
    >>> found = kt.solve_ode(f, [0.0, 1.0], 1.0, rtol=1e-10)
    >>> bool(abs(found.y[-1, 0] - math.sin(1.0)) < 1e-8)
    True
    """
    a_function(f, "solve_ode: f", "f(t, y, ydot)")
    start, until = number(start, "solve_ode: start"), number(until, "solve_ode: until")
    times = _times(samples, start, until)
    tables = empty_tables()
    settings = tables.settings.copy()
    settings["address"] = address_of(f, "ode")
    tables, code = frozen(tables._replace(settings=settings)), code_at(settings["address"][0])
    y = numbers(y0, None, "solve_ode: y0")
    result = integrate(
        user_equation,
        y,
        until,
        t0=start,
        tables=tables,
        method=integrator,
        samples=times,
        **options,
    )
    solution = _collect(result)
    if result.stop is not None and not isinstance(result.stop, KeyboardInterrupt):
        raise result.stop
    if not result.done:
        raise SimulationError(_why(result, tables, code), result.t, None, solution)
    return solution


def _times(samples: Sequence[float] | int | None, start: float, until: float) -> np.ndarray:
    """Times of the output samples."""
    if samples is None:
        return np.array([start, until])
    if is_number(samples):
        return np.linspace(start, until, whole(samples, "solve_ode: samples", 1, MOST_SAMPLES))
    return numbers(samples, None, "solve_ode: samples")


def _collect(result: Result) -> OdeSolution:
    """The samples reached; a sample at the end is the state itself, not interpolated."""
    t, y = np.array(result.samples_t), np.array(result.samples_y)
    y[t == result.t] = result.y
    return OdeSolution(t, y, result.log, result.evaluations)


def _why(result: Result, tables: Tables, code: Code | None) -> str:
    failure = result.failure
    if result.interrupted:
        sentence = "interrupted"
    elif (
        result.status == Status.USER_CODE
        and failure is not None
        and (reason := failure.reason or _replayed(failure, tables, code))
    ):
        sentence = f"f raised {reason}"
    else:
        sentence = _SENTENCE.get(result.status, f"the run ended with {result.status.name}")
    return f"at t = {result.t:.6g} s (step {result.accepted}): {sentence}."


def _replayed(failure: Failure, tables: Tables, code: Code | None) -> str | None:
    """The exception that the Python original of compiled code raises at the failure; NaN raises
    none.
    """
    if code is None or not code.native:
        return None
    return replay(
        tables,
        failure.t,
        lambda spied: user_equation(
            spied, workspace(spied), failure.t, failure.y, np.zeros_like(failure.y)
        ),
    )
