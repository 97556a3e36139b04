"""Channels of a model at a batch of states, for the detection of events."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.result import Assembly
from ...assembly.system import System
from ...engine.dynamics.kinematics import coordinate_rates
from ...engine.formulations.contract import Formulation
from ...errors import ModelError
from ...kernel.tables.workspace import Work
from ...results import channels
from ...results.completion import Solved, complete
from ...results.run_data import MemoryRun, Scratch
from ...results.solution import Solution, clear_cache

if TYPE_CHECKING:
    from .event import Event

_NOT_OF_A_STATE = ("energy.work",)


class Batch:
    """Channels at a batch of states, which is replaced again and again.

    The accelerations and multipliers are NaN until a channel turns out to need them.
    """

    def __init__(self, assembly: Assembly, method: Formulation, options: dict[str, Any]) -> None:
        self._scratch: Scratch = {}
        self._data = replace(MemoryRun.empty(assembly, method, options), scratch=self._scratch)
        self.solution, self.compiled, self.method = Solution(self._data), assembly.compiled, method
        self._values: dict[str, np.ndarray] = {}
        self._solved = False

    @property
    def t(self) -> np.ndarray:
        return self._data.t

    def set_states(self, t: np.ndarray, y: np.ndarray) -> Batch:
        """Replace the states."""
        data, size, count = self._data, self.compiled.size, len(t)
        data.t, data.y = np.ascontiguousarray(t, float), np.ascontiguousarray(y, float)
        self._set_solved(np.full((count, size["nv"]), np.nan), np.full((count, size["ng"]), np.nan))
        self._solved = False
        return self

    def _set_solved(self, vdot: np.ndarray, lam: np.ndarray) -> None:
        self._data.solved = Solved.of(vdot, lam)
        self._values = {}
        clear_cache(self.solution)

    @cached_property
    def system(self) -> System:
        """The equations of motion, for impacts."""
        return System(self.compiled)

    def _workspace(self) -> Work:
        storage = tuple(self.method.storage)
        if storage not in self._scratch:
            self._scratch[storage] = self.compiled.workspace(storage)
        return self._scratch[storage]

    def values(self, name: str) -> np.ndarray:
        """Values of a channel at all states."""
        if name not in self._values:
            found = self.solution[name]
            if not self._solved and not np.isfinite(found).all():
                self._solve()
                found = self.solution[name]
            self._values[name] = np.asarray(found, float)
        return self._values[name]

    def _solve(self) -> None:
        """Compute accelerations and multipliers."""
        vdot, lam, _, watch, _ = complete(
            self.method, self.compiled, self._workspace(), self.t, self._data.y.copy()
        )
        self._set_solved(vdot, lam)
        if watch.stop is not None:
            raise watch.stop
        self._solved = True

    def rates(self) -> np.ndarray:
        """Time derivatives of the states: qdot, vdot, xdot."""
        if not self._solved:
            self._solve()
        sol = self.solution
        qdot = np.zeros(sol.q.shape)
        for k in range(len(self.t)):
            coordinate_rates(self.compiled.tables, sol.q[k].copy(), sol.v[k].copy(), qdot[k])
        return np.hstack([qdot, sol.vdot, sol.record.xdot])

    def project(self, t: float, y: np.ndarray) -> np.ndarray:
        """The state projected onto the constraints."""
        found = np.array(y, float)[None]
        complete(self.method, self.compiled, self._workspace(), np.array([t]), found)
        return found[0]

    def check(self, event: Event) -> None:
        """Refuse a channel that is not a continuous scalar function of the state."""
        if not isinstance(event.what, str):
            return
        channel, component = channels.find(
            self.solution.channels, event.what, self.compiled.model.name
        )
        if channel.components and component is None:
            names = ", ".join(f"{event.what}.{k}" for k in channel.components)
            raise ModelError(
                f"event {event.name!r}: {event.what!r} is a vector; take one of its components: "
                f"{names}."
            )
        if channel.at_steps or event.what in _NOT_OF_A_STATE or ".quaternion" in event.what:
            raise ModelError(
                f"event {event.name!r}: {event.what!r} does not follow from the state alone, or "
                "has no sign of its "
                "own; take another channel."
            )


class Moment:
    """One state with its channels by name: the argument `s` of the functions of events."""

    def __init__(self, batch: Batch, k: int) -> None:
        self._batch, self._k = batch, k

    def __getitem__(self, name: str) -> Any:
        found = self._batch.values(name)[self._k]
        return float(found) if found.ndim == 0 else found

    @property
    def t(self) -> float:
        """Time (s)."""
        return float(self._batch.t[self._k])

    @property
    def q(self) -> np.ndarray:
        """Generalized coordinates."""
        return self._batch.solution.q[self._k].copy()

    @property
    def v(self) -> np.ndarray:
        """Generalized velocities."""
        return self._batch.solution.v[self._k].copy()

    @property
    def x(self) -> np.ndarray:
        """States of elements and controllers."""
        return self._batch.solution.x[self._k].copy()

    def __repr__(self) -> str:
        return f"<moment of {self._batch.compiled.model.name!r} at t = {self.t:g} s>"
