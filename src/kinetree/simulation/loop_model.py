"""The model with which the time loop computes, and its states as states of the model of the run.

It is the model of the run itself, or a reduced one with the same motion (assembly/reduced.py). The
samples, the end, the jumps and the events of a result are states of the model of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..assembly.reduced import Reduction, reduced
from ..assembly.result import Assembly
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..engine.integrators.storage import SampleWriter
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from .events.event import Event
from .run import Options, configured


@dataclass(frozen=True)
class LoopModel:
    """The model of the run itself, with the settings of its formulation."""

    assembly: Assembly

    def own(self, y: np.ndarray) -> np.ndarray:
        """States of this model."""
        return y

    def whole(self, y: np.ndarray) -> np.ndarray:
        """States of the model of the run, from states of this model."""
        return y

    def result(self, found: Result) -> Result:
        """The result with states of the model of the run."""
        return found

    def writer(self, whole: SampleWriter | None) -> SampleWriter | None:
        """What stores the samples of this model during the run."""
        return whole

    def work(self, whole: Assembly, status: Status, own: Work) -> Work:
        """The workspace after a failed run, for the model of the run."""
        return own


@dataclass(frozen=True)
class ReducedModel(LoopModel):
    """A model with fewer degrees of freedom and rows."""

    reduction: Reduction

    def own(self, y: np.ndarray) -> np.ndarray:
        return self.reduction.to_planes(y)

    def whole(self, y: np.ndarray) -> np.ndarray:
        return self.reduction.to_space(y)

    def result(self, found: Result) -> Result:
        states, failure = self.reduction.to_space, found.failure
        return replace(
            found,
            y=states(found.y),
            ydot=self.reduction.rates_to_space(found.y, found.ydot),
            samples_y=states(found.samples_y),
            jumps=tuple(
                one._replace(before=states(one.before), after=states(one.after))
                for one in found.jumps
            ),
            failure=failure and replace(failure, y=states(failure.y)),
            events=tuple(
                one._replace(
                    y=states(one.y), after=None if one.after is None else states(one.after)
                )
                for one in found.events
            ),
        )

    def writer(self, whole: SampleWriter | None) -> SampleWriter | None:
        return None if whole is None else _WriterInSpace(whole, self.reduction)

    def work(self, whole: Assembly, status: Status, own: Work) -> Work:
        found, rows = whole.compiled.workspace(()), self.reduction.rows
        found.report[:] = own.report
        found.g[rows] = own.g
        report = found.report[0]
        if status == Status.SINGULAR_MASS:
            report["index"] = self.reduction.velocity_in_space(int(report["index"]))
        elif len(rows):
            report["index"] = rows[min(int(report["index"]), len(rows) - 1)]
            report["weakest"] = rows[int(report["weakest"])]
        return found


class _WriterInSpace:
    """Stores the samples of a reduced model as states of the whole one."""

    def __init__(self, whole: SampleWriter, reduction: Reduction) -> None:
        self._whole, self._reduction, self._done = whole, reduction, 0

    def allocate(self, samples: int, width: int) -> np.ndarray:
        more = int((self._reduction.space - self._reduction.plane).sum())
        self._states = self._whole.allocate(samples, width + more)
        return np.zeros((samples, width))

    def __call__(self, t: np.ndarray, y: np.ndarray, reached: int) -> None:
        if reached > self._done:
            rows = slice(self._done, reached)
            self._states[rows] = self._reduction.to_space(y[rows])
            self._done = reached
        self._whole(t, self._states, reached)


def loop_model(
    assembly: Assembly, method: Formulation, options: Options, events: Sequence[Event] = ()
) -> LoopModel:
    """The model for the time loop of a run.

    Event functions may ask for all reactions, and methods that are not exact show what a paper
    computes in six coordinates per body: such runs have the model itself.
    """
    found = reduced(assembly) if method.exact and not events else None
    if found is None:
        return LoopModel(configured(assembly, method, options))
    return ReducedModel(configured(found[0], method, options), found[1])
