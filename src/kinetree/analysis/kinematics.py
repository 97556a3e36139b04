"""Kinematic analysis: the motion of a mechanism whose drivers determine every degree of freedom.

    g(t, q) = 0 by Newton from q (+) (h v + h^2/2 vdot)
    G v = nu,     G vdot = gamma,     G^T lam = f - M vdot

Velocities and accelerations are the solutions nearest to the extrapolated ones, so that the motion
passes through positions where the equations are singular for an instant. With the multipliers,
driver efforts and joint reactions are available as after a simulation (inverse dynamics of the
driven mechanism).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..assembly.prepare import prepare
from ..assembly.result import Assembly
from ..assembly.system import System
from ..core.checks import word
from ..description.lowering.flexible import refuse_beams
from ..description.lowering.groups import refuse_groups
from ..description.lowering.modal import refuse_flexible
from ..description.lowering.states import refuse_rigid, refuse_sampled
from ..description.model import Model
from ..engine.equations.interface import evaluate_equations as equations
from ..engine.integrators.memory import STEP
from ..errors import ModelError, SimulationError, explains_arguments
from ..kernel.frames import number
from ..kernel.linalg import lstsq, product
from ..kernel.usercode.capture import with_user_errors
from ..results.sampling import sample_times
from ..results.solution import Solution
from .linear.independent_coordinates import close_from, is_closed, least_squares
from .sampled import as_solution
from .undriven import refuse_history, refuse_undriven

_LARGEST_STEP = (
    0.35  # rad (or model sizes) per Newton solve, so that Newton stays on the same assembly branch
)
_SMALLEST = 1e-9  # of the interval between samples


@explains_arguments
@with_user_errors
def kinematics(
    model: Model,
    until: float,
    *,
    output_interval: float | None = None,
    coordinates: str = "relative",
) -> Solution:
    r"""Compute the motion of a fully driven mechanism from t = 0.

    Parameters
    ----------
    model : Model
        The model; its drivers must determine every degree of freedom.
    until : float
        End time (s).
    output_interval : float, optional
        Time between samples (s); by default 1/500 of the run. It does not affect the accuracy.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the solution.

    Returns
    -------
    Solution
        The motion, with all channels of a simulation: positions, velocities, accelerations, driver
        efforts and joint reactions.

    Raises
    ------
    ModelError
        If the drivers leave degrees of freedom, or the model has beams or sampled controllers.
    SimulationError
        If the drivers lead beyond the range of the mechanism; carries the time, the joint, and the
        motion so far in `solution`.

    See Also
    --------
    simulate : Simulate a model under its forces.
    inverse_dynamics : Compute the efforts that produce a given motion.

    Notes
    -----
    At each sample the positions follow from the first equation by Newton's method, velocities and
    accelerations from the next two, and the multipliers from the last one:

    .. math:: g(t, q) = 0, \qquad G v = \nu, \qquad G \dot v = \gamma, \qquad
        G^T \lambda = f - M \dot v

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("rotor")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    >>> motor = m.constraint("motor", kt.Driver("A.angle", kt.Ramp(slope=2.0)))
    >>> sol = kt.kinematics(m, 1.0)
    >>> round(float(sol["A.rate"][-1]), 9)
    2.0
    """
    until = number(until, "kinematics: until", positive=True)
    coordinates = word(coordinates, "kinematics: coordinates")
    refuse_groups(model, "kinematics")
    refuse_flexible(model, "kinematics", "Simulate it with drivers.")
    refuse_beams(model, "kinematics", "Simulate it with a structural integrator.")
    refuse_rigid(model, "kinematics")
    refuse_sampled(
        model, "kinematics", "Use kt.simulate: the drivers prescribe the same motion there."
    )
    started = time.perf_counter()
    relative = prepare(model)
    refuse_undriven(relative)
    refuse_history(relative)
    march = March(
        relative if coordinates == "relative" else prepare(model, coordinates), started, until
    )
    for t in sample_times(until, output_interval, "kinematics"):
        march.go(float(t))
        march.keep()
    return march.solution()


@dataclass
class Instant:
    """A consistent state with its accelerations."""

    t: float
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    vdot: np.ndarray


class March:
    """Advance from instant to instant and store the samples."""

    def __init__(self, assembly: Assembly, started: float, until: float) -> None:
        self.assembly = assembly
        self.system = System(assembly.compiled)
        self.started = started
        self.until = until
        self.samples: list[tuple[Any, ...]] = []
        self.log: list[tuple[Any, ...]] = []
        rest = np.zeros(len(assembly.v))
        start = self._complete(Instant(assembly.t, assembly.q, assembly.v, assembly.x, rest))
        if start is None:
            raise ModelError(
                f"kinematics of {assembly.compiled.model.name!r}: no accelerations satisfy all "
                "constraints at the start; two drivers may prescribe different motions of the "
                "same coordinate."
            )
        self.now = start

    def go(self, t: float) -> None:
        """Advance to time t, in one step or in as many as Newton needs."""
        whole = h = t - self.now.t
        failed = 0
        while self.now.t < t:
            found, iterations = self._step(min(self.now.t + h, t))
            if found is not None:
                self._log(found, iterations, failed)
                self.now, failed = found, 0
                h = min(2.0 * h, t - self.now.t)
                continue
            failed, h = failed + 1, 0.5 * h
            if h < _SMALLEST * whole or self.now.t + h <= self.now.t:
                self._give_up()

    def _step(self, t: float) -> tuple[Instant | None, int]:
        """Extrapolate, close and differentiate; None if the step must be shorter."""
        now, system, h = self.now, self.system, t - self.now.t
        move = h * now.v + 0.5 * h * h * now.vdot
        length = float(np.abs(move * system.natural).max(initial=0.0))
        if length > _LARGEST_STEP:
            return None, 0
        found = close_from(
            system, t, *system.shift(now.q, now.x, move), jacobian=system.position_jacobian
        )
        # a large correction may lead to another assembly branch
        if not is_closed(system, found.error) or found.moved > 0.1 * length + 1e-4:
            return None, found.iterations
        return self._complete(
            Instant(t, found.q, now.v + h * now.vdot, found.x, now.vdot)
        ), found.iterations

    def _complete(self, guess: Instant) -> Instant | None:
        """Velocities and accelerations nearest to the guessed ones; None if the equations have no
        solution.
        """
        system, t = self.system, guess.t
        system.values(t, guess.q, guess.x)
        G, nu, natural = system.jacobian(), system.rates(t), system.natural
        v = guess.v + least_squares(G, nu - product(G, guess.v), natural)
        equations(system.tables, system.work, t, guess.q, v, guess.x)
        gamma = system.work.gamma * system.scale
        vdot = guess.vdot + least_squares(G, gamma - product(G, guess.vdot), natural)
        wrong = max(_misfit(G, v, nu), _misfit(G, vdot, gamma))
        return Instant(t, guess.q, v, guess.x, vdot) if wrong <= 1e-7 else None

    def _log(self, found: Instant, iterations: int, failed: int) -> None:
        system = self.system
        error = float(np.abs(system.values(found.t, found.q, found.x)).max(initial=0.0))
        rate = float(
            np.abs(product(system.jacobian(), found.v) - system.rates(found.t)).max(initial=0.0)
        )
        self.log.append(
            (
                found.t,
                found.t - self.now.t,
                2,
                0.0,
                failed,
                iterations + 1,
                error,
                rate,
                iterations,
                iterations,
            )
        )

    def keep(self) -> None:
        """Store the present instant as a sample, with its multipliers."""
        now, work = self.now, self.system.work
        equations(self.system.tables, work, now.t, now.q, now.v, now.x)
        G = work.G * self.system.scale[:, None]
        lam = lstsq(G.T, work.f - product(work.M, now.vdot), rcond=1e-12) * self.system.scale
        self.samples.append((now.t, np.concatenate([now.q, now.v, now.x]), now.vdot, lam))

    def solution(self) -> Solution:
        t, y, vdot, lam = (np.array(column) for column in zip(*self.samples))
        return as_solution(
            self.assembly,
            t,
            y,
            vdot,
            lam,
            "kinematics",
            _running_sums(self.log),
            self.until,
            time.perf_counter() - self.started,
        )

    def _give_up(self) -> None:
        """Raise an error that names the joint that opens, and the time."""
        now, system, compiled = self.now, self.system, self.assembly.compiled
        # evaluate the gap a little later, where it is visible
        close_from(system, now.t + 1e-3 * self.until, now.q, now.x)
        gap = np.abs(system.work.g * system.scale)
        drivers = [name for name, e in compiled.model.constraints.items() if e.spec.driven]
        owner = compiled.row_owner[
            max(range(len(gap)), key=lambda r: (compiled.row_owner[r] not in drivers, gap[r]))
        ]
        raise SimulationError(
            f"at t = {now.t:.6g} s: the mechanism cannot follow {', '.join(map(repr, drivers))} "
            f"beyond this time; {owner!r} would open (a dead point, or the end of the range of "
            "motion). Change the driver or the lengths; the motion up to this time is in "
            "err.solution.",
            now.t,
            owner,
            self.solution() if self.samples else None,
        )


def _misfit(G: np.ndarray, v: np.ndarray, right: np.ndarray) -> float:
    size = np.abs(G).max(initial=0.0) * np.abs(v).max(initial=0.0)
    return float(
        np.abs(product(G, v) - right).max(initial=0.0)
        / (1.0 + np.abs(right).max(initial=0.0) + size)
    )


def _running_sums(rows: list[tuple[Any, ...]]) -> np.ndarray:
    """The step log; iterations and factorizations are running sums, as in the integrators."""
    log = np.zeros(len(rows), STEP)
    for name, column in zip(STEP.names or (), zip(*rows)):
        log[name] = column
    for name in ("iterations", "factorisations"):
        log[name] = np.cumsum(log[name])
    log["steps"], log["shortest"], log["longest"] = 1, log["h"], log["h"]
    return log
