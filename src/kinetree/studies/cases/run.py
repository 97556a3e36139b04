"""Runs of the cases of one thread: the time loop of `simulate`, bound once to patched tables."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...assembly.result import Assembly
from ...engine.integrators.integrate import Integration
from ...engine.integrators.result import Result
from ...engine.integrators.segments import NO_BREAKS, Breaks
from ...kernel.tables.pool import Lent, WorkspacePool
from ...options import ATOL, RTOL
from ...results.solution import Solution
from ...simulation.collect import collect
from ...simulation.events.batch import Batch
from ...simulation.events.detector import EventDetector
from ...simulation.plan import Plan
from ...simulation.run import Options, breaks_in, jump_of, stepping
from ...simulation.scales import Scales
from .patched import PatchedModel


class CaseRun:
    """Runs of patched models until one time; one thread at a time may use it."""

    def __init__(self, plan: Plan, patched: PatchedModel, until: float, interval: float | None):
        self._plan, self._patched, self._until = plan, patched, until
        self._options: Options = plan.options(until, interval)
        base = self._base = replace(plan.assembly, compiled=patched.common)
        self.scales = Scales(patched.common)
        self._own = stepping(base, plan.integrator, self._options.to_dict())
        self.width = len(base.y) + self.scales.works
        self._storage = (*plan.method.storage, *plan.integrator.storage)
        self._pool = WorkspacePool(patched.run.tables)
        self.lent = self.lend(self._storage, self.width)
        self._given: tuple[float, dict[str, Any]] = np.nan, {}
        # their times are the same in all cases (Blueprint.lasting)
        breaks = breaks_in(base, until, self._options.chosen)
        self.has_breaks = bool(breaks.jumps or breaks.stops)
        self._bind()

    def _bind(self) -> None:
        plan = self._plan
        self.integration = Integration(
            plan.method.rhs,
            self.width,
            project=plan.method.project,
            tables=self._patched.run.tables,
            work=self.lent.work,
            method=plan.integrator.name,
            carried=self.scales.works,
            **self._own,
        )
        self._jump = jump_of(self._base, self.lent.work)

    def lend(self, storage: Sequence[str], failed: int | None = None) -> Lent:
        """A workspace for the tables, in one piece of memory if it is small."""
        self._pool.lend(storage, failed)  # the first one is not kept
        return self._pool.lend(storage, failed)

    def result(self, assembly: Assembly, samples: np.ndarray) -> Result:
        """The result of the case that is written in the tables, from its start."""
        lent = self.lent.renewed()
        if lent is not self.lent:
            self.lent = lent
            self._bind()
        scales = self.scales = self.scales.renewed(self._patched.run.tables)
        duration = self._until - assembly.t
        second = scales.second(duration)
        y = np.zeros(self.width)
        y[: self.width - scales.works] = assembly.y
        return self.integration.run(
            y,
            self._until,
            t0=assembly.t,
            samples=samples,
            breaks=self.breaks(assembly),
            jump=self._jump,
            quadratures=scales.energies(assembly.v, duration),
            detector=self._detector(assembly),
            second=second,
            given=self._tolerances(second),
        )

    def solution(self, assembly: Assembly, result: Result) -> Solution:
        """The solution; valid until the next case is written."""
        breaks = self.breaks(assembly).jumps
        jumps = tuple(sorted({*breaks, *(one.t for one in result.events if one.after is not None)}))
        found = collect(
            assembly,
            self._plan.method,
            self._options,
            result,
            jumps,
            time.perf_counter(),
            _NO_SIGNALS,  # type: ignore[arg-type]
            at_once=False,
        )[0]
        found.watched = self._plan.watched
        return found

    @property
    def chosen(self) -> Mapping[str, Any]:
        """All options of the formulation and the integrator."""
        return self._options.chosen

    @property
    def tolerance(self) -> tuple[float, Any]:
        """rtol, and the absolute tolerance of a state of unit scale; None: it is in the options."""
        rtol = self.chosen.get(RTOL.name) or RTOL.default
        if ATOL.name not in self._own:
            return rtol, None
        return rtol, rtol if self.chosen[ATOL.name] is None else self.chosen[ATOL.name]

    def breaks(self, assembly: Assembly) -> Breaks:
        """Times at which steps must end."""
        if not self.has_breaks:
            return NO_BREAKS
        return breaks_in(assembly, self._until, self._options.chosen)

    def _tolerances(self, second: float) -> dict[str, Any] | None:
        """Options that depend on the size of the model; the last ones are remembered."""
        if ATOL.name not in self._own:
            return None
        key = self.scales.length + second
        if key != self._given[0] or not self._given[1]:
            rtol, base = self.tolerance
            atol = self.scales.tolerances(base, second)
            own = self._given[1]
            if own and self.integration.keeps(ATOL.name, own[ATOL.name]):
                own[ATOL.name][:] = atol  # options that were checked are not checked again
            else:
                own = {RTOL.name: rtol, ATOL.name: np.array(atol)}
            self._given = key, own
        return self._given[1]

    def _detector(self, assembly: Assembly) -> EventDetector | None:
        plan = self._plan
        if not plan.watched:
            return None
        return EventDetector(
            plan.watched,
            Batch(assembly, plan.method, self._options.to_dict()),
            self._options.chosen.get(RTOL.name) or RTOL.default,
            assembly.t,
            self._until,
            len(assembly.y),
            assembly.happened,
        )


class _NoSignals:
    """Signals that nobody has sent."""

    repeated, exception = False, None


_NO_SIGNALS = _NoSignals()
