"""Result of an integration, complete or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.usercode.capture import ErrorCapture
from .segments import Occurrence


class Jump(NamedTuple):
    """States on both sides of a break, quadratures included."""

    t_before: float
    t: float
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True)
class Failure:
    """A failed evaluation: its time and state, the element without a value
    (kernel/tables/fault.py), and the error that Python code raised.
    """

    t: float
    y: np.ndarray
    fault: int
    culprit: int
    reason: str | None

    @classmethod
    def of(cls, work: Work, watch: ErrorCapture, n: int | None = None) -> Failure:
        """The last failure in the workspace; the state is the first n components."""
        report = work.report[0]
        t = float(report["t_failed"])
        return cls(
            t,
            work.failed[:n].copy(),
            int(report["last_fault"]),
            int(report["last_fault_element"]),
            watch.at(t),
        )


@dataclass(frozen=True)
class Result:
    """Result of an integration; `y` is the last valid state and `t` its time."""

    method: str
    status: Status  # DONE, MORE (interrupted), or the cause of an early end
    interrupted: bool
    t: float
    y: np.ndarray  # (n,)
    ydot: np.ndarray  # (n,)
    log: np.ndarray  # STEP, one row per accepted step, or per several of a long run (steplog.py)
    samples_t: np.ndarray  # the sample times reached
    samples_y: np.ndarray  # (len(samples_t), n), interpolated and not yet projected
    accepted: int
    rejected: int
    evaluations: int
    seconds: float = 0.0  # of computing, the time loop alone
    quadratures: np.ndarray | None = None  # (len(samples_t), m) at the samples, and ...
    quadratures_end: np.ndarray | None = None  # ... (m,) at the last valid state
    jumps: tuple[Jump, ...] = ()  # the breaks passed
    failure: Failure | None = None  # the failed evaluation that ended the run
    stop: BaseException | None = (
        None  # that interrupted the run: KeyboardInterrupt, SystemExit, ...
    )
    events: tuple[Occurrence, ...] = ()  # in the order of time
    ended: str = ""  # the event that ended the run
    switched: tuple[float, ...] = ()  # times at which user code switched inside a step (probing.py)
    factorizations: int = 0  # of the matrices of implicit steps; `log` has those of the equations

    @property
    def done(self) -> bool:
        """Whether the run reached its end."""
        return self.status == Status.DONE

    def __repr__(self) -> str:
        status = self.status.name.lower()
        return f"<{self.method}: {status} at t = {self.t:g} s, {self.accepted} steps>"
