"""How much a run may cost: steps, and seconds of the clock; and when it is clear that it would
never end.
"""

from __future__ import annotations

import math
import time

from ...kernel.tables.status import Status
from .contract import Integrator

STEPS, STEPS_PER_SAMPLE = 1_000_000, 2_000  # of adaptive methods, whichever is more
WATCHED = 20_000  # attempts over which the pace is measured
NEVER = 1e9  # attempts that no run is worth


class Budget:
    """Asked before and after each chunk."""

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
        """Steps the next chunk may take."""
        return int(max(1, min(wanted, self.steps - memory.accepted)))

    def limit_reached(self, memory) -> Status:
        """Why the run must end here, or MORE."""
        if memory.accepted >= self.steps:
            return Status.OUT_OF_STEPS
        if time.perf_counter() - self.began > self.seconds:
            return Status.OUT_OF_TIME
        return Status.STALLED if self.watching and self._stalled(memory) else Status.MORE

    def _stalled(self, memory) -> bool:
        """Whether the last attempts advanced so little that the rest would take more than anyone
        can wait for.
        """
        attempts, t = memory.accepted + memory.rejected, memory.t
        taken, gained = attempts - self.attempts, t - self.t
        if math.isnan(self.t) or taken >= WATCHED:
            self.attempts, self.t = attempts, t
        return taken >= WATCHED and (self.until - t) * taken > NEVER * gained
