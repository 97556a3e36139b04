"""Many runs of one model: assembled, compiled and allocated once, then called with new numbers."""

from __future__ import annotations

import inspect
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..assembly.nodal import in_nodes
from ..assembly.result import Assembly
from ..core.checks import flag, instance, numbers
from ..core.display import Printable
from ..description.model import Model
from ..errors import ModelError, UnknownArgument, explains_arguments, no_such
from ..kernel.frames import number
from ..options import ATOL, RTOL
from ..results.solution import Solution
from .plan import Plan, plan_of
from .simulate import run, simulate
from .states import State, StateLike, checked_state, state_of
from .stepper import PreparedLoop, can_step

_OF_A_RUN = ("model", "until", "output_interval", "progress", "out")  # not of `prepare`
_DEFAULTS = {
    name: one.default
    for name, one in inspect.signature(simulate).parameters.items()
    if name not in _OF_A_RUN
}


@explains_arguments
def prepare(model: Model, **options: Any) -> Prepared:
    """Prepare a model for many runs with other initial states, end times and tolerances.

    The model is checked, assembled and compiled once. Later changes of the model have no effect.

    Parameters
    ----------
    model : Model
        The model.
    **options
        Arguments of `simulate`, such as ``integrator="dop853"`` or ``rtol=1e-6``, except `until`,
        `output_interval`, `progress` and `out`.

    Returns
    -------
    Prepared
        The prepared model, with the methods `Prepared.run` and `Prepared.advance`.

    Raises
    ------
    ModelError
        If the model or an option is wrong, or if two choices do not go together.
    TopologyError
        If a body is not connected to the ground.
    AssemblyError
        If no state satisfies all constraints.

    See Also
    --------
    simulate : Run a model once.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> prepared = kt.prepare(four_bar(), rtol=1e-6)
    >>> prepared.run(0.5).success
    True
    """
    instance(model, Model, "prepare: model")
    unknown = next((name for name in options if name not in _DEFAULTS), None)
    if unknown in _OF_A_RUN:
        raise ModelError(f"prepare: give {unknown}= to Prepared.run, once for each run.")
    if unknown is not None:
        raise UnknownArgument(str(no_such("argument", unknown, _DEFAULTS, " of prepare")))
    return Prepared(model.snapshot(), options)


class Prepared(Printable):
    """A model that is assembled and compiled for many runs. Made by `prepare`.

    Attributes
    ----------
    model : Model
        The model at the time of `prepare`.
    assembly : Assembly
        The assembled initial state.
    start : State
        The initial state of runs that are given no other.

    Notes
    -----
    Threads may share a prepared model: each call has its own workspace. It can be pickled if its
    model can; the copy is assembled anew.

    Functions of the user are those of the time of `prepare`: a changed closure or global variable
    has no effect on compiled functions.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> prepared = kt.prepare(pendulum(), integrator="dop853")
    >>> state = prepared.start
    >>> for k in range(3):
    ...     state = prepared.advance(state.t + 0.1, start=state)
    >>> round(state.t, 6)
    0.3
    """

    def __init__(self, model: Model, options: Mapping[str, Any]) -> None:
        arguments, given = _DEFAULTS | dict(options), dict(options)
        arguments["slack"] = number(arguments["slack"], "prepare: slack", at_least_zero=True)
        if arguments["t0"] is not None:
            arguments["t0"] = number(arguments["t0"], "prepare: t0")
        self._given, self._plan = given, plan_of(model, arguments, "prepare")
        self._plan.chosen(self._plan.assembly.t + 1.0)  # refuses wrong options
        for array in (self.assembly.q, self.assembly.v, self.assembly.x):
            array.flags.writeable = False
        self._t, self._y = self.assembly.t, self.assembly.y
        self._idle: list[PreparedLoop] = []
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return Prepared, (self.model, self._given)

    @property
    def model(self) -> Model:
        """The model at the time of `prepare`."""
        return self._plan.model

    @property
    def assembly(self) -> Assembly:
        """The assembled initial state."""
        return self._plan.assembly

    @property
    def start(self) -> State:
        """The initial state of runs that are given no other."""
        return State.of(self.assembly)

    def __str__(self) -> str:
        plan = self._plan
        return (
            f"Model {self.model.name!r} prepared in {plan.coordinates} coordinates with formulation "
            f"{plan.method.name!r} and integrator {plan.integrator.name!r}."
        )

    def run(
        self,
        until: float,
        *,
        start: StateLike | np.ndarray = None,
        t0: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        output_interval: float | None = None,
        progress: bool | None = None,
        out: str | os.PathLike[str] | None = None,
    ) -> Solution:
        """Run the model and return the solution, the same as that of `simulate`.

        Parameters
        ----------
        until : float
            End time (s).
        start : State, ndarray, dict or other state, optional
            Initial state: a state as in `simulate`, or an array with (q, v, x) in the order of
            ``prepared.start``; by default ``prepared.start``.
        t0 : float, optional
            Start time (s); by default the time of `start`.
        rtol, atol : float, optional
            Tolerances per step; by default those of `prepare`.
        output_interval : float, optional
            Time between samples (s); by default 1/500 of the run.
        progress : bool, optional
            Whether to show a progress bar; by default on a terminal.
        out : str or path-like, optional
            File (NetCDF) that grows during the run.

        Returns
        -------
        Solution
            The results at the samples.

        Raises
        ------
        ModelError
            If an argument is wrong, or if `start` violates the constraints.
        SimulationError
            If the run cannot continue.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> prepared = kt.prepare(pendulum())
        >>> sol = prepared.run(0.5, start={"hinge.angle": 0.2}, rtol=1e-6)
        >>> round(float(sol["hinge.angle"][0]), 6)
        0.2
        """
        started, until = time.perf_counter(), number(until, "run: until")
        if progress is not None:
            flag(progress, "run: progress")
        if output_interval is not None:
            output_interval = number(output_interval, "run: output_interval", positive=True)
        plan = self._starting_at(start, t0)
        asked = plan.options(until, output_interval, **_tolerances(rtol, atol))
        return run(plan.assembly, plan.method, asked, progress, started, plan.watched, out)

    def advance(
        self,
        until: float,
        *,
        start: StateLike | np.ndarray = None,
        t0: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
    ) -> State:
        """Integrate to a time and return the state there, without samples.

        This is the fastest call: about 0.03 ms besides the steps themselves, unless the model has
        user code, events or beams.

        Parameters
        ----------
        until : float
            End time (s).
        start : State, ndarray, dict or other state, optional
            Initial state, as in `Prepared.run`. States that `advance` returned are not checked again.
        t0 : float, optional
            Start time (s); by default the time of `start`.
        rtol, atol : float, optional
            Tolerances per step; by default those of `prepare`.

        Returns
        -------
        State
            The state at the end, equal to that of `Prepared.run`; with "dop853", whose samples are
            stages of its steps, equal within the tolerance.

        Raises
        ------
        ModelError
            If an argument is wrong, or if `start` violates the constraints.
        SimulationError
            If the run cannot continue.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> prepared = kt.prepare(pendulum())
        >>> prepared.advance(0.5).t
        0.5
        """
        until, plan, given = number(until, "advance: until"), self._plan, _tolerances(rtol, atol)
        t, y = (self._t, self._y) if start is None and t0 is None else self._begin(start, t0)
        if until <= t or not can_step(plan):
            return self._last_state(until, start, t0, given)
        with self._lock:
            stepper = self._idle.pop() if self._idle else None
        stepper = stepper or PreparedLoop(plan)
        result = stepper.run(t, y, until, given)
        self._idle.append(stepper)
        if result.interrupted:
            raise result.stop or KeyboardInterrupt
        if not result.done:  # raises the error that explains why
            return self._last_state(until, start, t0, given)
        return self._state(result.t, result.y)

    def _begin(self, start: StateLike | np.ndarray, t0: float | None) -> tuple[float, np.ndarray]:
        """Time and state at the start; only states of unknown origin are checked."""
        if t0 is None and isinstance(start, State) and start.origin is self.assembly:
            return start.t, np.concatenate([start.q, start.v, start.x])
        free = not self.assembly.compiled.size["ng"]
        if free and isinstance(start, np.ndarray):
            t0 = self.assembly.t if t0 is None else number(t0, "start: t0")
            return t0, numbers(start, len(self.assembly.y), "start")
        found = self._starting_at(start, t0).assembly
        return found.t, found.y

    def _starting_at(self, start: StateLike | np.ndarray, t0: float | None) -> Plan:
        """The plan with another initial state, which must satisfy the constraints."""
        plan = self._plan
        if start is None and t0 is None:
            return plan
        t0 = None if t0 is None else number(t0, "start: t0")
        if isinstance(start, np.ndarray):
            y = numbers(start, len(plan.assembly.y), "start").copy()
            start = self._state(plan.assembly.t, y)
        if isinstance(start, State) and start.origin is plan.assembly and not plan.in_nodes:
            t = start.t if t0 is None else t0
            found = replace(plan.assembly, t=t, q=start.q, v=start.v, x=start.x)
            found = checked_state(found)
        else:
            options = plan.coordinates, plan.topology, plan.slack, t0
            found = state_of(self.model, start, *options, regular=True)
            found = in_nodes(found, regular=True) if plan.in_nodes else found
        return replace(plan, assembly=found, starts_elsewhere=True)

    def _state(self, t: float, y: np.ndarray) -> State:
        """A state of this model that no one can change, so that it needs no further check."""
        y.flags.writeable = False
        return State(t, *self.assembly.compiled.split(y), self.assembly)

    def _last_state(
        self,
        until: float,
        start: StateLike | np.ndarray,
        t0: float | None,
        given: Mapping[str, Any],
    ) -> State:
        """The last state of a run with all that `simulate` does."""
        sol = self.run(until, start=start, t0=t0, progress=False, **given)
        return self._state(sol.result.t, sol.result.y)


def _tolerances(rtol: float | None, atol: float | None) -> dict[str, float]:
    """The tolerances that are given."""
    given = {RTOL.name: rtol, ATOL.name: atol}
    return {name: number(value, name) for name, value in given.items() if value is not None}
