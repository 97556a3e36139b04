"""Static equilibrium: where the machine stays if it is put there at rest.

    T^T f(t, q, v = 0, x) = 0,    g(t, q) = 0,    xdot = 0,    G^T lam = f       T: the directions the constraints leave free

The search is in `balance`; this is the question, and the receipt that answers it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..assembly.receipt import Assembly
from ..errors import ModelError, SimulationError
from ..model.model import Model
from ..results.reactions import Reactions
from ..results.solution import Solution
from ..usercode.guard import attending
from .assemble import assemble
from .balance import Search
from .linearize import linearize
from .sampled import as_solution, at_state

METHODS = ("auto", "newton", "relaxation")
_NEUTRAL = 1e-7  # stiffness against the largest that counts as none


@dataclass(frozen=True)
class Equilibrium:
    """A balanced position, and how it was found; `print` it. `eq["crank.position.z"]` reads any channel."""

    assembly: Assembly  # the state, at rest, with multipliers
    residual: float  # N m (forces times the size of the machine)
    iterations: int
    method: str
    stiffness: np.ndarray  # eigenvalues of the tangent stiffness in the free directions, N m/rad, rising
    names: tuple[str, ...]  # the independent coordinates
    eigenvalues: np.ndarray | None = None  # of the linear equations, 1/s, where states of elements or controllers are involved

    @property
    def coordinates(self) -> dict[str, float]:
        return self.assembly.coordinates

    @property
    def stable(self) -> bool | None:
        """True in a minimum, False if a push grows, None if some direction is neutral; with states, by the eigenvalues."""
        if self.eigenvalues is not None:
            real, large = self.eigenvalues.real, np.abs(self.eigenvalues).max(initial=0.0)
            return False if np.any(real > _NEUTRAL * large) else None if np.any(real >= -_NEUTRAL * large) else True
        small = _NEUTRAL * np.abs(self.stiffness).max(initial=0.0)
        if np.any(self.stiffness < -small):
            return False
        return None if np.any(self.stiffness <= small) else True

    @cached_property
    def solution(self) -> Solution:
        """The position as a solution of one sample, with all channels."""
        a = self.assembly
        return as_solution(a, [a.t], a.y[None], a.vdot[None], a.lam[None], "equilibrium")

    @property
    def reactions(self) -> Reactions:
        return self.solution.reactions

    def __getitem__(self, name: str) -> np.ndarray:
        return self.solution[name][0]

    def __str__(self) -> str:
        word = {True: "stable", False: "unstable", None: "neutral in some direction"}[self.stable]
        lines = [f"Equilibrium of {self.assembly.compiled.model.name!r}, {word}: forces balance to "
                 f"{self.residual:.1e} N m after {self.iterations} iterations ({self.method}).",
                 f"Stiffness against {', '.join(self.names) or 'nothing'}: "
                 f"{', '.join(f'{k:.4g}' for k in self.stiffness)} N m/rad."]
        states = {name: self.assembly.x[place.ix] for name, place in self.assembly.compiled.states.items()}
        lines += [f"  {name} = {value:.9g}" for name, value in {**self.coordinates, **states}.items()]
        return "\n".join(lines)


@attending
def equilibrium(model: Model, *, coordinates: str = "relative", guess: dict[str, float] | Assembly | None = None,
                t: float = 0.0, method: str = "auto") -> Equilibrium:
    """A position in which all forces balance at rest, nearest downhill from the start.

    guess    joint coordinates to start from, like {"A.angle": 0.3}, or an assembly (default: the model's own start)
    t        time at which drivers, actuators and other time functions are frozen
    method   "newton", "relaxation", or "auto": the first, and the second where it fails

    A start that is balanced already is answered as it is, stable or not. Raises SimulationError if no equilibrium is
    found, with the coordinates along which the machine is still pushed. States of elements and controllers come to rest
    too; where any value of a state is at rest (a shut cylinder), the one nearest to the start is taken.
    """
    if method not in METHODS:
        raise ModelError(f"equilibrium: method {method!r} is not known; choose one of {', '.join(METHODS)}.")
    start = guess if isinstance(guess, Assembly) else assemble(model, targets=guess, coordinates=coordinates)
    search = Search(start, t)
    if search.own and method == "relaxation":
        raise ModelError("equilibrium: relaxation moves bodies only, and this model has states besides "
                         f"({', '.join(start.compiled.states)}); use method='newton'.")
    if method != "relaxation":
        search.newton()
    used = "newton"
    if not search.found and method != "newton" and not search.own:
        used = "relaxation"
        search.relax()
        search.newton()
    return _receipt(search, used)


def _receipt(search: Search, method: str) -> Equilibrium:
    """The answer, or the sentence that there is none."""
    chart, system = search.here.chart, search.system
    if not search.found:
        raise SimulationError(_sentence(search), search.t)
    f = search.forces(chart.q, chart.x)
    G = system.work.G * system.scale[:, None]
    lam = np.linalg.lstsq(G.T, f, rcond=1e-12)[0] * system.scale
    n = chart.freedoms
    stiffness = np.sort(np.linalg.eigvals(search.stiffness()[:n, :n]).real) if n else np.zeros(0)
    assembly = at_state(search.start, search.t, chart.q, search.rest, chart.x, vdot=search.rest, lam=lam)
    eigenvalues = linearize(assembly.compiled.model, state=assembly).eigenvalues if search.own else None
    return Equilibrium(assembly, search.size, search.iterations, method, stiffness, chart.names, eigenvalues)


def _sentence(search: Search) -> str:
    pushed, n = np.abs(search.here.r), search.here.chart.freedoms
    states = search.start.compiled.states
    restless = [name for name, rate in zip(states, pushed[n:]) if rate > 0.3 * pushed.max()]
    if restless:
        return (f"no equilibrium of {search.start.compiled.model.name!r} was found in {search.iterations} iterations: "
                f"{', '.join(restless)} would not come to rest. Leave out what integrates without end, or give a guess "
                "nearer to the equilibrium.")
    names = [name for name, push in zip(search.here.chart.names, pushed[:n]) if push > 0.3 * pushed.max()]
    return (f"no equilibrium of {search.start.compiled.model.name!r} was found in {search.iterations} iterations: "
            f"{search.size:.3g} N m still push along {', '.join(names)}. Hold that freedom with a spring, a joint or a "
            "Driver, or give a guess nearer to the equilibrium.")
