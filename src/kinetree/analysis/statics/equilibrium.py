"""Static equilibrium: a position in which the model stays at rest.

    T^T f(t, q, v = 0, x) = 0,    g(t, q) = 0,    xdot = 0,    G^T lam = f

The columns of T span the directions that the constraints leave free. The search is in `balance`;
this module has the function and its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...assembly.convert import at_state, convert_state
from ...assembly.result import Assembly
from ...core.checks import mapping, number, words
from ...core.display import Printable
from ...description.lowering.flexible import refuse_beams
from ...description.lowering.states import refuse_rigid, refuse_sampled
from ...description.model import Model
from ...errors import ModelError, SimulationError, counted, explains_arguments, short
from ...kernel.linalg import lstsq
from ...kernel.usercode.capture import with_user_errors
from ...results.reactions import Reactions
from ...results.solution import Solution
from ...simulation.states import HasState, State
from ..assemble import assemble
from ..linear.linearize import linearize
from ..sampled import as_solution
from .balance import Search
from .held_joints import Hold, efforts, held_model
from .quasi_static import follow_motion

METHODS = ("auto", "newton", "relaxation")
_PER, _EFFORT = {"rad": "N m/rad", "m": "N/m"}, {"rad": "N m", "m": "N"}
_NEUTRAL = 1e-7  # stiffness relative to the largest one below which a direction is neutral


@dataclass(frozen=True, repr=False)
class Equilibrium(HasState, Printable):
    """A position of static equilibrium; ``eq["crank.position.z"]`` is the value of a channel.

    Returned by `equilibrium`. It can be the initial state of a run:
    ``kt.simulate(model, until, state=eq)``.

    Attributes
    ----------
    assembly : Assembly
        The state at rest, with multipliers.
    residual : float
        Largest unbalanced force (N m; forces times the size of the model).
    iterations : int
        Number of iterations.
    method : str
        Method that found it: "newton", "relaxation" or "slow motion".
    names : tuple of str
        Names of the independent coordinates.
    units : tuple of str
        Unit of each independent coordinate, "rad" or "m".
    matrix : ndarray, shape (n, n)
        Tangent stiffness: generalized force (N m, N) per radian or meter of each coordinate.
    length : float
        Size of the model (m).
    kept : tuple of str
        States that only motion changes, such as pressures behind closed valves.
    free_of : int
        Number of independent combinations of these states.
    start : Assembly or None
        Start of the model without its held coordinates, if coordinates were held.
    eigenvalues : ndarray or None, shape (n,)
        Eigenvalues of the linearized equations (1/s), if elements or controllers have states.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.quarter_car import quarter_car
    >>> eq = kt.equilibrium(quarter_car())
    >>> eq.stable
    True
    """

    assembly: Assembly  # the state, at rest, with multipliers
    residual: float  # N m (forces times the model size)
    iterations: int
    method: str
    names: tuple[str, ...]  # the independent coordinates
    units: tuple[str, ...]  # the unit of each: rad or m
    matrix: np.ndarray  # tangent stiffness: N m or N along each of them per radian or meter of each
    length: float  # m, model size
    # states that only motion changes, such as pressures behind shut valves
    kept: tuple[str, ...] = ()
    free_of: int = 0  # number of independent combinations of them
    eigenvalues: np.ndarray | None = (
        None  # of the linearized equations, 1/s, if the model has states of elements or controllers
    )
    start: Assembly | None = None  # of the model without held coordinates

    @property
    def state(self) -> State:
        """The position as a state of the model, without the held coordinates."""
        return State.of(
            self.assembly
            if self.start is None
            else convert_state(self.assembly, self.start.compiled)
        )

    @cached_property
    def efforts(self) -> dict[str, float]:
        """Effort that holds each held coordinate (N m or N)."""
        return efforts(self.solution)

    @property
    def coordinates(self) -> dict[str, float]:
        """Every joint coordinate by name (rad or m)."""
        return self.assembly.coordinates

    @cached_property
    def _directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues of the stiffness with lengths in model sizes, ascending, and their
        directions.
        """
        size = np.array([self.length if unit == "m" else 1.0 for unit in self.units])
        values, vectors = np.linalg.eig(self.matrix * np.outer(size, size))
        order = np.argsort(values.real)
        return values.real[order], vectors[:, order]

    @property
    def stiffness(self) -> np.ndarray:
        """Eigenvalues of the stiffness (N m), shape (n,), ascending; lengths in sizes of the model."""
        return self._directions[0]

    @property
    def stable(self) -> bool | None:
        """Whether the equilibrium is stable; None if it is neutral in some direction.

        With states of elements or controllers, the eigenvalues decide.
        """
        # ascending in magnitude: conserved combinations are the zeros at the beginning
        if self.eigenvalues is not None:
            real = self.eigenvalues.real[self.free_of :]
            large = np.abs(self.eigenvalues).max(initial=0.0)
            return (
                False
                if np.any(real > _NEUTRAL * large)
                else None
                if np.any(real >= -_NEUTRAL * large)
                else True
            )
        small = _NEUTRAL * np.abs(self.stiffness).max(initial=0.0)
        if np.any(self.stiffness < -small):
            return False
        return None if np.any(self.stiffness <= small) else True

    @property
    def weakest(self) -> tuple[str, ...]:
        """Coordinates that move most in the direction of least stiffness."""
        if not self.names:
            return ()
        share = np.abs(self._directions[1][:, 0])
        return tuple(name for name, a in zip(self.names, share) if a > 0.3 * share.max())

    @cached_property
    def solution(self) -> Solution:
        """The position as a solution with one sample and all channels."""
        a = self.assembly
        vdot, lam = (np.zeros((1, 0)) if part is None else part[None] for part in (a.vdot, a.lam))
        return as_solution(a, [a.t], a.y[None], vdot, lam, "equilibrium")

    @property
    def reactions(self) -> Reactions:
        """Reactions of the joints by name."""
        return self.solution.reactions

    def __getitem__(self, name: str) -> np.ndarray:
        return self.solution[name][0]

    def __str__(self) -> str:
        lines = [
            f"Equilibrium of {self.assembly.compiled.model.name!r}, {self._verdict()}: forces "
            f"balance to {self.residual:.1e} N m after {counted(self.iterations, 'iteration')} "
            f"({self.method})."
        ]
        none = 1e-3 * _NEUTRAL * np.abs(self.matrix).max(initial=0.0)
        diagonal = np.where(np.abs(np.diag(self.matrix)) > none, np.diag(self.matrix), 0.0)
        against = [
            f"{name} {k:.4g} {_PER[unit]}"
            for name, k, unit in zip(self.names, diagonal, self.units)
        ]
        if against:
            held = "" if len(against) == 1 else ", the others held fixed"
            lines.append(f"Stiffness of each degree of freedom{held}: {', '.join(against)}.")
        if self.kept:
            lines.append(
                f"Only motion changes {', '.join(self.kept)}: their values are those that a slow "
                "motion from the start gives."
            )
        lines += [
            f"Held: {name}, with an effort of {effort:.6g} {_EFFORT[unit]}."
            for (name, unit), effort in zip(
                _units(self.assembly, self.efforts), self.efforts.values()
            )
        ]
        states = {
            name: self.assembly.x[place.ix] for name, place in self.assembly.compiled.states.items()
        }
        lines += [
            f"  {name} = {value:.9g}" for name, value in {**self.coordinates, **states}.items()
        ]
        return "\n".join(lines)

    def _verdict(self) -> str:
        if self.stable:
            return "stable"
        word = "neutral" if self.stable is None else "unstable"
        return (
            f"{word} along {', '.join(self.weakest)}"
            if self.eigenvalues is None and self.weakest
            else word
        )


@explains_arguments
@with_user_errors
def equilibrium(
    model: Model,
    *,
    coordinates: str = "relative",
    guess: dict[str, float] | Assembly | None = None,
    t: float = 0.0,
    method: str = "auto",
    hold: Hold = (),
) -> Equilibrium:
    r"""Find a position of static equilibrium, downhill from the start.

    Parameters
    ----------
    model : Model
        The model.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the state.
    guess : dict of str to float or Assembly, optional
        Joint coordinates to start from (rad or m), such as ``{"A.angle": 0.3}``, or an assembly; by
        default the start that the model describes.
    t : float, default 0.0
        Time (s) at which drivers, actuators and other time functions are evaluated.
    method : {"auto", "newton", "relaxation"}, default "auto"
        "auto" tries Newton's method first and relaxation if it fails.
    hold : sequence of str or dict of str to float, default ()
        Joint coordinates to hold where they are, such as ``["A.angle"]``, or at a value (rad or m),
        such as ``{"A.angle": 0.3}``. ``eq.efforts`` lists the efforts that hold them.

    Returns
    -------
    Equilibrium
        The position, its stiffness and its stability.

    Raises
    ------
    SimulationError
        If no equilibrium is found; the message names the coordinates that are not balanced.
    ModelError
        If the model has beams (use `deflect`) or sampled controllers.

    See Also
    --------
    deflect : Find the static equilibrium of a model with beams.
    linearize : Linearize the equations of motion about a state.

    Notes
    -----
    The equations are

    .. math:: T^T f(t, q, v = 0, x) = 0, \qquad g(t, q) = 0, \qquad \dot x = 0

    where the columns of T span the null space of G. If the start is balanced it is returned
    unchanged, stable or not. States of elements and controllers come to rest too. If every value of a
    state is at rest, as for the oil behind a closed valve, the state is followed in slow motion from
    the start: the enclosed oil is compressed and carries its load.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": 1.0})
    >>> eq = kt.equilibrium(m)
    >>> eq.stable
    True
    >>> round(eq.coordinates["A.angle"], 6)
    1.570796
    >>> held = kt.equilibrium(m, hold={"A.angle": 0.0})
    >>> round(abs(held.efforts["A.angle"]), 4)  # m g length / 2
    2.4525
    """
    if not isinstance(method, str) or method not in METHODS:
        raise ModelError(
            f"equilibrium: method {short(method)} is not known; choose one of {', '.join(METHODS)}."
        )
    t = number(t, "equilibrium: t")
    refuse_beams(model, "equilibrium", "kt.deflect finds the shape in which it is balanced.")
    refuse_rigid(model, "equilibrium")
    refuse_sampled(
        model, "equilibrium", "Give the controller no period, or hold its output with a number."
    )
    hold = mapping(hold, "", "") if isinstance(hold, Mapping) else words(hold, "equilibrium: hold")
    given = hold if isinstance(hold, dict) else {}
    if isinstance(guess, Assembly):
        start = guess
    else:
        guess = mapping({} if guess is None else guess, "equilibrium: guess", "{'A.angle': 0.3}")
        start = assemble(model, targets={**guess, **given}, coordinates=coordinates)
    machine, start = (start, held_model(start, hold, t)) if hold else (None, start)
    search = Search(start, t)
    if search.own and method == "relaxation":
        raise ModelError(
            "equilibrium: relaxation moves bodies only, and this model has states besides "
            f"({', '.join(start.compiled.states)}); use method='newton'."
        )
    if method != "relaxation":
        search.newton()
    used = "newton"
    # the result depends on the history of the motion
    if search.own and (not search.found or (search.kept.shape[1] and search.iterations)):
        search, used = Search(start, t), "slow motion"
        follow_motion(search)
        search.newton()
    if not search.found and method != "newton" and not search.own:
        used = "relaxation"
        search.relax()
        search.newton()
    return replace(_result(search, used), start=machine)


def _result(search: Search, method: str) -> Equilibrium:
    """The result, or a SimulationError if none was found."""
    chart, system = search.here.chart, search.system
    if not search.found:
        raise SimulationError(_sentence(search), search.t)
    f = search.forces(chart.q, chart.x)
    G = system.work.G * system.scale[:, None]
    lam = lstsq(G.T, f, rcond=1e-12) * system.scale
    n = chart.freedoms
    search.find_conserved()
    matrix = search.stiffness()[:n, :n] * np.outer(chart.natural, chart.natural)
    kept = [
        name
        for name, part in zip(search.start.compiled.states, search.kept)
        if np.abs(part).max(initial=0.0) > 1e-6
    ]
    assembly = at_state(
        search.start, search.t, chart.q, search.rest, chart.x, vdot=search.rest, lam=lam
    )
    eigenvalues = (
        linearize(assembly.compiled.model, state=assembly).eigenvalues if search.own else None
    )
    units = tuple("m" if travel else "rad" for travel in system.travels[chart.index])
    return Equilibrium(
        assembly,
        search.size,
        search.iterations,
        method,
        chart.names,
        units,
        matrix,
        system.length,
        tuple(kept),
        search.kept.shape[1],
        eigenvalues,
    )


def _units(assembly: Assembly, names: Iterable[str]) -> list[tuple[str, str]]:
    """Coordinates with their units, rad or m."""
    joints = assembly.compiled.model.joints
    parted = [(name, *name.rpartition(".")[::2]) for name in names]
    return [
        (name, joints[joint].joint.units[joints[joint].joint.labels.index(label)])
        for name, joint, label in parted
    ]


def _sentence(search: Search) -> str:
    pushed, n = np.abs(search.here.r), search.here.chart.freedoms
    states = search.start.compiled.states
    restless = [name for name, rate in zip(states, pushed[n:]) if rate > 0.3 * pushed.max()]
    if restless:
        return (
            f"no equilibrium of {search.start.compiled.model.name!r} was found in "
            f"{counted(search.iterations, 'iteration')}: {', '.join(restless)} did not come to "
            "rest. Remove states that integrate without bound, or give a guess nearer to the "
            "equilibrium."
        )
    chart = search.here.chart
    units = np.where(search.system.travels[chart.index], "N", "N m")
    still = [
        f"{push * natural:.3g} {unit} along {name}"
        for name, push, natural, unit in zip(chart.names, pushed, chart.natural, units)
        if push > 0.3 * pushed.max()
    ]
    return (
        f"no equilibrium of {search.start.compiled.model.name!r} was found in "
        f"{counted(search.iterations, 'iteration')}: {', '.join(still)} remain unbalanced. Hold "
        "that degree of freedom with a spring, a joint or a Driver, or give a guess nearer to the "
        "equilibrium."
    )
