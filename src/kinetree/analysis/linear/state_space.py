"""The model as a function of its independent states and inputs, and the derivatives of that
function.

    z' = u + 1/2 P (E z x v0),   u' = P vdot(q(z), v(z, u), w)

q(z) is closed by Newton's method and v(z, u) satisfies G v = nu, so that the derivatives are taken
along the constraints. They are central differences of fourth order. With vdot and lam of the base
state, only the residual of the equations is differentiated, and one linear system is solved:

    M dvdot + G^T dlam = d(f - M vdot - G^T lam),    G dvdot = d(gamma - G vdot)
    (vdot and lam are constant on the right-hand sides)

The cross product belongs to joints with three rotations, whose coordinates are rotation vectors; it
vanishes at rest. States x that count turns follow from the position and are not independent.

Rows of velocities alone (rolling wheels, blades) leave more positions z than velocities u. Then z
are independent for the rows with a g, u for all rows, and the first equation is

    z' = P_z (v + 1/2 E z x v),     v(z, u) with G v = nu, P_u v = u

whose derivative by z does not vanish: a wheel that is turned rolls elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...assembly.result import Assembly
from ...assembly.system import System
from ...description.lowering.compiled import CompiledModel
from ...engine.equations.interface import evaluate_equations as equations
from ...errors import ModelError
from ...kernel.linalg import norm, product
from ...kernel.tables.records import frozen
from ...results.channels import find
from ...results.solution import Solution
from ..sampled import Projection, accelerations, as_solution
from .independent_coordinates import IndependentCoordinates, differences

# rad, model sizes, or these per second (times the speed if that is larger); scales of states
_STEP = 1e-3
# smallest and largest time scale of velocity steps, relative to the fastest rate of the model
_SLOW = 1e-4
_FAST = 10.0


class StateEquations:
    """Rates and outputs of a model near a state."""

    def __init__(
        self, assembly: Assembly, inputs: tuple[str, ...], outputs: tuple[str, ...]
    ) -> None:
        self.assembly, self.compiled, self.inputs = assembly, assembly.compiled, inputs
        self.speeds, self.work = IndependentCoordinates.of(assembly), System(self.compiled).work
        self.holonomic = bool(self.speeds.system.holonomic.all())
        self.chart = (
            self.speeds if self.holonomic else IndependentCoordinates.of(assembly, positions=True)
        )
        # without the states that count turns: these follow from the position
        self.own = np.array([place.ix for place in self.compiled.states.values()], int)
        self.u0 = product(self.speeds.P, assembly.v)
        self.pace = 1.0  # 1/s
        # numbers of positions, and of positions and velocities
        self.nz, self.nzu = self.chart.freedoms, self.chart.freedoms + self.speeds.freedoms
        self.zero = np.zeros(self.nzu + len(self.own))
        self.outputs = (
            _scalars(self._solution(self.zero, self.compiled), outputs) if outputs else ()
        )

    @property
    def names(self) -> tuple[str, ...]:
        rates = (f"{name}.rate" for name in self.speeds.names)
        return (*self.chart.names, *rates, *self.compiled.states)

    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """A, B, C, D; forces are linear in their actuators, so that a step of one is exact for the
        inputs.
        """
        n, residual = self.nz, self._residual()
        self.pace = self._rate_scale(residual)
        if self.holonomic:
            top = np.hstack([self._turning(), np.eye(n), np.zeros((n, len(self.own)))])
        else:
            top = differences(self._position_rates, self.zero, self._steps())
        A, B = (self._accelerated(J) for J in self._derivatives(residual))
        C, D = self._derivatives(self._outputs)
        return np.vstack([top, A]), np.vstack([np.zeros((n, B.shape[1])), B]), C, D

    def _rate_scale(self, residual) -> float:
        """Rate (1/s) that scales the steps of velocities: one per second, limited by the rates of
        the model.

            w^2 = max |du'/dz|  in natural units,  at least  g / l
        """
        n, natural = self.nz, self.chart.natural
        settings = self.compiled.tables.settings[0]
        rest = np.zeros(len(self.zero) - n)
        J = differences(
            lambda z: residual(np.append(z, rest), self.compiled), self.zero[:n], self._steps()[:n]
        )
        stiff = self._accelerated(J)[: self.speeds.freedoms]
        stiff = stiff * self.speeds.natural[:, None] / natural
        square = max(
            np.abs(stiff).max(initial=0.0), float(norm(settings["gravity"]) / settings["length"])
        )
        return (
            float(np.clip(1.0, _SLOW * np.sqrt(square), _FAST * np.sqrt(square)))
            if square > 0.0
            else 1.0
        )

    def _derivatives(self, function) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of a function of the independent states and the model, by the states and by
        the inputs.
        """
        J = differences(lambda s: function(s, self.compiled), self.zero, self._steps())
        pushed = [
            [function(self.zero, self._driven(k, w)) for w in (1.0, -1.0)]
            for k in range(len(self.inputs))
        ]
        return J, np.array([0.5 * (plus - minus) for plus, minus in pushed]).reshape(
            len(pushed), len(J)
        ).T

    def _residual(self):
        """Residual (f - M vdot - G^T lam, gamma - G vdot, element state rates), with vdot and lam
        of the base state.
        """
        a, system = self.assembly, self.chart.system
        equations(system.tables, system.work, a.t, a.q, a.v, a.x)
        self.projection = Projection(system, a.t)
        vdot, lam = self.projection.solved(system.work.f, system.work.gamma)

        def residual(s: np.ndarray, compiled: CompiledModel) -> np.ndarray:
            q, v, x = self._state(s)
            equations(System(compiled, self.work).tables, self.work, a.t, q, v, x)
            work = self.work
            left = work.f - product(work.M, vdot) - product(work.G.T, lam)
            return np.concatenate([left, work.gamma - product(work.G, vdot), work.xdot[self.own]])

        return residual

    def _accelerated(self, J: np.ndarray) -> np.ndarray:
        """(u', element state rates) for each column of residual derivatives."""
        nv, rows = len(self.assembly.v), len(self.chart.system.scale)
        vdot = self.projection.accelerations(J[:nv], J[nv : nv + rows])
        return np.vstack([product(self.speeds.P, vdot), J[nv + rows :]])

    def _outputs(self, s: np.ndarray, compiled: CompiledModel) -> np.ndarray:
        if not self.outputs:
            return np.zeros(0)
        solution = self._solution(s, compiled)
        return np.array([solution[name][0] for name in self.outputs])

    def _solution(self, s: np.ndarray, compiled: CompiledModel) -> Solution:
        """Solution with one sample and all channels."""
        q, v, x = self._state(s)
        y, t = np.concatenate([q, v, x]), self.assembly.t
        vdot, lam = accelerations(System(compiled, self.work), t, q, v, x)
        return as_solution(
            replace(self.assembly, compiled=compiled),
            [t],
            y[None],
            vdot[None],
            lam[None],
            "linearize",
        )

    def _state(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The full state (q, v, x)."""
        q, x = self.chart.at(s[: self.nz])
        x[self.own] = self.assembly.x[self.own] + s[self.nzu :]
        if not self.holonomic:
            self.speeds.system.values(self.assembly.t, q, x)
        return q, self.speeds.velocity(self.u0 + s[self.nz : self.nzu]), x

    def _steps(self) -> np.ndarray:
        scale = np.array([place.state.scale for place in self.compiled.states.values()])
        slow = self.pace / self.speeds.natural
        return _STEP * np.concatenate(
            [1.0 / self.chart.natural, np.maximum(np.abs(self.u0), slow), scale]
        )

    def _position_rates(self, s: np.ndarray) -> np.ndarray:
        """z' where it is not u alone, to first order in z."""
        v = self._state(s)[1]
        moved = product(self.chart.E, s[: self.nz])
        return product(self.chart.P, v + self._crossed(moved[:, None], v)[:, 0])

    def _turning(self) -> np.ndarray:
        """The term 1/2 P (E z x v0) of joints with three rotations."""
        return product(self.chart.P, self._crossed(self.chart.E, self.assembly.v))

    def _crossed(self, E: np.ndarray, v: np.ndarray) -> np.ndarray:
        """1/2 E x v for each column of E, in the rows of joints with three rotations."""
        cross = np.zeros_like(E)
        for link in self.compiled.tables.links[1:]:
            if link["plain"] < link["nv"]:
                rows = slice(int(link["iv"] + link["plain"]), int(link["iv"] + link["nv"]))
                cross[rows] = 0.5 * np.cross(E[rows].T, v[rows]).T
        return cross

    def _driven(self, k: int, value: float) -> CompiledModel:
        """The model with input k at a value."""
        tables, last = self.compiled.tables, self.inputs[k].rpartition(".")[2]
        force = tables.forces[k - len(self.inputs)]
        labels = self.compiled.model.forces[f"input {k}"].spec.actuators
        signals = tables.signals.copy()
        signals["a"][int(force["input"][labels.index(last) if last in labels else 0])] = value
        return replace(self.compiled, tables=frozen(tables._replace(signals=signals)))


def _scalars(solution: Solution, names: tuple[str, ...]) -> tuple[str, ...]:
    """Scalar outputs, vectors by component; a channel that needs more than one instant is
    refused.
    """
    found: list[str] = []
    for name in names:
        channel, component = find(solution.channels, name, solution.model.name)
        if channel.at_steps or name == "energy.work":
            raise ModelError(f"linearize: output {name!r} is not a function of the state.")
        whole = component is None and channel.components
        found += [f"{name}.{k}" for k in channel.components] if whole else [name]
    return tuple(found)
