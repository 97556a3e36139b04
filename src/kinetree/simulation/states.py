"""Initial states of runs and analyses, from several sources.

    kt.simulate(m, 5.0, state=kt.equilibrium(m))              at static equilibrium
    kt.simulate(m, 5.0, state=sol.at(2.0))                    continue another run at its time
    kt.simulate(m, 5.0, state={"A.angle": 0.3, "A.rate": 2})  assembled with these values

A state belongs to one model, identified by the hash of its compiled model. For other coordinates,
or for a model with the same bodies and other elements, it is converted by the poses and velocities
of the bodies and the names of other states.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ..assembly.build import build
from ..assembly.convert import at_state, convert_state
from ..assembly.gaps import SLACK
from ..assembly.kept import kept_start
from ..assembly.nodal import deformed, in_nodes
from ..assembly.prepare import given_lengths, prepare
from ..assembly.result import Assembly
from ..assembly.start_values import with_start_values
from ..core.checks import instance, mapping
from ..core.display import Printable
from ..description.lowering.breaks import moving
from ..description.lowering.compiled import CompiledModel
from ..description.lowering.flexible import COORDINATES as NODES
from ..description.lowering.resolve import resolve
from ..description.lowering.user_steps import longest_step
from ..description.model import Model
from ..engine.formulations.catalogue import FORMULATIONS
from ..engine.integrators.segments import Occurrence, time_tolerance
from ..errors import ModelError, short
from ..kernel.frames import number
from ..kernel.tables.status import Status
from ..options import FIRST_STEP, MAX_STEP
from ..results.solution import Solution
from .events.impulse import impulse
from .family import family
from .run import advance, breaks_in

# relative to the size of the model: largest constraint violation of a given state
_OPEN = 1e-6
_NO_ROOM = 1e-9  # relative to the run: an interval too short for steps
_SETTINGS = (
    "option",
    "rows",
    *{option.name for method in FORMULATIONS for option in method.options},
)  # of a formulation


class HasState:
    """Base class of results that can be used as a state."""

    @property
    def state(self) -> State:
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class State(HasState, Printable):
    """Time, coordinates, velocities and element states of a model at one instant.

    Parameters
    ----------
    t : float
        Time (s).
    q : ndarray, shape (nq,)
        Generalized coordinates (rad, m, or unit quaternions).
    v : ndarray, shape (nv,)
        Generalized velocities (rad/s, m/s).
    x : ndarray, shape (nx,)
        States of force elements and controllers, each in its own unit.
    origin : Assembly
        Assembly of the model that the state belongs to.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> state = kt.State.of(kt.assemble(pendulum()))
    >>> sol = kt.simulate(pendulum(), 0.5, state=state)
    >>> float(sol.t[0]) == state.t
    True
    """

    t: float
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    origin: Assembly  # of the model that the state belongs to

    @classmethod
    def of(cls, assembly: Assembly) -> State:
        """Return the state of an assembly.

        Parameters
        ----------
        assembly : Assembly
            The assembly.

        Returns
        -------
        State
            Its time, coordinates, velocities and element states.

        Examples
        --------
        >>> import kinetree as kt
        >>> from kinetree.models.pendulum import pendulum
        >>> kt.State.of(kt.assemble(pendulum())).t
        0.0
        """
        return cls(assembly.t, assembly.q, assembly.v, assembly.x, assembly)

    @property
    def state(self) -> State:
        """The state itself."""
        return self

    @property
    def hash(self) -> str:
        """Hash of the compiled model, independent of the formulation of the run."""
        return _plain(self.origin.compiled).hash

    @property
    def assembly(self) -> Assembly:
        """The assembly at this state, with its constraint violations."""
        return at_state(self.origin, self.t, self.q, self.v, self.x, happened=self.origin.happened)

    def __str__(self) -> str:
        a = self.assembly
        lines = [
            f"State of {a.compiled.model.name!r} at t = {self.t:g} s in {a.compiled.coordinates} "
            "coordinates."
        ]
        own = {name: self.x[place.ix] for name, place in a.compiled.states.items()}
        return "\n".join(
            [
                *lines,
                *(f"  {name} = {value:.9g}" for name, value in {**a.coordinates, **own}.items()),
            ]
        )


StateLike: TypeAlias = (
    HasState | Assembly | Solution | tuple[Solution, float] | Mapping[str, Any] | None
)


def state_of(
    model: Model,
    given: StateLike,
    coordinates: str = "relative",
    topology: str = "auto",
    slack: float = SLACK,
    t0: float | None = None,
    regular: bool = False,
) -> Assembly:
    """A consistent state of the model: the assembled start for None, or from the given state.

    The time is that of the given state, or t0. `regular` refuses singular starts, from which the
    motion cannot continue or is not unique.
    """
    instance(model, Model, "model")
    if given is None or isinstance(given, Mapping):
        return _told(
            model, given or {}, coordinates, topology, slack, 0.0 if t0 is None else t0, regular
        )
    found = _assembly(given)
    found = replace(found, t=found.t if t0 is None else t0)
    if found.compiled.coordinates == NODES:
        return replace(_bent(model, found, topology, slack), happened=found.happened)
    return checked_state(
        replace(_in_model(model, found, coordinates, topology, slack), happened=found.happened)
    )


def _assembly(given: Any) -> Assembly:
    if isinstance(given, Assembly):
        return given
    if isinstance(given, HasState):
        s = given.state
        kind = family(s.origin.compiled.coordinates)
        return kind.state(s.origin, s.t, s.q, s.v, s.x, s.origin.happened)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Solution):
        return at_time(given[0], number(given[1], "state: time"))
    if isinstance(given, Solution):
        if len(given.t) != 1:
            raise ModelError(
                "state: a solution has many states; choose one with sol.at(t) (t from "
                f"{given.t[0]:g} to {given.t[-1]:g} s)."
                if len(given.t)
                else "state: this solution has no samples."
            )
        return at_time(given.source or given, float(given.t[0]))
    raise ModelError(
        "state must be None, a State, an assembly, an equilibrium, sol.at(t), (solution, time), or "
        f"a dict of coordinates such as {{'A.angle': 0.3}}, got {short(given)}."
    )


def at_time(solution: Solution, t: float) -> Assembly:
    """The state of a solution at a time: a sample, or integrated from the last sample before it.

    At the time of an event or a breakpoint it is the state after it. The events at that time are
    recorded, so that they do not occur again.
    """
    t, close = float(t), time_tolerance(solution.options["t0"], solution.options["until"])
    if len(solution.t) == 1:  # a state of its own, such as sol.events["floor"].after
        y, over = solution.y[0], list[Occurrence]()
    else:
        y, over = (
            _state_at(solution, t, close),
            [one for one in solution.result.events if abs(one.t - t) <= close],
        )
    happened = tuple((one.name, one.direction) for one in over)
    q, v, x = (part.copy() for part in solution.compiled.split(y))
    return family(solution.compiled.coordinates).state(solution.assembly, t, q, v, x, happened)


def _state_at(solution: Solution, t: float, close: float) -> np.ndarray:
    """The state at a time, after all jumps up to it."""
    interpolated, reached = solution.at(t).y[0], solution.t
    known = (
        solution.result.accepted
        and solution.result.method == solution.options["integrator"]
        and len(reached) > 1
    )
    start, y = _known_before(solution, t, close)
    if abs(t - start) <= close:
        return y
    return _onward(solution, start, y, t) if known else interpolated


def _known_before(solution: Solution, t: float, close: float) -> tuple[float, np.ndarray]:
    """The last known state up to a time: a sample, or the state after a jump."""
    k = max(int(np.searchsorted(solution.t, t + close, "right")) - 1, 0)
    start, y = float(solution.t[k]), solution.y[k]
    for jump in solution.result.jumps:
        if start - close <= jump.t_before <= t + close:
            start, y = jump.t, jump.after[: len(y)]
    return start, y


def _onward(solution: Solution, start: float, y: np.ndarray, t: float) -> np.ndarray:
    """Integrate from the last known state before a time to that time, as accurately as the run."""
    whole = solution.options["until"] - solution.options["t0"]
    if t - start <= max(_NO_ROOM * whole, 1e3 * float(np.spacing(abs(t)))):  # too short for a step
        return solution.at(t).y[0]
    compiled = solution.compiled
    q, v, x = (part.copy() for part in compiled.split(y))
    begin = replace(solution.assembly, t=start, q=q, v=v, x=x)
    options = {**solution.options, "until": t}
    if FIRST_STEP.name in options:  # variable steps, as in the run
        options[FIRST_STEP.name] = None
        options[MAX_STEP.name] = options[MAX_STEP.name] or longest_step(compiled, whole)
    work = compiled.workspace(solution.method.storage)
    result = advance(
        begin, solution.method, options, np.zeros(0), work, breaks_in(begin, t, options)
    )
    return result.y if result.done else solution.at(t).y[0]


# --- the same state of the model asked for
# -------------------------------------------------------------------------------


def _plain(compiled: CompiledModel) -> CompiledModel:
    """The compiled model without the settings of a formulation."""
    settings = compiled.tables.settings.copy()
    for name in _SETTINGS:
        settings[name] = 0
    return replace(compiled, tables=compiled.tables._replace(settings=settings))


def _in_model(
    model: Model, state: Assembly, coordinates: str, topology: str, slack: float
) -> Assembly:
    """The state in the given coordinates of this model."""
    here = state.compiled
    same = resolve_like(
        model,
        here,
        here.coordinates,
        here.tree.method if here.coordinates == "relative" else "auto",
    )
    if same is not None and _plain(same).hash == _plain(here).hash:
        if coordinates == here.coordinates:
            return state
        return convert_state(
            state, resolve(build(model, coordinates, topology), here.initial_values, state.absorbed)
        )
    other = prepare(model, coordinates, topology, slack=slack)
    if set(other.compiled.bodies) != set(here.bodies):
        raise ModelError(
            f"state: it belongs to {here.model.name!r}, whose bodies are not those of "
            f"{model.name!r}. Use a state of this model, or give its coordinates as a dict."
        )
    return convert_state(state, other.compiled)


def _bent(model: Model, state: Assembly, topology: str, slack: float) -> Assembly:
    """The state of a model with beams as a state of this model, by the names of nodes, bodies and
    states.
    """
    fresh = in_nodes(prepare(model, "relative", topology, t=state.t, slack=slack))
    if set(fresh.compiled.bodies) != set(state.compiled.bodies):
        raise ModelError(
            f"state: it belongs to {state.compiled.model.name!r}, whose bodies and nodes are not "
            f"those of {model.name!r}. Use a state of this model with the same number of elements "
            "in every beam."
        )
    found, length = deformed(fresh, state), float(fresh.compiled.tables.settings[0]["length"])
    if found.violation > _OPEN * length:
        raise ModelError(
            f"state: at t = {found.t:g} s it violates the constraints of {model.name!r} by "
            f"{found.violation:.2g} m. Check t0= (drivers depend on time) and the positions of the "
            "joints."
        )
    return found


def resolve_like(
    model: Model, like: CompiledModel, coordinates: str, topology: str
) -> CompiledModel | None:
    """The model with the values found for another one; None if it has other open values."""
    description = build(model, coordinates, topology)
    if {one.name for one in description.unresolved} != set(like.initial_values):
        return None
    return resolve(description, like.initial_values, float(like.tables.settings[0]["absorbed"]))


def checked_state(state: Assembly) -> Assembly:
    """Refuse a state that violates the constraints; at a breakpoint, return the state after it."""
    found = at_state(state, state.t, state.q, state.v, state.x, happened=state.happened)
    compiled, length = found.compiled, float(found.compiled.tables.settings[0]["length"])
    allowed = _OPEN * length + 4.0 * found.absorbed
    if found.violation <= allowed and not _moves_along(found, allowed):
        found = _after_break(found)
    if found.violation > allowed or not _moves_along(found, allowed):
        raise ModelError(
            f"state: at t = {state.t:g} s it violates the constraints of {compiled.model.name!r} "
            f"by {found.violation:.2g} m and {found.velocity_violation:.2g} m/s. Check t0= (drivers "
            "depend on time) and the lengths of the model, or give coordinates as a dict to assemble "
            "the model."
        )
    return found


def _moves_along(state: Assembly, allowed: float) -> bool:
    """Whether the velocities satisfy the constraints."""
    return state.velocity_violation <= allowed * (1.0 + float(np.abs(state.v).max(initial=0.0)))


def _after_break(state: Assembly) -> Assembly:
    """The state just after a breakpoint of a driver, with the impulse of its speed."""
    close = time_tolerance(state.t, state.t)
    edges = {
        t
        for signal in state.compiled.signals
        if signal is not None
        for t in signal.breaks()
        if abs(t - state.t) <= close
    }
    if not edges or not moving(state.compiled):
        return state
    y, later = state.y, float(np.nextafter(max(edges), np.inf))
    if impulse(state.compiled, later, y)[0] != Status.OK:
        return state
    q, v, x = (part.copy() for part in state.compiled.split(y))
    return replace(at_state(state, later, q, v, x, happened=state.happened), t=state.t)


# --- told in coordinates
# ---------------------------------------------------------------------------------------------------


def _told(
    model: Model,
    given: Mapping[str, Any],
    coordinates: str,
    topology: str,
    slack: float,
    t0: float,
    regular: bool,
) -> Assembly:
    """The model assembled with the given coordinates, speeds and states."""
    if not given:
        return kept_start(model, coordinates, topology, t0, regular, slack)
    description = build(model, "relative", topology)
    given = mapping(given, "state", "{'A.angle': 0.3}")
    own = {
        name: number(value, f"state: {name}")
        for name, value in given.items()
        if name in description.states
    }
    joints = {name: value for name, value in given.items() if name not in own}
    found = given_lengths(model, topology) if joints else None
    assembly = prepare(
        with_start_values(model, joints, "state"),
        coordinates,
        topology,
        t=t0,
        regular=regular,
        found=found,
        slack=slack,
    )
    for name, value in own.items():
        assembly.x[assembly.compiled.states[name].ix] = value
    return assembly
