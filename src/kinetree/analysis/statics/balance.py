"""The search for static equilibrium.

    r(z, x) = (T(z)^T f(t, q(z), v = 0, x), xdot) = 0,    K = -dr/d(z, x)

Newton's method in independent coordinates. Negative eigenvalues of K are replaced by their absolute
values, so that the search descends the potential and does not end in a saddle point. The step is
shortened until the force along it has decreased or still points ahead. Displacements may be long,
as those of a soft spring: the step limit doubles while full steps lead in the same direction. If
this fails, the model moves slowly and stops at every peak of its kinetic energy (dynamic relaxation
with kinetic damping, after Day and Cundall), and Newton's method continues from there. States of
elements and controllers are solved for together with the position, in units of their scale; their
rates count as forces.

Some combinations w of the states change by motion only: oil behind closed valves, or a counter of
the distance traveled.

    x' = R(q, x) + A(q, x) v,       w^T dR/d(q, x) = 0 at rest
    so that  d(w^T x)/dt = w^T A v

Any value of w^T x is an equilibrium; the history of the motion determines it. Oil in a closed
cylinder is compressed by a load and carries it; a leaking piston passes oil from one chamber to the
other. The search follows such a motion first (`quasi_static`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...assembly.positions import close, is_closed
from ...assembly.result import Assembly
from ...assembly.system import System
from ...engine.equations.interface import evaluate_equations as equations
from ...errors import SimulationError
from ...kernel.linalg import eigh, lstsq, norm, product, qr, singular_values, solve, svd
from ..linear.independent_coordinates import IndependentCoordinates, differences

_ITERATIONS, _HALVINGS, _RELAXATIONS = 200, 25, 4000
_DIFFERENCE, _LARGEST_STEP, _FURTHEST = 1e-3, 0.3, 100.0  # rad, or model sizes
_LONGEST = 1e6  # model sizes: upper limit of a Newton step
# range of the time unit: fractions and multiples of the time in which the model moves
_SLOW = 8.0
_FAST = 1000.0
# rate (in scales of the state per second) below which a state is constant: one scale in 30 years
_CONSTANT = 1e-9
_DEPENDENT = 1e-7  # singular value, of the largest one; J comes from difference quotients
# residual relative to the forces present: target, and largest accepted value
_BALANCED = 1e-13
_GOOD = 1e-9


class Balance(NamedTuple):
    """A position with independent coordinates and its residual.

    The residual lists forces in the free directions in natural units (N m), then rates.
    """

    chart: IndependentCoordinates
    r: np.ndarray


class Search:
    """The search: the position reached so far, and the number of iterations."""

    def __init__(self, start: Assembly, t: float) -> None:
        self.start, self.t, self.system = start, t, System(start.compiled)
        self.rest = np.zeros(len(start.v))
        places = start.compiled.states.values()
        self.own, self.sizes = [p.ix for p in places], np.array([p.state.scale for p in places])
        self.iterations, self.longest = 0, _LARGEST_STEP  # model sizes
        self.scale = self._weight()
        q, x = self._closed()
        self.forces(q, x)
        self.second = self._second()
        # N m s: weight of a state that changes by its scale in one time unit
        self.per_rate = (self.scale or 1.0) * self.second
        self.here = self.balance(q, x)
        self.kept, self.carried = (
            np.zeros((len(self.own), 0)),
            np.zeros((len(self.own), self.here.chart.freedoms)),
        )
        self.find_conserved()

    def _closed(self) -> tuple[np.ndarray, np.ndarray]:
        """The start, with the drivers at their values of time t."""
        found = close(self.system, self.t, self.start.q, self.start.x, self.system.natural**2)
        if not is_closed(self.system, found):
            raise SimulationError(
                f"{self.start.compiled.model.name!r} cannot be assembled at t = {self.t:g} s: the "
                "drivers lead beyond its reach, or too far from the start; give a guess near that "
                "position.",
                self.t,
            )
        return found.q, found.x

    def _weight(self) -> float:
        """Scale of the forces (N m): the weight of the model times its size."""
        tables = self.system.tables
        return float(
            tables.links["mass"].sum() * norm(tables.settings[0]["gravity"]) * self.system.length
        )

    def _second(self) -> float:
        """Time unit (s): one second, limited to 1/8 to 1000 of the time in which the forces move
        the model.
        """
        inertia = float(self.system.tables.links["mass"].sum()) * self.system.length**2
        if not (self.scale > 0.0 and inertia > 0.0):
            return 1.0
        moves = np.sqrt(inertia / self.scale)
        return float(np.clip(1.0, moves / _SLOW, _FAST * moves))

    def forces(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """f at rest; M and G remain in the workspace."""
        equations(self.system.tables, self.system.work, self.t, q, self.rest, x)
        self.scale = max(
            self.scale, float(np.abs(self.system.work.f / self.system.natural).max(initial=0.0))
        )
        return self.system.work.f.copy()

    def reduced(self, chart: IndependentCoordinates, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        f = self.forces(q, x)
        rates = self.system.work.xdot[self.own] / self.sizes
        return np.concatenate([chart.projected(f) / chart.natural, self.per_rate * rates])

    def moved(self, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and states after a step in natural units; conserved combinations follow the
        motion.
        """
        chart, n = self.here.chart, self.here.chart.freedoms
        q, x = chart.at(step[:n] / chart.natural)
        change = step[n:] + product(
            self.kept, product(self.kept.T, product(self.carried, step[:n]) - step[n:])
        )
        x[self.own] += change * self.sizes
        return q, x

    def find_conserved(self) -> None:
        """Find the combinations of states that only motion changes, and their change per
        displacement.
        """
        if not self.own:
            return
        n, size = self.here.chart.freedoms, len(self.here.r)
        self.kept, self.carried = np.zeros((len(self.own), 0)), np.zeros((len(self.own), n))
        steps = np.full(size, _DIFFERENCE)
        J = differences(
            lambda step: self.reduced(self.here.chart, *self.moved(step))[n:], np.zeros(size), steps
        )
        self.kept, self.carried = (
            _conserved_combinations(J / self.per_rate * self.second),
            self._carried(),
        )

    def _carried(self) -> np.ndarray:
        """Matrix A: rates of the states per natural velocity of each degree of freedom."""
        chart = self.here.chart
        self.system.values(self.t, chart.q, chart.x)
        return (
            np.array(
                [
                    0.5 * (self.rates(chart.q, v, chart.x) - self.rates(chart.q, -v, chart.x))
                    for v in (chart.tangent() / chart.natural).T
                ]
            )
            .reshape(-1, len(self.own))
            .T
        )

    def rates(self, q: np.ndarray, v: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Rates of the states in their scales."""
        equations(self.system.tables, self.system.work, self.t, q, np.ascontiguousarray(v), x)
        return self.system.work.xdot[self.own] / self.sizes

    def balance(self, q: np.ndarray, x: np.ndarray) -> Balance:
        chart = IndependentCoordinates(self.system, self.t, q, x)
        return Balance(chart, self.reduced(chart, q, x))

    def stiffness(self) -> np.ndarray:
        """K = -dr/d(z, x) in natural units."""
        chart, size = self.here.chart, len(self.here.r)
        return -differences(
            lambda step: self.reduced(chart, *self.moved(step)),
            np.zeros(size),
            np.full(size, _DIFFERENCE),
        )

    @property
    def found(self) -> bool:
        return self.size <= _GOOD * (self.scale or self.per_rate * bool(self.own))

    @property
    def size(self) -> float:
        return float(np.abs(self.here.r).max(initial=0.0))

    # --- Newton's method

    def newton(self) -> None:
        """Iterate until the residual is at rounding level, or until no step reduces it."""
        for _ in range(_ITERATIONS):
            if self.size <= _BALANCED * self.scale:
                return
            self.iterations += 1
            self.find_conserved()
            if not self._advance(self._direction()):
                return

    def _direction(self) -> np.ndarray:
        K = self.stiffness()
        mu, U = eigh(0.5 * (K + K.T))
        skew = np.abs(K - K.T).max(initial=0.0)
        # convex, or forces without a potential: plain Newton
        if self.own or mu.min() > 0.0 or skew > 1e-6 * np.abs(K).max():
            step = lstsq(K, self.here.r, rcond=1e-12)
        else:
            floor = max(1e-8 * np.abs(mu).max(), 1e-300)
            step = product(U, (product(U.T, self.here.r)) / np.maximum(np.abs(mu), floor))
        way = np.abs(step[: self.here.chart.freedoms])
        travels = self.system.travels[self.here.chart.index]
        most = np.where(travels, self.longest, _LARGEST_STEP)
        return step * min(1.0, float((most / np.maximum(way, 1e-300)).min(initial=np.inf)))

    def _advance(self, step: np.ndarray) -> bool:
        """Shorten the step until the force decreases, or still points ahead along it."""
        size = self.size
        for halved in range(_HALVINGS):
            trial, ahead = self._try(step)
            if trial is not None and (
                np.abs(trial.r).max() < 0.999 * size or (ahead and size > _GOOD * self.scale)
            ):
                whole = halved == 0 and (ahead or bool(self.own))
                self.longest = min(2.0 * self.longest, _LONGEST) if whole else _LARGEST_STEP
                self.here = trial
                return True
            step = 0.5 * step
        return False

    def _try(self, step: np.ndarray) -> tuple[Balance | None, bool]:
        """The residual after a step, and whether the forces still point along it; None if the loops
        cannot be closed.
        """
        chart = self.here.chart
        try:
            q, x = self.moved(step)
        except SimulationError:
            return None, False
        downhill = not self.own and product(self.here.r, step) > 0.0
        return self.balance(q, x), bool(
            downhill and product(self.reduced(chart, q, x), step) >= 0.0
        )

    # --- dynamic relaxation

    def relax(self) -> None:
        """Move slowly without velocity-dependent forces; stop at every peak of the kinetic
        energy.
        """
        u, energy, h, gone = np.zeros(self.here.chart.freedoms), 0.0, 0.0, 0.0
        for k in range(_RELAXATIONS):
            # in equilibrium, or no resistance
            if self.size <= 1e-6 * self.scale or gone > _FURTHEST:
                return
            self.iterations += 1
            mass = self._mass()
            if k % 25 == 0:
                h = 0.5 / np.sqrt(max(_largest_squared_frequency(mass, self.stiffness()), 1e-300))
            push = solve(mass, self.here.r)
            h = min(h, np.sqrt(_LARGEST_STEP / max(np.abs(push).max(), 1e-300)))
            u = u + h * push
            before, energy = energy, 0.5 * float(product(u, mass, u))
            if energy < before:
                u, energy = np.zeros_like(u), 0.0
                continue
            gone += h * np.abs(u).max()
            u = self._move(u, h)

    def _mass(self) -> np.ndarray:
        chart = self.here.chart
        self.forces(chart.q, chart.x)
        E = chart.E / chart.natural
        return product(E.T, self.system.work.M, E)

    def _move(self, u: np.ndarray, h: float) -> np.ndarray:
        """Move by h u; return the velocity in the independent coordinates of the new position."""
        chart = self.here.chart
        u = u * min(1.0, _LARGEST_STEP / max(h * np.abs(u).max(), 1e-300))
        try:
            q, x = chart.at(h * u / chart.natural)
        except SimulationError:  # the loops cannot be closed
            return np.zeros_like(u)
        v = product(chart.tangent(), u / chart.natural)
        self.here = self.balance(q, x)
        return product(self.here.chart.P, v) * self.here.chart.natural


def _largest_squared_frequency(mass: np.ndarray, stiffness: np.ndarray) -> float:
    """Largest squared frequency  |M^-1/2 K M^-1/2|."""
    mu, U = eigh(mass)
    root = U / np.sqrt(np.maximum(mu, 1e-14 * mu.max(initial=0.0)))
    return float(singular_values(product(root.T, stiffness, root)).max(initial=0.0))


def _conserved_combinations(J: np.ndarray) -> np.ndarray:
    """Orthonormal columns w with w^T J = 0; rows are scaled so that slow states count as fast ones.

    J = dR/d(q, x) is in scales of the states per time unit.
    """
    size = np.linalg.norm(J, axis=1)
    size[size <= _CONSTANT] = np.inf
    U, s, _ = svd(J / size[:, None])
    W = U[:, int(np.sum(s > _DEPENDENT)) :] / np.where(np.isinf(size), 1.0, size)[:, None]
    return qr(W)[0] if W.shape[1] else W
