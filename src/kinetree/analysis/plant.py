"""The machine as a function of its independent states and inputs, and its derivatives.

    z' = u + 1/2 P (E z x v0),   u' = P vdot(q(z), v(z, u), w)

q(z) is closed by Newton and v(z, u) satisfies G v = nu, so that the derivatives run along the constraints; they are
central differences of fourth order. The cross product belongs to joints with three rotations, whose coordinates are
rotation vectors; it vanishes at rest. States x that count turns follow the position and are no states here.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..assembly.receipt import Assembly
from ..assembly.system import System
from ..compile.compiled import CompiledModel
from ..dynamics.state import kinematic_rates
from ..errors import ModelError
from ..forces.point_force import PointForce
from ..joints.catalogue import KIND
from ..results.channels import find
from ..results.solution import Solution
from ..tables.records import frozen
from .chart import Chart, differences
from .sampled import accelerations, as_solution

_STEP = 1e-3  # rad, sizes of the machine, or that per second (times the speed if that is larger); scales of states


class Plant:
    """Rates and outputs of a machine near a state."""

    def __init__(self, assembly: Assembly, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> None:
        self.assembly, self.compiled, self.inputs = assembly, assembly.compiled, inputs
        self.chart, self.work = Chart.of(assembly), self.compiled.workspace()
        self.own = np.array([place.ix for place in self.compiled.states.values()], int)  # turns follow the position
        self.u0 = assembly.v[self.chart.index]
        self.zero = np.zeros(2 * self.chart.freedoms + len(self.own))
        self.outputs = _scalars(self._solution(self.zero, self.compiled)[1], outputs) if outputs else ()

    @property
    def names(self) -> tuple[str, ...]:
        z = self.chart.names
        return (*z, *(f"{name}.rate" for name in z), *self.compiled.states)

    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """A, B, C, D; forces are linear in their actuators, so that steps of one are exact for the inputs."""
        n, m, low = self.chart.freedoms, len(self.inputs), self.chart.freedoms + len(self.own)
        J = differences(lambda s: self.evaluate(s, self.compiled), self.zero, self._steps())
        pushed = [[self.evaluate(self.zero, self._driven(k, w)) for w in (1.0, -1.0)] for k in range(m)]
        W = np.array([0.5 * (plus - minus) for plus, minus in pushed]).reshape(m, len(J)).T
        top = np.hstack([self._turning(), np.eye(n), np.zeros((n, len(self.own)))])
        return np.vstack([top, J[:low]]), np.vstack([np.zeros((n, m)), W[:low]]), J[low:], W[low:]

    def evaluate(self, s: np.ndarray, compiled: CompiledModel) -> np.ndarray:
        """(u', own states', outputs) at the independent states s."""
        rates, solution = self._solution(s, compiled)
        return np.concatenate([rates, [solution[name][0] for name in self.outputs]])

    def _solution(self, s: np.ndarray, compiled: CompiledModel) -> tuple[np.ndarray, Solution]:
        q, v, x = self._state(s)
        y, t, system = np.concatenate([q, v, x]), self.assembly.t, System(compiled, self.work)
        vdot, lam = accelerations(system, t, q, v, x)
        ydot = np.zeros_like(y)
        kinematic_rates(system.tables, self.work, q, v, y, ydot)
        rates = np.concatenate([vdot[self.chart.index], compiled.split(ydot)[2][self.own]])
        at = replace(self.assembly, compiled=compiled)
        return rates, as_solution(at, [t], y[None], vdot[None], lam[None], "linearize")

    def _state(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The full state (q, v, x)."""
        n, chart = self.chart.freedoms, self.chart
        q, x = chart.at(s[:n])
        x[self.own] = self.assembly.x[self.own] + s[2 * n:]
        return q, chart.velocity(self.u0 + s[n:2 * n]), x

    def _steps(self) -> np.ndarray:
        natural = self.chart.natural
        scale = np.array([place.state.scale for place in self.compiled.states.values()])
        return _STEP * np.concatenate([1.0 / natural, np.maximum(np.abs(self.u0), 1.0 / natural), scale])

    def _turning(self) -> np.ndarray:
        """1/2 P (E z x v0) of the joints with three rotations."""
        cross = np.zeros_like(self.chart.E)
        for link in self.compiled.tables.links[1:]:
            if int(link["kind"]) in (KIND["spherical"], KIND["free"]):
                rows = slice(int(link["iv"] + link["nv"]) - 3, int(link["iv"] + link["nv"]))
                cross[rows] = 0.5 * np.cross(self.chart.E[rows].T, self.assembly.v[rows]).T
        return cross[self.chart.index]

    def _driven(self, k: int, value: float) -> CompiledModel:
        """The model with input k at a value."""
        tables, last = self.compiled.tables, self.inputs[k].rpartition(".")[2]
        force, spec = tables.forces[k - len(self.inputs)], self.compiled.model.forces[f"input {k}"].spec
        signals = tables.signals.copy()
        signals["a"][int(force["signal"]["xyz".index(last) if isinstance(spec, PointForce) else 0])] = value
        return replace(self.compiled, tables=frozen(tables._replace(signals=signals)))


def _scalars(solution: Solution, names: tuple[str, ...]) -> tuple[str, ...]:
    """The outputs, vectors by components; what needs more than one instant is refused."""
    found: list[str] = []
    for name in names:
        channel, component = find(solution.channels, name, solution.model.name)
        if channel.at_steps or name == "energy.work":
            raise ModelError(f"linearize: output {name!r} is not a function of the state.")
        whole = component is None and channel.components
        found += [f"{name}.{k}" for k in channel.components] if whole else [name]
    return tuple(found)
