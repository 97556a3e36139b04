"""What a run has done, finished or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.usercode.capture import ErrorCapture
from .interruptions import Occurrence


class Jump(NamedTuple):
    """States on both sides of a break, with the components carried along."""

    t_before: float
    t: float
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True)
class Failure:
    """An evaluation that failed: its time and state, the element without a value (see
    kernel/tables/fault.py), what Python code raised.
    """

    t: float
    y: np.ndarray
    fault: int
    culprit: int
    reason: str | None

    @classmethod
    def of(cls, work: Work, watch: ErrorCapture, n: int | None = None) -> Failure:
        """The last one that the workspace remembers; the first n components of its state are the
        machine's.
        """
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
    """What a run has done, finished or not; `y` is the last good state and `t` its time."""

    method: str
    status: Status  # DONE, MORE (interrupted), or the cause why the run ended early
    interrupted: bool
    t: float
    y: np.ndarray  # (n,)
    ydot: np.ndarray  # (n,)
    log: np.ndarray  # STEP, one row per accepted step, or per several of a long run (`steplog.py`)
    samples_t: np.ndarray  # the sample times reached
    samples_y: (
        np.ndarray
    )  # (len(samples_t), n), as interpolated; whoever completes them settles them in place
    accepted: int
    rejected: int
    evaluations: int
    seconds: float = 0.0  # of computing, the time loop alone
    carried: np.ndarray | None = None  # (len(samples_t), m) components carried along, and ...
    carried_end: np.ndarray | None = None  # ... (m,) at the last good state
    jumps: tuple[Jump, ...] = ()  # breaks passed
    failure: Failure | None = None  # the last evaluation that failed, if that ended the run
    stop: BaseException | None = None  # what interrupted it: KeyboardInterrupt, SystemExit, ...
    events: tuple[Occurrence, ...] = ()  # in the order of time
    ended: str = ""  # the event that ended the run
    switched: tuple[
        float, ...
    ] = ()  # when user code was found to switch inside a step, which was then divided there

    @property
    def done(self) -> bool:
        return self.status == Status.DONE

    def __repr__(self) -> str:
        return f"<{self.method}: {self.status.name.lower()} at t = {self.t:g} s, {self.accepted} steps>"
