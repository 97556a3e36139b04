"""Limits of a run: number of steps and seconds of the clock, and the detection of a stalled run."""

from __future__ import annotations

import math
import time

from ...kernel.tables.status import Status
from .contract import Integrator

STEPS, STEPS_PER_SAMPLE = 1_000_000, 2_000  # limits of adaptive methods; the larger one counts
MEASURED = 20_000  # attempts over which the progress is measured
NEVER = 1e9  # attempts after which a run would never end


class Budget:
    """Limits, checked before and after each chunk."""

    def __init__(
        self,
        method: Integrator,
        samples: int,
        max_steps: int | None,
        time_limit: float | None,
        until: float,
    ) -> None:
        self.watching = max_steps is None and method.adaptive
        default = max(STEPS, STEPS_PER_SAMPLE * samples) if method.adaptive else math.inf
        self.steps = default if max_steps is None else max_steps
        self.seconds = math.inf if time_limit is None else time_limit
        self.until, self.began, self.attempts, self.t = until, time.perf_counter(), 0, math.nan

    def rows(self, wanted: int, memory) -> int:
        """Number of steps that the next chunk may take."""
        return int(max(1, min(wanted, self.steps - memory.accepted)))

    def limit_reached(self, memory) -> Status:
        """Status of the limit that ends the run here, or MORE."""
        if memory.accepted >= self.steps:
            return Status.OUT_OF_STEPS
        if time.perf_counter() - self.began > self.seconds:
            return Status.OUT_OF_TIME
        return Status.STALLED if self.watching and self._stalled(memory) else Status.MORE

    def _stalled(self, memory) -> bool:
        """Whether the last attempts advanced so little that the run would never end."""
        attempts, t = memory.accepted + memory.rejected, memory.t
        taken, gained = attempts - self.attempts, t - self.t
        if math.isnan(self.t) or taken >= MEASURED:
            self.attempts, self.t = attempts, t
        return taken >= MEASURED and (self.until - t) * taken > NEVER * gained
