"""Runs to an end state alone, with the time loop, its storage and its options prepared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..assembly.result import Assembly
from ..engine.integrators.integrate import Integration
from ..engine.integrators.result import Result
from ..engine.integrators.segments import NO_BREAKS, Breaks, time_tolerance
from ..engine.integrators.short_runs import ShortRuns
from ..options import ATOL, MAX_STEPS, RTOL, TIME_LIMIT
from .loop_model import loop_model
from .plan import Plan
from .run import breaks_in, jump_of, stepping
from .scales import Scales


def with_own_signals(assembly: Assembly) -> tuple[Assembly, np.ndarray]:
    """The assembly with a copy of its time functions, and the records to write into."""
    compiled = assembly.compiled
    signals = compiled.tables.signals.copy()
    shown = signals.view()
    shown.flags.writeable = False
    own = replace(compiled, tables=compiled.tables._replace(signals=shown))
    return replace(assembly, compiled=own), signals


def can_step(plan: Plan) -> bool:
    """Whether a `PreparedLoop` can run a plan: without user code, events, contacts and beams."""
    compiled = plan.assembly.compiled
    return not (plan.watched or plan.in_nodes or compiled.code or len(compiled.tables.places))


class PreparedLoop:
    """A prepared run of one thread; with `settable` its time functions may be changed.

    Attributes
    ----------
    signals : ndarray or None
        The records of the time functions, if they may be changed.
    """

    def __init__(self, plan: Plan, settable: bool = False) -> None:
        options = plan.options(plan.assembly.t + 1.0)
        self._chosen, self._method, self._name = options.chosen, plan.method, plan.integrator.name
        self._model = loop_model(plan.assembly, plan.method, options)
        self.signals: np.ndarray | None = None
        if settable:
            own, self.signals = with_own_signals(self._model.assembly)
            self._model = replace(self._model, assembly=own)
        self._assembly = self._model.assembly
        compiled = self._assembly.compiled
        self._own = stepping(self._assembly, plan.integrator, options.to_dict())
        self._scales = Scales.of(compiled)
        self._speeds = slice(compiled.size["nq"], compiled.size["nq"] + compiled.size["nv"])
        self._y = np.zeros(len(self._assembly.y) + self._scales.works)
        self._times = _times(plan, options.chosen)
        self._last: tuple[dict[str, Any], float] = {}, 0.0
        self._all: dict[str, Any] = {}
        storage = (*plan.method.storage, *plan.integrator.storage)
        self._lent = compiled.pool.lend(storage, len(self._y))
        self._bind()

    def _bind(self) -> None:
        """Bind the time loop to the workspace."""
        self._integration = Integration(
            self._method.rhs,
            len(self._y),
            project=self._method.project,
            tables=self._assembly.compiled.tables,
            work=self._lent.work,
            method=self._name,
            carried=self._scales.works,
            **self._own,
        )
        self._jump = jump_of(self._assembly, self._lent.work)

    def run(self, t: float, y: np.ndarray, until: float, given: dict[str, Any]) -> Result:
        """Integrate from the state y at t; `given` are tolerances other than those of the plan."""
        lent = self._lent.renewed()
        if lent is not self._lent:
            self._lent = lent
            self._bind()
        y, duration = self._model.own(y), until - t
        second = self._scales.second(duration)
        self._y[: len(y)] = y
        found = self._integration.run(
            self._y,
            until,
            t0=t,
            breaks=self._breaks_in(t, until),
            jump=self._jump,
            quadratures=self._scales.energies(y[self._speeds], duration),
            second=second,
            given=self._options(given, second),
        )
        return self._model.result(found)

    def short_runs(self, length: float) -> ShortRuns | None:
        """Runs over one length of time; None if breaks or limits of the steps must be observed."""
        limits = (self._chosen[option.name] for option in (MAX_STEPS, TIME_LIMIT))
        if self._times or any(limit is not None for limit in limits):
            return None
        second, n = self._scales.second(length), len(self._y) - self._scales.works
        plain = Integration(
            self._method.rhs,
            n,
            project=self._method.project,
            tables=self._assembly.compiled.tables,
            work=self._lent.work._replace(failed=np.zeros(n)),
            method=self._name,
            **self._own,
        )
        return plain.short_runs(length, second, self._options({}, second))

    def own(self, y: np.ndarray) -> np.ndarray:
        """A state of the model of the time loop."""
        return self._model.own(y)

    def whole(self, y: np.ndarray) -> np.ndarray:
        """A state of the model of the run, from that of the time loop."""
        return self._model.whole(y)

    def _breaks_in(self, t: float, until: float) -> Breaks:
        if not self._times:
            return NO_BREAKS
        close = time_tolerance(t, until)
        if not any(t - close <= one <= until for one in self._times):
            return NO_BREAKS
        return breaks_in(replace(self._assembly, t=t), until, self._chosen)

    def _options(self, given: dict[str, Any], second: float) -> dict[str, Any]:
        """The given options, with the absolute tolerance of every state; the last are remembered."""
        if (given, second) != self._last:
            self._last, self._all = (given, second), dict(given)
            if ATOL.name in self._own:
                rtol = given.get(RTOL.name, self._chosen[RTOL.name])
                base = given.get(ATOL.name, self._chosen[ATOL.name])
                atol = self._scales.tolerances(rtol if base is None else base, second)
                self._all |= {RTOL.name: rtol, ATOL.name: atol}
        return self._all


def _times(plan: Plan, chosen: dict[str, Any]) -> list[float]:
    """All times at which a run may have a break."""
    compiled = plan.assembly.compiled
    found = [t for signal in compiled.signals if signal is not None for t in signal.breaks()]
    found += [t for element in compiled.model.with_states for t in element.spec.breakpoints]
    return [*found, *Breaks().joined(chosen["breakpoints"]).jumps]
