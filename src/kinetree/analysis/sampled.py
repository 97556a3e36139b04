"""States that were not found by integrating, as a solution with all its channels; and states given in several ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..assembly.prepare import labelled, prepare, redundancy
from ..assembly.receipt import Assembly
from ..assembly.system import System
from ..errors import ModelError, SimulationError
from ..formulations.catalogue import formulation
from ..integrators.drive import Result
from ..integrators.memory import STEP
from ..model.model import Model
from ..num.status import Status
from ..plants.doors import equations
from ..results.solution import Solution
from ..simulation import Options
from .chart import freedom_name, least_squares, null_space


def as_solution(assembly: Assembly, t, y, vdot, lam, how: str, log: np.ndarray | None = None,
                until: float | None = None, wall: float = 0.0) -> Solution:
    """A solution from samples; `how` stands where the name of an integrator would."""
    t, y, vdot, lam = (np.ascontiguousarray(a, float) for a in (t, y, vdot, lam))
    log = np.zeros(0, STEP) if log is None else log
    done = until is None or bool(len(t) and t[-1] >= until)
    last, state = (float(t[-1]), y[-1]) if len(t) else (0.0, assembly.y)
    status = Status.DONE if done else Status.NO_CLOSURE
    result = Result(how, status, False, last, state, np.zeros_like(state), log, t, y, len(log),
                    int(log["rejected"].sum()), int(log["evaluations"].sum()))
    options = Options(last if until is None else until, assembly.compiled.coordinates, integrator=how, chosen={"rtol": 1e-12})
    return Solution(assembly, formulation("augmented"), options.to_dict(), result, t, y, vdot, lam, wall)


def at_state(assembly: Assembly, t: float, q: np.ndarray, v: np.ndarray, x: np.ndarray, **more) -> Assembly:
    """The receipt for another state of the same compiled model."""
    system = System(assembly.compiled)
    violation = float(np.abs(system.values(t, q, x)).max(initial=0.0))
    rates = np.abs(system.jacobian() @ v - system.rates(t)).max(initial=0.0)
    rank, redundant = redundancy(system)
    found = labelled(system, q, x)
    moved = {k: (a, found[k]) for k, a in assembly.coordinates.items() if abs(found[k] - a) > 1e-9}
    return replace(assembly, t=t, q=q, v=v, x=x, coordinates=found, moved=moved, violation=violation,
                   velocity_violation=float(rates), rank=rank, redundant=redundant, **more)


def state_of(model: Model, state, coordinates: str) -> Assembly:
    """A consistent state: the assembled one for None, an Assembly, or (solution, time)."""
    if state is None:
        return prepare(model, coordinates)
    if isinstance(state, Assembly):
        return state
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[0], Solution):
        return at_time(*state)
    raise ModelError("state must be None, an assembly (of assemble, or equilibrium(...).assembly) or (solution, time), "
                     f"got {state!r}.")


def at_time(solution: Solution, t: float) -> Assembly:
    """The state of a solution at a time: a sample as it is, else between samples."""
    near = np.flatnonzero(np.abs(solution.t - t) <= 1e-12 * max(1.0, abs(t)))
    y = solution.y[near[0]] if len(near) else solution.at(t).y[0]
    return at_state(solution.assembly, float(t), *(part.copy() for part in solution.compiled.split(y)))


def accelerations(system: System, t: float, q: np.ndarray, v: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """vdot and lam by projection, with a body that has no inertia of its own as welcome as redundant equations.

        vdot = vp + N a,   G vp = gamma,  G N = 0,   N^T M N a = N^T (f - M vp),   G^T lam = f - M vdot
    """
    work, natural = system.work, system.natural
    equations(system.tables, work, t, q, v, x)
    G = work.G * system.scale[:, None]
    vp, N = least_squares(G, work.gamma * system.scale, natural), null_space(G, natural)
    inertia, U = np.linalg.eigh(N.T @ work.M @ N)
    if len(inertia) and not inertia[0] > 1e-13 * inertia[-1]:
        idle = freedom_name(system, int(np.argmax(np.abs(N @ U[:, 0]) * natural)))
        raise SimulationError(f"at t = {t:.6g} s: nothing beyond {idle!r} has inertia, and no constraint holds it. Give the "
                              "outer body mass and inertia, or fix the freedom.", t, idle)
    vdot = vp + N @ (U @ ((U.T @ (N.T @ (work.f - work.M @ vp))) / inertia))
    lam = np.linalg.lstsq(G.T, work.f - work.M @ vdot, rcond=1e-12)[0] * system.scale
    return vdot, lam
