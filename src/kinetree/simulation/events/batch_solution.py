"""Channels of a machine at states that come and go, all states of a chunk at once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.result import Assembly
from ...assembly.system import System
from ...engine.dynamics.kinematics import coordinate_rates
from ...engine.formulations.contract import Formulation
from ...engine.integrators.memory import STEP
from ...engine.integrators.result import Result
from ...errors import ModelError
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...results import channels
from ...results.completion import Solved, complete
from ...results.energy import EnergyLedger
from ...results.observe import Observed
from ...results.solution import Solution

if TYPE_CHECKING:
    from .event import Event

_FOLLOWS = (
    "_accelerated",
    "record",
    "energy",
    "momentum",
    "reactions",
)  # what is computed from the states when asked for
_NOT_OF_A_STATE = ("energy.work",)


class BatchSolution(Solution):
    """A solution whose samples are exchanged again and again.

    Accelerations and multipliers are not numbers until something asked for turns out to need them.
    """

    @classmethod
    def of(cls, assembly: Assembly, method: Formulation, options: dict) -> BatchSolution:
        none, no_times = np.zeros((0, len(assembly.y))), np.zeros(0)
        result = Result(
            "events",
            Status.MORE,
            False,
            assembly.t,
            assembly.y,
            assembly.y,
            np.zeros(0, STEP),
            no_times,
            none,
            0,
            0,
            0,
        )
        return cls(assembly, method, options, result, no_times, none, Solved.of(none, none), 0.0)

    def show(self, t: np.ndarray, y: np.ndarray) -> BatchSolution:
        """These states from now on."""
        size = self.compiled.size
        self.t, self.y = np.ascontiguousarray(t, float), np.ascontiguousarray(y, float)
        self.solved = Solved.of(
            np.full((len(self.t), size["nv"]), np.nan), np.full((len(self.t), size["ng"]), np.nan)
        )
        self._known = False
        self._forget()
        return self

    def _forget(self) -> None:
        self._motions.clear()
        self._values: dict[Any, Any] = {}
        for name in _FOLLOWS:
            self.__dict__.pop(name, None)

    @cached_property
    def _scratch(self) -> dict[tuple[str, ...], Work]:
        """Workspaces, which every look at new states uses again."""
        return {}

    @cached_property
    def system(self) -> System:
        """The equations of the machine, for impacts."""
        return System(self.compiled)

    def _workspace(self) -> Work:
        storage = tuple(self.method.storage)
        if storage not in self._scratch:
            self._scratch[storage] = self.compiled.workspace(storage)
        return self._scratch[storage]

    @cached_property
    def record(self) -> Observed:
        return Observed(self.compiled, self.method, self.seen, self.y, self.solved, self._scratch)

    @cached_property
    def energy(self) -> EnergyLedger:
        elastic, power = (
            self.record.stored.sum(axis=1),
            np.column_stack([self.record.power, self.record.drive]).sum(axis=1),
        )
        return EnergyLedger(
            self.t, self.record.kinetic, self.record.potential + elastic, elastic, power
        )

    def values(self, name: str) -> np.ndarray:
        """A channel at all states."""
        if name not in self._values:
            found = self[name]
            if not self._known and not np.isfinite(found).all():
                self._complete()
                found = self[name]
            self._values[name] = np.asarray(found, float)
        return self._values[name]

    def _complete(self) -> None:
        """Find accelerations and multipliers."""
        vdot, lam, _, watch = complete(
            self.method, self.compiled, self._workspace(), self.t, self.y.copy()
        )
        self.solved = Solved.of(vdot, lam)
        if watch.stop is not None:
            raise watch.stop
        self._known = True
        self._forget()

    def rates(self) -> np.ndarray:
        """How the states change: qdot, vdot, xdot."""
        if not self._known:
            self._complete()
        qdot = np.zeros(self.q.shape)
        for k in range(len(self.t)):
            coordinate_rates(self.compiled.tables, self.q[k].copy(), self.v[k].copy(), qdot[k])
        return np.hstack([qdot, self.vdot, self.record.xdot])

    def settled(self, t: float, y: np.ndarray) -> np.ndarray:
        """The state on the constraints."""
        found = np.array(y, float)[None]
        complete(self.method, self.compiled, self._workspace(), np.array([t]), found)
        return found[0]

    def check(self, event: Event) -> None:
        """Refuse a channel that is no continuous number of the state."""
        if not isinstance(event.what, str):
            return
        channel, component = channels.find(self.channels, event.what, self.model.name)
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
    """What the functions of an event see: one state, its channels by name."""

    def __init__(self, moments: BatchSolution, k: int) -> None:
        self._moments, self._k = moments, k

    def __getitem__(self, name: str) -> Any:
        found = self._moments.values(name)[self._k]
        return float(found) if found.ndim == 0 else found

    @property
    def t(self) -> float:
        return float(self._moments.t[self._k])

    @property
    def q(self) -> np.ndarray:
        return self._moments.q[self._k].copy()

    @property
    def v(self) -> np.ndarray:
        return self._moments.v[self._k].copy()

    @property
    def x(self) -> np.ndarray:
        return self._moments.x[self._k].copy()

    def __repr__(self) -> str:
        return f"<moment of {self._moments.model.name!r} at t = {self.t:g} s>"
