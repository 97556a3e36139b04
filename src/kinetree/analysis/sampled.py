"""Solutions with all channels from states that were not integrated."""

from __future__ import annotations

import numpy as np

from ..assembly.result import Assembly
from ..assembly.system import System
from ..engine.equations.interface import evaluate_equations as equations
from ..engine.formulations.catalogue import formulation
from ..engine.integrators.memory import STEP
from ..engine.integrators.result import Result
from ..errors import SimulationError
from ..kernel.linalg import eigh, lstsq, product
from ..kernel.tables.status import Status
from ..results.completion import Solved
from ..results.run_data import MemoryRun
from ..results.solution import Solution
from ..simulation.run import Options
from .linear.independent_coordinates import dof_name, least_squares, null_space


def as_solution(
    assembly: Assembly,
    t,
    y,
    vdot,
    lam,
    how: str,
    log: np.ndarray | None = None,
    until: float | None = None,
    wall: float = 0.0,
) -> Solution:
    """A solution from samples; `how` replaces the name of the integrator."""
    t, y, vdot, lam = (np.ascontiguousarray(a, float) for a in (t, y, vdot, lam))
    log = np.zeros(0, STEP) if log is None else log
    done = until is None or bool(len(t) and t[-1] >= until)
    last, state = (float(t[-1]), y[-1]) if len(t) else (0.0, assembly.y)
    status = Status.DONE if done else Status.NO_CLOSURE
    result = Result(
        how,
        status,
        False,
        last,
        state,
        np.zeros_like(state),
        log,
        t,
        y,
        len(log),
        int(log["rejected"].sum()),
        int(log["evaluations"].sum()),
    )
    options = Options(
        last if until is None else until,
        assembly.compiled.coordinates,
        integrator=how,
        chosen={"rtol": 1e-12},
    )
    solved, method = Solved.of(vdot, lam), formulation("augmented")
    return Solution(MemoryRun(assembly, method, options.to_dict(), result, t, y, solved, wall))


class Projection:
    """Factorization of M and G of the equations last filled, by null-space projection.

    Bodies without inertia and redundant equations are allowed.

        vdot = vp + N a,   G vp = gamma,  G N = 0,   N^T M N a = N^T (f - M vp)
    """

    def __init__(self, system: System, t: float) -> None:
        self.M, self.scale, self.natural = system.work.M.copy(), system.scale, system.natural
        self.G = system.work.G * system.scale[:, None]
        self.N = null_space(self.G, self.natural)
        self.inertia, self.U = eigh(product(self.N.T, self.M, self.N))
        if len(self.inertia) and not self.inertia[0] > 1e-13 * self.inertia[-1]:
            idle = dof_name(
                system, int(np.argmax(np.abs(product(self.N, self.U[:, 0])) * self.natural))
            )
            raise SimulationError(
                f"at t = {t:.6g} s: nothing beyond {idle!r} has inertia, and no constraint fixes "
                "it. Give the outer body mass and inertia, or fix this degree of freedom.",
                t,
                idle,
            )

    def accelerations(self, f: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """vdot for one right-hand side, or for several as columns."""
        vp = least_squares(self.G, (gamma.T * self.scale).T, self.natural)
        push = product(self.U.T, product(self.N.T, f - product(self.M, vp)))
        return vp + product(self.N, product(self.U, (push.T / self.inertia).T))

    def solved(self, f: np.ndarray, gamma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """vdot, and the lam of least norm with G^T lam = f - M vdot."""
        vdot = self.accelerations(f, gamma)
        return vdot, lstsq(self.G.T, f - product(self.M, vdot), rcond=1e-12) * self.scale


def accelerations(
    system: System, t: float, q: np.ndarray, v: np.ndarray, x: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """vdot and lam by projection."""
    equations(system.tables, system.work, t, q, v, x)
    return Projection(system, t).solved(system.work.f, system.work.gamma)
