"""Events of unilateral contacts in a run: impacts and changes of mode, with their names.

The kernels of engine/contacts find the next modes. Here the events get names, such as
"touch.impact", and a sequence of events without end at one time ends the run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..assembly.result import Assembly
from ..description.lowering.compiled import CompiledModel
from ..engine.contacts.transitions import transition
from ..engine.integrators.segments import Occurrence
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work

MOST = 200  # events at one time
CLOSE = 1e-12  # s, and of the time: events nearer than this are at one time
TURNED = {  # mode before and after: label of the event
    (0, 1): "close",
    (0, 2): "close",
    (1, 0): "lift",
    (2, 0): "lift",
    (1, 2): "stick",
    (2, 1): "slide",
}


class Place(NamedTuple):
    """A place by the name of its element, and the index of its mode in x."""

    name: str
    ix: int


def places_of(compiled: CompiledModel) -> list[Place]:
    """The places of a model."""
    names = tuple(compiled.model.forces)
    return [Place(names[int(p["force"])], int(p["ix"])) for p in compiled.tables.places]


class Contacts:
    """Events of the contacts of a run (interface: engine/integrators/segments.py)."""

    def __init__(self, compiled: CompiledModel, work: Work) -> None:
        self.compiled, self.work, self.places = compiled, work, places_of(compiled)
        self.occurrences: list[Occurrence] = []
        self.last, self.repeated = -np.inf, 0

    @classmethod
    def of(cls, assembly: Assembly, work: Work) -> Contacts | None:
        """The contacts of a model that has some."""
        return cls(assembly.compiled, work) if len(assembly.compiled.tables.places) else None

    def start(self, t: float, y: np.ndarray) -> Status:
        """Modes at the start of a segment, with impacts where places approach each other."""
        return self._transition(t, y, True)

    def happen(self, t: float, y: np.ndarray) -> Status:
        """What follows from the event at which a step has ended."""
        close = CLOSE * (1.0 + abs(t))
        self.repeated = self.repeated + 1 if t - self.last <= close else 0
        self.last, self.work.place_event[4] = t, self.repeated
        return Status.CHATTER if self.repeated > MOST else self._transition(t, y, False)

    def _transition(self, t: float, y: np.ndarray, started: bool) -> Status:
        before = y.copy()
        status = Status(transition(self.compiled.tables, self.work, t, y, int(started)))
        if status == Status.OK:
            self._record(t, before, y)
        return status

    def _record(self, t: float, before: np.ndarray, after: np.ndarray) -> None:
        """Keep the changes of mode, and the impacts, which are changes of velocity."""
        size = self.compiled.size
        nx = size["nq"] + size["nv"]
        n = nx + size["nx"]
        x, z = before[nx:], after[nx:]
        labels = dict.fromkeys(
            f"{p.name}.{TURNED[int(x[p.ix]), int(z[p.ix])]}"
            for p in self.places
            if int(x[p.ix]) != int(z[p.ix])
        )
        if self.work.place_event[2] > 0.0:
            struck = [
                p.name
                for p, (a, *_) in zip(self.places, self.work.struck)
                if a >= 0.0 and self.work.place_sum[int(a)] > 0.0
            ]
            labels = {**dict.fromkeys(f"{name}.impact" for name in struck), **labels}
        for label in labels:
            self.occurrences.append(Occurrence(label, t, 0, before[:n], after[:n].copy(), 0.0))
