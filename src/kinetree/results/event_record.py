"""Events of a run by name, with their times and states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..core.display import NameDict, Printable
from ..engine.integrators.segments import Occurrence
from ..errors import counted
from .completion import Solved, complete
from .run_data import with_data

if TYPE_CHECKING:
    from .solution import Solution

_WORDS = {1: "rising", -1: "falling", 0: "touching"}


@dataclass(frozen=True, repr=False)
class EventRecord(Printable):
    """Occurrences of one event; one value of ``sol.events``.

    Attributes
    ----------
    name : str
        Name of the event.
    run : Solution
        The run in which it occurred.
    t : ndarray, shape (n,)
        Times of the occurrences (s).
    direction : ndarray, shape (n,)
        1 rising, -1 falling, 0 touching.
    y : ndarray, shape (n, ny)
        States (q, v, x) before the event changed them.
    y_after : ndarray, shape (n, ny)
        States (q, v, x) after the event.
    energy : ndarray, shape (n,)
        Energy that the event brought in (J); negative for an impact.
    """

    name: str
    run: Solution
    t: np.ndarray
    direction: np.ndarray
    y: np.ndarray
    y_after: np.ndarray
    energy: np.ndarray

    def __len__(self) -> int:
        return len(self.t)

    @cached_property
    def before(self) -> Solution:
        """Solution with all channels at the occurrences, before the changes."""
        return self._as_solution(self.y)

    @cached_property
    def after(self) -> Solution:
        """Solution with all channels at the occurrences, after the changes."""
        return self._as_solution(self.y_after)

    def _as_solution(self, y: np.ndarray) -> Solution:
        run, y = self.run, np.ascontiguousarray(y)
        vdot, lam, _, watch, _ = complete(
            run.method, run.compiled, run.compiled.workspace(run.method.storage), self.t, y
        )
        if watch.stop is not None:
            raise watch.stop
        return with_data(run, t=self.t, y=y, solved=Solved.of(vdot, lam), ledger=None, breaks=())

    def __str__(self) -> str:
        lost = f", {self.energy.sum():+.6g} J" if self.energy.any() else ""
        lines = [f"{self.name}: {counted(len(self), 'time')}{lost}"]
        lines += [f"  t = {t:.9g} s, {_WORDS[int(d)]}" for t, d in zip(self.t[:20], self.direction)]
        return "\n".join([*lines, "  ..."] if len(self) > 20 else lines)


class Events(NameDict, Printable):
    """All events of a run by name, also those that did not occur: a dict of `EventRecord`.

    The value of ``sol.events``; ``print`` lists the times.
    """

    @classmethod
    def of(cls, run: Solution) -> Events:
        result, names = run.result, run.options.get("events", ())
        events = cls("event", f" in this run of {run.model.name!r}")
        touched = [one.name for one in result.events]  # contacts name their own
        for name in dict.fromkeys([*names, *touched]):
            events[name] = _happened(run, name, [one for one in result.events if one.name == name])
        return events

    def work(self, t: np.ndarray) -> dict[str, np.ndarray]:
        """Energy (J) that each event has brought in up to the times t, if any."""
        return {
            name: np.array([one.energy[one.t <= now].sum() for now in t])
            for name, one in self.items()
            if one.energy.any()
        }

    def __str__(self) -> str:
        return "\n".join(map(str, self.values())) or "no events were looked for"

    __repr__ = Printable.__repr__


def _happened(run: Solution, name: str, found: list[Occurrence]) -> EventRecord:
    n = run.y.shape[1]
    return EventRecord(
        name,
        run,
        np.array([one.t for one in found], float),
        np.array([one.direction for one in found], int),
        np.array([one.y for one in found], float).reshape(-1, n),
        np.array([one.y if one.after is None else one.after for one in found], float).reshape(
            -1, n
        ),
        np.array([one.energy for one in found], float),
    )
