"""Plain differential equations through the integrators of the machines: for tables, teaching and
comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.checks import a_function, is_number, number, numbers, whole
from ..core.display import Printable
from ..engine.integrators.integrate import integrate, user_equation
from ..engine.integrators.result import Failure, Result
from ..errors import SimulationError
from ..kernel.tables.records import Tables, empty_tables, frozen
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import workspace
from ..kernel.usercode.registry import Code, address_of, code_at
from ..kernel.usercode.replay import replay

_SENTENCE = {
    Status.USER_CODE: "the rate that f gives is NaN or infinite; an explicit method may be beyond "
    "its stable step",
    Status.NOT_FINITE: "the state or its rate became NaN or infinite; an explicit method may be "
    "beyond its stable step",
    Status.TOO_MUCH_ACCURACY: "the tolerance asked for is below what rounding allows; ask for a "
    "larger rtol",
    Status.OUT_OF_STEPS: "the budget of steps is used up; max_steps allows more",
    Status.OUT_OF_TIME: "the limit of seconds is used up; time_limit allows more",
    Status.STALLED: "steps have become so short that the run would never end",
    Status.STEP_TOO_SMALL: "the step size fell to the spacing of numbers; the equation may be "
    "singular or stiff here",
}


MOST_SAMPLES = 10_000_000


@dataclass(frozen=True, repr=False)
class OdeSolution(Printable):
    """Times (nt,), states (nt, n), one log row per accepted step, and the number of evaluations of
    f.
    """

    t: np.ndarray
    y: np.ndarray
    log: np.ndarray
    evaluations: int

    def __str__(self) -> str:
        n = self.y.shape[1] if self.y.ndim > 1 else 0
        span = f", t = {self.t[0]:g} to {self.t[-1]:g}" if len(self.t) else ""
        return f"Solution of {n} equations: {len(self.t)} samples{span}, {len(self.log)} steps, {self.evaluations} evaluations."


def solve_ode(
    f: Callable,
    y0: Sequence[float],
    until: float,
    *,
    start: float = 0.0,
    integrator: str = "adams",
    samples: Sequence[float] | int | None = None,
    **options: Any,
) -> OdeSolution:
    """Solve ydot = f(t, y) from y0 at `start` until the given time with any integrator.

    f         f(t, y, ydot) fills ydot; it is compiled (or called as plain Python, slower, if it
              cannot be)
    samples   times at which the state is wanted, or their number; by default the start and the end
    options   those of the integrator: rtol, atol (one number, or one per component), max_step,
              first_step, order; `step`
              (s) of the fixed-step ones, whose last step is shorter if it does not divide the
              interval

    Steps past f are neither bounded nor probed, as they are in `simulate`: give max_step where f
    has short pulses.
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
    """The times at which the state is wanted."""
    if samples is None:
        return np.array([start, until])
    if is_number(samples):
        return np.linspace(start, until, whole(samples, "solve_ode: samples", 1, MOST_SAMPLES))
    return numbers(samples, None, "solve_ode: samples")


def _collect(result: Result) -> OdeSolution:
    """The samples reached; a sample at the very end is the state itself, not interpolated."""
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
    """What the Python original of compiled code raises where that failed; NaN is answered without
    raising.
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
